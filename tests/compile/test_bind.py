# SPDX-License-Identifier: Apache-2.0
"""`bind`: the bare call, with arrays held alive and values that can be replaced."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import Arg

SCALED = fkl.compose(fkl.TensorRead(), fkl.Mul(Arg("k")), fkl.TensorWrite())


def test_a_bound_call_sees_the_array_as_it_is_now(count: Any) -> None:
    x, out = np.ones((4, 4), np.float32), np.zeros((4, 4), np.float32)
    run = SCALED.bind(x, out=out, k=2)
    assert run() is out
    assert (out == 2).all()
    x[:] = 5
    run()
    assert (out == 10).all()
    assert (count.launches, count.allocations) == (2, 0)


def test_values_arrays_and_out_can_be_replaced(count: Any) -> None:
    run = SCALED.bind(np.ones((4, 4), np.float32), k=2)
    first = run()
    assert run.update(k=3) is run
    assert run() is first
    assert (first == 3).all()
    run.update(np.full((4, 4), 7, np.float32), out=np.zeros((4, 4), np.float32))
    assert run() is not first
    assert (run.out == 21).all()
    assert count.compiles <= 1


def test_rects_can_be_replaced_by_more_rects_only_with_an_out_that_fits() -> None:
    image = np.arange(64, dtype=np.float32).reshape(8, 8)
    pipe = fkl.compose(fkl.TensorRead(), fkl.Crop(Arg("rects")), fkl.TensorWrite())
    run = pipe.bind(image, rects=[(0, 0, 2, 2)])
    run.update(rects=[(3, 3, 2, 2)])
    np.testing.assert_array_equal(run()[0], image[3:5, 3:5])
    with pytest.raises(fkl.LayoutError, match="out has shape"):
        run.update(rects=[(0, 0, 2, 2), (1, 1, 2, 2)])
    np.testing.assert_array_equal(run()[0], image[3:5, 3:5])
    run.update(rects=[(0, 0, 2, 2), (1, 1, 2, 2)], out=np.zeros((2, 2, 2), np.float32))
    np.testing.assert_array_equal(run()[1], image[1:3, 1:3])


def test_arrays_are_held_alive_and_let_go() -> None:
    x = np.ones((4, 4), np.float32)
    watched = weakref.ref(x)
    run = SCALED.bind(x, k=2)
    del x
    gc.collect()
    assert (run() == 2).all()
    del run
    gc.collect()
    assert watched() is None


def test_a_call_keeps_no_array_alive() -> None:
    x = np.ones((4, 4), np.float32)
    watched = weakref.ref(x)
    SCALED(x, k=2)
    del x
    gc.collect()
    assert watched() is None


def test_what_cannot_be_read_in_place_is_not_bound() -> None:
    with pytest.raises(fkl.LayoutError, match="in place"):
        SCALED.bind(np.ones((4, 4), np.float32)[:, ::-1], k=2)


def test_nothing_to_do_is_nothing_done(count: Any) -> None:
    assert SCALED.bind(np.ones((0, 4), np.float32), k=2)().shape == (0, 4)
    assert count.launches == 0


@pytest.mark.parametrize("change", [{"k": 0.5}, {"other": 1}, {"k": None}])
def test_a_bad_update_leaves_the_old_binding(change: dict[str, Any]) -> None:
    run = SCALED.bind(np.ones((4, 4), np.int32), k=2)
    with pytest.raises(fkl.FklError):
        run.update(**change)
    assert (run() == 2).all()
