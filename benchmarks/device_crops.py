# SPDX-License-Identifier: Apache-2.0
"""Fifty crops of a 4K frame to 64×128 normalised planes, beside a kernel by hand, torchvision and
a loop in torch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import fkl
from benchmarks.device_chain import MEAN, STD
from benchmarks.device_contest import Contest, checked, close, copies, current_stream
from benchmarks.device_rows import Row, compared

HEIGHT, WIDTH = 2160, 3840
TO_WIDTH, TO_HEIGHT, COUNT = 64, 128, 50
SUBJECT = f"{COUNT} crops of {WIDTH}x{HEIGHT} to {TO_WIDTH}x{TO_HEIGHT} normalised planes"


def boxes() -> Any:
    """Fifty rectangles of about 60×120 pixels: x, y, width, height."""
    random = np.random.default_rng(11)
    sides = random.integers((45, 90), (75, 150), (COUNT, 2))
    corners = random.integers(0, np.array((WIDTH, HEIGHT)) - sides)
    return np.concatenate([corners, sides], 1).astype(np.int32)


def chain() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Crop(fkl.Arg("rects")),
        fkl.Resize(TO_WIDTH, TO_HEIGHT),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Div(255.0),
        fkl.Sub(MEAN),
        fkl.Div(STD),
        fkl.TensorSplit(),
    )


def constants() -> tuple[Any, Any]:
    shape = (1, 3, 1, 1)
    return (
        torch.tensor(MEAN, device="cuda").view(shape),
        torch.tensor(STD, device="cuda").view(shape),
    )


def by_torch(frames: list[Any], rects: Any, outputs: list[Any]) -> Callable[[int], Any]:
    """A crop at a time, as code without fusion does it."""
    mean, std = constants()
    table = rects.tolist()

    def call(i: int) -> Any:
        for index, (x, y, width, height) in enumerate(table):
            crop = frames[i][y : y + height, x : x + width].permute(2, 0, 1)[None].float()
            crop = torch.nn.functional.interpolate(
                crop, (TO_HEIGHT, TO_WIDTH), mode="bilinear", align_corners=False
            )
            outputs[i][index] = ((crop.flip(1) / 255.0 - mean) / std)[0]
        return outputs[i]

    return call


def by_torchvision(frames: list[Any], rects: Any) -> Callable[[int], Any]:
    """One sample a pixel at half-pixel positions; past a crop's edge it sees the frame, where fkl
    repeats the edge.
    """
    from torchvision.ops import roi_align

    mean, std = constants()
    corners = torch.tensor(rects, device="cuda").float()
    corners[:, 2:] += corners[:, :2]

    def call(i: int) -> Any:
        planes = frames[i].permute(2, 0, 1)[None].float()
        found = roi_align(planes, [corners], (TO_HEIGHT, TO_WIDTH), sampling_ratio=1, aligned=True)
        return (found.flip(1) / 255.0 - mean) / std

    return call


def by_hand(limits: Any, frames: list[Any], rects: Any, outputs: list[Any]) -> Callable[[int], Any]:
    function = limits.limit_crops
    table = np.ascontiguousarray(rects)
    addresses = [(x.data_ptr(), y.data_ptr()) for x, y in zip(frames, outputs, strict=True)]

    def call(i: int) -> Any:
        source, target = addresses[i]
        place = table.ctypes.data
        checked(function(source, WIDTH, target, TO_WIDTH, TO_HEIGHT, place, current_stream()))
        return outputs[i]

    return call


def rows(limits: Any) -> list[Row]:
    count = copies(HEIGHT * WIDTH * 3)
    frames = [
        torch.randint(0, 256, (HEIGHT, WIDTH, 3), dtype=torch.uint8, device="cuda")
        for _ in range(count)
    ]
    outputs = [torch.empty(COUNT, 3, TO_HEIGHT, TO_WIDTH, device="cuda") for _ in range(count)]
    rects, pipe = boxes(), chain()
    expected = by_torch(frames, rects, outputs)(0).clone()
    check, inner = close(expected, 2e-4), close(expected[..., 4:-4, 4:-4], 2e-4)

    def bound() -> Callable[[int], Any]:
        runs = [pipe.bind(x, rects=rects, out=y) for x, y in zip(frames, outputs, strict=True)]
        return lambda i: runs[i]()

    def called() -> Callable[[int], Any]:
        return lambda i: pipe(frames[i], rects=rects, out=outputs[i])

    contest = Contest(count)
    contest.enter("fkl, bound", bound, check)
    contest.enter("fkl", called, check)
    contest.enter("by hand", lambda: by_hand(limits, frames, rects, outputs), check)
    contest.enter(
        "roi_align",
        lambda: by_torchvision(frames, rects),
        lambda found: inner(found[..., 4:-4, 4:-4]),
    )
    samples = contest.on_device(15)
    graphs = contest.in_graphs(15, ("fkl, bound", "by hand"))
    slow = Contest(2)
    slow.enter("torch loop", lambda: by_torch(frames, rects, outputs), check)
    samples.update(slow.on_device(3))
    failures = {**contest.failures, **slow.failures}
    return [
        compared(
            SUBJECT,
            "kernel time over the kernel by hand, in a CUDA graph",
            "fkl, bound",
            "by hand",
            graphs,
            failures,
            1.1,
            at_most=True,
        ),
        compared(
            SUBJECT,
            "faster than a loop in torch",
            "torch loop",
            "fkl, bound",
            samples,
            failures,
            300,
        ),
        compared(
            SUBJECT,
            "faster than torchvision's roi_align",
            "roi_align",
            "fkl, bound",
            samples,
            failures,
            20,
        ),
        compared(SUBJECT, "a call over the kernel by hand", "fkl", "by hand", samples, failures),
    ]
