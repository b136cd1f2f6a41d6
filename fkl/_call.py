# SPDX-License-Identifier: Apache-2.0
"""One prepared call per signature: what shapes, strides and types decide is worked out once.

A later call of the same signature reads pointers, packs them between constant bytes and calls C.
Calls share nothing that changes, so any number of threads may run them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._binding import (
    HOST,
    Inputs,
    Memory,
    bind,
    describe_out,
    described,
    in_place_error,
    list_bytes,
    memory_bytes,
    result_shape_of,
    table_bytes,
)
from ._build import stats
from ._chain import Chain
from ._extents import Placement
from ._kernel import Kernel, kernel_for
from ._measure import (
    Measured,
    Values,
    counted_rects,
    measure,
    moving_steps,
    pack_member,
    resolve,
    resolve_all,
)
from ._op import MAP
from ._plan import Member
from ._tree_codegen import Counts, counts_of
from ._values import Each, Table

Arrays = Sequence[Any]
Args = Mapping[str, Any]
Call = Callable[[Arrays, Any, Args], Any]


def signature(inputs: Arrays, out: Any, args: Args) -> tuple[Any, ...]:
    """Everything but pointers and numbers: calls of one signature share their preparation."""
    if len(inputs) == 1 and type(inputs[0]) is not list:
        array = inputs[0]
        seen: tuple[Any, ...] = (array.shape, array.strides, array.dtype)
    else:
        seen = tuple(
            (each.shape, each.strides, each.dtype)
            for given in inputs
            for each in (given if isinstance(given, list) else (given,))
        )
        seen = (tuple(map(type, inputs)), seen)
    if out is not None:
        seen += (out.shape, out.strides, out.dtype)
    return (*seen, *[(name, type(value) is Each) for name, value in args.items()]) if args else seen


class Prepared:
    """Everything that one signature decides."""

    def __init__(self, chain: Chain, inputs: Arrays, args: Args, memory: Memory = HOST) -> None:
        chain.check_args(args, len(inputs))
        self.chain = chain
        self.memory = memory
        self.inputs: Inputs = bind(chain, inputs)
        self.plan, forms = chain.plan(self.inputs.source, args)
        self.key = (chain.spec, self.inputs.source, forms)
        self.fixed = {
            index: resolve(operation, {})
            for index, operation in enumerate(chain.operations)
            if not chain.args_of[index]
        }
        self.steps = moving_steps(chain.operations, self.fixed)
        self.arg_steps = tuple(i for i, names in enumerate(chain.args_of) if names)
        # A number that no extent depends on may change without measuring again.
        self.sizes_vary = any(
            names
            and (
                operation.row.kind is not MAP or any(isinstance(args[name], Each) for name in names)
            )
            for names, operation in zip(chain.args_of, chain.operations, strict=True)
        )
        self.counted = counted_rects(chain.operations, self.inputs.extent, args, self.fixed)
        self.measured = self.measure(args)
        self.shape, self.layout = self._result(self.measured, inputs)
        fields = [member for member in self.plan.members if member.field is not None]
        constant = {
            member.name: self.pack(member, self.measured.values)
            for member in fields
            if member.step in self.fixed
        }
        self.template = bytearray(self.plan.size)
        self.varying: list[
            Member
        ] = []  # what every call packs: Args, and tables that must stay alive
        for member in fields:
            raw = constant.get(member.name)
            if isinstance(raw, bytes):
                self.template[member.offset : member.offset + len(raw)] = raw
            else:
                self.varying.append(member)
        self.offsets = {member.name: member.offset for member in self.plan.members}
        self._kernel: Kernel | None = None

    def kernel(self, params: bytes) -> Kernel:
        """The kernel for these parameters: one for all, but one a count in another FKL tree."""
        kernel = self._kernel
        if kernel is None or self.plan.tree:
            target, runtime, counts = self.memory.target, self.memory.runtime, self.counts(params)
            kernel = kernel_for(self.key, self.plan, self.chain.text, target, runtime, counts)
            self._kernel = kernel
        return kernel

    def counts(self, params: bytes | None) -> Counts:
        """What another FKL tree compiles in."""
        return counts_of(self.plan, params, self.chain.labels)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type of one channel of the result."""
        return self.plan.result.numpy

    def measure(self, args: Args, *, checking: bool = True) -> Measured:
        """The values and the extent that these arguments give."""
        operations, types = self.chain.operations, self.plan.types
        source, fixed, steps = self.inputs.extent, self.fixed, self.steps
        return measure(operations, types, source, args, fixed, steps=steps, checking=checking)

    def measured_for(self, args: Args) -> Measured:
        """The same, where only what may have changed is looked at."""
        if self.sizes_vary:
            return self.measure(args)
        operations, types = self.chain.operations, self.plan.types
        values = resolve_all(operations, types, args, self.fixed, steps=self.arg_steps)
        return Measured(values, self.measured.extent, ())

    def placements(self, args: Args) -> tuple[Placement, ...]:
        """Where the last resize puts its source, for `output_spec`."""
        operations, types = self.chain.operations, self.plan.types
        return measure(
            operations, types, self.inputs.extent, args, self.fixed, placing=True
        ).placements

    def _result(self, measured: Measured, inputs: Arrays) -> tuple[tuple[int, ...], str]:
        shape = inputs[0].shape if inputs and not isinstance(inputs[0], list) else ()
        return result_shape_of(
            self.chain, self.inputs, measured.extent, self.plan.result.channels, shape
        )

    def pack(self, member: Member, values: Sequence[Values]) -> bytes | Table:
        return pack_member(member, self.plan, self.chain.operations, values, self.plan.types)

    def __call__(self, inputs: Arrays, out: Any, args: Args) -> Any:
        """Run once, with every check; the short ways of `_fast` fall back to this one."""
        return self.run(inputs, out, args)

    def run(self, inputs: Arrays, out: Any, args: Args, stream: int | None = None) -> Any:
        """Run once on a stream; None on the CPU."""
        out, params, _keep = self.packed(inputs, out, args, stream=stream)
        if params is not None:
            self.kernel(params).launch(params, stream)
        return out

    def packed(
        self,
        inputs: Arrays,
        out: Any,
        args: Args,
        *,
        stream: int | None = None,
        in_place: bool = False,
        dry: bool = False,
    ) -> tuple[Any, bytes | None, list[Any]]:
        """The result's array, the parameters (None: nothing to do), and what must outlive the call.

        `in_place` refuses inputs that would need a copy; `dry` allocates nothing and gives
        parameters to learn from.

        Raises:
            ExtentError, DTypeError, LayoutError: values or an `out` that do not fit; nothing has
            run.
        """
        shape, layout = self.shape, self.layout
        if args:
            self.chain.check_args(args, len(inputs))
        measured = self.measured_for(args) if args else self.measured
        if args and self.sizes_vary:
            shape, layout = self._result(measured, inputs)
        keep: list[Any] = []
        packed = [(member.offset, self.pack(member, measured.values)) for member in self.varying]
        if out is not None:
            self.memory.check_out(self.chain, out, shape, layout, self.plan.result)
        arrays = self._readable(inputs, in_place)
        if out is not None:
            self.memory.check_overlap(out, arrays)
        elif dry:
            out = self.memory.stand_in(shape, self.plan.result)
        else:
            out = self.memory.allocate(shape, self.plan.result, stream)
            stats.allocations += 1
        keep += [arrays, out]
        if measured.extent.is_empty or not out.size:
            return out, None, keep
        planar = self.chain.planar_write
        written = describe_out(self.chain, out, layout)
        target = memory_bytes(self.memory.pointer(out), written, planar)
        packed.append((self.offsets["out0"], target))
        if arrays:
            packed.append((self.offsets["in0"], self._source_bytes(arrays, keep)))
        buffer = self.template.copy()
        for offset, content in packed:
            raw = table_bytes(content, keep) if isinstance(content, Table) else content
            buffer[offset : offset + len(raw)] = raw
        return out, bytes(buffer), keep

    def _readable(self, inputs: Arrays, in_place: bool) -> list[Any]:
        given = inputs[0] if inputs and isinstance(inputs[0], list) else inputs
        arrays = [
            self.memory.readable(array, found)
            for array, found in zip(given, self.inputs.described, strict=True)
        ]
        copies = sum(copy is not array for copy, array in zip(arrays, given, strict=True))
        stats.allocations += copies
        if copies and in_place:
            raise in_place_error(given[0].strides)
        return arrays

    def _source_bytes(self, arrays: list[Any], keep: list[Any]) -> bytes:
        if self.inputs.source.listed:
            return list_bytes(self.chain, arrays, self.memory.pointer, keep)
        found = described(self.chain, arrays[0])
        return memory_bytes(self.memory.pointer(arrays[0]), found, self.chain.planar_read)
