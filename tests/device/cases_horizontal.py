# SPDX-License-Identifier: Apache-2.0
"""Horizontal fusion: many planes, with values of their own, in one launch; and the use case that
it was made for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import fkl
from tests.device.cases_vertical import NORMALISE
from tests.device.chains import Case, OnDevice, Sample, integers, rectangles
from tests.device.reference import (
    cropped,
    crops_resized,
    letterboxed,
    normalised,
    planar,
    resized,
)

READ, WRITE, SPLIT = fkl.TensorRead(), fkl.TensorWrite(), fkl.TensorSplit()
CROPS = fkl.Crop(fkl.Arg("rects"))
SIZES = [(20, 31), (47, 13), (1, 1), (64, 64), (8, 100)]
FACTORS = [1.0, (2, 3, 4), 5.0]
HALVES = np.array([[0.5, 1.5, 8.5, 9.5], [2.5, 3.5, 10.5, 7.4], [4.0, 5.0, 9.0, 9.0]], np.float32)


def images(random: np.random.Generator) -> list[Any]:
    return [random.integers(0, 256, (height, width, 3), dtype=np.uint8) for width, height in SIZES]


def horizontal(
    name: str,
    sample: Sample,
    *operations: fkl.Operation,
    reference: Callable[..., Any],
    dtype: str = "float32",
    scale: float = 255,
    group: str = "horizontal fusion",
    **more: Any,
) -> Case:
    return Case(
        name, operations, sample, group=group, reference=reference, dtype=dtype, scale=scale, **more
    )


def small_crops(x: Any, rects: Any) -> Any:
    return crops_resized(x, rects, 4, 4)[..., 0]


def corners_rounded(x: Any, rects: Any) -> Any:
    corners = np.round(rects).astype(int)
    sides = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], 1)
    return crops_resized(x, sides, 8, 8)


def with_factors(x: Any) -> Any:
    return np.stack([image * np.float64(k) for image, k in zip(x, FACTORS, strict=True)])


FRAME = integers("uint8", 120, 160, 3)
CASES = [
    horizontal(
        "fifty crops",
        FRAME,
        READ,
        CROPS,
        fkl.Resize(24, 32),
        WRITE,
        args={"rects": rectangles(50, 160, 120, 5, 60)},
        reference=lambda x, rects: crops_resized(x, rects, 24, 32),
    ),
    horizontal(
        "4096 crops",
        integers("uint8", 96, 96),
        READ,
        CROPS,
        fkl.Resize(4, 4),
        WRITE,
        args={"rects": rectangles(4096, 96, 96, 2, 9)},
        reference=small_crops,
    ),
    horizontal(
        "200000 crops",
        integers("uint8", 96, 96),
        READ,
        CROPS,
        fkl.Resize(4, 4),
        WRITE,
        args={"rects": rectangles(200_000, 96, 96, 2, 9)},
        reference=small_crops,
        heavy=True,
    ),
    horizontal(
        "200000 crops of which the device holds the rects",
        integers("uint8", 96, 96),
        READ,
        CROPS,
        fkl.Resize(4, 4),
        WRITE,
        args={"rects": OnDevice(rectangles(200_000, 96, 96, 2, 9))},
        reference=small_crops,
        heavy=True,
    ),
    horizontal(
        "rects in the memory of the device",
        FRAME,
        READ,
        CROPS,
        fkl.Resize(24, 32),
        WRITE,
        args={"rects": OnDevice(rectangles(50, 160, 120, 5, 60))},
        reference=lambda x, rects: crops_resized(x, rects, 24, 32),
    ),
    horizontal(
        "rects of the device as float corners, rounded half to even",
        FRAME,
        READ,
        fkl.Crop(fkl.Arg("rects"), format="xyxy"),
        fkl.Resize(8, 8),
        WRITE,
        args={"rects": OnDevice(HALVES)},
        reference=corners_rounded,
        device_only=True,
    ),
    horizontal(
        "one image, a factor for each plane",
        FRAME,
        READ,
        fkl.Cast("float32"),
        fkl.Mul(fkl.each([1.0, 2.0, 3.0])),
        WRITE,
        reference=lambda x: np.stack([x * k for k in (1.0, 2.0, 3.0)]),
    ),
    horizontal(
        "one image, a factor for each plane inside the read",
        FRAME,
        READ,
        fkl.Cast("float32"),
        fkl.Mul(fkl.each([1.0, 2.0, 3.0])),
        fkl.Crop(3, 5, 60, 70),
        fkl.Resize(24, 32),
        fkl.Add(fkl.each([0.0, 1.0, 2.0])),
        WRITE,
        reference=lambda x: np.stack(
            [resized(cropped(x, (3, 5, 60, 70)) * (k + 1.0), 24, 32) + k for k in range(3)]
        ),
    ),
    horizontal(
        "crops of one size, as they are",
        FRAME,
        READ,
        CROPS,
        WRITE,
        args={"rects": rectangles(51, 160, 120, 17, 17)},
        reference=lambda x, rects: np.stack([cropped(x, rect) for rect in rects]),
        dtype="uint8",
    ),
    horizontal(
        "images of different sizes",
        images,
        READ,
        fkl.Resize(19, 23),
        WRITE,
        reference=lambda x: np.stack([resized(image, 19, 23) for image in x]),
    ),
    horizontal(
        "images of different sizes, letterboxed",
        images,
        READ,
        fkl.Resize(32, 32, aspect_ratio="preserve", background=7),
        SPLIT,
        reference=lambda x: planar(np.stack([letterboxed(image, 32, 32, 7) for image in x])),
    ),
    horizontal(
        "images of different sizes, each with its rect",
        images,
        READ,
        CROPS,
        fkl.Resize(6, 6),
        WRITE,
        args={
            "rects": np.array(
                [(0, 0, width // 2 + 1, height // 2 + 1) for width, height in SIZES], np.int32
            )
        },
        reference=lambda x, rects: np.stack(
            [resized(cropped(image, rect), 6, 6) for image, rect in zip(x, rects, strict=True)]
        ),
    ),
    horizontal(
        "a batch in which each image has its factor",
        integers("uint8", 3, 17, 21, 3),
        READ,
        fkl.Cast("float32"),
        fkl.Mul(fkl.each(FACTORS)),
        WRITE,
        reference=with_factors,
        scale=1,
    ),
    horizontal(
        "one rect of every image of a batch",
        integers("uint8", 4, 30, 40, 3),
        READ,
        fkl.Crop(3, 4, 20, 10),
        SPLIT,
        reference=lambda x: planar(x[:, 4:14, 3:23]),
        dtype="uint8",
    ),
    horizontal(
        "a rect for each image of a batch",
        integers("uint8", 4, 30, 40, 3),
        READ,
        CROPS,
        fkl.Resize(9, 9),
        WRITE,
        args={"rects": rectangles(4, 40, 30, 3, 20)},
        reference=lambda x, rects: np.stack(
            [resized(cropped(image, rect), 9, 9) for image, rect in zip(x, rects, strict=True)]
        ),
    ),
    horizontal(
        "a batch of one crop",
        FRAME,
        READ,
        CROPS,
        fkl.Resize(9, 9),
        WRITE,
        args={"rects": [(3, 4, 50, 60)]},
        reference=lambda x, rects: crops_resized(x, rects, 9, 9),
    ),
    horizontal(
        "more planes than a grid has",
        integers("uint8", 70_000, 2, 3),
        fkl.TensorRead(layout="NHW"),
        fkl.Add(1),
        fkl.TensorWrite(),
        reference=lambda x: x + np.uint8(1),
        dtype="uint8",
        heavy=True,
    ),
]


def roi(x: Any, rects: Any) -> Any:
    return planar(normalised(crops_resized(x, rects, 16, 32)[..., ::-1]))


ROI = (READ, CROPS, fkl.Resize(16, 32), fkl.ColorConversion("BGR2RGB"), *NORMALISE, SPLIT)
CASES += [
    horizontal(
        f"{count} people of a frame",
        FRAME,
        *ROI,
        args={"rects": rectangles(count, 160, 120, 8, 60, seed=count)},
        reference=roi,
        scale=5,
        group="ROI use case",
    )
    for count in (1, 50, 300)
]
