# SPDX-License-Identifier: Apache-2.0
"""Kinds of run-time value: how a number, a size or a list of rectangles is checked, typed in C++ and packed.

A value never chooses a type: its kind and the element that flows past it do.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Union

import numpy as np
from numpy.typing import NDArray

from ._dtypes import DType, Element as ElementType
from ._errors import ArgumentError, DTypeError, ExtentError

INT32 = (-(2**31), 2**31 - 1)


@dataclass(frozen=True)
class Arg:
    """Stands where a run-time value may stand; the call gives it: `pipe(x, name=value)`."""

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isidentifier() or self.name in ("out", "stream"):
            raise ArgumentError(f"Arg({self.name!r}): give a Python identifier other than out and stream")

    def __repr__(self) -> str:
        return f"Arg({self.name!r})"


@dataclass(frozen=True)
class Each:
    """One value per plane of a batch; made by `each`."""

    values: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"each({list(self.values)!r})"


def each(values: Iterable[Any]) -> Each:
    """One value per plane of a batch, each a number or one number per channel.

    Args:
        values: as many values as the batch has planes; a single one serves every plane.

    Raises:
        ExtentError: no value at all.
    """
    held = tuple(plain_numbers(value) for value in values)
    if not held:
        raise ExtentError("each([]) is empty: give one value per plane")
    return Each(held)


def plain_numbers(value: Any) -> Any:
    """Arrays, lists and NumPy scalars as Python numbers and tuples; `Arg` and `Each` stay."""
    if isinstance(value, (Arg, Each, bool, int, float)) or value is None:
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return plain_numbers(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return tuple(plain_numbers(item) for item in value)
    raise DTypeError(f"{value!r} is no number; give a number, or one number per channel")


def arg_names(value: Any) -> tuple[str, ...]:
    """The names of every `Arg` in a value."""
    if isinstance(value, Arg):
        return (value.name,)
    if isinstance(value, tuple):
        return tuple(name for item in value for name in arg_names(item))
    return arg_names(value.values) if isinstance(value, Each) else ()


def with_args(value: Any, args: Mapping[str, Any]) -> Any:
    """The value with every `Arg` replaced by what the call gave."""
    if isinstance(value, Arg):
        return args[value.name]
    if isinstance(value, tuple):
        return tuple(with_args(item, args) for item in value)
    return Each(with_args(value.values, args)) if isinstance(value, Each) else value


@dataclass(frozen=True)
class Slot:
    """A member of the parameter struct: its C++ type, size and alignment in bytes."""

    cpp: str
    size: int
    alignment: int

    @classmethod
    def of(cls, dtype: DType) -> Slot:
        return cls(dtype.cpp, dtype.size, dtype.alignment)

    @classmethod
    def table(cls, cpp: str) -> Slot:
        return cls(f"fk::PlaneTable<{cpp}>", 16, 8)


@dataclass(frozen=True)
class Table:
    """Entries of a PlaneTable: they outlive the call, the member holds their address and count."""

    entries: NDArray[Any]
    count: int


def number_for(value: Any, element: ElementType) -> Any:
    """`value` as a number of this element, or a DTypeError that says why it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        if not isinstance(value, bool):
            raise DTypeError(f"{value!r} is no number")
        value = int(value)
    if element.kind == "f":
        try:
            return struct.unpack(element.code, struct.pack(element.code, value))[0]
        except OverflowError:
            raise DTypeError(f"{value!r} does not fit {element.name}") from None
    if isinstance(value, float):
        if not value.is_integer():
            raise DTypeError(
                f"{value!r} is not a whole number, and this element is {element.name}: "
                f'put Cast("float32") before this step, or give a whole number'
            )
        value = int(value)
    low, high = element.limits
    if not low <= value <= high:
        raise DTypeError(
            f"{value} does not fit {element.name} ({low} to {high}): put a Cast to a wider type before this step"
        )
    return value


class ValueKind:
    """What one sort of run-time field accepts and how it travels."""

    per_plane = False  # whether each([...]) may stand for it

    def coerce(self, value: Any, field: str) -> Any:
        """The hashable form kept in the operation; raises a short fact that names the field."""
        raise AssertionError(f"{type(self).__name__} does not say what {field} accepts")

    def slot(self, flow: DType, result: DType) -> Slot:
        """The struct member, for an element `flow` that enters and `result` that leaves."""
        raise AssertionError(type(self).__name__)

    def pack(self, value: Any, field: str, flow: DType, result: DType) -> bytes | Table:
        """The member's bytes, or the table that it points to."""
        raise AssertionError(type(self).__name__)

    def resolve(self, value: Any, field: str, operation: Any) -> Any:
        """The form that extent rules and `pack` work on, made once per value."""
        del operation
        return self.coerce(value, field)


