# SPDX-License-Identifier: Apache-2.0
"""Letterbox of a 1080p frame to 640x640, swapped, divided by 255, planar: a detector's input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

import fkl
from benchmarks.checks import check_close
from benchmarks.figures import Figure, faster
from benchmarks.rounds import Samples, best, take_turns

SUBJECT = "letterbox 1920x1080 to 640x640"
ROUNDS = 40
SIDE, INNER, TOP, GREY = 640, (640, 360), 140, 114
ONE_LEVEL = 1.01 / 255
CV2_WAYS = ["resize, copyMakeBorder, blobFromImage", "resize into a canvas, blobFromImage"]


def chain() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Resize(SIDE, SIDE, aspect_ratio="preserve", background=GREY),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Div(255.0),
        fkl.TensorSplit(),
    )


def with_border(frame: Any) -> Any:
    resized = cv2.resize(frame, INNER)
    border = (TOP, TOP, 0, 0, cv2.BORDER_CONSTANT)
    padded = cv2.copyMakeBorder(resized, *border, value=(GREY, GREY, GREY))
    return cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)[0]


CANVAS = np.full((SIDE, SIDE, 3), GREY, np.uint8)


def with_canvas(frame: Any) -> Any:
    """The border is written once and for all."""
    cv2.resize(frame, INNER, dst=CANVAS[TOP : TOP + INNER[1]])
    return cv2.dnn.blobFromImage(CANVAS, 1 / 255, swapRB=True)[0]


def reference(frame: Any) -> Any:
    """In float32 from the first step on."""
    padded = np.full((SIDE, SIDE, 3), GREY, np.float32)
    padded[TOP : TOP + INNER[1]] = cv2.resize(frame.astype(np.float32), INNER)
    return (padded[..., ::-1] / 255).transpose(2, 0, 1)


def samples(threads: int) -> Samples:
    cv2.setNumThreads(threads)
    coarse = np.random.default_rng(3).integers(0, 256, (34, 60, 3), np.uint8)
    frame = cv2.resize(coarse, (1920, 1080), interpolation=cv2.INTER_CUBIC)
    pipe = chain()
    out = np.empty((3, SIDE, SIDE), np.float32)
    expected = reference(frame)
    check_close("fkl", pipe(frame, out=out), expected, 1e-4)
    ways: dict[str, Callable[[Any], Any]] = {CV2_WAYS[0]: with_border, CV2_WAYS[1]: with_canvas}
    for name, way in ways.items():
        check_close(name, way(frame), expected, ONE_LEVEL)
    jobs = {"fkl": lambda: pipe(frame, out=out)}
    jobs.update({name: (lambda way=way: way(frame)) for name, way in ways.items()})  # type: ignore[misc]
    found = take_turns(jobs, ROUNDS)
    return {f"{name}, {threads} threads": values for name, values in found.items()}


def figures(found: Samples) -> list[Figure]:
    result = []
    for threads in sorted({int(name.split()[-2]) for name in found}):
        way = best(found, [f"{name}, {threads} threads" for name in CV2_WAYS])
        noun = "one thread each" if threads == 1 else f"{threads} threads each"
        title = f"faster than the best cv2 way, {noun}"
        result.append(faster(SUBJECT, found, f"fkl, {threads} threads", way, 1.5, title))
    return result
