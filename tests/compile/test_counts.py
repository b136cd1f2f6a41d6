# SPDX-License-Identifier: Apache-2.0
"""What compiles, launches and allocates, by count: values and sizes never compile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fkl
from fkl import Arg

MAIN_JOB = (
    fkl.TensorRead(),
    fkl.Crop(Arg("rects")),
    fkl.Resize(Arg("size")),
    fkl.ColorConversion("BGR2RGB"),
    fkl.Div(Arg("scale")),
    fkl.Sub(Arg("mean")),
    fkl.TensorSplit(),
)


def main_job(image: Any, rects: Any, **changes: Any) -> Any:
    values = {"size": (16, 12), "scale": 255.0, "mean": (0.5, 0.25, 0.125), **changes}
    return fkl.compose(*MAIN_JOB)(image, rects=rects, **values)


def test_sizes_counts_and_values_do_not_compile(count: Any, random: np.random.Generator) -> None:
    image = random.integers(0, 255, (60, 80, 3)).astype(np.uint8)
    main_job(image, [(0, 0, 8, 8)])
    first = count.compiles
    assert first <= 1
    for rects in ([(3, 4, 9, 10)] * 50, (1, 1, 5, 5), np.ones((1000, 4), np.int32) * 7):
        main_job(image, rects)
    main_job(image[:31, :41], [(0, 0, 41, 31)])
    main_job(image[:, 1:], [(0, 0, 8, 8)], size=(7, 9), scale=3, mean=1)
    main_job(np.stack([image, image]), [(0, 0, 8, 8), (1, 1, 4, 4)])
    assert count.compiles == first


def test_a_list_of_images_is_one_more_type(count: Any, random: np.random.Generator) -> None:
    image = random.integers(0, 255, (60, 80, 3)).astype(np.uint8)
    main_job(image, [(0, 0, 8, 8)])
    main_job([image, image[:30, :30]], [(0, 0, 8, 8), (1, 1, 4, 4)])
    after = count.compiles
    assert after <= 2
    main_job([image[:9, :9], image, image[:31]], [(0, 0, 8, 8), (0, 0, 80, 60), (2, 2, 3, 3)])
    assert count.compiles == after


def test_widths_pitches_and_alignment_do_not_compile(count: Any) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Add(1), fkl.TensorWrite())
    for width in (640, 641, 640):
        memory = np.zeros((6, width + 3, 3), np.uint8)
        for view in (memory, memory[:, 1:], memory[:, :width]):
            np.testing.assert_array_equal(pipe(view), view + 1)
    assert count.compiles <= 1


def test_composing_again_compiles_and_loads_nothing(count: Any) -> None:
    x = np.zeros((4, 4), np.float32)
    fkl.compose(fkl.TensorRead(), fkl.Sub(4), fkl.TensorWrite())(x)
    compiles, loads = count.compiles, count.loads
    fkl.compose(fkl.TensorRead(), fkl.Sub(5), fkl.TensorWrite())(x)
    assert (count.compiles, count.loads) == (compiles, loads)


def test_a_call_with_out_allocates_nothing_and_one_without_allocates_once(count: Any) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Sub(4), fkl.TensorWrite())
    x, out = np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32)
    for _ in range(3):
        pipe(x, out=out)
    assert (count.allocations, count.launches) == (0, 3)
    for _ in range(3):
        pipe(x)
    assert (count.allocations, count.launches) == (3, 6)


@pytest.mark.parametrize("shape", [(8, 8, 3), (1, 1, 3)])
def test_one_call_is_one_launch(shape: Any, count: Any) -> None:
    main_job(np.zeros(shape, np.uint8), [(0, 0, 1, 1)] * 4)
    assert count.launches == 1
