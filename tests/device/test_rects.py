# SPDX-License-Identifier: Apache-2.0
"""Rects that change from call to call: how many there are, and that none may lie outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fkl
from fkl._build import stats
from tests.device import arrays
from tests.device.cases import BY_NAME
from tests.device.chains import assert_close, rectangles
from tests.device.reference import crops_resized, normalised, planar

pytestmark = pytest.mark.group("ROI use case")
Compiled = Callable[[str], Any]
MOST = 2**31 - 1


@pytest.fixture(params=[name for name in arrays.KINDS if (name == "numpy") is arrays.ON_CPU])
def kind(request: pytest.FixtureRequest) -> arrays.Kind:
    return arrays.kind_of(request.param)


@pytest.fixture
def image() -> Any:
    return BY_NAME["crops"].host_inputs()[0]


def expected(image: Any, rects: Any) -> Any:
    return planar(normalised(crops_resized(image, rects, 8, 6)))


def test_their_number_changes_from_call_to_call(
    compiled: Compiled, kind: arrays.Kind, image: Any
) -> None:
    pipe, x = compiled("crops"), kind.to_device(image)
    before = stats.compiles
    for number in (3, 3, 1, 50, 1000, 0, 300, 5000, 2):
        rects = rectangles(number, 64, 48, 1, 48, seed=number)
        launches = stats.launches
        found = kind.to_host(pipe(x, rects=rects))
        assert found.shape == (number, 3, 6, 8)
        assert stats.launches == launches + bool(number)
        if number:
            assert_close(found, expected(image, rects), scale=3)
    assert stats.compiles <= before + 1


@pytest.mark.parametrize("number", [1, 3, 1000])
@pytest.mark.parametrize(
    "outside",
    [(-1, 0, 2, 2), (0, 40, 2, 9), (64, 0, 1, 1), (MOST, 0, MOST, 1), (3, 3, 0, 1), (3, 3, 1, -1)],
)
def test_one_outside_is_named_and_nothing_runs(
    outside: Any, number: int, compiled: Compiled, kind: arrays.Kind, image: Any
) -> None:
    pipe, x = compiled("crops"), kind.to_device(image)
    rects = rectangles(number, 64, 48, 1, 48)
    out = pipe(x, rects=rects)
    kept = kind.to_host(out).copy()
    bad = rects.copy()
    bad[number // 2] = outside
    launches = stats.launches
    for options in ({}, {"out": out}):
        with pytest.raises(fkl.ExtentError, match=rf"rect {number // 2}, .*the image is 64×48"):
            pipe(x, rects=bad, **options)
    assert stats.launches == launches
    np.testing.assert_array_equal(kind.to_host(out), kept)
    np.testing.assert_array_equal(kind.to_host(pipe(x, rects=rects, out=out)), kept)


def test_the_callers_rects_may_change_once_the_call_is_over(
    compiled: Compiled, kind: arrays.Kind, image: Any
) -> None:
    pipe, x = compiled("crops"), kind.to_device(image)
    for number in (3, 1000):
        given = rectangles(number, 64, 48, 1, 48)
        wanted = expected(image, given)
        run = pipe.bind(x, rects=given)
        found = [pipe(x, rects=given) for _ in range(3)]
        given[:] = MOST
        for each in (*found, run()):
            assert_close(kind.to_host(each), wanted, scale=3)


@pytest.mark.parametrize("chain", ["crops", "crops as they are"])
def test_every_way_to_write_them_serves_in_any_order(
    chain: str, compiled: Compiled, kind: arrays.Kind, image: Any
) -> None:
    """What a call keeps is for the values that it was given, and for no others of its names."""
    pipe, x = compiled(chain), kind.to_device(image)
    for number, side in ((2, 4), (5, 40), (2, 4), (3, 1), (1, 9)):
        rects = rectangles(number, 64, 48, side, side, seed=number)
        plain = [tuple(map(int, rect)) for rect in rects]
        given = [rects, plain, tuple(plain), rects.astype(np.float32)]
        for each in given[number % 2 :] + given[: number % 2]:
            found = kind.to_host(pipe(x, rects=each))
            if chain == "crops":
                assert_close(found, expected(image, rects), scale=3)
            else:
                cut = [image[y : y + side, x : x + side] for x, y, _, _ in rects]
                np.testing.assert_array_equal(found, np.stack(cut))
        assert kind.to_host(pipe(x, rects=plain[0])).shape == (
            (3, 6, 8) if chain == "crops" else (side, side, 3)
        )
