# SPDX-License-Identifier: Apache-2.0
"""GPU arrays as the kernels see them, whichever package they come from, and what fkl asks of such
a package: allocation in its own pool, its current stream, and what it wants to be told when a
stream is not its own.
"""

from __future__ import annotations

import os
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _dlpack, _driver
from ._dtypes import ELEMENTS, DType, Element, as_element
from ._errors import ArgumentError, DTypeError

LEGACY_STREAM = 0


@dataclass(eq=False, slots=True)
class DeviceArray:
    """A GPU array: extents, byte strides, where it lies; `owner` keeps it alive."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: Element
    address: int
    device: int
    owner: Any
    writeable: bool = True
    producer: int | None = None  # a stream that may still be writing it

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        count = 1
        for side in self.shape:
            count *= side
        return count

    @property
    def span(self) -> int:
        """Bytes from the first to the end of the last element."""
        if 0 in self.shape:
            return 0
        steps = zip(self.shape, self.strides, strict=True)
        return self.dtype.size + sum(abs(step) * (count - 1) for count, step in steps)


class Framework(ABC):
    """How one package's arrays are read and made."""

    name = "array interface"

    def holds(self, array: Any) -> bool:
        """Whether this array lies on a GPU."""
        if hasattr(type(array), "__dlpack_device__"):
            return int(array.__dlpack_device__()[0]) in (_dlpack.CUDA, _dlpack.CUDA_MANAGED)
        return hasattr(array, "__cuda_array_interface__")

    def view(self, array: Any, stream: int | None) -> DeviceArray:
        """The array's memory; `stream` is where it will be used, None for the producer's own."""
        interface = getattr(array, "__cuda_array_interface__", None)
        if interface is not None:
            return from_interface(interface, array)
        handle = stream if stream is not None else self.current_stream(array.__dlpack_device__()[1])
        # DLPack calls the legacy default stream 1
        try:
            capsule = array.__dlpack__(stream=handle or 1, max_version=(1, 1))
        except TypeError:
            capsule = array.__dlpack__(stream=handle or 1)
        return from_dlpack(capsule)

    @abstractmethod
    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        """A new array of this package, which its current stream may write at once."""

    def empty_on(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        """The same for a stream that is not the package's current one: its memory may have been
        another array's a moment ago, whose work is still on the way.
        """
        return self.empty(shape, dtype, device, stream)

    def give_back(self, result: Any, like: Any) -> Any:
        """The result as the caller's kind of array, where its package takes DLPack."""
        package = sys.modules.get(type(like).__module__.partition(".")[0])
        convert = getattr(package, "from_dlpack", None) or getattr(
            getattr(package, "dlpack", None), "from_dlpack", None
        )
        return result if convert is None else convert(result)

    def key(self, array: Any, out: Any) -> Any:
        """What calls with the same preparation share, cheaply; None where every call is looked at
        anew.
        """
        del array, out
        return None

    def address(self, array: Any) -> int:
        return self.view(array, None).address

    def current_stream(self, device: int) -> int:
        del device
        return LEGACY_STREAM

    def used_on(self, arrays: list[Any], stream: Any, device: int) -> None:
        """Tell the package that `stream`, which is not its current one, uses these arrays; else
        keep them alive.
        """
        keep_alive(arrays, stream_handle(stream), device)

    def remembers(self, stream: Any) -> bool:
        """Whether `used_on` once covers all later uses on this stream."""
        del stream
        return False

    def capability(self, device: int) -> tuple[int, int]:
        return _driver.capability(device)


def from_interface(interface: dict[str, Any], owner: Any) -> DeviceArray:
    """https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html, versions 0 to 3."""
    if interface.get("mask") is not None:
        raise ArgumentError("an array with a mask is not served")
    element = as_element(interface["typestr"])
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or tuple(
        step * element.size for step in _dlpack.dense_strides(shape)
    )
    address, read_only = interface["data"]
    if not address and 0 not in shape:
        raise ArgumentError(f"the array interface of {type(owner).__name__} has a null pointer")
    stream = interface.get("stream")
    producer = None if stream is None else {1: 0}.get(int(stream), int(stream))
    return DeviceArray(
        shape,
        tuple(strides),
        element,
        int(address or 0),
        device_of(owner, int(address or 0)),
        owner,
        not read_only,
        producer,
    )


def device_of(owner: Any, address: int) -> int:
    """The device that an address lies on; asked of the driver, since the interface does not say."""
    device = getattr(owner, "device", None)
    number = getattr(device, "id", device)
    if isinstance(number, int):
        return number
    if not address:
        return 0
    attribute = _driver.bindings().CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    return int(_driver.call("cuPointerGetAttribute", attribute, address))


def from_dlpack(capsule: Any) -> DeviceArray:
    found = _dlpack.read(capsule)
    name = (
        "bfloat16"
        if found.kind == "bf"
        else np.dtype(f"{'b1' if found.kind == 'b' else found.kind + str(found.size)}").name
    )
    if name not in ELEMENTS:
        raise DTypeError(f"{name} is not served; fkl serves {', '.join(ELEMENTS)}")
    element = ELEMENTS[name]
    strides = tuple(step * element.size for step in found.strides)
    return DeviceArray(
        found.shape, strides, element, found.address, found.device, found, found.writeable
    )


def stream_handle(stream: Any) -> int:
    """The driver's handle of a stream: an int, or an object of torch, cupy, numba or
    `__cuda_stream__`.

    Raises:
        ArgumentError: something else.
    """
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        return int((protocol() if callable(protocol) else protocol)[1])
    for name in ("cuda_stream", "ptr", "handle"):
        value = getattr(stream, name, None)
        if value is not None:
            return int(getattr(value, "value", value) or 0)
    raise ArgumentError(
        f"stream={stream!r}: give an int, a torch or cupy stream, or an object with __cuda_stream__"
    )


class Held:
    """Arrays that streams still use, each with an event that says when that is over."""

    def __init__(self, has_happened: Callable[[Any], bool], forget: Callable[[Any], Any]) -> None:
        self.has_happened, self.forget = has_happened, forget
        self.items: list[tuple[Any, list[Any]]] = []
        self.lock = threading.Lock()
        os.register_at_fork(after_in_child=self.renew)

    def renew(self) -> None:
        """A child must not wait for a thread that stayed in the parent."""
        self.lock = threading.Lock()

    def hold(self, event: Any, arrays: list[Any]) -> None:
        """Keep arrays until `event` has happened; those whose event has are let go here."""
        with self.lock:
            done = [item for item in self.items if self.has_happened(item[0])]
            gone = {id(item) for item in done}
            self.items = [item for item in self.items if id(item) not in gone]
            self.items.append((event, arrays))
        for item in done:
            self.forget(item[0])


_held = Held(_driver.has_happened, _driver.destroy)


def keep_alive(arrays: list[Any], stream: int, device: int) -> None:
    """Hold arrays until what the stream holds now has happened."""
    with _driver.on_device(device):
        _held.hold(_driver.record(stream), arrays)
