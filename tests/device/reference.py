# SPDX-License-Identifier: Apache-2.0
"""Resampling and normalising in NumPy, float64, written from the formulas and apart from the
package's own references.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MEAN = np.array([0.485, 0.456, 0.406])
STD = np.array([0.229, 0.224, 0.225])


def sampled_axis(x: NDArray[Any], size: int, axis: int, coordinates: str) -> NDArray[Any]:
    """Linear interpolation along one axis; beyond the ends the edge repeats."""
    length = x.shape[axis]
    at = np.arange(size, dtype=np.float64)
    if coordinates == "half_pixel":
        at = (at + 0.5) * (length / size) - 0.5
    elif coordinates == "asymmetric":
        at = at * (length / size)
    else:
        at = at * ((length - 1) / max(size - 1, 1))
    at = np.clip(at, 0, length - 1)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, length - 1)
    shape = [1] * x.ndim
    shape[axis] = size
    part = (at - low).reshape(shape)
    return np.take(x, low, axis) * (1 - part) + np.take(x, high, axis) * part


def resized(x: Any, width: int, height: int, coordinates: str = "half_pixel") -> NDArray[Any]:
    """An H×W or H×W×C image, linearly."""
    rows = sampled_axis(np.asarray(x, np.float64), height, 0, coordinates)
    return sampled_axis(rows, width, 1, coordinates)


def nearest(x: NDArray[Any], width: int, height: int) -> NDArray[Any]:
    """The pixel whose area holds the half-pixel position."""
    rows = ((2 * np.arange(height) + 1) * x.shape[0]) // (2 * height)
    columns = ((2 * np.arange(width) + 1) * x.shape[1]) // (2 * width)
    return x[rows][:, columns]


def cropped(x: Any, rect: Any) -> Any:
    left, top, width, height = (int(side) for side in rect)
    return x[top : top + height, left : left + width]


def letterboxed(x: Any, width: int, height: int, background: float = 0) -> NDArray[Any]:
    """The whole image inside, centred, its proportions kept."""
    scale = height / x.shape[0]
    inner = (int(np.floor(scale * x.shape[1] + 0.5)), height)
    if inner[0] > width:
        inner = (width, int(np.floor(width / x.shape[1] * x.shape[0] + 0.5)))
    inner = (max(inner[0], 1), max(inner[1], 1))
    left, top = (width - inner[0]) // 2, (height - inner[1]) // 2
    result = np.full((height, width, *x.shape[2:]), background, np.float64)
    result[top : top + inner[1], left : left + inner[0]] = resized(x, *inner)
    return result


def crops_resized(image: NDArray[Any], rects: Any, width: int, height: int) -> NDArray[Any]:
    """N crops, each to height×width, half-pixel, as one gather: N×H×W×C for any N."""
    rects = np.asarray(rects, np.int64).reshape(-1, 4)
    first, length = rects[:, :2, None], rects[:, 2:, None]

    def along(axis: int, size: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        start, count = first[:, axis], length[:, axis]
        at = np.clip((np.arange(size) + 0.5) * count / size - 0.5, 0, count - 1)
        low = np.floor(at).astype(np.int64)
        return start + low, start + np.minimum(low + 1, count - 1), at - low

    left, right, across = along(0, width)
    top, bottom, down = along(1, height)
    x = image.reshape(*image.shape[:2], -1).astype(np.float64)
    across, down = across[:, None, :, None], down[:, :, None, None]

    def row(y: NDArray[Any]) -> NDArray[Any]:
        y = y[:, :, None]
        return x[y, left[:, None]] * (1 - across) + x[y, right[:, None]] * across

    return row(top) * (1 - down) + row(bottom) * down


def normalised(x: Any) -> NDArray[Any]:
    """Bytes to ImageNet's scale."""
    return (np.asarray(x, np.float64) / 255 - MEAN) / STD


def planar(x: Any) -> NDArray[Any]:
    """H×W×C to C×H×W, N×H×W×C to N×C×H×W."""
    return np.moveaxis(np.asarray(x), -1, -3)
