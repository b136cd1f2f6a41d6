# SPDX-License-Identifier: Apache-2.0
"""Rects that change from call to call: a kept call may count them, the launch says where they lie.

Each pipeline here is called once with rects that fit, so that what follows takes the short way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fkl
from fkl import Arg
from fkl._call import Prepared

CROPS, RESIZE = fkl.Crop(Arg("rects")), fkl.Resize(4, 3, "nearest")
FITS = np.array([[1, 2, 5, 4], [0, 0, 30, 20], [29, 19, 1, 1]], np.int32)
MOST = 2**31 - 1


@pytest.fixture
def image(random: np.random.Generator) -> Any:
    return random.integers(0, 255, (20, 30, 3)).astype(np.uint8)


def warm(*operations: Any, image: Any, rects: Any = FITS, **args: Any) -> fkl.Pipeline:
    pipe = fkl.compose(fkl.TensorRead(), *operations, fkl.TensorWrite())
    pipe(image, rects=rects, **args)
    return pipe


def one_by_one(image: Any, rects: Any) -> Any:
    images = image if image.ndim == 4 else [image] * len(rects)
    pipe = fkl.compose(fkl.TensorRead(), CROPS, RESIZE, fkl.TensorWrite())
    return np.stack(
        [pipe(each, rects=tuple(map(int, rect))) for each, rect in zip(images, rects, strict=True)]
    )


@pytest.mark.parametrize(
    ("rect", "says"),
    [
        ((-1, 0, 2, 2), "does not lie inside"),
        ((0, -5, 2, 9), "does not lie inside"),
        ((29, 0, 2, 1), "does not lie inside"),
        ((0, 19, 1, 2), "does not lie inside"),
        ((30, 0, 1, 1), "does not lie inside"),
        ((MOST, 0, MOST, 1), "does not lie inside"),
        ((1, MOST, 1, MOST), "does not lie inside"),
        ((-MOST - 1, 0, MOST, 1), "does not lie inside"),
        ((3, 3, 0, 1), "is empty"),
        ((3, 3, 1, -1), "is empty"),
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_rect_outside_is_named_by_a_kept_call(
    rect: Any, says: str, at: int, image: Any, count: Any
) -> None:
    pipe = warm(CROPS, RESIZE, image=image)
    bad = FITS.copy()
    bad[at] = rect
    out = np.full((3, 3, 4, 3), 7, np.uint8)
    before = count.launches
    for given in (bad, bad.tolist(), bad.astype(np.float64)):
        for options in ({}, {"out": out}):
            with pytest.raises(fkl.ExtentError, match=rf"(?s)rect {at}, .*{says}.*30×20"):
                pipe(image, rects=given, **options)
    assert count.launches == before
    assert (out == 7).all()
    np.testing.assert_array_equal(pipe(image, rects=FITS, out=out), one_by_one(image, FITS))


def test_the_error_marks_the_step_in_its_chain(image: Any) -> None:
    pipe = warm(CROPS, RESIZE, image=image)
    with pytest.raises(fkl.ExtentError, match=r"^step 1, Crop.*\n.* → >> Crop << → .*\n.*rect 1"):
        pipe(image, rects=FITS + 1)


@pytest.mark.parametrize("first", [FITS, FITS[:0]])
def test_any_number_of_rects_takes_the_kept_call(
    first: Any, image: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = warm(CROPS, RESIZE, image=image, rects=first)
    pipe(image, rects=FITS)
    numbers = [np.resize(FITS, (number, 4)) for number in (1, 2, 50, 1000, 3)]
    expected = [one_by_one(image, rects) for rects in numbers]
    monkeypatch.setattr(Prepared, "packed", lambda *_, **__: pytest.fail("the long way was taken"))
    for rects, wanted in zip(numbers, expected, strict=True):
        np.testing.assert_array_equal(pipe(image, rects=rects), wanted)


def test_no_rects_after_some_and_some_after_none(image: Any, count: Any) -> None:
    pipe = warm(CROPS, RESIZE, image=image)
    launches = count.launches
    assert pipe(image, rects=FITS[:0]).shape == (0, 3, 4, 3)
    assert pipe(image, rects=[]).shape == (0, 3, 4, 3)
    assert count.launches == launches
    fresh = warm(CROPS, RESIZE, image=image, rects=[])
    np.testing.assert_array_equal(fresh(image, rects=FITS), one_by_one(image, FITS))


def test_one_rect_and_a_list_of_one_differ_by_an_axis(image: Any) -> None:
    pipe = warm(CROPS, RESIZE, image=image, rects=(1, 2, 5, 4))
    assert pipe(image, rects=(1, 2, 5, 4)).shape == (3, 4, 3)
    assert pipe(image, rects=[(1, 2, 5, 4)]).shape == (1, 3, 4, 3)
    assert pipe(image, rects=np.array([1, 2, 5, 4], np.int32)).shape == (3, 4, 3)
    assert pipe(image, rects=FITS).shape == (3, 3, 4, 3)


def test_an_out_for_another_number_is_refused(image: Any) -> None:
    pipe = warm(CROPS, RESIZE, image=image)
    out = np.zeros((3, 3, 4, 3), np.uint8)
    pipe(image, rects=FITS, out=out)
    with pytest.raises(fkl.LayoutError, match=r"gives NHWC \(2, 3, 4, 3\)"):
        pipe(image, rects=FITS[:2], out=out)
    assert pipe(image, rects=FITS, out=out) is out


def test_a_batch_wants_as_many_rects_as_it_has_planes(random: np.random.Generator) -> None:
    images = random.integers(0, 255, (3, 20, 30, 3)).astype(np.uint8)
    pipe = warm(CROPS, RESIZE, image=images)
    np.testing.assert_array_equal(pipe(images, rects=FITS[::-1]), one_by_one(images, FITS[::-1]))
    with pytest.raises(fkl.ExtentError, match="rects has 2 entries, and the batch has 3"):
        pipe(images, rects=FITS[:2])
    np.testing.assert_array_equal(pipe(images, rects=FITS[:1]), one_by_one(images, FITS[[0, 0, 0]]))


@pytest.mark.parametrize("k", [fkl.each([1, 2, 3]), Arg("k")])
def test_values_for_each_plane_want_as_many_rects(k: Any, image: Any) -> None:
    args = {"k": fkl.each([1, 2, 3])} if k == Arg("k") else {}
    pipe = warm(CROPS, RESIZE, fkl.Mul(k), image=image, **args)
    expected = one_by_one(image, FITS) * np.array([1, 2, 3], np.uint8)[:, None, None, None]
    np.testing.assert_array_equal(pipe(image, rects=FITS, **args), expected)
    with pytest.raises(fkl.ExtentError, match="3"):
        pipe(image, rects=FITS[:2], **args)


def test_rects_of_rects_are_checked_against_the_outer_ones(image: Any) -> None:
    inner = fkl.Crop([(0, 0, 4, 3)])
    pipe = warm(CROPS, inner, RESIZE, image=image, rects=[(1, 2, 5, 4)])
    np.testing.assert_array_equal(
        pipe(image, rects=[(3, 1, 9, 9), (0, 0, 4, 3)]),
        one_by_one(image, np.array([(3, 1, 4, 3), (0, 0, 4, 3)])),
    )
    with pytest.raises(fkl.ExtentError, match=r"(?s)rect 0.*does not lie inside.*3×3"):
        pipe(image, rects=[(1, 2, 5, 4), (1, 2, 3, 3)])


def test_other_values_change_with_the_rects(image: Any) -> None:
    pipe = warm(CROPS, RESIZE, fkl.Add(Arg("k")), image=image, k=1)
    for rects, k in ((FITS[:2], 3), (FITS, 5)):
        np.testing.assert_array_equal(
            pipe(image, rects=rects, k=k), one_by_one(image, rects) + np.uint8(k)
        )
    with pytest.raises(fkl.DTypeError, match="256"):
        pipe(image, rects=FITS, k=256)


def test_without_a_fixed_size_the_rects_decide_it(image: Any) -> None:
    pipe = warm(CROPS, image=image, rects=[(0, 0, 4, 3)] * 2)
    assert pipe(image, rects=[(1, 1, 7, 2)] * 5).shape == (5, 2, 7, 3)
    with pytest.raises(fkl.ExtentError, match="rect 0"):
        pipe(image, rects=[(28, 1, 4, 3)] * 2)


def test_what_the_caller_changes_later_changes_no_bound_call(image: Any) -> None:
    rects = FITS.copy()
    pipe = warm(CROPS, RESIZE, image=image)
    run = pipe.bind(image, rects=rects)
    rects[:] = 1000
    np.testing.assert_array_equal(run(), one_by_one(image, FITS))


def test_rects_are_asked_for_once(image: Any) -> None:
    """They may give another answer the second time, for which the result has no room."""

    class Changing:
        asked = 0

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            self.asked += 1
            size = (4, 3) if self.asked == 1 else (28, 17)
            return np.array([[1, 2, *size]] * 2, np.int32)

    for middle in ((), (fkl.Resize(4, 3, "nearest"),)):
        pipe = warm(CROPS, *middle, image=image, rects=[[1, 2, 4, 3]] * 2)
        given = Changing()
        found = pipe(image, rects=given)
        assert given.asked == 1
        np.testing.assert_array_equal(found, [image[2:5, 1:5]] * 2)


def test_a_bad_rect_is_named_where_memory_is_missed(image: Any) -> None:
    pipe = warm(CROPS, fkl.Resize(4000, 4000, "nearest"), image=image, rects=FITS[:1])
    with pytest.raises(fkl.ExtentError, match="rect 0"):
        pipe(image, rects=np.zeros((2**20, 4), np.int32))  # 46 TiB
    with pytest.raises(MemoryError):
        pipe(image, rects=np.resize(FITS, (2**20, 4)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64", "uint8", ">i4", "O"])
def test_rects_of_every_type_of_number(dtype: str, image: Any) -> None:
    pipe = warm(CROPS, RESIZE, image=image)
    np.testing.assert_array_equal(pipe(image, rects=FITS.astype(dtype)), one_by_one(image, FITS))


def test_none_is_said_the_same_way_by_a_kept_call(image: Any) -> None:
    pipe = warm(CROPS, RESIZE, fkl.Add(Arg("k")), image=image, k=1)
    for bad in ({"k": None, "rects": FITS}, {"k": 1, "rects": None}):
        with pytest.raises(fkl.ArgumentError, match="=None: give a value"):
            pipe(image, **bad)
