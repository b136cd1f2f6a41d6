# SPDX-License-Identifier: Apache-2.0
"""Element types: a base type times 1 to 4 channels, in their NumPy, struct and C++ spellings.

One table; every spelling, size and alignment elsewhere comes from it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import DTypeError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


@dataclass(frozen=True)
class Element:
    """A base type: one channel of a pixel."""

    name: str  # NumPy's name
    kind: str  # b bool, u unsigned, i signed, f floating
    code: str  # its letter in the struct module
    size: int
    cpp: str
    vector: str  # the C++ vectors are called vector2, vector3, vector4

    @property
    def is_integer(self) -> bool:
        return self.kind in "ui"

    @property
    def limits(self) -> tuple[int, int]:
        """Smallest and largest value of an integer or bool element."""
        if self.kind == "b":
            return 0, 1
        bits = 8 * self.size
        return (0, 2**bits - 1) if self.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)

    def pack(self, numbers: Sequence[float]) -> bytes:
        """The bytes of these numbers; an OverflowError for a float that does not fit.

        The little-endian codes check the range; the native "f" would give infinity.
        """
        if self.name != "bfloat16":
            return struct.pack(f"<{len(numbers)}{self.code}", *numbers)
        struct.pack(f"<{len(numbers)}f", *numbers)
        bits = np.array(numbers, np.float32).view(np.uint32)
        rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        nan = (bits & 0x7FFFFFFF) > 0x7F800000
        return np.where(nan, (bits >> 16) | 0x40, rounded).astype("<u2").tobytes()


ELEMENTS = {
    row.name: row
    for row in (
        Element("bool", "b", "?", 1, "bool", "bool"),
        Element("uint8", "u", "B", 1, "uchar", "uchar"),
        Element("int8", "i", "b", 1, "schar", "char"),
        Element("uint16", "u", "H", 2, "ushort", "ushort"),
        Element("int16", "i", "h", 2, "short", "short"),
        Element("uint32", "u", "I", 4, "uint", "uint"),
        Element("int32", "i", "i", 4, "int", "int"),
        Element("uint64", "u", "Q", 8, "ulonglong", "ulonglong"),
        Element("int64", "i", "q", 8, "longlong", "longlong"),
        Element("float16", "f", "e", 2, "fk::half", "fk::half"),
        Element("bfloat16", "f", "f", 2, "fk::bfloat16", "fk::bfloat16"),
        Element("float32", "f", "f", 4, "float", "float"),
        Element("float64", "f", "d", 8, "double", "double"),
    )
}


@dataclass(frozen=True)
class DType:
    """The type of one pixel: an element times its channels, such as float32x3."""

    element: Element
    channels: int = 1

    @cached_property
    def name(self) -> str:
        return self.element.name if self.channels == 1 else f"{self.element.name}x{self.channels}"

    @property
    def cpp(self) -> str:
        return self.element.cpp if self.channels == 1 else f"{self.element.vector}{self.channels}"

    @property
    def size(self) -> int:
        return self.element.size * self.channels

    @property
    def alignment(self) -> int:
        # CUDA's rule for its vector types, which the headers follow on every target.
        if self.channels in (1, 3) or self.element.kind == "b":
            return self.element.size
        return min(self.size, 16)

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy type of one channel.

        Raises:
            DTypeError: bfloat16 without the package that brings it to NumPy.
        """
        return _bfloat16() if self.element.name == "bfloat16" else np.dtype(self.element.name)

    def with_channels(self, channels: int) -> DType:
        return DType(self.element, channels)

    def with_element(self, name: str) -> DType:
        return DType(ELEMENTS[name], self.channels)

    def __str__(self) -> str:
        return self.name


@lru_cache(maxsize=1)
def _bfloat16() -> np.dtype[Any]:
    try:
        import ml_dtypes
    except ImportError:
        raise DTypeError("NumPy itself has no bfloat16: pip install ml_dtypes") from None
    found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return found


def as_element(spec: DTypeLike | Element) -> Element:
    """The element that a NumPy dtype, a NumPy type or a name such as "float32" stands for.

    Raises:
        DTypeError: no such type, a byte order that is not the machine's, or a type fkl does not
        serve.
    """
    if isinstance(spec, Element):
        return spec
    if isinstance(spec, str) and spec in ELEMENTS:
        return ELEMENTS[spec]
    try:
        # NumPy would take None for float64.
        dtype = np.dtype("" if spec is None else spec)
    except TypeError:
        raise DTypeError(f"{spec!r} is no element type; fkl serves {', '.join(ELEMENTS)}") from None
    return _element_of(dtype)


@lru_cache(maxsize=256)
def _element_of(dtype: np.dtype[Any]) -> Element:
    if not dtype.isnative:
        raise DTypeError(
            f"{dtype} has the other byte order; convert it with x.astype(x.dtype.newbyteorder('='))"
        )
    element = ELEMENTS.get(dtype.name)
    if element is None:
        raise DTypeError(f"{dtype} is not served; fkl serves {', '.join(ELEMENTS)}")
    return element
