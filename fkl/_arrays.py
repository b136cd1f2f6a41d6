# SPDX-License-Identifier: Apache-2.0
"""Host arrays as the kernels see them: element type, extent, byte pitches, a pointer. Also their
allocation.

Anything with `__array_interface__` or CPU DLPack becomes an ndarray without a copy. What a kernel
cannot address (channels or columns apart, negative steps, misaligned elements) is copied once per
call by the caller of `describe`, which says so in `copy`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._dtypes import DType, Element, as_element
from ._errors import ArgumentError, ExtentError, LayoutError
from ._extents import Extent

AXES = {1: "W", 2: "HW", 3: "HWC", 4: "NHWC"}
PLANAR_AXES = {3: "CHW", 4: "NCHW"}
TOO_HARD = getattr(np, "exceptions", np).TooHardError  # moved in NumPy 1.25
ANY = "any shape"  # a chain of pure maps does not look at the axes


@dataclass(frozen=True, eq=False)
class Described:
    """An array without its pointer. Pitches are in bytes; those of axes of length 1 say nothing and
    are made dense.
    """

    dtype: DType
    layout: str
    extent: Extent
    pitch: int
    plane_pitch: int
    color_pitch: int
    span: int  # bytes from the first to the end of the last element
    copy: bool  # the kernels cannot read these strides


def to_ndarray(value: Any) -> NDArray[Any]:
    """The ndarray that shares its memory with `value`.

    Raises:
        ArgumentError: not an array on the host.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise ArgumentError("a masked array would lose its mask: give x.filled(value) or x.data")
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray)
    if hasattr(value, "__array_interface__"):
        try:
            return np.asarray(value)
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"{type(value).__name__}'s __array_interface__: {error}") from error
    if hasattr(value, "__dlpack__"):
        device, _ = value.__dlpack_device__()
        if device == 1:
            return np.from_dlpack(value)
        raise ArgumentError(
            f"{type(value).__name__} lies on DLPack device {int(device)}, not on the CPU"
        )
    raise ArgumentError(
        f"{type(value).__name__} is no array: "
        "give a NumPy array, or an object with __array_interface__ or __dlpack__"
    )


def like_input(result: NDArray[Any], source: Any) -> Any:
    """The result as the caller's kind of array, sharing memory, where its package can take one."""
    if isinstance(source, np.ndarray) or not hasattr(source, "__dlpack__"):
        return result
    package = sys.modules.get(type(source).__module__.partition(".")[0])
    convert = getattr(package, "from_dlpack", None)
    return result if convert is None else convert(result)


def axes_of(shape: tuple[int, ...], layout: str, planar: bool, any_shape: bool) -> str:
    """The layout name of a shape; `layout` is the user's word or "auto"."""
    table = PLANAR_AXES if planar else AXES
    if layout != "auto":
        if len(layout) != len(shape):
            raise LayoutError(
                f"layout={layout!r} has {len(layout)} axes; this array has shape {shape}"
            )
        name = layout
    elif len(shape) in table:
        name = table[len(shape)]
    elif any_shape:
        return ANY
    else:
        wanted = " or ".join(table.values())
        raise LayoutError(f"an array of shape {shape} has {len(shape)} axes; give {wanted}")
    channels = shape[name.index("C")] if "C" in name else 1
    if 1 <= channels <= 4:
        return name
    if any_shape and layout == "auto":
        return ANY
    hint = (
        '; say layout="NHW" where it reads if this is a batch of one-channel images'
        if name == "HWC"
        else ""
    )
    raise LayoutError(f"shape {shape} as {name} has {channels} channels; a pixel has 1 to 4{hint}")


