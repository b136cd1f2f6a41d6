# SPDX-License-Identifier: Apache-2.0
"""Values per plane where the source has a single plane: it serves them all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fkl

TIMES = fkl.Mul(fkl.each([5.0, 6.0, 7.0]))
FACTORS = np.array([5.0, 6.0, 7.0]).reshape(3, 1, 1, 1)
HALVE = fkl.Resize(4, 3)
RECT = (1, 2, 5, 4)


def halved(x: Any) -> Any:
    return fkl.compose(fkl.TensorRead(), HALVE, fkl.TensorWrite())(x)


def cut(x: Any) -> Any:
    return x[2:6, 1:6]


def planar(x: Any) -> Any:
    return np.moveaxis(x, -1, -3)


CHAINS = {
    "alone": ((TIMES, fkl.TensorWrite()), lambda x: x),
    "to planes": ((TIMES, fkl.TensorSplit()), lambda x: x),
    "before a resize": ((TIMES, HALVE, fkl.TensorWrite()), halved),
    "after a resize": ((HALVE, TIMES, fkl.TensorWrite()), halved),
    "before a crop": ((TIMES, fkl.Crop(*RECT), fkl.TensorWrite()), cut),
    "after a crop": ((fkl.Crop(*RECT), TIMES, fkl.TensorWrite()), cut),
    "after one rect": ((fkl.Crop([RECT]), TIMES, fkl.TensorWrite()), cut),
    "before rects": ((TIMES, fkl.Crop([RECT] * 3), fkl.TensorWrite()), cut),
    "between geometry": (
        (fkl.Crop(*RECT), TIMES, HALVE, fkl.TensorWrite()),
        lambda x: halved(cut(x)),
    ),
}


@pytest.mark.parametrize("fusion", [True, False])
@pytest.mark.parametrize("name", CHAINS)
def test_one_image_serves_a_value_for_each_plane(name: str, fusion: bool) -> None:
    operations, moved = CHAINS[name]
    x = np.random.default_rng(3).random((8, 9, 3), np.float32)
    pipe = fkl.compose(fkl.TensorRead(), *operations, thread_fusion=fusion)
    expected = moved(x).astype(np.float64) * FACTORS
    if name == "to planes":
        expected = planar(expected)
    out = np.full(expected.shape, -7, np.float32)
    assert_allclose(pipe(x, out=out), expected, rtol=1e-5)
    assert_allclose(pipe(x[None]), expected, rtol=1e-5)
    assert_allclose(pipe(x), expected, rtol=1e-5)


def test_a_list_of_one_image_serves_a_value_for_each_plane() -> None:
    x = np.random.default_rng(4).random((8, 9, 3), np.float32)
    pipe = fkl.compose(fkl.TensorRead(), TIMES, HALVE, fkl.TensorWrite())
    assert_allclose(pipe([x]), halved(x) * FACTORS, rtol=1e-5)


def test_images_of_different_sizes_are_cropped_after_a_map() -> None:
    images = [np.full((6 + k, 7 + k, 3), k, np.float32) for k in range(3)]
    pipe = fkl.compose(
        fkl.TensorRead(), TIMES, fkl.Crop([(0, 0, 4, 5)] * 3), HALVE, fkl.TensorWrite()
    )
    assert_allclose(pipe(images)[:, 0, 0, 0], [0, 6, 14], rtol=1e-5)


def test_a_large_image_is_shared_among_threads() -> None:
    x = np.random.default_rng(5).random((300, 401), np.float32)
    found = fkl.compose(fkl.TensorRead(), TIMES, fkl.TensorWrite())(x)
    assert_allclose(found, x * FACTORS[..., 0], rtol=1e-6)


def test_pixels_that_the_chain_makes_are_made_for_each_plane() -> None:
    found: Any = fkl.compose(fkl.ReadSet(2.0, 3, 2), TIMES, fkl.TensorWrite())()
    assert found.shape == (3, 2, 3)
    assert_allclose(found, np.broadcast_to(2 * FACTORS[..., 0], (3, 2, 3)))


def test_a_channel_is_appended_for_each_plane() -> None:
    x = np.zeros((3, 4, 4, 3), np.float32)
    found = fkl.compose(fkl.TensorRead(), fkl.AddLast(fkl.each([1, 2, 3])), fkl.TensorWrite())(x)
    assert found[:, 0, 0, 3].tolist() == [1, 2, 3]
