# SPDX-License-Identifier: Apache-2.0
"""Plan × counts → C++ text for another FKL tree (FKL_INCLUDE, experimental).

Entry and parameter struct are those of `_codegen`; the body is what a user of FKL would write, and
the struct is made of plain numbers, because such a tree lays its own types out otherwise. Counts of
planes are template arguments there, so they are part of this text: another count is another
library.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ._codegen import entry
from ._errors import ExtentError, in_chain
from ._plan import Member, Plan, Step
from ._tree import PREFIX
from ._tree_support import CPU_SUPPORT, CUDA_SUPPORT, SUPPORT
from ._values import ElementKind

PLANE_LIMIT = 1024  # a compiler takes minutes for more
BYTE_LIMIT = 2**32 - 1
PARAMETER_BYTES = 32764  # of a CUDA kernel
PLAIN = {  # the numbers of a member, and what FKL makes of them
    "fk::Size": ("int", 2, "fk::Size{{{0}[0], {0}[1]}}"),
    "fk::ActiveThreads": ("unsigned long long", 3, "fkl_threads({0})"),
}
MEMORY = {56: "fkl_packed", 64: "fkl_planar", 16: "fkl_table"}

Counts = tuple[int, ...]


@dataclass(frozen=True)
class _Counter:
    """Where a parameter struct says how many planes a step has."""

    member: Member
    offset: int
    code: str


def _counters(plan: Plan) -> list[_Counter]:
    moves = any(step.is_geometry for step in plan.steps)
    found = []
    for member in plan.members:
        if member.slot.size == 16 and member.slot.cpp.startswith("fk::PlaneTable"):
            found.append(_Counter(member, member.offset + 8, "<I"))
        elif moves and member.name == "in0":
            found.append(_Counter(member, member.offset + 24, "<Q"))
        elif moves and member.slot.cpp == "fk::ActiveThreads":
            found.append(_Counter(member, member.offset + 16, "<Q"))
    return found


def counts_of(plan: Plan, params: bytes | None, labels: Sequence[str]) -> Counts:
    """How many planes each source and each table has: nothing where fkl's own headers serve.

    Args:
        params: what a call packed; None stands for one plane everywhere.

    Raises:
        ExtentError: more than such a tree can be compiled for, or sizes beyond its 32 bits.
    """
    if not plan.tree:
        return ()
    if params is None:
        return tuple(1 for _ in _counters(plan))
    try:
        for member in plan.members:
            _check_bytes(member, params)
        return tuple(_count(counter, params) for counter in _counters(plan))
    except _AtStep as fact:
        error = ExtentError(f"{PREFIX}: {fact}")
        raise in_chain(error, fact.step, labels, plan.types[: fact.step]) from None


class _AtStep(Exception):
    def __init__(self, step: int, text: str) -> None:
        super().__init__(text)
        self.step = step


def _check_bytes(member: Member, params: bytes) -> None:
    if member.name not in ("in0", "out0") or member.slot.size == 16:
        return
    _, width, height, planes, colors, pitch, plane_pitch = struct.unpack_from(
        "<7Q", params, member.offset
    )
    size = pitch * height + plane_pitch * max(planes - 1, 0)
    if member.slot.size == 64:
        (color_pitch,) = struct.unpack_from("<Q", params, member.offset + 56)
        size += color_pitch * (colors - 1)
    if max(size, width, planes) > BYTE_LIMIT:
        raise _AtStep(
            member.step,
            f"an array that spans {size} bytes is beyond the 32 bits of its addresses: "
            "give it in parts, or unset FKL_INCLUDE.",
        )


def _count(counter: _Counter, params: bytes) -> int:
    (count,) = struct.unpack_from(counter.code, params, counter.offset)
    step = counter.member.step
    if counter.member.slot.cpp == "fk::ActiveThreads" and count > 1:
        raise _AtStep(step, "planes that are made cannot be moved there: make one plane.")
    if count > PLANE_LIMIT:
        raise _AtStep(
            step,
            f"the number of planes is compiled in, and {count} are more than {PLANE_LIMIT}: "
            "call it with fewer at a time.",
        )
    return int(count)


def emit_for_tree(plan: Plan, counts: Counts) -> str:
    """The whole generated file."""
    cuda = plan.parallel != "CPU"
    names = [counter.member.name for counter in _counters(plan)]
    planes = dict(zip(names, counts, strict=True))
    lines = [SUPPORT, CUDA_SUPPORT if cuda else CPU_SUPPORT, "struct fkl_params {"]
    lines += [f"  {_declared(member, plan)};" for member in plan.members]
    lines += ["};", f"static_assert(sizeof(fkl_params) == {plan.size});"]
    lines += [
        f"static_assert(__builtin_offsetof(fkl_params, {member.name}) == {member.offset});"
        for member in plan.members
    ]
    for step in plan.steps:
        lines += _asserted(step, plan)
    lines += entry("fkl_runtime")
    lines += ["  try {"]
    if cuda:
        lines += ["    const fkl_device device(runtime);"]
    lines += [f"    {line}" for line in _body(plan, planes)]
    lines += [_HANDLERS, "}", ""]
    return "\n".join(lines)


_HANDLERS = """\
    return 0;
  } catch (const std::exception& error) {
    return fkl_failed(1, error.what());
  } catch (...) {
    return fkl_failed(1, "fkl: the FKL tree threw something unknown");
  }"""


def _declared(member: Member, plan: Plan) -> str:
    """A member as plain numbers, of the size and alignment that the plan decided."""
    if member.field is None or member.slot.cpp.startswith("fk::PlaneTable"):
        return f"{MEMORY[member.slot.size]} {member.name}"
    base, count, _ = PLAIN.get(member.slot.cpp, ("", 0, ""))
    if not base:
        base, count, _ = _element(member, plan)
    return f"alignas({member.slot.alignment}) {base} {member.name}[{count}]"


def _element(member: Member, plan: Plan) -> tuple[str, int, str]:
    step = plan.steps[member.step]
    assert member.field is not None and isinstance(member.field.kind, ElementKind)
    dtype = member.field.kind.dtype(step.flow, step.result)
    return dtype.element.cpp, dtype.channels, dtype.cpp


def _asserted(step: Step, plan: Plan) -> list[str]:
    """C++ checks the rows' dtype rules, and how the tree lays out what lies in memory."""
    if step.is_map:
        rule = f"fkl_yields<{step.cpp}, {step.flow.cpp}, {step.result.cpp}>"
        return [
            f'static_assert({rule}, "fkl: step {step.index}, {step.name}, disagrees with its '
            'dtype rule");'
        ]
    if step.planar or all(
        member.name not in ("in0", "out0") or member.step != step.index for member in plan.members
    ):
        return []
    return [
        f"static_assert(sizeof({step.flow.cpp}) == {step.flow.size}, "
        f'"fkl: step {step.index}, {step.name}: FKL_INCLUDE has another layout of '
        f'{step.flow.name}");'
    ]


