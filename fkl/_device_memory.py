# SPDX-License-Identifier: Apache-2.0
"""Where device arrays lie and who makes them: `Memory` for a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _config, _dlpack
from ._binding import Memory, describe_out
from ._chain import Chain
from ._devices import DeviceArray, Framework
from ._dtypes import DType
from ._errors import ArgumentError, DTypeError, LayoutError
from ._frameworks import framework_holding
from ._kernel import device_runtime


class DeviceMemory(Memory):
    """The memory of one device, as one package hands it out."""

    def __init__(self, framework: Framework, device: int) -> None:
        self.framework, self.device = framework, device
        self.target = target_of(framework, device)
        self.runtime = device_runtime(device)

    def pointer(self, array: DeviceArray) -> int:
        return array.address

    def readable(self, array: DeviceArray, found: Any) -> DeviceArray:
        if found.copy or array.address % array.dtype.size:
            raise LayoutError(
                f"strides {array.strides} (bytes) of shape {array.shape} cannot be read in "
                "place on a device: "
                "rows may lie at any positive distance, their pixels must be dense; give "
                "x.contiguous() or a copy"
            )
        return array

    def allocate(self, shape: tuple[int, ...], result: DType, stream: int | None) -> DeviceArray:
        framework, handle = self.framework, 0 if stream is None else stream
        own = handle == framework.current_stream(self.device)
        make = framework.empty if own else framework.empty_on
        return framework.view(make(shape, result, self.device, handle), handle)

    def stand_in(self, shape: tuple[int, ...], result: DType) -> DeviceArray:
        element = result.element
        strides = tuple(step * element.size for step in _dlpack.dense_strides(shape))
        return DeviceArray(shape, strides, element, 0, self.device, None)

    def check_out(
        self, chain: Chain, out: DeviceArray, shape: tuple[int, ...], layout: str, result: DType
    ) -> None:
        if out.device != self.device:
            raise LayoutError(f"out lies on device {out.device}, the input on device {self.device}")
        if out.dtype != result.element:
            raise DTypeError(
                f"out has dtype {out.dtype.name}; {chain.text} gives {result.element.name}"
            )
        squeezed = shape[:-1] if layout.endswith("C") and result.channels == 1 else shape
        if out.shape not in (shape, squeezed):
            raise LayoutError(f"out has shape {out.shape}; {chain.text} gives {layout} {shape}")
        found = describe_out(chain, out, layout)
        if found.copy or out.address % out.dtype.size:
            raise LayoutError(
                f"out has strides {out.strides} (bytes), which a kernel cannot write: give "
                "rows of dense pixels"
            )
        if not out.writeable:
            raise LayoutError("out is read-only: give a writable array")

    def check_overlap(self, out: DeviceArray, inputs: Sequence[DeviceArray]) -> None:
        for array in inputs:
            apart = (
                array.address >= out.address + out.span or out.address >= array.address + array.span
            )
            if not apart:
                raise LayoutError("out overlaps the input: give memory of its own")


def target_of(framework: Framework, device: int) -> str:
    """What to compile for: FKL_ARCH, else the device's own architecture."""
    chosen = _config.text("FKL_ARCH")
    if chosen is not None:
        return f"cuda:{chosen}"
    major, minor = framework.capability(device)
    return f"cuda:sm_{major}{minor}"


def view_of(out: Any, stream: int | None) -> DeviceArray:
    framework = framework_holding(out)
    if framework is None:
        raise ArgumentError(
            f"out is a {type(out).__name__} on the host, and the input lies on a device"
        )
    return framework.view(out, stream)
