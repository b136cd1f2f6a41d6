# SPDX-License-Identifier: Apache-2.0
"""Operations × extents × values → the size of the result, and every value as bytes.

Everything here is a run-time number; no result of this module reaches a type or a compiler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._errors import ComposeError, ExtentError, in_chain
from ._extents import Extent, Placement
from ._op import GEOMETRY, MAP, SET, WRITE, Operation
from ._plan import Member, Plan
from ._sizes import RectsKind, RectTable
from ._values import Each, Table, with_args

Values = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Measured:
    """One call's values, resolved, and the extent of its result."""

    values: Sequence[Values]
    extent: Extent
    placements: tuple[Placement, ...]


def resolve(operation: Operation, args: Mapping[str, Any]) -> Values:
    """The run-time fields of one operation, with what the call gave for every Arg."""
    values = {}
    for field in operation.row.values:
        value = getattr(operation, field.name)
        if value is not None:
            assert field.kind is not None
            value = field.kind.resolve(with_args(value, args), field.name, operation)
        values[field.name] = value
    return values


def resolve_all(
    operations: Sequence[Operation],
    types: Sequence[str],
    args: Mapping[str, Any],
    known: Mapping[int, Values],
    *,
    steps: Sequence[int],
) -> list[Values]:
    """Every operation's values, where no extent depends on them.

    Args:
        steps: those with an Arg; `known` has the values of all others.

    Raises:
        ComposeError: a value that will not do, shown in its chain.
    """
    values: list[Values] = [known.get(index, args) for index in range(len(operations))]
    for index in steps:
        try:
            values[index] = resolve(operations[index], args)
        except ComposeError as error:
            raise in_chain(
                error, index, [repr(each) for each in operations], types[:index]
            ) from None
    return values


def measure(
    operations: Sequence[Operation],
    types: Sequence[str],
    source: Extent,
    args: Mapping[str, Any],
    known: Mapping[int, Values] | None = None,
    *,
    steps: Sequence[int] | None = None,
    placing: bool = False,
    checking: bool = True,
) -> Measured:
    """Follow the extent through the chain.

    Args:
        operations: the chain.
        types: the element after each step, for errors.
        source: the extent of the input.
        args: what the call gave, by name.
        known: values of steps without an Arg, resolved before.
        steps: those to look at, where `known` has the values of all others; None: every step.
        placing: whether to say where resizes put their sources, which no call needs.
        checking: whether to look for what a launch would refuse.

    Raises:
        ExtentError: a rectangle, size or count that does not fit, shown in its chain.
    """
    extent = source
    placements: tuple[Placement, ...] = ()
    known = known or {}
    values: list[Values] = [known.get(index, args) for index in range(len(operations))]
    for index in range(len(operations)) if steps is None else steps:
        operation = operations[index]
        row = operation.row
        try:
            held = known[index] if index in known else resolve(operation, args)
            if row.kind in (SET, GEOMETRY):
                assert row.extent is not None
                if placing and row.placements is not None:
                    placements = row.placements(extent, operation, held)
                before, extent = extent, row.extent(extent, operation, held)
                if checking and row.check is not None:
                    row.check(before, held)
            elif row.kind is MAP:
                extent = _with_each(extent, held)
            elif row.kind is WRITE and not extent.is_measured and not extent.is_empty:
                raise ExtentError(
                    "the rects lie on the device, so that the size of the result is not "
                    "known here: "
                    "put a Resize before this step."
                )
            elif row.kind is WRITE and extent.sizes is not None and not extent.is_empty:
                raise ExtentError(
                    "the planes differ in size, and one array holds one size: "
                    "put a Resize before this step."
                )
        except ComposeError as error:
            raise in_chain(
                error, index, [repr(each) for each in operations], types[:index]
            ) from None
        values[index] = held
    return Measured(values, extent, placements)


@dataclass(frozen=True)
class Counted:
    """Rects of a call that say no more about the result than how many planes it has: a fixed size
    follows them. Where they lie is checked by the launch.
    """

    step: int
    field: str
    alone: bool  # nothing else has planes, so that any number will do


def counted_rects(
    operations: Sequence[Operation],
    source: Extent,
    args: Mapping[str, Any],
    known: Mapping[int, Values],
) -> Counted | None:
    """The rects of such a chain; None where an Arg may change an extent in another way."""
    found = None
    for index, operation in enumerate(operations):
        if index in known:
            continue
        rects = [field.name for field in operation.row.values if isinstance(field.kind, RectsKind)]
        given = [with_args(getattr(operation, each.name), args) for each in operation.row.values]
        if rects and found is None:
            found = index, rects[0]
        elif operation.row.kind is not MAP or any(isinstance(value, Each) for value in given):
            return None
    if found is None:
        return None
    step, field = found
    if not any(operations[i].row.settles for i in known if i > step):
        return None
    others = [value for values in known.values() for value in values.values()]
    alone = source.planes == 1 and not any(isinstance(each, (Each, RectTable)) for each in others)
    return Counted(step, field, alone)


def moving_steps(operations: Sequence[Operation], known: Mapping[int, Values]) -> tuple[int, ...]:
    """The steps that a later call must look at again: they have an Arg, or concern the extent."""
    return tuple(
        index
        for index, operation in enumerate(operations)
        if index not in known
        or operation.row.kind is not MAP
        or any(isinstance(value, Each) for value in known[index].values())
    )


def _with_each(extent: Extent, values: Values) -> Extent:
    for name, value in values.items():
        if isinstance(value, Each) and extent.planes:
            count = len(value.values)
            extent = extent.with_planes(count, name)
            if count > 1 and not extent.batched:
                extent = extent.resized(batched=True)
    return extent


def pack_member(
    member: Member,
    plan: Plan,
    operations: Sequence[Operation],
    values: Sequence[Values],
    types: Sequence[str],
) -> bytes | Table:
    """The bytes of one run-time field, or the table that its member points to.

    Raises:
        DTypeError: a value that does not fit its element, shown in its chain.
    """
    step, field = plan.steps[member.step], member.field
    assert field is not None and field.kind is not None
    try:
        return field.kind.pack(values[member.step][field.name], field.name, step.flow, step.result)
    except ComposeError as error:
        raise in_chain(
            error, member.step, [repr(each) for each in operations], types[: member.step]
        ) from None
