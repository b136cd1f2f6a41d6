# SPDX-License-Identifier: Apache-2.0
"""Renders every host compiler command; pure, so that golden files can pin them."""

from __future__ import annotations

from collections.abc import Sequence

from fkl_toolchain._model import Compiler

# No exceptions, type information or guarded statics: generated code must not need a C++ runtime.
CXX_FLAGS = ("-std=c++20", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics")
# A source that says it uses the C++ library gets the language as it is.
HOSTED_FLAGS = CXX_FLAGS[:1]
COMMON_FLAGS = ("-O3", "-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-fno-trapping-math")
CONTRACT = {"fast": "-ffp-contract=fast", "strict": "-ffp-contract=off"}


def host_argv(
    compiler: Compiler,
    level: str,
    fp: str,
    include_dirs: Sequence[str],
    source: Sequence[str],
    out: str,
    *,
    hosted: bool = False,
) -> tuple[str, ...]:
    """Return the command that compiles one C++ file, and what goes before it, for the CPU."""
    return (
        *compiler.command,
        *driver_mode(compiler),
        *compiler.extra,
        *(HOSTED_FLAGS if hosted else CXX_FLAGS),
        *COMMON_FLAGS,
        CONTRACT[fp],
        f"-march={level}",
        "-Wall",
        *(part for folder in include_dirs for part in ("-I", folder)),
        "-x",
        "c++",
        "-c",
        *source,
        "-o",
        out,
    )


def c_argv(
    compiler: Compiler, source: str, out: str, defines: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the command that compiles one C11 file; a C++ driver reads it as C by -x c."""
    return (
        *compiler.command,
        *compiler.extra,
        "-x",
        "c",
        "-std=gnu11",
        "-O2",
        "-fPIC",
        "-fvisibility=hidden",
        "-Wall",
        "-pthread",
        # The linker drops what a library does not call.
        "-ffunction-sections",
        *defines,
        "-c",
        source,
        "-o",
        out,
    )


def driver_mode(compiler: Compiler) -> tuple[str, ...]:
    return ("--driver-mode=g++",) if compiler.kind == "zig" else ()
