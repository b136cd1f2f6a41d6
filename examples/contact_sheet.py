# SPDX-License-Identifier: Apache-2.0
"""Draws the demo's picture: the photo with its regions, the tensors that came out, and one of them
as the network sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from peers import MEAN, STD
from PIL import Image, ImageDraw, ImageFont

PAPER, INK, FAINT = "#15181d", "#f2f0ea", "#9aa3ad"
COLORS = ("#ffb000", "#4fc3f7", "#ff6f91", "#7ee081", "#c69cff", "#ff8a3d", "#5eead4", "#f5e663")
MARGIN, GAP, TITLE, PHOTO = 40, 20, 116, 800
TILE, CAPTION, COLUMNS, PLANE, BADGE = 224, 44, 4, 190, 28


def font(size: int) -> Any:
    """Pillow's own, which knows ASCII alone: no multiplication or minus sign on the sheet."""
    return ImageFont.load_default(size)


def denormalised(tensor: Any) -> Image.Image:
    """C×H×W floats back to a picture: the inverse of the last steps of the chain."""
    pixels = (tensor.transpose(1, 2, 0) * STD + MEAN) * 255
    return Image.fromarray(np.clip(np.rint(pixels), 0, 255).astype(np.uint8))


def draw(
    path: Path,
    photo_rgb: Any,
    names: Sequence[str],
    boxes: Any,
    tensors: Any,
    title: str,
    subtitle: str,
) -> None:
    """Write the whole sheet to `path`."""
    left = MARGIN + PHOTO + 2 * GAP
    width = left + COLUMNS * TILE + (COLUMNS - 1) * GAP + MARGIN
    sheet = Image.new("RGB", (width, TITLE + PHOTO + MARGIN), PAPER)
    pen = ImageDraw.Draw(sheet)
    pen.text((MARGIN, 28), title, INK, font(30))
    pen.text((MARGIN, 70), subtitle, FAINT, font(20))
    draw_photo(sheet, photo_rgb, boxes)
    for index, (name, box) in enumerate(zip(names, boxes, strict=True)):
        row, column = divmod(index, COLUMNS)
        at = (left + column * (TILE + GAP), TITLE + row * (TILE + CAPTION + GAP))
        draw_tile(sheet, at, index, f"{name}  {box[2]} x {box[3]}", tensors[index])
    rows = -(-len(names) // COLUMNS)
    draw_planes(sheet, (left, TITLE + rows * (TILE + CAPTION + GAP)), names[0], tensors[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path)


def draw_photo(sheet: Image.Image, photo_rgb: Any, boxes: Any) -> None:
    """The photo, enlarged, with one numbered frame a region."""
    photo = Image.fromarray(photo_rgb)
    scale = PHOTO / photo.width
    sheet.paste(photo.resize((PHOTO, PHOTO), Image.Resampling.LANCZOS), (MARGIN, TITLE))
    pen = ImageDraw.Draw(sheet)
    corners = []
    for index, (x, y, width, height) in enumerate(boxes):
        left, top = MARGIN + x * scale, TITLE + y * scale
        right = min(left + width * scale, MARGIN + PHOTO - 1)
        bottom = min(top + height * scale, TITLE + PHOTO - 1)
        pen.rectangle((left, top, right, bottom), outline=PAPER, width=6)
        pen.rectangle((left + 1, top + 1, right - 1, bottom - 1), outline=color(index), width=3)
        corners.append((left if right < MARGIN + PHOTO - 1 else right - BADGE, top))
    for index, corner in enumerate(corners):  # last, so that no frame crosses a number
        badge(pen, corner, index)


def color(index: int) -> str:
    return COLORS[index % len(COLORS)]


def badge(pen: ImageDraw.ImageDraw, at: tuple[float, float], index: int) -> None:
    """A number on its colour."""
    left, top = at
    pen.rectangle((left, top, left + BADGE, top + BADGE), color(index))
    pen.text((left + BADGE / 2, top + BADGE / 2), str(index), PAPER, font(20), anchor="mm")


def draw_tile(
    sheet: Image.Image, at: tuple[int, int], index: int, caption: str, tensor: Any
) -> None:
    """One result as a picture, with the number of its region."""
    left, top = at
    pen = ImageDraw.Draw(sheet)
    sheet.paste(denormalised(tensor), at)
    pen.rectangle((left, top, left + TILE - 1, top + TILE - 1), outline=color(index), width=3)
    badge(pen, (left, top + TILE + 8), index)
    pen.text((left + 38, top + TILE + 22), caption, INK, font(18), anchor="lm")


def draw_planes(sheet: Image.Image, at: tuple[int, int], name: str, tensor: Any) -> None:
    """What the memory holds: three planes of floats, each from its darkest to its brightest."""
    left, top = at
    pen = ImageDraw.Draw(sheet)
    for channel, label in enumerate("RGB"):
        plane = tensor[channel]
        low, high = float(plane.min()), float(plane.max())
        grey = np.rint((plane - low) / max(high - low, 1e-6) * 255).astype(np.uint8)
        small = Image.fromarray(grey).resize((PLANE, PLANE), Image.Resampling.LANCZOS)
        x = left + channel * (PLANE + GAP)
        sheet.paste(small, (x, top))
        pen.text((x, top + PLANE + 8), f"{label}  {low:.2f} to {high:.2f}", FAINT, font(18))
    x = left + 3 * (PLANE + GAP)
    lines = [f"Tensor 0, {name},", "as it lies in memory: three", "planes of float32, each shown"]
    lines += ["from its smallest number", "to its largest."]
    for number, line in enumerate(lines):
        pen.text((x, top + number * 28), line, FAINT, font(20))
