# SPDX-License-Identifier: Apache-2.0
"""Kinds of run-time value: how a number, a size or a list of rectangles is checked, typed in C++
and packed.

A value never chooses a type: its kind and the element that flows past it do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._dtypes import DType
from ._dtypes import Element as ElementType
from ._errors import ArgumentError, DTypeError, ExtentError

EACH_CANNOT_STAND = "each([...]) cannot stand there"
PER_PLANE = "per plane"  # the form of each([...]), which is another C++ type
TAKEN = ("out", "self", "stream")  # parameters of Pipeline's own: no call could give such an Arg


@dataclass(frozen=True)
class Arg:
    """Stands where a run-time value may stand; the call gives it: `pipe(x, name=value)`."""

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isidentifier() or self.name in TAKEN:
            raise ArgumentError(
                f"Arg({self.name!r}): give a Python identifier other than {', '.join(TAKEN)}"
            )

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
        ExtentError: no value at all, or a single one that is no list.
    """
    try:
        items = iter(values)
    except TypeError:
        raise ExtentError(
            f"each({values!r}): give a list with one value per plane, such as each([1, 2])"
        ) from None
    held = tuple(plain_numbers(value) for value in items)
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


class Table(NamedTuple):
    """Entries of a PlaneTable: they outlive the call, the member holds their address and count."""

    entries: Any  # an ndarray, or the owner of device memory
    length: int
    address: int | None = None  # on the device; None: on the host


def number_for(value: Any, element: ElementType) -> Any:
    """`value` as a number of this element, or a DTypeError that says why it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        if not isinstance(value, bool):
            raise DTypeError(f"{value!r} is no number")
        value = int(value)
    if element.kind == "f":
        try:
            element.pack([float(value)])
        except OverflowError:
            raise DTypeError(f"{value!r} does not fit {element.name}") from None
        return float(value)
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
            f"{value} does not fit {element.name} ({low} to {high}): "
            "put a Cast to a wider type before this step"
        )
    return value


class ValueKind(ABC):
    """What one sort of run-time field accepts and how it travels."""

    per_plane = False  # whether each([...]) may stand for it

    @abstractmethod
    def coerce(self, value: Any, field: str) -> Any:
        """The hashable form kept in the operation; raises a short fact that names the field."""

    @abstractmethod
    def slot(self, flow: DType, result: DType) -> Slot:
        """The struct member, for an element `flow` that enters and `result` that leaves."""

    @abstractmethod
    def pack(self, value: Any, field: str, flow: DType, result: DType) -> bytes | Table:
        """The member's bytes, or the table that it points to."""

    def slot_of(self, form: str, flow: DType, result: DType) -> Slot:
        """The struct member for a value of this form; most kinds have one for all."""
        del form
        return self.slot(flow, result)

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
            raise DTypeError(
                f"{field} has {len(value)} numbers: give one, or one per channel (1 to 4)"
            )
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Each):
                hint = "give numbers for all planes"
                if self.of != "bounds":
                    hint = "write each([(1, 2, 3), ...]) for numbers per channel"
                raise DTypeError(f"{field}={value!r}: {EACH_CANNOT_STAND}: {hint}")
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
                f"{field} has {len(numbers)} numbers; this element has {dtype.channels} {what}: "
                f"give {wanted}."
            )
        try:
            exact = [number_for(item, dtype.element) for item in numbers]
        except DTypeError as error:
            raise DTypeError(f"{field}: {error}") from None
        return dtype.element.pack(exact * (dtype.channels // len(exact)))


Number = bool | int | float
Numbers = Number | Sequence[Number] | NDArray[Any]
Element = Annotated[Numbers | Arg | Each, ElementKind()]
ResultElement = Annotated[Numbers | Arg | None, ElementKind("result")]
Channel = Annotated[Number | Arg | Each, ElementKind("channel")]
Bounds = Annotated[Sequence[Any] | Arg | Each, ElementKind("bounds")]
