# SPDX-License-Identifier: Apache-2.0
"""Operations → Chain: the split into a spec (types, hashable) and values, and what of the values a
call gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._errors import ArgumentError, ComposeError, in_chain
from ._op import GEOMETRY, MAP, READ, SET, WRITE, Kind, Operation, takes_one_number_per_pixel
from ._plan import Plan, Source, Spec, form_of, make_plan
from ._values import Arg, Each, arg_names

Forms = tuple[tuple[tuple[str, str], ...], ...]


@dataclass(frozen=True, eq=False)
class Chain:
    """A checked sequence of operations and everything about it that no call changes."""

    operations: tuple[Operation, ...]
    spec: Spec
    labels: tuple[str, ...]
    args_of: tuple[tuple[str, ...], ...]  # the Arg names of each step
    names: frozenset[str]
    layout: str  # as the read says
    takes_input: bool
    takes_any_shape: bool
    moves_pixels: bool
    planar_read: bool
    planar_write: bool

    @property
    def text(self) -> str:
        """One line for people."""
        return " → ".join(type(operation).__name__ for operation in self.operations)

    def plan(self, source: Source, args: Mapping[str, Any]) -> tuple[Plan, Forms]:
        """The plan for a source and the forms of these arguments; raises as make_plan."""
        forms = [
            {
                field.name: self._form(operation, getattr(operation, field.name), args)
                for field in operation.row.values
            }
            for operation in self.operations
        ]
        return make_plan(self.spec, source, forms, self.labels), tuple(
            tuple(form.items()) for form in forms
        )

    def _form(self, operation: Operation, value: Any, args: Mapping[str, Any]) -> str:
        return form_of(args.get(value.name) if isinstance(value, Arg) else value, operation)

    def check_args(self, args: Mapping[str, Any], inputs: int) -> None:
        """Raises an ArgumentError for a missing, unknown or superfluous Arg or input."""
        missing, unknown = sorted(self.names - set(args)), sorted(set(args) - self.names)
        known = ", ".join(sorted(self.names)) or "none"
        if unknown:
            raise ArgumentError(f"{self.text} has no Arg {unknown[0]!r}; its Args: {known}")
        if missing:
            raise ArgumentError(f"{self.text} needs {missing[0]}=...; its Args: {known}")
        wanted = 1 if self.takes_input else 0
        if inputs != wanted:
            hint = "; give several images as one list" if inputs > 1 else ""
            raise ArgumentError(f"{self.text} takes {wanted} input, not {inputs}{hint}")
        for name, value in args.items():
            if value is None or arg_names(value if isinstance(value, (Arg, Each, tuple)) else None):
                raise ArgumentError(f"{name}={value!r}: give a value")


def make_chain(
    operations: Sequence[Operation], *, parallel: str, thread_fusion: bool, fp: str, tree: str = ""
) -> Chain:
    """Check the order and split types from values.

    Raises:
        ComposeError: not operations, or a chain without its read first and its write last.
    """
    for index, operation in enumerate(operations):
        if not isinstance(operation, Operation):
            hint = f": write {operation.__name__}(...)" if isinstance(operation, type) else ""
            raise ComposeError(
                f"compose(): argument {index} is {operation!r}, which is no operation{hint}"
            )
    check_order(operations)
    spec = Spec(
        tuple(
            (
                type(operation),
                tuple(getattr(operation, field.name) for field in operation.row.statics),
            )
            for operation in operations
        ),
        parallel,
        thread_fusion,
        fp,
        tree,
    )
    args_of = tuple(
        tuple(
            name
            for field in operation.row.values
            for name in arg_names(getattr(operation, field.name))
        )
        for operation in operations
    )
    first, last = operations[0].row, operations[-1].row
    maps = [operation for operation in operations if operation.row.kind is MAP]
    plain = (
        first.kind is READ
        and first.memory == last.memory == "packed"
        and len(maps) == len(operations) - 2
    )
    return Chain(
        operations=tuple(operations),
        spec=spec,
        labels=tuple(map(repr, operations)),
        args_of=args_of,
        names=frozenset(name for names in args_of for name in names),
        layout=getattr(operations[0], "layout", "auto"),
        takes_input=first.kind is READ,
        takes_any_shape=plain and all(map(takes_one_number_per_pixel, maps)),
        moves_pixels=any(operation.row.kind in (SET, GEOMETRY) for operation in operations),
        planar_read=first.memory == "planar",
        planar_write=last.memory == "planar",
    )


def check_order(operations: Sequence[Operation]) -> None:
    """A chain starts with its one read and ends with its one write.

    Raises:
        ComposeError: otherwise; the text names the step and what to do.
    """
    if not operations:
        raise ComposeError("compose() has no operation: start with a read, end with a write")
    kinds = [operation.row.kind for operation in operations]
    fault = _order_fault(kinds)
    if fault is not None:
        index, text = fault
        raise in_chain(ComposeError(text), index, [repr(operation) for operation in operations], ())


def _order_fault(kinds: Sequence[Kind]) -> tuple[int, str] | None:
    if kinds[0] not in (READ, SET):
        return 0, "a chain starts with a read, which says where its pixels come from."
    for index, kind in enumerate(kinds):
        if index and kind in (READ, SET):
            return index, "a chain has one read, and it is the first step."
        if kind is WRITE and index != len(kinds) - 1:
            return index, "a chain has one write, and it is the last step."
    if kinds[-1] is not WRITE:
        return len(kinds) - 1, "a chain ends with a write, which says where its pixels go."
    return None