class ElementKind(ValueKind):
    """Numbers of the element's own type: one for all channels, or one per channel."""

    per_plane = True

    def __init__(self, of: str = "flow") -> None:
        self.of = of

    def dtype(self, flow: DType, result: DType) -> DType:
        return {
            "flow": flow,
            "result": result,
            "channel": flow.with_channels(1),
            "bounds": flow.with_channels(2),
        }[self.of]

    def coerce(self, value: Any, field: str) -> Any:
        value = plain_numbers(value)
        if isinstance(value, Each):
            return Each(tuple(self.coerce(item, field) for item in value.values))
        if isinstance(value, tuple) and not 1 <= len(value) <= 4:
            raise DTypeError(f"{field} has {len(value)} numbers: give one, or one per channel (1 to 4)")
        for item in value if isinstance(value, tuple) else (value,):
            if item is None or isinstance(item, tuple):
                raise DTypeError(f"{field}={value!r}: give a number, or one number per channel")
        return value

    def slot(self, flow: DType, result: DType) -> Slot:
        return Slot.of(self.dtype(flow, result))

    def pack(self, value: Any, field: str, flow: DType, result: DType) -> bytes | Table:
        dtype = self.dtype(flow, result)
        if isinstance(value, Each):
            packed = b"".join(self._pixel(item, field, dtype) for item in value.values)
            return Table(np.frombuffer(packed, np.uint8), len(value.values))
        return self._pixel(value, field, dtype)

    def _pixel(self, value: Any, field: str, dtype: DType) -> bytes:
        numbers = value if isinstance(value, tuple) else (value,)
        if len(numbers) not in (1, dtype.channels):
            wanted = "1" if dtype.channels == 1 else f"1 or {dtype.channels}"
            what = "channel" if dtype.channels == 1 else "channels"
            raise DTypeError(
                f"{field} has {len(numbers)} numbers; this element has {dtype.channels} {what}: give {wanted}."
            )
        try:
            exact = [number_for(item, dtype.element) for item in numbers]
        except DTypeError as error:
            raise DTypeError(f"{field}: {error}") from None
        return struct.pack(dtype.format, *(exact * (dtype.channels // len(exact))))


class CountsKind(ValueKind):
    """Whole numbers of at least 1: (width, height), or (width, height, planes)."""

    def __init__(self, names: tuple[str, ...], cpp: str, code: str) -> None:
        self.names, self.cpp, self.code = names, cpp, code

    def coerce(self, value: Any, field: str) -> Any:
        value = plain_numbers(value)
        if arg_names(value):
            return value
        if not isinstance(value, tuple) or len(value) != len(self.names):
            raise ExtentError(f"{field}={value!r}: give ({', '.join(self.names)}) in pixels")
        return tuple(self._count(item, name) for item, name in zip(value, self.names, strict=True))

    def _count(self, value: Any, name: str) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
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


@dataclass(frozen=True, eq=False)
class RectTable:
    """Rectangles as an N×4 int32 array of (x, y, width, height); `many` gives the result a batch axis."""

    rects: NDArray[np.int32]
    many: bool


class RectsKind(ValueKind):
    """One rectangle, or one per plane: four whole numbers each, in pixels."""

    def coerce(self, value: Any, field: str) -> Any:
        if isinstance(value, Arg):
            return value
        value = plain_numbers(value)
        if arg_names(value):
            return value
        self._table(value, field)
        return value

    def _table(self, value: Any, field: str) -> RectTable:
        given = np.asarray(value)
        if given.size == 0:
            return RectTable(np.zeros((0, 4), np.int32), many=True)
        if given.ndim not in (1, 2) or given.shape[-1] != 4 or given.dtype.kind not in "iuf":
            raise ExtentError(f"{field}: give (x, y, width, height), a list of them, or an N×4 array")
        rows = given.reshape(-1, 4)
        if given.dtype != np.int32:
            # One pass for each test: a thousand rectangles must cost microseconds, not a loop.
            bad = (rows != np.floor(rows)) | (rows < INT32[0]) | (rows > INT32[1])
            if bad.any():
                index = int(np.argmax(bad.any(axis=1)))
                raise ExtentError(f"{field}: rect {index} is {tuple(rows[index].tolist())}: give whole pixels")
        return RectTable(np.ascontiguousarray(rows, np.int32), many=given.ndim == 2)

    def resolve(self, value: Any, field: str, operation: Any) -> Any:
        table = self._table(value, field)
        if getattr(operation, "format", "xywh") == "xyxy":
            rects = table.rects.copy()
            rects[:, 2:] -= rects[:, :2]
            table = RectTable(rects, table.many)
        return table

    def slot(self, flow: DType, result: DType) -> Slot:
        del flow, result
        return Slot.table("fk::Rect")

    def pack(self, value: Any, field: str, flow: DType, result: DType) -> bytes | Table:
        del field, flow, result
        return Table(value.rects, len(value.rects))


Number = Union[bool, int, float]
Numbers = Union[Number, Sequence[Number], NDArray[Any]]
Element = Annotated[Union[Numbers, Arg, Each], ElementKind()]
ResultElement = Annotated[Union[Numbers, Arg, None], ElementKind("result")]
Channel = Annotated[Union[Number, Arg, Each], ElementKind("channel")]
Bounds = Annotated[Union[Sequence[Any], Arg, Each], ElementKind("bounds")]
Size = Annotated[Any, CountsKind(("width", "height"), "fk::Size", "2i")]
Volume = Annotated[Any, CountsKind(("width", "height", "planes"), "fk::ActiveThreads", "3Q")]
Rects = Annotated[Any, RectsKind()]
