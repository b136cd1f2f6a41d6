# SPDX-License-Identifier: Apache-2.0
"""The packages whose GPU arrays fkl knows, one class each, and how an array finds its own.

None is imported here: an array of a package can only exist where the package is imported already.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ._buffer import DeviceBuffer
from ._devices import LEGACY_STREAM, DeviceArray, Framework
from ._dtypes import DType, as_element
from ._torch import Torch


class AnyPackage(Framework):
    """Whatever has an array interface or DLPack; results are DeviceBuffers, or what takes them."""

    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        return DeviceBuffer.of_shape(shape, dtype.element.name, device, stream)


class Cupy(Framework):
    """CuPy: its memory pool and its current stream."""

    name = "cupy"

    def __init__(self) -> None:
        self.cupy = sys.modules["cupy"]

    def holds(self, array: Any) -> bool:
        del array
        return True

    def view(self, array: Any, stream: int | None) -> DeviceArray:
        del stream
        return DeviceArray(
            array.shape,
            array.strides,
            as_element(array.dtype),
            array.data.ptr,
            array.data.device_id,
            array,
        )

    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        del stream
        with self.cupy.cuda.Device(device):
            return self.cupy.empty(shape, dtype.numpy)

    def empty_on(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        with self.cupy.cuda.Device(device), self.cupy.cuda.ExternalStream(stream, device):
            return self.cupy.empty(shape, dtype.numpy)

    def give_back(self, result: Any, like: Any) -> Any:
        del like
        return result

    def key(self, array: Any, out: Any) -> Any:
        mine = (array.shape, array.strides, array.dtype, array.data.device_id)
        if out is None:
            return mine
        if type(out) is not type(array):
            return None
        return (*mine, out.shape, out.strides, out.dtype, out.data.device_id)

    def address(self, array: Any) -> int:
        return array.data.ptr  # type: ignore[no-any-return]

    def current_stream(self, device: int) -> int:
        del device
        return int(self.cupy.cuda.get_current_stream().ptr)

    def capability(self, device: int) -> tuple[int, int]:
        text = self.cupy.cuda.Device(device).compute_capability
        return int(text[:-1]), int(text[-1])


class Numba(Framework):
    """Numba: device arrays of its own."""

    name = "numba"

    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        del stream
        cuda = sys.modules["numba.cuda"]
        with cuda.gpus[device]:
            return cuda.device_array(shape, dtype.numpy)

    def give_back(self, result: Any, like: Any) -> Any:
        del like
        return result


class Own(AnyPackage):
    """`DeviceBuffer`, for where there is no framework."""

    name = "fkl"

    def holds(self, array: Any) -> bool:
        del array
        return True

    def view(self, array: Any, stream: int | None) -> DeviceArray:
        del stream
        return array.view()  # type: ignore[no-any-return]

    def give_back(self, result: Any, like: Any) -> Any:
        del like
        return result

    def current_stream(self, device: int) -> int:
        del device
        return LEGACY_STREAM


FRAMEWORKS: dict[str, type[Framework]] = {
    "torch": Torch,
    "cupy": Cupy,
    "numba": Numba,
    "numba_cuda": Numba,
    "fkl": Own,
}
_made: dict[type, Framework | None] = {}
_single: dict[type[Framework], Framework] = {}


def framework_of(kind: type) -> Framework | None:
    """The framework of a type of array;

    None for host arrays. Torch tensors count even on the CPU.
    """
    try:
        return _made[kind]
    except KeyError:
        _made[kind] = found = _find(kind)
        return found


def _find(kind: type) -> Framework | None:
    package = kind.__module__.partition(".")[0]
    served = hasattr(kind, "__cuda_array_interface__") or hasattr(kind, "__dlpack_device__")
    row = FRAMEWORKS.get(package) if served else None
    if row is None:
        row = (
            AnyPackage
            if served and kind is not np.ndarray and not hasattr(kind, "__array_interface__")
            else None
        )
    if row is None:
        return None
    if row not in _single:
        _single[row] = row()
    return _single[row]


def framework_holding(array: Any) -> Framework | None:
    """The framework of an array that lies on a GPU; None for everything else."""
    framework = framework_of(type(array))
    return framework if framework is not None and framework.holds(array) else None


def own_framework() -> Framework:
    """The one of `DeviceBuffer`, for chains that are given no array."""
    return _single.setdefault(Own, Own())
