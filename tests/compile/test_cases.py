# SPDX-License-Identifier: Apache-2.0
"""Small inputs with right values, each of a kind that has hurt people of this field."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fkl

READ, WRITE = fkl.TensorRead(), fkl.TensorWrite()
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def run(x: Any, *operations: fkl.Operation, **args: Any) -> Any:
    return fkl.compose(READ, *operations, WRITE)(np.asarray(x), **args)


@pytest.mark.parametrize(
    ("coordinates", "expected"),
    [
        ("half_pixel", [0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30]),
        ("asymmetric", [0, 5, 10, 15, 20, 25, 30, 30]),
        ("align_corners", [k * 30 / 7 for k in range(8)]),
    ],
)
def test_four_pixels_become_eight(coordinates: str, expected: Any) -> None:
    row = np.array([[0, 10, 20, 30]], np.float32)
    found = run(row, fkl.Resize(8, 1, coordinates=coordinates))
    np.testing.assert_allclose(found[0], expected, rtol=1e-5, atol=1e-5)


SQUARE = np.array(
    [[255, 200, 0, 50], [200, 255, 50, 0], [0, 50, 255, 200], [50, 0, 200, 255]], np.uint8
)


def test_an_image_doubles_as_cv2_doubles_it() -> None:
    found = run(SQUARE, fkl.Resize(8, 8))
    np.testing.assert_allclose(found[0], [255, 241.25, 213.75, 150, 50, 12.5, 37.5, 50], rtol=1e-5)
    cv2 = pytest.importorskip("cv2")
    rounded = run(SQUARE, fkl.Resize(8, 8), fkl.SaturateCast("uint8"))
    expected = cv2.resize(SQUARE, (8, 8)).astype(int)
    tie = np.abs(found % 1 - 0.5) < 1e-3
    assert (np.abs(rounded.astype(int) - expected) <= tie).all()


def test_a_large_photo_resizes_as_cv2_does(random: np.random.Generator) -> None:
    cv2 = pytest.importorskip("cv2")
    image = random.integers(0, 255, (231, 317, 3)).astype(np.float32)
    for size in ((64, 48), (500, 400), (317, 100)):
        np.testing.assert_allclose(
            run(image, fkl.Resize(*size)), cv2.resize(image, size), rtol=1e-4, atol=2e-2
        )


def test_a_narrow_peak_is_missed_by_linear_sampling() -> None:
    row = np.array([[0, 0, 0, 255, 0, 0, 0, 0]], np.uint8)
    assert run(row, fkl.Resize(2, 1)).tolist() == [[0, 0]]


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_saturating_rounds_half_to_even(name: str) -> None:
    values = np.array([-0.5, 0.5, 1.5, 2.5, 254.5, 255.5, 300, -7, np.nan, np.inf, -np.inf], name)
    assert run(values, fkl.SaturateCast("uint8")).tolist() == [
        0,
        0,
        2,
        2,
        254,
        255,
        255,
        0,
        0,
        255,
        0,
    ]


def test_a_cast_truncates_and_saturates() -> None:
    values = np.array([-1.9, 1.9, 300, -300, np.nan, np.inf, -np.inf], np.float32)
    assert run(values, fkl.Cast("int8")).tolist() == [-1, 1, 127, -128, 0, 127, -128]


def test_imagenet_normalisation_has_the_known_values() -> None:
    pixel = np.array([[[255, 0, 128]]], np.uint8)
    chain = (fkl.Cast("float32"), fkl.Div(255.0), fkl.Sub(MEAN), fkl.Div(STD))
    np.testing.assert_allclose(run(pixel, *chain)[0, 0], [2.2489, -2.0357, 0.4265], atol=1e-4)
    half = run(pixel, fkl.Cast("float16"), *chain[1:])[0, 0]
    np.testing.assert_allclose(half.astype(float), [2.2489, -2.0357, 0.4265], rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize(("code", "expected"), [("BGR2GRAY", 22), ("RGB2GRAY", 18)])
def test_gray_has_the_known_values(code: str, expected: int) -> None:
    assert run(np.array([[[10, 20, 30]]], np.uint8), fkl.ColorConversion(code)).tolist() == [
        [expected]
    ]


@pytest.mark.parametrize("name", ["uint8", "float32"])
def test_gray_equals_cv2(name: str, random: np.random.Generator) -> None:
    cv2 = pytest.importorskip("cv2")
    image = random.integers(0, 255, (40, 50, 3)).astype(name)
    found = run(image, fkl.ColorConversion("BGR2GRAY")).astype(float)
    np.testing.assert_allclose(
        found,
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY),
        rtol=1e-5,
        atol=1 if name == "uint8" else 1e-3,
    )


def test_letterboxing_fills_above_and_below() -> None:
    image = np.full((768, 1024, 3), 9, np.uint8)
    found = run(image, fkl.Resize(640, 640, aspect_ratio="preserve", background=(1, 2, 3)))
    np.testing.assert_array_equal(found[80:560], np.full((480, 640, 3), 9))
    for rows in (found[:80], found[560:]):
        np.testing.assert_array_equal(rows, np.broadcast_to([1, 2, 3], rows.shape))


def test_a_thread_of_an_image_keeps_one_pixel() -> None:
    image = np.full((1000, 1), 9, np.uint8)
    found = run(image, fkl.Resize(64, 64, aspect_ratio="preserve"))
    assert (found[:, 31] == 9).all()
    assert found.sum() == 9 * 64


def test_no_parameter_is_a_float_where_the_operation_is_not() -> None:
    assert run(np.array([16777217], np.int32), fkl.Add(1)).tolist() == [16777218]
    assert run(np.array([2**53 + 1], np.int64), fkl.Add(1)).tolist() == [2**53 + 2]
    assert run(np.array([0.0]), fkl.Add(0.1)).tolist() == [0.1]


def test_integers_divide_without_accidents() -> None:
    assert run(np.array([5, 7], np.uint8), fkl.Div(0)).tolist() == [0, 0]
    assert run(np.array([-(2**31)], np.int32), fkl.Div(-1)).tolist() == [-(2**31)]
    assert run(np.array([-7, 7], np.int64), fkl.Div(2)).tolist() == [-3, 3]
    with pytest.raises(fkl.DTypeError, match="Cast"):
        run(np.array([5], np.uint8), fkl.Mul(0.5))


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
@pytest.mark.parametrize("fp", ["fast", "strict"])
def test_a_nan_pixel_stays_and_a_nan_bound_is_ignored(name: str, fp: Any) -> None:
    """In every lane: 40 values are vectors and a rest."""
    nan, inf = np.nan, np.inf
    x = np.resize(np.array([nan, 3, -3, inf, -inf, 0.5, nan], name), 40)

    def found(operation: fkl.Operation) -> Any:
        return fkl.compose(READ, operation, WRITE, fp=fp)(x)

    assert_array_equal(found(fkl.Max(1)), np.where(np.isnan(x), x, np.maximum(x, 1)))
    assert_array_equal(found(fkl.Min(1)), np.where(np.isnan(x), x, np.minimum(x, 1)))
    assert_array_equal(found(fkl.Saturate(0, 1)), np.where(np.isnan(x), x, np.clip(x, 0, 1)))
    for operation in (fkl.Max(nan), fkl.Min(nan), fkl.Saturate(nan, nan)):
        assert_array_equal(found(operation), x)
    assert_array_equal(found(fkl.Saturate(nan, 1)), np.where(np.isnan(x), x, np.minimum(x, 1)))
    assert_array_equal(found(fkl.SaturateFloat()), np.nan_to_num(np.clip(x, 0, 1)))


def test_integers_wrap() -> None:
    assert run(np.array([250, 10], np.uint8), fkl.Add(10)).tolist() == [4, 20]
    assert run(np.array([100], np.int8), fkl.Mul(2)).tolist() == [-56]


def test_a_row_stays_a_row() -> None:
    found = run(np.arange(16, dtype=np.float32), fkl.Mul(2))
    assert found.shape == (16,)
    assert found.tolist() == [2 * k for k in range(16)]


def test_a_value_per_plane() -> None:
    x = np.ones((3, 4, 5, 3), np.float32)
    found = run(
        x,
        fkl.Mul(fkl.each([1, (1, 2, 3), 5])),
        fkl.Add(fkl.Arg("shift")),
        shift=fkl.each([0, 0, 1]),
    )
    np.testing.assert_array_equal(found[:, 0, 0], [[1, 1, 1], [1, 2, 3], [6, 6, 6]])


def test_crops_are_what_slices_are(random: np.random.Generator) -> None:
    image = random.integers(0, 255, (50, 60, 3)).astype(np.uint8)
    rects = [(1, 2, 7, 5), (53, 45, 7, 5), (0, 0, 7, 5)]
    found = run(image, fkl.Crop(rects))
    for plane, (x, y, w, h) in zip(found, rects, strict=True):
        np.testing.assert_array_equal(plane, image[y : y + h, x : x + w])
    nested = run(image, fkl.Crop(10, 20, 30, 25), fkl.Crop([(3, 4, 7, 5), (23, 20, 7, 5)]))
    np.testing.assert_array_equal(nested[1], image[40:45, 33:40])
    np.testing.assert_array_equal(
        run(image, fkl.Crop([(1, 2, 8, 7)], format="xyxy"))[0], image[2:7, 1:8]
    )


def test_each_image_of_a_batch_has_its_crop(random: np.random.Generator) -> None:
    images = random.integers(0, 255, (3, 20, 30)).astype(np.uint8)
    rects = [(0, 0, 4, 4), (26, 16, 4, 4), (5, 6, 4, 4)]
    read = fkl.TensorRead(layout="NHW")
    found = fkl.compose(read, fkl.Crop(fkl.Arg("rects")), WRITE)(images, rects=rects)
    for plane, image, (x, y, w, h) in zip(found, images, rects, strict=True):
        np.testing.assert_array_equal(plane, image[y : y + h, x : x + w])


def test_the_main_job_equals_cv2(random: np.random.Generator) -> None:
    cv2 = pytest.importorskip("cv2")
    frame = random.integers(0, 255, (480, 640, 3)).astype(np.uint8)
    rects = [(int(x), int(y), int(w), int(h)) for x, y, w, h in random.integers(8, 200, (50, 4))]
    pipe = fkl.compose(
        READ, fkl.Crop(fkl.Arg("rects")), fkl.Resize(64, 128), fkl.ColorConversion("BGR2RGB"),
        fkl.Div(255.0), fkl.Sub(MEAN), fkl.Div(STD), fkl.TensorSplit(),
    )  # fmt: skip
    found = pipe(frame, rects=rects)
    for plane, (x, y, w, h) in zip(found, rects, strict=True):
        crop = cv2.resize(frame[y : y + h, x : x + w].astype(np.float32), (64, 128))[..., ::-1]
        expected = ((crop / 255 - MEAN) / STD).transpose(2, 0, 1)
        np.testing.assert_allclose(plane, expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("fusion", [True, False, "auto"])
@pytest.mark.parametrize("fp", ["fast", "strict"])
def test_options_change_no_result(fusion: Any, fp: Any) -> None:
    x = np.arange(77, dtype=np.float32).reshape(7, 11)
    pipe = fkl.compose(READ, fkl.Mul(3), fkl.Add(0.5), WRITE, thread_fusion=fusion, fp=fp)
    np.testing.assert_allclose(pipe(x), x * 3 + 0.5, rtol=1e-6)


def test_values_per_plane_stay_right_call_after_call() -> None:
    pipe = fkl.compose(
        fkl.TensorRead(layout="NHW"), fkl.Mul(fkl.each([1, 2, 3])), fkl.TensorWrite()
    )
    x = np.arange(24, dtype=np.float32).reshape(3, 2, 4)
    out = np.empty_like(x)
    for _ in range(3):
        gc.collect()
        assert_array_equal(pipe(x), x * np.array([1, 2, 3])[:, None, None])
        assert_array_equal(pipe(x, out=out), x * np.array([1, 2, 3])[:, None, None])


def test_a_resize_reads_through_a_crop_of_a_resize() -> None:
    x = np.random.default_rng(7).random((40, 50, 3), np.float32)
    first = fkl.compose(fkl.TensorRead(), fkl.Resize(30, 20), fkl.Mul(2.0), fkl.TensorWrite())(x)
    second = fkl.compose(fkl.TensorRead(), fkl.Resize(33, 17), fkl.TensorWrite())
    whole = fkl.compose(
        fkl.TensorRead(),
        fkl.Resize(30, 20),
        fkl.Mul(2.0),
        fkl.Crop(3, 2, 20, 10),
        fkl.Resize(33, 17),
        fkl.TensorWrite(),
    )
    assert_allclose(whole(x), second(np.ascontiguousarray(first[2:12, 3:23])), rtol=1e-6)
