# SPDX-License-Identifier: Apache-2.0
"""Run-time values: what is accepted, what it packs to, and the sentence for what is not."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest

from fkl._dtypes import ELEMENTS, DType, as_element
from fkl._errors import ArgumentError, DTypeError, ExtentError
from fkl._sizes import CountsKind, RectsKind
from fkl._values import Arg, Each, ElementKind, Table, arg_names, each, with_args

ELEMENT = ElementKind()
SIZE = CountsKind(("width", "height"), "fk::Size", "2i")
RECTS = RectsKind()


def packed(value: Any, name: str, channels: int = 1) -> bytes:
    flow = DType(ELEMENTS[name], channels)
    result = ELEMENT.pack(ELEMENT.coerce(value, "value"), "value", flow, flow)
    assert isinstance(result, bytes)
    return result


def test_one_number_serves_every_channel() -> None:
    assert packed(2, "float32", 3) == struct.pack("3f", 2, 2, 2)


def test_a_number_per_channel_keeps_its_order() -> None:
    assert packed(np.array([1, 2, 3]), "int16", 3) == struct.pack("3h", 1, 2, 3)


def test_an_integer_beyond_float_precision_is_exact() -> None:
    assert packed(16777217, "int32") == struct.pack("i", 16777217)
    assert packed(2**63 - 1, "int64") == struct.pack("q", 2**63 - 1)


def test_a_double_keeps_every_bit() -> None:
    assert packed(0.1, "float64") == struct.pack("d", 0.1)


def test_a_whole_float_is_a_whole_number() -> None:
    assert packed(2.0, "uint8") == b"\x02"


@pytest.mark.parametrize("value", [0.5, math.nan, math.inf])
def test_a_fraction_on_an_integer_element_suggests_cast(value: float) -> None:
    with pytest.raises(DTypeError, match=r"value: .* is not a whole number.*Cast"):
        packed(value, "uint8")


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (256, "uint8"),
        (-1, "uint8"),
        (128, "int8"),
        (2**64, "uint64"),
        (1e39, "float32"),
        (70000, "float16"),
        (2, "bool"),
    ],
)
def test_a_number_that_does_not_fit_is_refused(value: float, name: str) -> None:
    with pytest.raises(DTypeError, match=f"does not fit {name}"):
        packed(value, name)


def test_infinity_is_a_float() -> None:
    assert packed(math.inf, "float16") == struct.pack("e", math.inf)


def test_a_wrong_number_of_channels_is_counted() -> None:
    with pytest.raises(
        DTypeError, match=r"value has 2 numbers; this element has 3 channels: give 1 or 3\."
    ):
        packed((2, 2), "float32", 3)


@pytest.mark.parametrize("value", ["2", None, 1j, {}, (1, 2, 3, 4, 5), (), ((1, 2),)])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(DTypeError):
        ELEMENT.coerce(value, "value")


def test_each_packs_one_pixel_after_another() -> None:
    flow = DType(ELEMENTS["float32"], 3)
    table = ELEMENT.pack(each([1, (2, 3, 4)]), "value", flow, flow)
    assert isinstance(table, Table)
    assert (table.entries.tobytes(), table.length) == (struct.pack("6f", 1, 1, 1, 2, 3, 4), 2)


def test_an_empty_each_is_refused() -> None:
    with pytest.raises(ExtentError, match="empty"):
        each([])


def test_args_are_found_and_replaced_anywhere() -> None:
    value = (Arg("a"), 1, Each((Arg("b"), 2)))
    assert arg_names(value) == ("a", "b")
    assert with_args(value, {"a": 5, "b": 6}) == (5, 1, Each((6, 2)))


@pytest.mark.parametrize("name", ["out", "stream", "self", "two words", "", 3])
def test_an_arg_needs_a_free_identifier(name: Any) -> None:
    with pytest.raises(ArgumentError, match="identifier"):
        Arg(name)


@pytest.mark.parametrize(
    "value",
    [(0, 4), (4, -1), (4.5, 4), (2**31, 1), (True, 1), (math.nan, 4), (4, math.inf), (2**64, 1)],
)
def test_a_size_is_whole_and_at_least_one(value: Any) -> None:
    with pytest.raises(ExtentError, match="give a"):
        SIZE.coerce(value, "size")


def test_rects_pack_as_rows_of_four() -> None:
    table = RECTS.resolve([(1, 2, 3, 4), (5, 6, 7, 8)], "rects", None)
    assert table.many
    assert table.rects.dtype == np.int32
    assert table.rects.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_one_rect_is_not_a_batch() -> None:
    assert not RECTS.resolve((1, 2, 3, 4), "rects", None).many


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.float32])
def test_rects_of_any_number_type_are_taken(kind: Any) -> None:
    assert RECTS.resolve(np.ones((3, 4), kind), "rects", None).rects.tolist() == [[1, 1, 1, 1]] * 3


def test_a_fraction_in_a_rect_names_the_rect() -> None:
    with pytest.raises(ExtentError, match=r"rect 1 .*whole pixels"):
        RECTS.coerce([(0, 0, 1, 1), (0.5, 0, 1, 1)], "rects")


@pytest.mark.parametrize("huge", [2**31, -(2**31) - 1, 2**63, 2**64, math.inf])
def test_a_rect_beyond_int32_names_the_rect_and_the_range(huge: float) -> None:
    with pytest.raises(ExtentError, match=r"rect 1 .*give numbers from -2147483648 to 2147483647"):
        RECTS.coerce([(0, 0, 1, 1), (huge, 0, 1, 1)], "rects")


@pytest.mark.parametrize(
    "value", [[(0, 0, 1)], [([5], 0, 2, 2)], ([5], 0, 2, 2), [(0, 0, 1, 1), (0, 0, 1)]]
)
def test_rects_that_are_not_four_numbers_are_refused(value: Any) -> None:
    with pytest.raises(ExtentError, match="x, y, width, height"):
        RECTS.coerce(value, "rects")


@pytest.mark.parametrize("order", ["C", "F"])
def test_rects_do_not_change_with_the_callers_array(order: Any) -> None:
    given = np.array([(0, 0, 1, 1), (1, 1, 2, 2)], np.int32, order=order)
    table = RECTS.resolve(given, "rects", None)
    given[:] = 99
    assert table.rects.tolist() == [[0, 0, 1, 1], [1, 1, 2, 2]]


def test_each_of_a_number_says_that_it_wants_a_list() -> None:
    number: Any = 3
    with pytest.raises(ExtentError, match=r"each\(3\): give a list"):
        each(number)


@pytest.mark.parametrize("kind", [ELEMENT, ElementKind("bounds")])
def test_each_inside_a_value_is_said_to_have_no_place_there(kind: ElementKind) -> None:
    with pytest.raises(DTypeError, match=r"each\(\[\.\.\.\]\) cannot stand there"):
        kind.coerce((each([1, 2]), 5), "value")


@pytest.mark.parametrize("value", [each([1, 2]), (each([1, 2]), 5)])
def test_each_is_no_size(value: Any) -> None:
    with pytest.raises(ExtentError, match=r"one size serves every plane"):
        SIZE.coerce(value, "size")


@pytest.mark.parametrize(
    ("name", "channels", "size", "alignment"),
    [
        ("uint8", 3, 3, 1),
        ("uint8", 4, 4, 4),
        ("int16", 3, 6, 2),
        ("int16", 4, 8, 8),
        ("float32", 3, 12, 4),
        ("float32", 4, 16, 16),
        ("float64", 2, 16, 16),
        ("float64", 3, 24, 8),
        ("float64", 4, 32, 16),
        ("bool", 4, 4, 1),
        ("float16", 2, 4, 4),
    ],
)
def test_vectors_are_laid_out_as_cuda_lays_them_out(
    name: str, channels: int, size: int, alignment: int
) -> None:
    dtype = DType(ELEMENTS[name], channels)
    assert (dtype.size, dtype.alignment) == (size, alignment)


def test_none_is_no_element_type() -> None:
    with pytest.raises(DTypeError, match="None is no element type"):
        as_element(None)
