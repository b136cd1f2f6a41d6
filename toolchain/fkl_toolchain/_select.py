# SPDX-License-Identifier: Apache-2.0
"""Chooses: candidates in, one compiler or a sentence for each refusal out.

Never compiles to find out, and never changes its mind after a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fkl_toolchain._config import Config
from fkl_toolchain._host_search import WHEEL_NAMES, host_candidates
from fkl_toolchain._identify import identify
from fkl_toolchain._model import Compiler, PassedOver
from fkl_toolchain._versions import version_text
from fkl_toolchain.pairings import support

INSTALL_COMPILER = (
    "conda install -c conda-forge clangxx",
    "pip install ziglang",
    "apt-get install clang",
)

Refusal = Callable[[Compiler], str]


@dataclass(frozen=True)
class Choice:
    compiler: Compiler | None
    passed_over: tuple[PassedOver, ...]


def cpu_refusal(compiler: Compiler) -> str:
    """Return why a compiler cannot serve as the host's C++ compiler, "" when it can."""
    if compiler.kind == "nvcc":
        return "nvcc is no host compiler"
    row = support(compiler.family)
    if compiler.version < row.lowest():
        return (
            f"{compiler.family} {version_text(compiler.version)} is older than "
            f"{version_text(row.lowest())}: {row.because}"
        )
    if not compiler.linker:
        return "no linker goes with it: neither ld nor ld.lld was found"
    return ""


def lean_refusal(compiler: Compiler) -> str:
    """Return why a compiler cannot build device code by itself, "" when it can."""
    if compiler.family != "clang":
        return f"{compiler.kind} makes no PTX: lean and toolkit mode need clang"
    if not compiler.nvptx:
        return "this clang was built without the NVPTX back-end (--print-targets)"
    return cpu_refusal(compiler)


def choose(config: Config, refusal: Refusal, *, all_of_them: bool = False) -> Choice:
    """Return the first compiler without a refusal, with reasons for those before it.

    With all_of_them the ones behind it are looked at too, for a report.
    """
    chosen: Compiler | None = None
    passed: list[PassedOver] = []
    for candidate in host_candidates(config):
        if chosen is not None and not all_of_them:
            break
        answer = identify(candidate, config.resolved_cache_dir())
        if isinstance(answer, str):
            passed.append(PassedOver(candidate.path, candidate.found_via, answer))
        elif reason := refusal(answer):
            passed.append(PassedOver(candidate.path, candidate.found_via, reason))
        elif chosen is None:
            chosen = answer
        else:
            passed.append(PassedOver(str(answer), candidate.found_via, "an earlier one serves"))
    if not passed and chosen is None:
        if config.compiler:
            reason = "not found on PATH"
            if config.compiler in WHEEL_NAMES:
                reason += ", and its wheel is not installed: pip install ziglang"
            passed.append(PassedOver(config.compiler, "the override", reason))
        else:
            passed.append(PassedOver("any compiler", "the search", "not found"))
    return Choice(chosen, tuple(passed))


def refusal_text(
    config: Config, what: str, passed_over: tuple[PassedOver, ...], more: str = ""
) -> str:
    """Return the error of a search that found nothing: every candidate, and what would work."""
    lines = [f"Found nothing that can build for {what}. Looked at:"]
    lines += [f"  - {passed}" for passed in passed_over]
    lines += [more] if more else []
    lines.append(advice(config, "Any of these would do: "))
    return "\n".join(lines)


def advice(config: Config, before: str) -> str:
    """Return what gives a compiler: where one was named, nothing that is installed will serve."""
    if config.compiler is not None and not config.names_nvcc:
        return (
            f"FKL_COMPILER (or Config.compiler) allows {config.compiler} alone: "
            "correct it, or unset it to have a compiler searched"
        )
    return before + " · ".join(INSTALL_COMPILER)