def _body(plan: Plan, planes: dict[str, int]) -> list[str]:
    """Everything up to the last geometry becomes one read; a batch can be fused no other way."""
    last = max((step.index for step in plan.steps if step.is_geometry), default=0)
    lines = []
    for step in plan.steps:
        before, made = _made(step, plan, planes)
        fused = 0 < step.index <= last
        made = f"step{step.index - 1}.then({made})" if fused else made
        lines += [*before, f"const auto step{step.index} = {made};"]
    given = ", ".join(f"step{step.index}" for step in plan.steps[last:])
    arch = f"fk::ParArch::{plan.parallel}"
    if plan.parallel != "CPU":
        size = " + ".join(f"sizeof(step{step.index})" for step in plan.steps[last:])
        lines.append(
            f'static_assert({size} <= {PARAMETER_BYTES}, "fkl: these planes are more than the '
            'parameters of a CUDA kernel hold: call it with fewer at a time");'
        )
        lines.append(f"fk::Stream_<{arch}> queue(static_cast<cudaStream_t>(stream));")
    else:
        lines.append(f"fk::Stream_<{arch}> queue;")
    lines.append(f"fk::executeOperations<fk::TransformDPP<{arch}>>(queue, {given});")
    return lines


def _made(step: Step, plan: Plan, planes: dict[str, int]) -> tuple[list[str], str]:
    """What a step is built from, as lines before it, and its own build."""
    before: list[str] = []
    arguments = []
    cpp = step.cpp
    for member in (member for member in plan.members if member.step == step.index):
        name, count = f"p->{member.name}", planes.get(member.name, 1)
        held = f"{member.name}_planes"
        if member.field is None:
            planar = member.slot.size == 64
            listed = member.slot.size == 16
            view = "fkl_planar_view" if planar else "fkl_view"
            if listed or count > 1:
                kind = "fkl_images" if listed else f"{view}s"
                cpp = cpp if planar else f"fk::PerThreadRead<fk::ND::_2D, {step.flow.cpp}>"
                before.append(f"const auto {held} = {kind}<{count}, {step.flow.cpp}>({name});")
                arguments.append(held)
            else:
                arguments.append(f"{view}<{step.flow.cpp}>({name})")
        elif member.slot.cpp.startswith("fk::PlaneTable"):
            if count > 1:
                before.append(f"const auto {held} = fkl_rects<{count}>({name});")
                arguments.append(held)
            else:
                arguments.append(f"fkl_rect({name}, 0)")
        elif member.slot.cpp in PLAIN:
            arguments.append(PLAIN[member.slot.cpp][2].format(name))
        else:
            _, channels, vector = _element(member, plan)
            numbers = ", ".join(f"{name}[{index}]" for index in range(channels))
            arguments.append(numbers if channels == 1 else f"{vector}{{{numbers}}}")
    return before, f"{cpp}::build({', '.join(arguments)})"
