# SPDX-License-Identifier: Apache-2.0
"""Renders every command that builds device code; pure, so that golden files can pin them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain._argv import COMMON_FLAGS, CONTRACT, CXX_FLAGS, driver_mode
from fkl_toolchain._model import Arch, Compiler, Cuda
from fkl_toolchain.pairings import Shim

LEAN = Path(__file__).parent / "lean"
# What the stub toolkit of lean mode calls itself: old enough for every clang, new enough for the
# launch ABI of today.
STUB_CUDA = "11.8"


@dataclass(frozen=True)
class Passes:
    """What both clang passes of one build share.

    Attributes:
        front: the architecture that clang compiles for; ptxas may take it further.
        ptx: the PTX version to write.
        toolkit: folder for --cuda-path.
        lean: our own prelude instead of the toolkit's headers.
        libdevice: the bitcode to link in, "" for none.
    """

    compiler: Compiler
    level: str
    front: Arch
    ptx: int
    toolkit: str
    lean: bool
    libdevice: str
    shims: tuple[Shim, ...]
    include_dirs: tuple[str, ...]
    fp: str


def device_argv(passes: Passes, source: Sequence[str], out: str) -> tuple[str, ...]:
    """Return the command of the device pass: source to PTX."""
    lean = ("-Xclang", f"-target-sdk-version={STUB_CUDA}") if passes.lean else ()
    bitcode = ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", passes.libdevice)
    return (
        *_both(passes),
        "--cuda-device-only",
        *lean,
        "-Xclang",
        "-target-feature",
        "-Xclang",
        f"+ptx{passes.ptx}",
        *(bitcode if passes.lean and passes.libdevice else ()),
        "-S",
        *source,
        "-o",
        out,
    )


def host_argv(passes: Passes, source: Sequence[str], image: str, out: str) -> tuple[str, ...]:
    """Return the command of the host pass. The image it is given is a placeholder."""
    return (
        *_both(passes),
        "--cuda-host-only",
        f"-march={passes.level}",
        "-Xclang",
        "-fcuda-include-gpubinary",
        "-Xclang",
        image,
        "-c",
        *source,
        "-o",
        out,
    )


def precompile_argv(argv: tuple[str, ...], header: str, out: str) -> tuple[str, ...]:
    """Turn a command of either pass, rendered without source and output, into a precompilation."""
    keep = tuple(part for part in argv if part not in ("-S", "-c"))
    return (
        *keep,
        "-fsyntax-only",
        "-Xclang",
        "-emit-pch",
        "-MD",
        "-MF",
        out + ".d",
        "-Xclang",
        "-o",
        "-Xclang",
        out,
        header,
    )


def use_precompiled(path: str) -> tuple[str, ...]:
    return ("-Xclang", "-include-pch", "-Xclang", path)


def ptxas_argv(ptxas: str, arch: Arch, ptx: str, out: str) -> tuple[str, ...]:
    return (ptxas, "-m64", "-O3", "--gpu-name", str(arch), ptx, "-o", out)


def nvcc_argv(
    cuda: Cuda,
    host: Compiler,
    arch: Arch,
    level: str,
    fp: str,
    shims: tuple[Shim, ...],
    include_dirs: Sequence[str],
    source: str,
    out: str,
    *,
    sass: bool,
    allow_host: bool,
    hosted: bool = False,
) -> tuple[str, ...]:
    """Return nvcc's one command: SASS for the architecture and PTX for its compute capability."""
    virtual = f"compute_{arch.number}{arch.suffix}"
    codes = f"[{arch},{virtual}]" if sass else virtual
    language = () if hosted else CXX_FLAGS[1:]
    host_flags = (*COMMON_FLAGS, CONTRACT[fp], *language, f"-march={level}", *host.extra)
    return (
        cuda.nvcc,
        # Always given: without it nvcc believes NVCC_CCBIN and PATH.
        "-ccbin",
        host.path,
        *(("-allow-unsupported-compiler",) if allow_host else ()),
        "-x",
        "cu",
        "-std=c++20",
        "-O3",
        # Images as they are: readable by tools, and nothing to unpack when a library is loaded.
        "--no-compress",
        "-gencode",
        f"arch={virtual},code={codes}",
        f"--fmad={'true' if fp == 'fast' else 'false'}",
        *defines(fp),
        *(flag for shim in shims for flag in shim.flags),
        *(part for flag in host_flags for part in ("-Xcompiler", flag)),
        *(part for folder in cuda.include for part in ("-I", folder)),
        *(part for folder in include_dirs for part in ("-I", folder)),
        "-c",
        source,
        "-o",
        out,
    )


def defines(fp: str) -> tuple[str, ...]:
    """What sources may ask: whether our runtime is there, and whether rounding must be kept."""
    return ("-DFKL_MICRO_RUNTIME=1", *(("-DFKL_FP_STRICT=1",) if fp == "strict" else ()))


def _both(passes: Passes) -> tuple[str, ...]:
    compiler = passes.compiler
    libdevice = ("-DFKL_HAS_LIBDEVICE=1",) if passes.libdevice else ()
    lean = ("-nocudainc", "-nocudalib", *libdevice)
    return (
        *compiler.command,
        *driver_mode(compiler),
        *compiler.extra,
        "-x",
        "cuda",
        f"--cuda-path={passes.toolkit}",
        f"--cuda-gpu-arch={passes.front}",
        *(lean if passes.lean else ()),
        *CXX_FLAGS,
        *COMMON_FLAGS,
        CONTRACT[passes.fp],
        *defines(passes.fp),
        "-Wall",
        *(flag for shim in passes.shims for flag in shim.flags),
        *(part for shim in passes.shims if shim.include for part in ("-I", shim.include)),
        *(part for folder in passes.include_dirs for part in ("-I", folder)),
    )
