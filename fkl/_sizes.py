# SPDX-License-Identifier: Apache-2.0
"""Kinds of run-time value that say how large or where: sizes and rectangles, in pixels."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._dtypes import DType, Element
from ._errors import ExtentError
from ._values import (
    EACH_CANNOT_STAND,
    Arg,
    Each,
    Slot,
    Table,
    ValueKind,
    arg_names,
    plain_numbers,
)

INT32 = (-(2**31), 2**31 - 1)
ON_DEVICE = "on the device"
RECTS_WANTED = "give (x, y, width, height), a list of them, or an N×4 array"


class CountsKind(ValueKind):
    """Whole numbers of at least 1: (width, height), or (width, height, planes)."""

    def __init__(self, names: tuple[str, ...], cpp: str, code: str) -> None:
        self.names, self.cpp, self.code = names, cpp, code

    def coerce(self, value: Any, field: str) -> Any:
        value = plain_numbers(value)
        if arg_names(value):
            return value
        if isinstance(value, Each):
            raise ExtentError(f"{field}: one size serves every plane; {EACH_CANNOT_STAND}")
        if not isinstance(value, tuple) or len(value) != len(self.names):
            raise ExtentError(f"{field}={value!r}: give ({', '.join(self.names)}) in pixels")
        return tuple(self._count(item, name) for item, name in zip(value, self.names, strict=True))

    def _count(self, value: Any, name: str) -> int:
        if isinstance(value, Each):
            raise ExtentError(f"{name}: one size serves every plane; {EACH_CANNOT_STAND}")
        # NaN and infinity are floats that are no integer
        is_whole = value.is_integer() if isinstance(value, float) else isinstance(value, int)
        if isinstance(value, bool) or not is_whole:
            raise ExtentError(f"{name}={value!r}: give a whole number of pixels")
        if not 1 <= value <= INT32[1]:
            raise ExtentError(f"{name}={value!r}: give a number from 1 to {INT32[1]}")
        return int(value)

    def slot(self, flow: DType, result: DType) -> Slot:
        del flow, result
        return Slot(self.cpp, struct.calcsize(self.code), struct.calcsize(self.code[-1]))

    def pack(self, value: Any, field: str, flow: DType, result: DType) -> bytes | Table:
        del field, flow, result
        return struct.pack(self.code, *value)


class RectTable(NamedTuple):
    """Rectangles as an N×4 int32 array of (x, y, width, height); `many` gives the result a batch
    axis.
    """

    rects: NDArray[np.int32]
    many: bool


@dataclass(frozen=True, eq=False)
class DeviceRects:
    """Rectangles that lie on a GPU:

    N dense rows of four numbers. Nobody looks at them before the kernel does.
    """

    owner: Any
    address: int
    count: int
    element: Element
    many = True

    def form(self, operation: Any) -> str:
        return f"{ON_DEVICE} {self.element.cpp} {operation.format.upper()}"


def _holds_numbers(given: NDArray[Any]) -> bool:
    """Python's integers beyond 64 bits are objects to NumPy, and numbers all the same."""
    return given.dtype.kind in "iuf" or (
        given.dtype.kind == "O" and all(type(item) is int for item in given.flat)
    )


def _check_int32(rows: NDArray[Any], field: str) -> None:
    """Raises an ExtentError that names the first rectangle that int32 cannot hold."""
    # One pass for each test: a thousand rectangles must cost microseconds, not a loop.
    rows = rows.astype(np.float64) if rows.dtype.kind == "f" else rows  # float16 ends at 65504
    broken = rows != np.floor(rows) if rows.dtype.kind == "f" else np.zeros(rows.shape, bool)
    bad = broken | (rows < INT32[0]) | (rows > INT32[1])
    if bad.any():
        index = int(np.argmax(bad.any(axis=1)))
        wanted = "whole pixels"
        if not broken[index].any():
            wanted = f"numbers from {INT32[0]} to {INT32[1]}"
        raise ExtentError(f"{field}: rect {index} is {tuple(rows[index].tolist())}: give {wanted}")


class RectsKind(ValueKind):
    """One rectangle, or one per plane: four whole numbers each, in pixels."""

    def coerce(self, value: Any, field: str) -> Any:
        if isinstance(value, Arg):
            return value
        if hasattr(value, "__cuda_array_interface__") or isinstance(value, DeviceRects):
            raise ExtentError(
                f"{field}: rects on a device belong to a call, not to a recipe: "
                f'write Crop(Arg("{field}")) and give them as {field}=...'
            )
        value = plain_numbers(value)
        if arg_names(value):
            return value
        self._table(value, field)
        return value

    def _table(self, value: Any, field: str) -> RectTable:
        if hasattr(value, "__cuda_array_interface__"):
            raise ExtentError(
                f"{field} lies on a device, and the image on the host: give both there"
            )
        try:
            given = np.asarray(value)
        except ValueError:  # rows of different lengths
            raise ExtentError(f"{field}: {RECTS_WANTED}") from None
        if given.size == 0:
            return RectTable(np.zeros((0, 4), np.int32), many=True)
        if given.ndim not in (1, 2) or given.shape[-1] != 4 or not _holds_numbers(given):
            raise ExtentError(f"{field}: {RECTS_WANTED}")
        rows = given.reshape(-1, 4)
        if given.dtype != np.int32:
            _check_int32(rows, field)
        # Always a copy: a bound call reads it at every run, and the caller may change his array.
        return RectTable(np.array(rows, np.int32, order="C"), many=given.ndim == 2)

    def resolve(self, value: Any, field: str, operation: Any) -> Any:
        if isinstance(value, DeviceRects):
            return value
        if type(value) is np.ndarray and value.dtype == np.int32 and value.shape[1:] == (4,):
            # the common case, which needs no look at its numbers; a copy, as in `_table`
            table = RectTable(value.copy(), many=True)
        else:
            table = self._table(value, field)
        if getattr(operation, "format", "xywh") == "xyxy":
            table.rects[:, 2:] -= table.rects[:, :2]
        return table

    def slot(self, flow: DType, result: DType) -> Slot:
        del flow, result
        return Slot.table("fk::Rect")

    def slot_of(self, form: str, flow: DType, result: DType) -> Slot:
        if not form.startswith(ON_DEVICE):
            return self.slot(flow, result)
        _, cpp, order = form.rsplit(" ", 2)
        return Slot.table(f"fk::Box<{cpp}, fk::RectFormat::{order}>")

    def pack(self, value: Any, field: str, flow: DType, result: DType) -> bytes | Table:
        del field, flow, result
        if isinstance(value, DeviceRects):
            return Table(value.owner, value.count, value.address)
        return Table(value.rects, len(value.rects))


Size = Annotated[Any, CountsKind(("width", "height"), "fk::Size", "2i")]
Volume = Annotated[Any, CountsKind(("width", "height", "planes"), "fk::ActiveThreads", "3Q")]
Rects = Annotated[Any, RectsKind()]
