# SPDX-License-Identifier: Apache-2.0
"""The door to the CUDA driver (cuda-python's bindings): opened by the first call that has no
framework to ask.

Every function raises DeviceError with the driver's own words; none of them synchronises but
`copy_to_host`.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from ._errors import DeviceError

INSTALL = "pip install 'fkl[cuda13]' (or [cuda12]), or conda install cuda-bindings"


@lru_cache(maxsize=1)
def bindings() -> Any:
    """cuda.bindings.driver, initialised.

    Raises:
        DeviceError: the package, the driver or a GPU is missing.
    """
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise DeviceError(
            "this needs the CUDA driver through the package cuda-bindings, which cannot be "
            f"imported ({error}): {INSTALL}"
        ) from None
    status = driver.cuInit(0)[0]
    if status:
        raise DeviceError(
            f"the CUDA driver cannot be initialised: {status.name}; is a GPU and its driver "
            "installed?"
        )
    _owner.append(os.getpid())
    return driver


_owner: list[int] = []


def call(name: str, *arguments: Any) -> Any:
    """One driver function's result: None, one value, or a tuple of them."""
    driver = bindings()
    if _owner[-1] != os.getpid():
        raise DeviceError(FORKED)
    status, *values = getattr(driver, name)(*arguments)
    if status:
        text = driver.cuGetErrorString(status)[1]
        said = text.decode() if isinstance(text, bytes) else str(text)
        raise DeviceError(f"{name} failed: {status.name}, {said}")
    return values[0] if len(values) == 1 else tuple(values) or None


FORKED = (
    "CUDA was used in the parent process before the fork, and no driver survives that: "
    'start workers with the "spawn" method, or use the GPU only after the fork'
)


@lru_cache(maxsize=64)
def primary_context(device: int) -> Any:
    return call("cuDevicePrimaryCtxRetain", call("cuDeviceGet", device))


@contextmanager
def on_device(device: int) -> Iterator[None]:
    """The device's primary context is current inside, whatever was current before."""
    call("cuCtxPushCurrent", primary_context(device))
    try:
        with beside_captures():
            yield
    finally:
        call("cuCtxPopCurrent")


@lru_cache(maxsize=1)
def _exchange_capture_mode() -> Any:
    """By ctypes, because programs with torch alone need it and may have no cuda-bindings."""
    try:
        return ctypes.CDLL("libcuda.so.1").cuThreadExchangeStreamCaptureMode
    except (OSError, AttributeError):
        return lambda _: 0


@contextmanager
def beside_captures() -> Iterator[None]:
    """Allocating, or asking whether an event has happened, would break a CUDA graph that another
    thread captures; not inside.
    """
    mode = ctypes.c_int(2)  # CU_STREAM_CAPTURE_MODE_RELAXED
    exchange = _exchange_capture_mode()
    exchange(ctypes.byref(mode))
    try:
        yield
    finally:
        exchange(ctypes.byref(mode))


@lru_cache(maxsize=64)
def capability(device: int) -> tuple[int, int]:
    """Compute capability, such as (9, 0)."""
    attributes = bindings().CUdevice_attribute
    handle = call("cuDeviceGet", device)
    return (
        int(
            call(
                "cuDeviceGetAttribute",
                attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                handle,
            )
        ),
        int(
            call(
                "cuDeviceGetAttribute",
                attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                handle,
            )
        ),
    )


def allocate(size: int, device: int, stream: int) -> int:
    """Device memory in stream order; 0 for nothing."""
    if size == 0:
        return 0
    with on_device(device):
        return int(call("cuMemAllocAsync", size, stream))


def free(address: int, device: int, stream: int) -> None:
    """Give memory back once all that the stream holds now has happened."""
    if address:
        with on_device(device):
            call("cuMemFreeAsync", address, stream)


def copy_to_device(address: int, host: int, size: int, device: int, stream: int) -> None:
    with on_device(device):
        call("cuMemcpyHtoDAsync", address, host, size, stream)


def copy_to_host(host: int, address: int, size: int, device: int, stream: int) -> None:
    """Copies and waits: the host's memory is complete on return."""
    with on_device(device):
        call("cuMemcpyDtoHAsync", host, address, size, stream)
        call("cuStreamSynchronize", stream)


def order(before: int, after: int, device: int) -> None:
    """What stream `after` does from now on happens after all that stream `before` holds now."""
    with on_device(device):
        event = record(before)
        call("cuStreamWaitEvent", after, event, 0)
        destroy(event)


def record(stream: int) -> Any:
    """An event at the end of a stream of the current device."""
    event = call("cuEventCreate", bindings().CUevent_flags.CU_EVENT_DISABLE_TIMING)
    call("cuEventRecord", event, stream)
    return event


def destroy(event: Any) -> None:
    call("cuEventDestroy", event)


def has_happened(event: Any) -> bool:
    driver = bindings()
    return bool(driver.cuEventQuery(event)[0] == driver.CUresult.CUDA_SUCCESS)
