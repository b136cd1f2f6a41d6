# SPDX-License-Identifier: Apache-2.0
"""The kinds of array that the tests give and get, behind one interface; and objects that show a
protocol and nothing else.

`FKL_TEST_ON=cpu` runs the same tests on NumPy arrays and CPU kernels: that checks the tests on a
machine without a GPU.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import fkl
from tests.device.chains import OnDevice

ON_CPU = os.environ.get("FKL_TEST_ON") == "cpu"
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


class Kind:
    """One kind of array: how it is made of a host array, and how it comes back."""

    name = ""

    def to_device(self, host: NDArray[Any]) -> Any:
        raise NotImplementedError

    def to_host(self, array: Any) -> NDArray[Any]:
        raise NotImplementedError

    def is_own(self, array: Any) -> bool:
        """Whether a result is of this kind."""
        raise NotImplementedError

    def synchronize(self) -> None:
        """Wait for the device; raises what went wrong there."""

    def given(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """The inputs of a call: an array, a list of them, or none."""
        return tuple(
            [self.to_device(image) for image in item]
            if isinstance(item, list)
            else self.to_device(item)
            for item in inputs
        )

    def args(self, args: dict[str, Any]) -> dict[str, Any]:
        return {
            name: self.to_device(value.host) if isinstance(value, OnDevice) else value
            for name, value in args.items()
        }


class Numpy(Kind):
    name = "numpy"

    def to_device(self, host: NDArray[Any]) -> Any:
        return host.copy()

    def to_host(self, array: Any) -> NDArray[Any]:
        return np.asarray(array)

    def is_own(self, array: Any) -> bool:
        return isinstance(array, np.ndarray)


class Torch(Kind):
    name = "torch"

    def __init__(self) -> None:
        self.torch = importlib.import_module("torch")

    def to_device(self, host: NDArray[Any]) -> Any:
        host = np.ascontiguousarray(host)
        if host.dtype == BFLOAT16:  # torch knows the type, but not NumPy's name for it
            return self.torch.from_numpy(host.view(np.int16)).cuda().view(self.torch.bfloat16)
        return self.torch.from_numpy(host).cuda()

    def to_host(self, array: Any) -> NDArray[Any]:
        if array.dtype == self.torch.bfloat16:
            raw: NDArray[Any] = array.view(self.torch.int16).cpu().numpy()
            return raw.view(BFLOAT16)
        return np.asarray(array.cpu().numpy())

    def is_own(self, array: Any) -> bool:
        return isinstance(array, self.torch.Tensor) and array.is_cuda

    def synchronize(self) -> None:
        self.torch.cuda.synchronize()


class Cupy(Kind):
    name = "cupy"

    def __init__(self) -> None:
        self.cupy = importlib.import_module("cupy")

    def to_device(self, host: NDArray[Any]) -> Any:
        return self.cupy.asarray(host)

    def to_host(self, array: Any) -> NDArray[Any]:
        return np.asarray(self.cupy.asnumpy(array))

    def is_own(self, array: Any) -> bool:
        return isinstance(array, self.cupy.ndarray)

    def synchronize(self) -> None:
        self.cupy.cuda.Device().synchronize()


class Buffer(Kind):
    """fkl.DeviceBuffer: device memory without any framework."""

    name = "DeviceBuffer"

    def to_device(self, host: NDArray[Any]) -> Any:
        planes, height, width, channels = as_volume(host)
        buffer = fkl.DeviceBuffer(  # type: ignore[attr-defined]
            width, height, dtype=host.dtype.name, channels=channels, planes=planes
        )
        buffer.from_host(host.reshape(buffer.shape))  # it leaves out axes of length 1
        return buffer

    def to_host(self, array: Any) -> NDArray[Any]:
        return np.asarray(array.to_host())

    def is_own(self, array: Any) -> bool:
        return isinstance(array, fkl.DeviceBuffer)  # type: ignore[attr-defined]


def as_volume(host: NDArray[Any]) -> tuple[int, int, int, int]:
    """(planes, height, width, channels) of an array that is read as W, HW, HWC or NHWC."""
    shape = host.shape
    if host.ndim == 1:
        return 1, 1, shape[0], 1
    if host.ndim == 2:
        return 1, shape[0], shape[1], 1
    if host.ndim == 3:
        return 1, *shape  # type: ignore[return-value]
    return shape  # type: ignore[return-value]


KINDS = {kind.name: kind for kind in (Numpy, Torch, Cupy, Buffer)}


def why_no_gpu() -> str | None:
    """A reason to skip, or None; never starts CUDA for somebody who only collects tests."""
    if importlib.util.find_spec("torch") is None:
        return "torch is not installed"
    torch = importlib.import_module("torch")
    return None if torch.cuda.is_available() else "torch sees no GPU"


def kind_of(name: str) -> Kind:
    """A kind, or a skip that says what is missing."""
    if name == "numpy":
        return Numpy()
    reason = why_no_gpu()
    if reason is None and name == "cupy" and importlib.util.find_spec("cupy") is None:
        reason = "cupy is not installed"
    if reason is not None:
        pytest.skip(reason)
    found: Kind = KINDS[name]()
    return found


class InterfaceOnly:
    """An array that shows `__cuda_array_interface__` v3 and nothing else, with the stream that
    its data was made on.
    """

    def __init__(self, array: Any, stream: int | None = None, **changes: Any) -> None:
        self._array = array  # keeps the memory alive
        interface = dict(array.__cuda_array_interface__)
        interface.update(version=3, stream=stream, **changes)
        self.reads = 0
        self._interface = interface

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        self.reads += 1
        return self._interface


class DlpackOnly:
    """An array that shows DLPack and nothing else, and keeps what it was asked."""

    def __init__(self, array: Any) -> None:
        self._array = array
        self.asked: list[dict[str, Any]] = []

    def __dlpack__(self, **asked: Any) -> Any:
        self.asked.append(asked)
        return self._array.__dlpack__(**asked)

    def __dlpack_device__(self) -> tuple[Any, int]:
        device: tuple[Any, int] = self._array.__dlpack_device__()
        return device


class OldDlpack(DlpackOnly):
    """A producer from before versions: it takes a stream and no other question."""

    def __dlpack__(self, *, stream: Any = None) -> Any:  # type: ignore[override]
        self.asked.append({"stream": stream})
        return self._array.__dlpack__(stream=stream)


class StreamOnly:
    """A stream that shows `__cuda_stream__` and nothing else."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle
