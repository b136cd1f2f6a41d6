# SPDX-License-Identifier: Apache-2.0
"""The demo's job done without fkl, three ways: the reference, cv2 with numpy, and numpy alone."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

SIDE = 224
MEAN = np.array([0.485, 0.456, 0.406], np.float32)  # of ImageNet, in RGB order
STD = np.array([0.229, 0.224, 0.225], np.float32)


def reference(frame: Any, boxes: Any) -> Any:
    """By cv2 and numpy, in float32 from the first step on, so that nothing is rounded."""
    planes = []
    for x, y, width, height in boxes:
        region = frame[y : y + height, x : x + width].astype(np.float32)
        resized = cv2.resize(region, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
        planes.append(((resized[..., ::-1] / 255 - MEAN) / STD).transpose(2, 0, 1))
    return np.stack(planes)


def with_cv2(frame: Any, boxes: Any) -> Any:
    """The fastest way with cv2: resize bytes, then one call that swaps, normalises and splits."""
    regions = [
        cv2.resize(frame[y : y + height, x : x + width], (SIDE, SIDE))
        for x, y, width, height in boxes
    ]
    params = cv2.dnn.Image2BlobParams()
    params.scalefactor = (1 / (255 * STD)).tolist()
    params.mean = (255 * MEAN).tolist()
    params.swapRB = True
    return cv2.dnn.blobFromImagesWithParams(regions, params)


def with_cv2_and_numpy(frame: Any, boxes: Any) -> Any:
    """What most code does: cv2 resizes and swaps, numpy does the arithmetic."""
    planes = []
    for x, y, width, height in boxes:
        resized = cv2.resize(frame[y : y + height, x : x + width], (SIDE, SIDE))
        rgb = cv2.cvtColor(resized, cv2.COLOR_BGR2RGB)
        planes.append(((rgb.astype(np.float32) / 255 - MEAN) / STD).transpose(2, 0, 1))
    return np.stack(planes)


def with_numpy(frame: Any, boxes: Any) -> Any:
    """numpy alone: two gathers and a blend along each axis, then the arithmetic."""
    planes = []
    for x, y, width, height in boxes:
        region = frame[y : y + height, x : x + width].astype(np.float32)
        for axis in (1, 0):
            low, high, part = neighbours(region.shape[axis])
            part = part.reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
            region = region.take(low, axis) * (1 - part) + region.take(high, axis) * part
        planes.append(((region[..., ::-1] / 255 - MEAN) / STD).transpose(2, 0, 1))
    return np.stack(planes)


def neighbours(length: int) -> tuple[Any, Any, Any]:
    """For each of SIDE positions: the two source pixels around it, and the weight of the second."""
    at = np.clip((np.arange(SIDE) + 0.5) * length / SIDE - 0.5, 0, length - 1)
    low = np.floor(at).astype(np.intp)
    return low, np.minimum(low + 1, length - 1), (at - low).astype(np.float32)
