# SPDX-License-Identifier: Apache-2.0
"""Plan → C++ text. Rendering only: one line an operation, as a C++ user would write it.

The text is also the cache's key, so it must say everything that the plan decided. The
static_asserts let C++ check Python's idea of every type and offset.
"""

from __future__ import annotations

from ._plan import Plan, Step

EXPORT = 'extern "C" __attribute__((visibility("default")))'
# What went wrong on this thread, for who asks. `fkl_failed` is never inlined, so that no launch
# looks up a thread's own variable: LLVM keeps xmm16 and up across that, and glibc changes them.
MESSAGE = f"""\
static thread_local char message[512];
{EXPORT} const char* fkl_message() {{ return message; }}
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {{
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}}"""


def entry(runtime: str) -> list[str]:
    """What Python calls, up to the body."""
    parameters = f"const fkl_params* p, const {runtime}* runtime, void* stream"
    return ["", MESSAGE, f"{EXPORT} int fkl_entry({parameters}) {{"]


def emit(plan: Plan) -> str:
    """The whole generated file."""
    headers = dict.fromkeys(header for step in plan.steps for header in step.headers)
    lines = ["#include <fused_kernel/core/lean.h>"]
    lines += [f"#include <fused_kernel/{header}>" for header in headers]
    lines += ["", "struct fkl_params {"]
    lines += [f"  {member.slot.cpp} {member.name};" for member in plan.members]
    lines += ["};", f"static_assert(sizeof(fkl_params) == {plan.size});"]
    lines += [
        f"static_assert(__builtin_offsetof(fkl_params, {member.name}) == {member.offset});"
        for member in plan.members
    ]
    lines += [assert_text(step) for step in plan.steps if step.is_map]
    lines += entry("fk::Runtime")
    lines += [step_text(step) for step in plan.steps]
    lines += ['  const char* said = "no message";', f"  const int status = {launch_text(plan)};"]
    lines += ["  return status ? fkl_failed(status, said) : 0;", "}", ""]
    return "\n".join(lines)


def assert_text(step: Step) -> str:
    """C++ checks the row's dtype rule."""
    sentence = f'"fkl: step {step.index}, {step.name}, disagrees with its dtype rule"'
    return f"static_assert(fk::yields<{step.cpp}, {step.flow.cpp}, {step.result.cpp}>, {sentence});"


def step_text(step: Step) -> str:
    operation = f"fk::PerPlane<{step.cpp}>" if step.per_plane else step.cpp
    return f"  const auto step{step.index} = {operation}::build({', '.join(step.arguments)});"


def launch_text(plan: Plan) -> str:
    fusion = "ENABLED" if plan.thread_fusion else "DISABLED"
    pattern = f"fk::TransformDPP<fk::ParArch::{plan.parallel}, fk::TF::{fusion}>"
    steps = ", ".join(f"step{step.index}" for step in plan.steps)
    return f"fk::launch<{pattern}>(runtime, stream, said, {steps})"


def failing_step(source: str, log: str) -> int | None:
    """The step whose line or assertion the compiler complained about first."""
    import re

    lines = source.splitlines()
    for found in re.finditer(r"kernel\.\w+:(\d+)", log):
        number = int(found.group(1))
        text = lines[number - 1] if 0 < number <= len(lines) else ""
        step = re.search(r"const auto step(\d+)|fkl: step (\d+)", text)
        if step:
            return int(step.group(1) or step.group(2))
    return None
