# SPDX-License-Identifier: Apache-2.0
"""Backward vertical fusion: what moves pixels is fused into the read, so that only the pixels
needed are fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import fkl
from tests.device.cases_vertical import NORMALISE
from tests.device.chains import Case, Sample, floats, integers
from tests.device.reference import cropped, letterboxed, nearest, normalised, planar, resized

READ, WRITE, SPLIT = fkl.TensorRead(), fkl.TensorWrite(), fkl.TensorSplit()
RECT = (11, 7, 40, 25)


def backward(
    name: str,
    sample: Sample,
    *operations: fkl.Operation,
    reference: Callable[..., Any],
    dtype: str = "float32",
    scale: float = 255,
    **more: Any,
) -> Case:
    return Case(
        name,
        operations,
        sample,
        group="backward vertical fusion",
        reference=reference,
        dtype=dtype,
        scale=scale,
        **more,
    )


def resized_twice(x: Any) -> Any:
    return resized(cropped(resized(x, 61, 47), (5, 4, 30, 20)), 17, 29)


CASES = [
    backward(
        "a crop",
        integers("uint8", 48, 64, 3),
        READ,
        fkl.Crop(*RECT),
        WRITE,
        reference=lambda x: cropped(x, RECT),
        dtype="uint8",
    ),
    backward(
        "a crop of a crop",
        integers("int32", 48, 64),
        READ,
        fkl.Crop(*RECT),
        fkl.Crop(3, 2, 20, 11),
        fkl.Mul(3),
        WRITE,
        reference=lambda x: cropped(cropped(x, RECT), (3, 2, 20, 11)) * np.int32(3),
        dtype="int32",
    ),
    backward(
        "a larger size",
        integers("uint8", 30, 41, 3),
        READ,
        fkl.Resize(101, 67),
        WRITE,
        reference=lambda x: resized(x, 101, 67),
    ),
    backward(
        "a smaller size",
        integers("uint8", 67, 101, 3),
        READ,
        fkl.Resize(41, 30),
        WRITE,
        reference=lambda x: resized(x, 41, 30),
    ),
    backward(
        "a size of floats",
        floats("float32", 33, 27),
        READ,
        fkl.Resize(64, 48),
        fkl.Mul(2),
        WRITE,
        reference=lambda x: resized(x, 64, 48) * 2,
        scale=600,
    ),
    backward(
        "a size of doubles",
        floats("float64", 33, 27),
        READ,
        fkl.Resize(20, 48),
        WRITE,
        reference=lambda x: resized(x, 20, 48),
        dtype="float64",
        scale=3e6,
    ),
    backward(
        "asymmetric coordinates",
        integers("uint8", 30, 41, 3),
        READ,
        fkl.Resize(64, 64, coordinates="asymmetric"),
        WRITE,
        reference=lambda x: resized(x, 64, 64, "asymmetric"),
    ),
    backward(
        "aligned corners",
        integers("uint8", 30, 41, 3),
        READ,
        fkl.Resize(64, 64, coordinates="align_corners"),
        WRITE,
        reference=lambda x: resized(x, 64, 64, "align_corners"),
    ),
    backward(
        "the nearest pixel",
        integers("uint16", 30, 41, 4),
        READ,
        fkl.Resize(63, 53, interpolation="nearest"),
        WRITE,
        reference=lambda x: nearest(x, 63, 53),
        dtype="uint16",
    ),
    backward(
        "a crop, resized",
        integers("uint8", 48, 64, 3),
        READ,
        fkl.Crop(*RECT),
        fkl.Resize(33, 19),
        WRITE,
        reference=lambda x: resized(cropped(x, RECT), 33, 19),
    ),
    backward(
        "a resized image, cropped",
        integers("uint8", 48, 64, 3),
        READ,
        fkl.Resize(100, 80),
        fkl.Crop(*RECT),
        WRITE,
        reference=lambda x: cropped(resized(x, 100, 80), RECT),
    ),
    backward(
        "resized, cropped and resized",
        floats("float32", 48, 64),
        READ,
        fkl.Resize(61, 47),
        fkl.Crop(5, 4, 30, 20),
        fkl.Resize(17, 29),
        WRITE,
        reference=resized_twice,
        scale=300,
    ),
    backward(
        "a map before a resize",
        integers("uint8", 48, 64, 3),
        READ,
        fkl.Cast("float32"),
        fkl.Mul((1, 2, 3)),
        fkl.Resize(33, 19),
        WRITE,
        reference=lambda x: resized(x * np.array([1.0, 2, 3]), 33, 19),
        scale=765,
    ),
    backward(
        "planes, resized",
        floats("float32", 3, 33, 27),
        fkl.TensorPack(),
        fkl.Resize(20, 21),
        SPLIT,
        reference=lambda x: planar(resized(np.moveaxis(x, 0, -1), 20, 21)),
        scale=300,
    ),
    backward(
        "a letterbox, wide",
        integers("uint8", 30, 70, 3),
        READ,
        fkl.Resize(64, 64, aspect_ratio="preserve", background=114),
        WRITE,
        reference=lambda x: letterboxed(x, 64, 64, 114),
    ),
    backward(
        "a letterbox, tall",
        integers("uint8", 70, 30, 3),
        READ,
        fkl.Resize(64, 64, aspect_ratio="preserve", background=(1, 2, 3)),
        WRITE,
        reference=lambda x: (
            letterboxed(x, 64, 64) + (letterboxed(x * 0 + 1.0, 64, 64) == 0) * [1.0, 2, 3]
        ),
    ),
    backward(
        "a frame to normalised planes",
        integers("uint8", 108, 192, 3),
        READ,
        fkl.Resize(64, 48),
        fkl.ColorConversion("BGR2RGB"),
        *NORMALISE,
        SPLIT,
        reference=lambda x: planar(normalised(resized(x, 64, 48)[..., ::-1])),
        scale=5,
    ),
    backward(
        "a batch, resized",
        integers("uint8", 3, 30, 41, 3),
        READ,
        fkl.Resize(20, 50),
        WRITE,
        reference=lambda x: np.stack([resized(image, 20, 50) for image in x]),
    ),
    backward(
        "a pixel, resized",
        integers("uint8", 1, 1, 3),
        READ,
        fkl.Resize(9, 5),
        WRITE,
        reference=lambda x: np.broadcast_to(x.astype(np.float64), (5, 9, 3)),
    ),
]
