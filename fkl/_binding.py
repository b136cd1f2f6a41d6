# SPDX-License-Identifier: Apache-2.0
"""Chain × arrays: how inputs are read, what the result looks like, whether an `out` will do, the
bytes of a RawPtr.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arrays
from ._arrays import ANY, Described
from ._chain import Chain
from ._dtypes import DType
from ._errors import ArgumentError, DTypeError, LayoutError
from ._extents import Extent, of_sizes
from ._plan import NOTHING, Source
from ._values import Table

describe = lru_cache(maxsize=1024)(_arrays.describe)


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a call as a chain sees them."""

    described: tuple[Described, ...]
    source: Source
    extent: Extent


def bind(chain: Chain, inputs: Sequence[Any]) -> Inputs:
    """Describe the inputs: one ndarray, a list of them, or none for a chain that makes its pixels.

    Raises:
        DTypeError, LayoutError, ArgumentError: what cannot be read as images.
    """
    if not chain.takes_input:
        return Inputs((), NOTHING, Extent(0, 0, 0))
    if not isinstance(inputs[0], list):
        found = described(chain, inputs[0])
        return Inputs((found,), Source(found.dtype), found.extent)
    images = tuple(described(chain, image) for image in inputs[0])
    if not images:
        raise ArgumentError(
            "an empty list has no element type: give an array of shape (0, H, W, C)"
        )
    for index, image in enumerate(images):
        if "N" in image.layout or image.layout == ANY:
            raise LayoutError(
                f"image {index} of the list is {image.layout}; give single images, H×W or H×W×C"
            )
        if image.dtype != images[0].dtype:
            raise DTypeError(
                f"image {index} of the list is {image.dtype}, image 0 is "
                f"{images[0].dtype}: give one type"
            )
    return Inputs(
        images,
        Source(images[0].dtype, listed=True),
        of_sizes([(image.extent.width, image.extent.height) for image in images]),
    )


def described(chain: Chain, array: NDArray[Any]) -> Described:
    return describe(
        array.shape,
        array.strides,
        array.dtype,
        chain.layout,
        planar=chain.planar_read,
        any_shape=chain.takes_any_shape,
    )


def result_shape_of(
    chain: Chain, bound: Inputs, extent: Extent, channels: int, shape: tuple[int, ...]
) -> tuple[tuple[int, ...], str]:
    """Shape and layout of the result; `shape` is the input's, for chains blind to axes."""
    layout, keep = "HW", False
    if bound.described and bound.described[0].layout == ANY and extent.planes != 1:
        raise LayoutError(
            f"{chain.text}: each([...]) gives a value per plane, and an array of shape {shape} has "
            "no planes: give N×H×W×C with 1 to 4 channels"
        )
    if bound.described:
        first = bound.described[0]
        layout, keep = first.layout, "C" in first.layout and first.dtype.channels == 1
    if chain.planar_write:
        layout = "CHW"
    elif layout != ANY and (layout != "W" or chain.moves_pixels):
        layout = "HW"
    return _arrays.shape_of(layout, extent, channels, keep, shape)


def describe_out(chain: Chain, out: Any, layout: str) -> Described:
    """How an accepted `out` is written."""
    if layout == ANY:
        return describe(out.shape, out.strides, out.dtype, "auto", any_shape=True)
    if out.ndim != len(layout):
        layout = layout[:-1] if layout.endswith("C") else layout + "C"
    return describe(out.shape, out.strides, out.dtype, layout, planar=chain.planar_write)


