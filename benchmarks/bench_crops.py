# SPDX-License-Identifier: Apache-2.0
"""Fifty crops 60x120 of a 4K frame, each to 64x128, swapped, normalised, planar; beside every good
way that cv2 offers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

import fkl
from benchmarks.checks import check_close
from benchmarks.figures import Figure, faster
from benchmarks.rounds import Samples, best, take_turns

SUBJECT = "50 crops 60x120 of a 4K frame to 64x128, one thread"
ROUNDS = 40
SIZE = (64, 128)  # width, height
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)
ONE_LEVEL = 1.01 / (255 * float(STD.min()))  # cv2 resizes bytes, and may round the other way
CV2_WAYS = ["resize, blobFromImagesWithParams", "resize, blobFromImages, numpy in place"]


def chain() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Crop(fkl.Arg("rects")),
        fkl.Resize(*SIZE),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Div(255.0),
        fkl.Sub(MEAN),
        fkl.Div(STD),
        fkl.TensorSplit(),
    )


def regions(frame: Any, boxes: Any) -> list[Any]:
    return [cv2.resize(frame[y : y + h, x : x + w], SIZE) for x, y, w, h in boxes]


def with_params(frame: Any, boxes: Any) -> Any:
    """Mean and standard deviation of each channel in one call."""
    params = cv2.dnn.Image2BlobParams()
    params.scalefactor = (1 / (255 * STD)).tolist()
    params.mean = (255 * MEAN).tolist()
    params.swapRB = True
    return cv2.dnn.blobFromImagesWithParams(regions(frame, boxes), params)


def with_blob(frame: Any, boxes: Any) -> Any:
    """The better known call knows one scale; the rest is one pass of numpy in place."""
    mean = (255 * MEAN).tolist()
    blob = cv2.dnn.blobFromImages(regions(frame, boxes), 1 / 255, mean=mean, swapRB=True)
    blob *= (1 / STD).reshape(1, 3, 1, 1)
    return blob


def with_cv2_and_numpy(frame: Any, boxes: Any) -> Any:
    """What most code does."""
    planes = []
    for region in regions(frame, boxes):
        rgb = cv2.cvtColor(region, cv2.COLOR_BGR2RGB).astype(np.float32)
        planes.append(((rgb / 255 - MEAN) / STD).transpose(2, 0, 1))
    return np.stack(planes)


def reference(frame: Any, boxes: Any) -> Any:
    """In float32 from the first step on."""
    planes = []
    for x, y, w, h in boxes:
        region = cv2.resize(frame[y : y + h, x : x + w].astype(np.float32), SIZE)
        planes.append(((region[..., ::-1] / 255 - MEAN) / STD).transpose(2, 0, 1))
    return np.stack(planes)


def scene() -> tuple[Any, Any]:
    """A smooth 4K frame, and boxes anywhere in it."""
    rng = np.random.default_rng(2)
    coarse = rng.integers(0, 256, (68, 120, 3), np.uint8)
    frame = cv2.resize(coarse, (3840, 2160), interpolation=cv2.INTER_CUBIC)
    corners = rng.integers(0, (3840 - 60, 2160 - 120), (50, 2))
    return frame, np.hstack([corners, np.full((50, 2), (60, 120))]).astype(np.int32)


def samples(threads: int) -> Samples:
    cv2.setNumThreads(threads)
    frame, boxes = scene()
    pipe = chain()
    out = np.empty((50, 3, SIZE[1], SIZE[0]), np.float32)
    expected = reference(frame, boxes)
    check_close("fkl", pipe(frame, rects=boxes, out=out), expected, 1e-4)
    ways: dict[str, Callable[[Any, Any], Any]] = {
        CV2_WAYS[0]: with_params,
        CV2_WAYS[1]: with_blob,
        "cv2 and numpy": with_cv2_and_numpy,
    }
    for name, way in ways.items():
        check_close(name, way(frame, boxes), expected, ONE_LEVEL)
    jobs = {"fkl": lambda: pipe(frame, rects=boxes, out=out)}
    jobs.update({name: (lambda way=way: way(frame, boxes)) for name, way in ways.items()})  # type: ignore[misc]
    return take_turns(jobs, ROUNDS)


def figures(found: Samples) -> list[Figure]:
    way = best(found, CV2_WAYS)
    return [
        faster(SUBJECT, found, "fkl", way, 2, "faster than the best cv2 way"),
        faster(SUBJECT, found, "fkl", "cv2 and numpy", 5),
    ]
