# SPDX-License-Identifier: Apache-2.0
"""Where a chain begins and ends: reading arrays, making pixels, writing arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fkl._dtypes import ELEMENTS, DType, as_element
from fkl._errors import ComposeError
from fkl._extents import Extent
from fkl._op import READ, SET, WRITE, Operation, Static, choice, op
from fkl._sizes import Volume
from fkl._values import ResultElement, plain_numbers

__all__ = [
    "PerThreadRead",
    "PerThreadWrite",
    "ReadSet",
    "TensorPack",
    "TensorRead",
    "TensorSplit",
    "TensorWrite",
]

HEADER = "algorithms/basic_ops/memory_operations.h"
LISTED = "fk::RuntimeBatch<fk::PerThreadRead<fk::ND::_2D, {out}>>"
LAYOUTS = {name: name for name in ("auto", "W", "HW", "HWC", "NHW", "NHWC")}


@op(
    kind=READ,
    header=HEADER,
    template="fk::TensorRead<{out}>",
    listed=LISTED,
    fkl="fk::TensorRead<{out}>",
)
class TensorRead(Operation):
    """Read an array, a batch, or a list of images of different sizes.

    A 1-D array is one row, 2-D is H×W, 3-D is H×W×C if the last axis is 1 to 4, 4-D is N×H×W×C;
    `layout` says otherwise.
    """

    layout: Static[str] = choice(LAYOUTS, "auto")


@op(
    kind=READ,
    header=HEADER,
    template="fk::PerThreadRead<fk::ND::_3D, {out}>",
    listed=LISTED,
    fkl="fk::PerThreadRead<fk::ND::_3D, {out}>",
)
class PerThreadRead(Operation):
    """Read as TensorRead does; FKL's name for it."""

    layout: Static[str] = choice(LAYOUTS, "auto")


def packed_read(flow: DType) -> str:
    """One channel has no planes to pack."""
    return "fk::TensorTPack<{out}>" if flow.channels > 1 else "fk::TensorRead<{out}>"


@op(
    kind=READ,
    header=HEADER,
    template=packed_read,
    memory="planar",
    fkl=lambda flow, _: packed_read(flow),
)
class TensorPack(Operation):
    """Read a planar array, C×H×W or N×C×H×W with 1 to 4 channels, as pixels of C channels."""

    layout: Static[str] = choice({name: name for name in ("auto", "CHW", "NCHW")}, "auto")


def set_dtype(flow: DType, operation: Any) -> DType:
    del flow
    return DType(ELEMENTS[operation.dtype], operation.channels)


def set_extent(extent: Extent, operation: Any, values: Mapping[str, Any]) -> Extent:
    del extent, operation
    width, height, planes = values["size"]
    return Extent(width, height, planes, batched=planes > 1)


@op(
    kind=SET,
    header="algorithms/basic_ops/set.h",
    template="fk::ReadSet<{out}>",
    fkl="fk::ReadSet<{out}>",
    dtype=set_dtype,
    extent=set_extent,
    cases=[{"value": 3, "width": 5, "height": 2}, {"value": (1, 2, 3), "width": 7}],
)
class ReadSet(Operation):
    """Make an image in which every pixel is `value`; the chain then takes no input."""

    value: ResultElement
    size: Volume
    dtype: Static[str]
    channels: Static[int]

    def __init__(
        self,
        value: ResultElement,
        width: Any,
        height: Any = 1,
        planes: Any = 1,
        dtype: Any = "float32",
        channels: int | None = None,
    ) -> None:
        value = plain_numbers(value)
        if channels is None:
            channels = len(value) if isinstance(value, tuple) else 1
        if channels not in (1, 2, 3, 4):
            raise ComposeError(f"ReadSet: channels={channels!r}: give 1 to 4")
        size = (width, height, planes)
        self._assign(value=value, size=size, dtype=as_element(dtype).name, channels=channels)

    def __repr__(self) -> str:
        sides = ", ".join(map(repr, self.size))
        return f"ReadSet({self.value!r}, {sides}, dtype={self.dtype!r}, channels={self.channels})"


@op(kind=WRITE, header=HEADER, fkl="fk::TensorWrite<{in}>")
class TensorWrite(Operation):
    """Write an array of the input's layout: H×W, H×W×C, or with N in front for a batch."""


@op(
    kind=WRITE,
    header=HEADER,
    template="fk::PerThreadWrite<fk::ND::_3D, {in}>",
    fkl="fk::PerThreadWrite<fk::ND::_3D, {in}>",
)
class PerThreadWrite(Operation):
    """Write as TensorWrite does; FKL's name for it."""


def split_write(flow: DType) -> str:
    """One channel has no planes to split."""
    return "fk::TensorTSplit<{in}>" if flow.channels > 1 else "fk::TensorWrite<{in}>"


@op(
    kind=WRITE,
    header=HEADER,
    template=split_write,
    memory="planar",
    fkl=lambda flow, _: split_write(flow),
)
class TensorSplit(Operation):
    """Write each channel to a plane of its own: C×H×W, or N×C×H×W for a batch."""