def check_out(
    chain: Chain, out: NDArray[Any], shape: tuple[int, ...], layout: str, result: DType
) -> None:
    """Raises LayoutError or DTypeError when the result cannot be written to `out`."""
    if out.dtype != result.numpy:
        raise DTypeError(f"out has dtype {out.dtype}; {chain.text} gives {result.numpy}")
    accepted = [shape]
    if result.channels == 1 and layout != ANY and not chain.planar_write:
        # H×W and H×W×1 are the same memory.
        accepted.append(shape[:-1] if layout.endswith("C") else (*shape, 1))
    if out.shape not in accepted:
        raise LayoutError(f"out has shape {out.shape}; {chain.text} gives {layout} {shape}")
    found = describe_out(chain, out, layout)
    dense = found.extent.width * (
        found.dtype.element.size if chain.planar_write else found.dtype.size
    )
    if found.copy or (found.extent.height > 1 and found.pitch < dense) or is_misaligned(out, found):
        raise LayoutError(
            f"out has strides {out.strides} and lies at {out.ctypes.data:#x}, which a kernel "
            "cannot write: give rows of dense, aligned pixels"
        )
    if not out.flags.writeable:
        raise LayoutError("out is read-only: give a writable array")


def is_misaligned(array: NDArray[Any], found: Described) -> bool:
    return _arrays.pointer(array) % found.dtype.element.size != 0


def readable(array: NDArray[Any], found: Described) -> NDArray[Any]:
    """The array itself, or a copy where a kernel cannot read it: channels or columns apart,
    negative or odd steps.
    """
    return np.array(array, order="C") if found.copy or is_misaligned(array, found) else array


def check_overlap(out: NDArray[Any], inputs: Sequence[NDArray[Any]]) -> None:
    """Raises a LayoutError when the result would overwrite what is still to be read."""
    for array in inputs:
        if _arrays.overlaps(array, out):
            raise LayoutError("out overlaps the input: give memory of its own")


def table_bytes(table: Table, keep: list[Any]) -> bytes:
    """A PlaneTable over host memory, which the caller keeps alive."""
    keep.append(table.entries)
    if table.address is not None:
        return struct.pack("<QII", table.address, table.length, 1)
    return struct.pack("<QII", _arrays.pointer(table.entries), table.length, 0)


PLANES_AT = 24  # of a RawPtr: an address and two sides come before


def memory_bytes(address: int, found: Described, planar: bool) -> bytes:
    """A RawPtr: the planar one has a pitch for the channels."""
    extent, channels = found.extent, found.dtype.channels
    sizes = (address, extent.width, extent.height, extent.planes)
    if planar and channels > 1:
        return struct.pack(
            "<8Q", *sizes, channels, found.pitch, found.plane_pitch, found.color_pitch
        )
    return struct.pack("<7Q", *sizes, 1, found.pitch, found.plane_pitch)


def list_bytes(
    chain: Chain, images: Sequence[Any], pointer: Callable[[Any], int], keep: list[Any]
) -> bytes:
    """A PlaneTable of 2-D RawPtrs, for a list of images."""
    rows = np.empty((len(images), 4), np.uint64)
    for row, image in zip(rows, images, strict=True):
        found = described(chain, image)
        row[:] = (pointer(image), found.extent.width, found.extent.height, found.pitch)
    return table_bytes(Table(rows, len(rows)), keep)


def in_place_error(strides: tuple[int, ...]) -> LayoutError:
    return LayoutError(
        f"bind reads its input in place, and strides {strides} would need a copy: "
        "give rows of dense, aligned pixels"
    )


class Memory:
    """Where arrays lie and who makes them: the host's, with NumPy. Devices have their own."""

    target = "cpu"
    runtime: Any = None  # what the kernel is handed; None: the worker pool

    def pointer(self, array: Any) -> int:
        return _arrays.pointer(array)

    def readable(self, array: Any, found: Described) -> Any:
        """The array, or a copy where a kernel cannot read it."""
        return readable(array, found)

    def check_out(
        self, chain: Chain, out: Any, shape: tuple[int, ...], layout: str, result: DType
    ) -> None:
        check_out(chain, out, shape, layout, result)

    def check_overlap(self, out: Any, inputs: Sequence[Any]) -> None:
        check_overlap(out, inputs)

    def allocate(self, shape: tuple[int, ...], result: DType, stream: int | None) -> Any:
        """A new array for a result."""
        del stream
        return _arrays.allocate(shape, result.numpy)

    def stand_in(self, shape: tuple[int, ...], result: DType) -> Any:
        """Something with the result's shape and strides, and no memory."""
        return _arrays.stand_in(shape, result.numpy)


HOST = Memory()
