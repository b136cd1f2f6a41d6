# SPDX-License-Identifier: Apache-2.0
"""Spec × source type → Plan: every type, name and offset of the generated code is decided here.

Pure, and never given a value: a factor, a rectangle or a size cannot reach a type. What a value
may decide is its form (absent, one for all planes, one per plane), because that is another C++
type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ._dtypes import ELEMENTS, DType
from ._errors import ComposeError, DTypeError, LayoutError, in_chain
from ._op import GEOMETRY, MAP, READ, WRITE, Field, Operation
from ._sizes import DeviceRects
from ._tree_rules import spelling_of
from ._values import PER_PLANE, Each, Slot

ABSENT, SHARED = "absent", "shared"
NULL_TYPE = "NullType"


@dataclass(frozen=True)
class Source:
    """What the planner may know of an input: its pixels, and whether it is a list of images."""

    dtype: DType
    listed: bool = False


NOTHING = Source(DType(ELEMENTS["uint8"]))  # the input of a chain that makes its pixels itself


@dataclass(frozen=True)
class Spec:
    """A chain without its values, hashable: with the source and the forms it names one kernel."""

    operations: tuple[tuple[type[Operation], tuple[Any, ...]], ...]  # class, compile-time fields
    parallel: str = "CPU"  # fk::ParArch
    thread_fusion: bool = True
    fp: str = "fast"
    tree: str = ""  # another FKL header tree (FKL_INCLUDE); empty: fkl's own


@dataclass(frozen=True)
class Member:
    """A member of the parameter struct."""

    name: str
    slot: Slot
    offset: int
    step: int
    field: Field | None  # None: an array


@dataclass(frozen=True)
class Step:
    """One operation with every type decided."""

    index: int
    name: str
    headers: tuple[str, ...]
    cpp: str
    arguments: tuple[str, ...]
    flow: DType
    result: DType
    is_map: bool
    is_geometry: bool
    per_plane: bool
    planar: bool


@dataclass(frozen=True)
class Plan:
    """All that the generator renders and the launcher packs."""

    steps: tuple[Step, ...]
    members: tuple[Member, ...]
    size: int
    source: Source
    result: DType
    parallel: str
    thread_fusion: bool
    fp: str
    tree: str

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The element after each step, for error texts."""
        return tuple(step.result.name for step in self.steps)

    @property
    def taken(self) -> str:
        """What the kernel reads, for error texts; empty where a chain makes its pixels itself."""
        if all(member.name != "in0" for member in self.members):
            return ""
        return f" on {'a list of ' if self.source.listed else ''}{self.source.dtype.name}"


def raw_pointer(dtype: DType, planar: bool, listed: bool = False) -> Slot:
    """The member that describes an array in memory."""
    if planar and dtype.channels > 1:
        return Slot(f"fk::RawPtr<fk::ND::T3D, {dtype.with_channels(1).cpp}>", 64, 8)
    if listed:
        return Slot.table(f"fk::RawPtr<fk::ND::_2D, {dtype.cpp}>")
    return Slot(f"fk::RawPtr<fk::ND::_3D, {dtype.cpp}>", 56, 8)


def form_of(value: Any, operation: Operation) -> str:
    """What the type may know of a value."""
    if value is None:
        return ABSENT
    if isinstance(value, DeviceRects):
        return value.form(operation)
    return PER_PLANE if isinstance(value, Each) else SHARED