def describe(
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    dtype: np.dtype[Any] | Element,
    layout: str = "auto",
    *,
    planar: bool = False,
    any_shape: bool = False,
) -> Described:
    """How a kernel addresses an array of this shape, strides (bytes) and type; pure, so that it can
    be memoised.

    Raises:
        DTypeError: an element type fkl does not serve.
        LayoutError: axes that are no image.
    """
    element = as_element(dtype)
    name = axes_of(shape, layout, planar, any_shape)
    if name == ANY:
        dense = element.size
        count = prod(shape)
        extent = Extent(count, 1)
        flat = DType(element)
        contiguous = _is_dense(shape, strides, dense)
        size = count * dense
        return Described(flat, ANY, extent, size, size, size, size, not contiguous)
    sizes = dict(zip(name, shape, strict=True))
    steps = dict(zip(name, strides, strict=True))
    pixel = DType(element, sizes.get("C", 1))
    extent = Extent(sizes["W"], sizes.get("H", 1), sizes.get("N", 1), batched="N" in name)
    inner = ("W",) if planar else ("C", "W")
    outer = ("H", "C", "N") if planar else ("H", "N")
    copy = False
    dense = element.size
    for axis in inner:
        if sizes.get(axis, 1) > 1 and steps[axis] != dense:
            copy = True
        dense *= sizes.get(axis, 1)
    pitches = {}
    for axis in outer:
        count, step = sizes.get(axis, 1), steps.get(axis, dense)
        if count <= 1:
            step = dense
        elif step <= 0 or step % element.size:
            copy = True
        pitches[axis] = step
        dense = max(dense, step * count)
    span = (
        0
        if 0 in shape
        else element.size
        + sum(
            abs(step) * (count - 1) for count, step in zip(shape, strides, strict=True) if count > 1
        )
    )
    return Described(
        pixel,
        name,
        extent,
        pitches["H"],
        pitches["N"],
        pitches.get("C", 0),
        span,
        copy and not extent.is_empty,
    )


def _is_dense(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> bool:
    for count, step in zip(reversed(shape), reversed(strides), strict=True):
        if count > 1 and step != size:
            return False
        size *= count
    return True


def shape_of(
    layout: str, extent: Extent, channels: int, keep_channel_axis: bool, shape: tuple[int, ...]
) -> tuple[tuple[int, ...], str]:
    """Shape and layout of a result. `layout` is that of the source, or CHW for a planar result."""
    if layout == ANY:
        return shape, ANY
    batch = "N" if extent.batched else ""
    sizes = {"N": extent.planes, "H": extent.height, "W": extent.width, "C": channels}
    if layout == "CHW":
        name = f"{batch}CHW"
    else:
        rows = "W" if layout == "W" and not batch else "HW"
        name = f"{batch}{rows}{'C' if channels > 1 or keep_channel_axis else ''}"
    return tuple(sizes[axis] for axis in name), name


def allocate(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """A new, uninitialised, C-contiguous array."""
    try:
        return np.empty(shape, dtype)
    except ValueError:
        raise _too_large(shape, dtype) from None


def _too_large(shape: tuple[int, ...], dtype: np.dtype[Any]) -> ExtentError:
    return ExtentError(f"the result would be {shape} {dtype}: no array can be that large")


def stand_in(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array with the shape and strides of `allocate`'s, but no memory: nobody may look at its
    elements.
    """
    if prod(shape) * dtype.itemsize > sys.maxsize:
        raise _too_large(shape, dtype)
    strides = []
    step = dtype.itemsize
    for count in reversed(shape):
        strides.append(step)
        step *= count
    return np.lib.stride_tricks.as_strided(np.empty(1, dtype), shape, strides[::-1])


def _slow_pointer(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _choose_pointer() -> Callable[[NDArray[Any]], int]:
    """Reading PyArrayObject.data costs a quarter of any documented way, which would be half of a
    hot call.

    The field follows the object header in every NumPy so far; a probe decides whether it does in
    this one.
    """
    offset, read = object.__basicsize__, ctypes.c_void_p.from_address

    def fast(array: NDArray[Any]) -> int:
        return read(id(array) + offset).value or 0

    probes = (np.empty(3, np.uint8), np.empty((2, 5), np.float64)[1:, 2:])
    works = sys.implementation.name == "cpython" and all(
        fast(probe) == _slow_pointer(probe) for probe in probes
    )
    return fast if works else _slow_pointer


pointer = _choose_pointer()


def overlaps(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Whether two arrays share an element; an answer that would take long counts as yes."""
    try:
        return bool(np.shares_memory(first, second, max_work=100_000))  # type: ignore[arg-type]
    except TOO_HARD:
        return True
