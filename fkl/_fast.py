# SPDX-License-Identifier: Apache-2.0
"""The short ways of a prepared call: parameters that wait for two pointers, and for the values of
Args where a chain has some.

Everything that does not fit falls back to `Prepared`, which checks all and says what is wrong.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import _arrays
from ._binding import PLANES_AT, describe_out, table_bytes
from ._build import stats
from ._call import Args, Arrays, Call, Prepared
from ._dtypes import DType
from ._errors import ComposeError
from ._extents import Extent
from ._kernel import OUTSIDE, Kernel
from ._op import Operation
from ._plan import Member
from ._values import Table, ValueKind, with_args

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


class Blank(NamedTuple):
    """A value of the parameters that every call fills in."""

    offset: int
    step: int
    kind: ValueKind
    given: Any  # as composed, with its Args
    name: str
    operation: Operation
    flow: DType
    result: DType
    counted: bool  # rects, whose number is the number of planes


class Refill:
    """The parameters of another call of the same signature, whose Args have other values."""

    def __init__(self, prepared: Prepared, params: bytes) -> None:
        self.prepared, self.params, self.shape = prepared, bytearray(params), prepared.shape
        self.source, self.target = prepared.offsets["in0"], prepared.offsets["out0"]
        self.measures = prepared.sizes_vary and prepared.counted is None
        self.count, self.many, self.alone = 0, False, False
        self.blanks: list[Blank] = []
        self.tables: list[Any] = []  # of no Arg: the parameters point to them
        for member in prepared.varying:
            if member.step in prepared.fixed:
                content = prepared.pack(member, prepared.measured.values)
                _put(self.params, member.offset, content, self.tables)
            else:
                self.blanks.append(self._blank(prepared, member))

    def _blank(self, prepared: Prepared, member: Member) -> Blank:
        operation, field = prepared.chain.operations[member.step], member.field
        assert field is not None and field.kind is not None
        step, counted = prepared.plan.steps[member.step], prepared.counted
        counts = counted is not None and (counted.step, counted.field) == (step.index, field.name)
        if counted is not None and counts:
            rects = prepared.measured.values[counted.step][counted.field]
            self.count, self.many, self.alone = len(rects.rects), rects.many, counted.alone
        given = getattr(operation, field.name)
        fills = member.offset, member.step, field.kind, given, field.name, operation
        return Blank(*fills, step.flow, step.result, counts)

    def values(self, args: Args, keep: list[Any]) -> tuple[bytearray, tuple[int, ...]] | None:
        """All but the pointers, and the shape of the result; None: the long way has to look.

        `keep` gets what must outlive the call.
        """
        buffer, planes, known = self.params.copy(), self.count, None
        try:
            if self.measures:
                measured = self.prepared.measure(args, checking=False)
                if not _alike(measured.extent, self.prepared.measured.extent):
                    return None
                known = measured.values
            for offset, step, kind, given, name, operation, flow, result, counted in self.blanks:
                if known is None:
                    value = kind.resolve(with_args(given, args), name, operation)
                else:
                    value = known[step][name]  # never asked twice: it may have changed since
                if counted:
                    planes = len(value.rects)
                    served = planes == self.count or (self.alone and planes)
                    if value.many is not self.many or not served:
                        return None
                _put(buffer, offset, kind.pack(value, name, flow, result), keep)
        except ComposeError:
            return None  # to be said with the chain
        if planes == self.count:
            return buffer, self.shape
        POINTER.pack_into(buffer, self.target + PLANES_AT, planes)
        return buffer, (planes, *self.shape[1:])

    def params_of(self, buffer: bytearray, source: int, target: int) -> bytes:
        POINTER.pack_into(buffer, self.source, source)
        POINTER.pack_into(buffer, self.target, target)
        return bytes(buffer)


def _put(buffer: bytearray, offset: int, content: bytes | Table, keep: list[Any]) -> None:
    raw = table_bytes(content, keep) if isinstance(content, Table) else content
    buffer[offset : offset + len(raw)] = raw


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
    tree = prepared.plan.tree and prepared.chain.names  # a kernel a count
    return not (found is None or found.copy or prepared.inputs.source.listed or tree)


def shortest(prepared: Prepared, inputs: Arrays, out: Any, args: Args) -> Call:
    """The shortest call for this signature on the host."""
    if not has_short_way(prepared) or prepared.measured.extent.is_empty:
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
            try:
                out = _arrays.allocate(result_shape, dtype)
            except MemoryError:
                return slow(inputs, out, args)  # the values may be to blame
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
