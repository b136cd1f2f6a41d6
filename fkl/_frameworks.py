# SPDX-License-Identifier: Apache-2.0
"""The packages whose GPU arrays fkl knows, one class each, and how an array finds its own.

None is imported here: an array of a package can only exist where the package is imported already.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

import numpy as np

from ._buffer import DeviceBuffer
from ._devices import LEGACY_STREAM, DeviceArray, Framework, Held, stream_handle
from ._dlpack import dense_strides
from ._dtypes import ELEMENTS, DType, as_element
from ._errors import ArgumentError, DTypeError

dense = lru_cache(maxsize=1024)(dense_strides)


class AnyPackage(Framework):
    """Whatever has an array interface or DLPack; results are DeviceBuffers, or what takes them."""

    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        return DeviceBuffer.of_shape(shape, dtype.element.name, device, stream)


def has_passed(event: Any) -> bool:
    """Whether one of torch's events has happened; one that a graph captured never does."""
    try:
        return bool(event.query())
    except RuntimeError:
        return False


class Torch(Framework):
    """PyTorch: its caching allocator, its current stream, `record_stream` for any other."""

    name = "torch"

    def __init__(self) -> None:
        torch = sys.modules["torch"]
        self.torch = torch
        self.elements = {
            getattr(torch, name): row for name, row in ELEMENTS.items() if hasattr(torch, name)
        }
        self.dtypes = {row.name: dtype for dtype, row in self.elements.items()}
        raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        if raw_stream is not None:
            # what torch's own generated code calls: a hundredth of torch.cuda.current_stream()
            vars(self)["current_stream"] = raw_stream
        # what torch's own generated code allocates with: half of torch.empty's time
        guards = getattr(getattr(torch._C, "_dynamo", None), "guards", None)
        self.quick_empty = getattr(guards, "_empty_strided_cuda", None)
        self.current_device = getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device)
        self.held = Held(has_passed, lambda _: None)
        vars(self)["address"] = torch.Tensor.data_ptr  # one Python call less on the short way

    def holds(self, array: Any) -> bool:
        return array.is_cuda  # type: ignore[no-any-return]

    def view(self, array: Any, stream: int | None) -> DeviceArray:
        del stream
        if array.requires_grad and self.torch.is_grad_enabled():
            raise ArgumentError(
                "this tensor requires a gradient, which fkl would lose: give x.detach(), or "
                "use torch.no_grad()"
            )
        if array.layout is not self.torch.strided:
            raise ArgumentError(
                f"a tensor of layout {array.layout} is not served: give x.to_dense()"
            )
        element = self.elements.get(array.dtype)
        if element is None:
            raise DTypeError(f"{array.dtype} is not served; fkl serves {', '.join(ELEMENTS)}")
        strides = tuple(step * element.size for step in array.stride())
        return DeviceArray(
            tuple(array.shape), strides, element, array.data_ptr(), array.get_device(), array
        )

    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        del stream
        if self.quick_empty is not None and self.current_device() == device:
            return self.quick_empty(shape, dense(shape), self.dtypes[dtype.element.name])
        return self.torch.empty(
            shape, dtype=self.dtypes[dtype.element.name], device=self.torch.device("cuda", device)
        )

    def empty_on(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        with self.torch.cuda.stream(self._external(stream, device)):
            return self.empty(shape, dtype, device, stream)

    def _external(self, stream: int, device: int) -> Any:
        return self.torch.cuda.ExternalStream(stream, device=device)

    def give_back(self, result: Any, like: Any) -> Any:
        del like
        return result

    def key(self, array: Any, out: Any) -> Any:
        watched = array.requires_grad and self.torch.is_grad_enabled()
        mine = (array.shape, array.stride(), array.dtype, array.get_device(), watched)
        if out is None:
            return mine
        if type(out) is not type(array):
            return None
        if out.requires_grad:
            return None
        return (*mine, out.shape, out.stride(), out.dtype, out.get_device())

    def address(self, array: Any) -> int:
        return array.data_ptr()  # type: ignore[no-any-return]

    def current_stream(self, device: int) -> int:
        return int(self.torch.cuda.current_stream(device).cuda_stream)

    def used_on(self, arrays: list[Any], stream: Any, device: int) -> None:
        if self.remembers(stream):
            for array in arrays:
                if isinstance(array, self.torch.Tensor):
                    array.record_stream(stream)
            arrays = [each for each in arrays if not isinstance(each, self.torch.Tensor)]
            if not arrays:
                return
        # record_stream would ask this stream when the memory is given back, and by then another
        # package may have destroyed it: the arrays are held until it has passed instead
        event = self.torch.cuda.Event()
        event.record(self._external(stream_handle(stream), device))
        self.held.hold(event, arrays)

    def remembers(self, stream: Any) -> bool:
        return type(stream) is self.torch.cuda.Stream

    def capability(self, device: int) -> tuple[int, int]:
        major, minor = self.torch.cuda.get_device_capability(device)
        return int(major), int(minor)


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
