# SPDX-License-Identifier: Apache-2.0
"""The short ways of a prepared call: parameters that wait for two pointers, and for the values of
Args where a chain has some.

Everything that does not fit falls back to `Prepared`, which checks all and says what is wrong.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _arrays
from ._binding import PLANES_AT, describe_out, table_bytes
from ._build import stats
from ._call import Args, Arrays, Call, Prepared
from ._extents import Extent
from ._kernel import OUTSIDE, Kernel
from ._measure import Counted, Values
from ._values import Table

POINTER = struct.Struct("<Q")


@dataclass(frozen=True)
class Frame:
    """Parameters that only wait for their pointers: `pack(source, middle, target, tail)`."""

    pack: Callable[..., bytes]
    middle: bytes
    tail: bytes
    span: int  # bytes that the result covers
    tables: list[Any]  # what the parameters point to, besides the arrays
    kernel: Kernel
    refill: Refill


class Refill:
    """The parameters of another call of the same signature, whose Args have other values."""

    def __init__(self, prepared: Prepared, params: bytes) -> None:
        self.prepared, self.params = prepared, params
        offsets = prepared.offsets
        self.source, self.target = offsets["in0"], offsets["out0"]
        self.planes = self.target + PLANES_AT

    def values(self, args: Args, keep: list[Any]) -> tuple[bytearray, tuple[int, ...]] | None:
        """All but the pointers, and the shape of the result; None: its planes have another size.

        `keep` gets what must outlive the call.
        """
        prepared = self.prepared
        found = self._counted(prepared.counted, args) if prepared.counted else self._sized(args)
        if found is None:
            return None
        values, planes = found
        buffer, shape = bytearray(self.params), prepared.shape
        for member in prepared.varying:
            content = prepared.pack(member, values)
            raw = table_bytes(content, keep) if isinstance(content, Table) else content
            buffer[member.offset : member.offset + len(raw)] = raw
        if planes is not None:
            POINTER.pack_into(buffer, self.planes, planes)
            shape = (planes, *shape[1:])
        return buffer, shape

    def _sized(self, args: Args) -> tuple[Sequence[Values], None] | None:
        prepared = self.prepared
        measured = prepared.measured_for(args)
        if prepared.sizes_vary and not _alike(measured.extent, prepared.measured.extent):
            return None
        return measured.values, None

    def _counted(self, counted: Counted, args: Args) -> tuple[Sequence[Values], int | None] | None:
        """The values, and the number of planes where it is another one."""
        values = self.prepared.resolved(args)
        now = values[counted.step][counted.field]
        then = self.prepared.measured.values[counted.step][counted.field]
        count = len(now.rects)
        if now.many is not then.many:
            return None
        if count == len(then.rects):
            return values, None
        return (values, count) if counted.alone and count else None

    def params_of(self, buffer: bytearray, source: int, target: int) -> bytes:
        POINTER.pack_into(buffer, self.source, source)
        POINTER.pack_into(buffer, self.target, target)
        return bytes(buffer)


def _alike(one: Extent, other: Extent) -> bool:
    return (
        one.sizes is other.sizes is None
        and one.is_measured
        and (one.width, one.height, one.planes, one.batched)
        == (other.width, other.height, other.planes, other.batched)
    )


def frame_of(prepared: Prepared, inputs: Arrays, out: Any, args: Args) -> Frame | None:
    """The parameters around the two pointers; None where there is nothing to run."""
    target, params, keep = prepared.packed(inputs, out, args, dry=True)
    if params is None:
        return None
    tables = keep[2:]  # what comes first are the arrays, which a kernel must not keep alive
    end = prepared.offsets["out0"]
    layout = struct.Struct(f"<Q{end - 8}sQ{len(params) - end - 8}s")
    _, middle, _, tail = layout.unpack(params)
    span = describe_out(prepared.chain, target, prepared.layout).span
    kernel, refill = prepared.kernel(params), Refill(prepared, params)
    return Frame(layout.pack, middle, tail, span, tables, kernel, refill)


def has_short_way(prepared: Prepared) -> bool:
    """Whether one array is read in place, so that a call needs its pointer alone."""
    found = prepared.inputs.described[0] if prepared.inputs.described else None
    listed, empty = prepared.inputs.source.listed, prepared.measured.extent.is_empty
    tree = prepared.plan.tree and prepared.chain.names  # a kernel a count
    return not (found is None or found.copy or listed or empty or tree)


def shortest(prepared: Prepared, inputs: Arrays, out: Any, args: Args) -> Call:
    """The shortest call for this signature on the host."""
    if not has_short_way(prepared):
        return prepared
    frame = frame_of(prepared, inputs, out, args)
    if frame is None:
        return prepared
    span = prepared.inputs.described[0].span
    return (_call_with_args if prepared.chain.names else _call)(prepared, frame, span)


def _call(slow: Prepared, frame: Frame, read_span: int) -> Call:
    """A closure, because every attribute that it does not look up is a tenth of the whole call."""
    kernel, shape, dtype = frame.kernel, slow.shape, slow.dtype
    pack, middle, tail, write_span = frame.pack, frame.middle, frame.tail, frame.span
    entry, runtime = kernel.entry, kernel.runtime
    pointer, allocate = _arrays.pointer, _arrays.allocate
    odd = slow.inputs.source.dtype.element.size - 1
    odd_out = slow.plan.result.element.size - 1

    def call(inputs: Arrays, out: Any, args: Args, _tables: Any = frame.tables) -> Any:
        source = pointer(inputs[0])
        if out is None:
            if source & odd:
                return slow(inputs, out, args)
            out = allocate(shape, dtype)
            stats.allocations += 1
            target = pointer(out)
        else:
            target = pointer(out)
            apart = source >= target + write_span or target >= source + read_span
            if not apart or source & odd or target & odd_out or not out.flags.writeable:
                return slow(inputs, out, args)
        status = entry(pack(source, middle, target, tail), runtime, None)
        if status:
            raise kernel.error(status)
        stats.launches += 1
        return out

    return call


def _call_with_args(slow: Prepared, frame: Frame, read_span: int) -> Call:
    """The same where values come with each call."""
    kernel, refill, shape, dtype = frame.kernel, frame.refill, slow.shape, slow.dtype
    write_span, pointer = frame.span, _arrays.pointer
    odd = slow.inputs.source.dtype.element.size - 1
    odd_out = slow.plan.result.element.size - 1

    def call(inputs: Arrays, out: Any, args: Args) -> Any:
        source = pointer(inputs[0])
        if source & odd:
            return slow(inputs, out, args)
        if out is not None:
            target = pointer(out)
            apart = source >= target + write_span or target >= source + read_span
            if not apart or target & odd_out or not out.flags.writeable:
                return slow(inputs, out, args)
        keep: list[Any] = []
        found = refill.values(args, keep)
        if found is None or (out is not None and found[1] is not shape):
            return slow(inputs, out, args)
        buffer, result_shape = found
        if out is None:
            out = _arrays.allocate(result_shape, dtype)
            stats.allocations += 1
        params = refill.params_of(buffer, source, pointer(out))
        status = kernel.entry(params, kernel.runtime, None)
        if status == OUTSIDE:
            return slow(inputs, out, args)  # says which rect, and why
        if status:
            raise kernel.error(status)
        stats.launches += 1
        return out

    return call
