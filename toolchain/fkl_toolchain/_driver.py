# SPDX-License-Identifier: Apache-2.0
"""Asks the NVIDIA driver, when there is one, for its version and its GPUs.

The only module that loads a foreign library; used by reports and for the plain target "cuda".
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from fkl_toolchain._model import Arch
from fkl_toolchain._versions import Version

_MAJOR, _MINOR = 75, 76


@dataclass(frozen=True)
class Gpu:
    name: str
    arch: Arch


@dataclass(frozen=True)
class Driver:
    """What the driver said; reason tells why there is none."""

    cuda: Version = ()
    gpus: tuple[Gpu, ...] = ()
    reason: str = ""


def driver() -> Driver:
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return Driver(reason="no NVIDIA driver: libcuda.so.1 could not be opened")
    version = ctypes.c_int()
    library.cuDriverGetVersion(ctypes.byref(version))
    cuda = (version.value // 1000, version.value % 1000 // 10)
    if status := library.cuInit(0):
        return Driver(cuda, reason=f"the NVIDIA driver refuses to start (CUDA error {status})")
    count = ctypes.c_int()
    library.cuDeviceGetCount(ctypes.byref(count))
    return Driver(cuda, tuple(_gpu(library, index) for index in range(count.value)))


def _gpu(library: ctypes.CDLL, index: int) -> Gpu:
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    name = ctypes.create_string_buffer(100)
    library.cuDeviceGet(ctypes.byref(device), index)
    library.cuDeviceGetName(name, len(name), device)
    library.cuDeviceGetAttribute(ctypes.byref(major), _MAJOR, device)
    library.cuDeviceGetAttribute(ctypes.byref(minor), _MINOR, device)
    return Gpu(name.value.decode("utf-8", "replace"), Arch(major.value * 10 + minor.value))
