# SPDX-License-Identifier: Apache-2.0
"""`DeviceBuffer`: GPU memory for programs without a framework."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlpack, _driver
from ._devices import DeviceArray, stream_handle
from ._dtypes import Element, as_element
from ._errors import ArgumentError, DTypeError, ExtentError, LayoutError


class DeviceBuffer:
    """An uninitialised array of images on a GPU: planes × height × width × channels, dense.

    Its shape leaves out what is 1: channels, and planes; height only for a plain row of
    numbers. Serves
    `__cuda_array_interface__` (version 3) and DLPack, and is a context manager that frees its
    memory on leaving, in
    the order of the stream that used it last.

    Args:
        width, height, planes: extents in pixels; planes counts images.
        dtype: the element, such as "uint8", "float16", "bfloat16".
        channels: 1 to 4 per pixel.
        device: the GPU's number.

    Raises:
        DeviceError: no driver, no such GPU, or no memory.
        DTypeError, ExtentError: an element or an extent that is not served.
    """

    def __init__(
        self,
        width: int,
        height: int = 1,
        dtype: Any = "float32",
        channels: int = 1,
        planes: int = 1,
        device: int = 0,
    ) -> None:
        if min(width, height, planes) < 0 or not 1 <= channels <= 4:
            raise ExtentError(
                f"DeviceBuffer({width}×{height}, channels={channels}, planes={planes}): "
                "extents are 0 or more, channels are 1 to 4"
            )
        shape: tuple[int, ...] = (width,) if height == planes == channels == 1 else (height, width)
        shape = (*shape, channels) if channels > 1 else shape
        self._allocate((planes, *shape) if planes > 1 else shape, as_element(dtype), device, 0)

    @classmethod
    def of_shape(
        cls, shape: tuple[int, ...], dtype: Any, device: int = 0, stream: Any = 0
    ) -> DeviceBuffer:
        """A buffer of any shape, allocated in the order of a stream."""
        made = cls.__new__(cls)
        made._allocate(tuple(shape), as_element(dtype), device, stream_handle(stream))
        return made

    def _allocate(self, shape: tuple[int, ...], element: Element, device: int, stream: int) -> None:
        self.shape, self.device, self.element = shape, device, element
        self.stream = stream  # the one that used it last, in whose order it is freed
        count = 1
        for side in shape:
            count *= side
        self.nbytes = count * element.size
        self._address: int | None = _driver.allocate(self.nbytes, device, stream)

    @property
    def dtype(self) -> str:
        """The element's name."""
        return self.element.name

    @property
    def address(self) -> int:
        """The device address.

        Raises:
            ArgumentError: the buffer was freed.
        """
        if self._address is None:
            raise ArgumentError("this DeviceBuffer was freed")
        return self._address

    def view(self) -> DeviceArray:
        """The memory as a kernel sees it."""
        strides = tuple(step * self.element.size for step in _dlpack.dense_strides(self.shape))
        return DeviceArray(
            self.shape,
            strides,
            self.element,
            self.address,
            self.device,
            self,
            producer=self.stream,
        )

    def from_host(self, array: Any, stream: Any = None) -> DeviceBuffer:
        """Copy an array of the same shape and dtype here;

        the array may be changed on return. Returns itself.
        """
        host = np.ascontiguousarray(array)
        if as_element(host.dtype) != self.element:
            raise DTypeError(f"the array has dtype {host.dtype}; this buffer holds {self.dtype}")
        if host.shape != self.shape:
            raise LayoutError(f"the array has shape {host.shape}; this buffer has {self.shape}")
        self.stream = self.stream if stream is None else stream_handle(stream)
        if self.nbytes:
            _driver.copy_to_device(
                self.address, host.ctypes.data, self.nbytes, self.device, self.stream
            )
        return self

    def to_host(self, stream: Any = None) -> NDArray[Any]:
        """A copy on the host, complete on return: waits for what the stream holds."""
        name = self.element.name
        if name == "bfloat16":
            import ml_dtypes

            host = np.empty(self.shape, ml_dtypes.bfloat16)
        else:
            host = np.empty(self.shape, name)
        handle = self.stream if stream is None else stream_handle(stream)
        if self.nbytes:
            _driver.copy_to_host(host.ctypes.data, self.address, self.nbytes, self.device, handle)
        return host

    def free(self) -> None:
        """Give the memory back in stream order; the buffer cannot be used afterwards."""
        address, self._address = self._address, None
        if address:
            _driver.free(address, self.device, self.stream)

    def __enter__(self) -> DeviceBuffer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.free()

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # at interpreter exit the driver, or this module, may be gone; the process gives all memory
        # back then
        if getattr(self, "_address", None) and not is_finalizing():
            self.free()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.element.name == "bfloat16":
            raise AttributeError("the array interface has no bfloat16; use DLPack")
        return {
            "shape": self.shape,
            "typestr": np.dtype(self.element.name).str,
            "data": (self.address, False),
            "strides": None,
            "version": 3,
            "stream": self.stream or 1,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return _dlpack.CUDA, self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: Any = None,
        copy: Any = None,
    ) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("DeviceBuffer gives its own memory through DLPack, and no copy")
        consumer = {None: self.stream, 1: 0, -1: self.stream}.get(stream, stream)
        if consumer != self.stream:
            _driver.order(self.stream, int(consumer or 0), self.device)
        kind = "bf" if self.element.name == "bfloat16" else self.element.kind
        versioned = max_version is not None and max_version[0] >= 1
        return _dlpack.write(
            self, self.address, self.device, self.shape, kind, self.element.size, versioned
        )

    def __repr__(self) -> str:
        return f"DeviceBuffer(shape={self.shape}, dtype={self.dtype!r}, device={self.device})"