class _Members:
    """Lays members out as a C++ compiler does."""

    def __init__(self) -> None:
        self.items: list[Member] = []
        self.end = 0
        self.alignment = 8

    def add(self, name: str, slot: Slot, step: int, field: Field | None = None) -> str:
        offset = -(-self.end // slot.alignment) * slot.alignment
        self.items.append(Member(name, slot, offset, step, field))
        self.end = offset + slot.size
        self.alignment = max(self.alignment, slot.alignment)
        return f"p->{name}"

    @property
    def size(self) -> int:
        return max(-(-self.end // self.alignment) * self.alignment, self.alignment)


def make_plan(
    spec: Spec,
    source: Source,
    forms: Sequence[Mapping[str, str]],
    labels: Sequence[str] | None = None,
) -> Plan:
    """Decide every type, name and offset.

    Args:
        spec: the chain without values.
        source: the pixels of the input.
        forms: for each step, the form of each run-time field.
        labels: the operations as written, for errors.

    Raises:
        DTypeError, LayoutError: an operation that cannot follow what is before it, shown in its
        chain.
    """
    labels = labels or [cls.__name__ for cls, _ in spec.operations]
    flow = source.dtype
    steps: list[Step] = []
    members = _Members()
    for index, (cls, statics) in enumerate(spec.operations):
        try:
            step = _make_step(index, cls, statics, source, flow, forms[index], members, spec)
        except ComposeError as error:
            raise in_chain(error, index, labels, [step.result.name for step in steps]) from None
        steps.append(step)
        flow = step.result
    return Plan(
        steps=tuple(steps),
        members=tuple(members.items),
        size=members.size,
        source=source,
        result=flow,
        parallel=spec.parallel,
        thread_fusion=spec.thread_fusion,
        fp=spec.fp,
        tree=spec.tree,
    )


class Statics:
    """Stands for an operation where only its compile-time fields may be seen."""

    def __init__(self, cls: type[Operation], values: tuple[Any, ...]) -> None:
        for field, value in zip(cls.row.statics, values, strict=True):
            setattr(self, field.name, value)


def _make_step(
    index: int,
    cls: type[Operation],
    statics: tuple[Any, ...],
    source: Source,
    flow: DType,
    forms: Mapping[str, str],
    members: _Members,
    spec: Spec,
) -> Step:
    row = cls.row
    result = row.result(flow, Statics(cls, statics))
    listed = row.kind is READ and source.listed
    if listed and not row.listed:
        raise LayoutError(f"{row.name} does not take a list of images; give one array.")
    arguments = []
    if row.kind is READ:
        arguments.append(
            members.add("in0", raw_pointer(flow, row.memory == "planar", listed), index)
        )
    types = {"in": flow.cpp, "out": result.cpp, "base": flow.with_channels(1).cpp}
    types.update(_spelled(cls, statics))
    per_plane = False
    for field in row.values:
        assert field.kind is not None
        form = forms[field.name]
        if form == ABSENT:
            types[field.name] = NULL_TYPE
            continue
        slot = field.kind.slot_of(form, flow, result)
        types[field.name] = slot.cpp
        if form == PER_PLANE:
            if row.kind is not MAP or not field.kind.per_plane:
                raise DTypeError(
                    f"{field.name} of {row.name} is one for all planes; "
                    "each([...]) cannot stand there."
                )
            per_plane, slot = True, Slot.table(slot.cpp)
        arguments.append(members.add(f"{row.member}{index}_{field.name}", slot, index, field))
    if row.kind is WRITE:
        arguments.append(members.add("out0", raw_pointer(flow, row.memory == "planar"), index))
    template: str | Callable[[DType], str] = row.listed if listed else row.template
    if spec.tree:
        template = spelling_of(row, Statics(cls, statics), flow, result, forms, spec.parallel)
    text = (template if isinstance(template, str) else template(flow)).format(**types)
    return Step(
        index=index,
        name=row.name,
        headers=row.headers,
        cpp=text,
        arguments=tuple(arguments),
        flow=flow,
        result=result,
        is_map=row.kind is MAP,
        is_geometry=row.kind is GEOMETRY,
        per_plane=per_plane,
        planar=row.memory == "planar",
    )


def _spelled(cls: type[Operation], statics: tuple[Any, ...]) -> dict[str, str]:
    """The C++ spelling of every compile-time field."""
    spelled = {}
    for field, value in zip(cls.row.statics, statics, strict=True):
        if field.choices is not None:
            spelled[field.name] = field.choices[value]
        elif isinstance(value, tuple):
            spelled[field.name] = ", ".join(map(str, value))
        else:
            spelled[field.name] = str(value)
    return spelled
