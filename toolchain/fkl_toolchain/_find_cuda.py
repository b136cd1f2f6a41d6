# SPDX-License-Identifier: Apache-2.0
"""Chooses how to build for a GPU: lean with a clang, else nvcc; toolkit mode when it is asked for.

The tables refuse a pair here, before anything is compiled, with the sentence that names what
would work.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace

from fkl_toolchain._config import Config
from fkl_toolchain._cuda_pieces import pieces
from fkl_toolchain._cuda_search import cuda_places
from fkl_toolchain._errors import ToolchainError
from fkl_toolchain._host_libraries import host_libraries
from fkl_toolchain._model import Arch, Compiler, Cuda, HostLibraries, Mode, PassedOver
from fkl_toolchain._select import Choice, choose, cpu_refusal, lean_refusal, refusal_text
from fkl_toolchain._toolchain import Toolchain
from fkl_toolchain._versions import version_text
from fkl_toolchain.architectures import (
    ARCHITECTURES,
    architecture,
    first_clang,
    front_end_arch,
    ptxas_knows,
)
from fkl_toolchain.pairings import shims_for, support

MODES: tuple[Mode, ...] = ("lean", "toolkit", "nvcc")


def find_cuda(config: Config, arch: Arch, level: str) -> Toolchain:
    if config.mode is not None and config.mode not in MODES:
        raise ToolchainError(f"no such mode as {config.mode!r}: say one of {', '.join(MODES)}")
    if architecture(arch) is None:
        known = ", ".join(f"sm_{row.number}" for row in ARCHITECTURES)
        raise ToolchainError(f"{arch} is in no row of the table, which knows {known}")
    found = tuple(pieces(place, config.resolved_cache_dir()) for place in cuda_places(config))
    if config.names_nvcc:
        # nvcc was asked for by name: its toolkit first, and any host compiler that it accepts
        named = os.path.realpath(shutil.which(config.compiler or "", path=config.search_path) or "")
        own = tuple(cuda for cuda in found if cuda.nvcc and os.path.realpath(cuda.nvcc) == named)
        return _nvcc(replace(config, compiler=None), arch, level, own or found, ())
    if config.mode == "nvcc":
        return _nvcc(config, arch, level, found, ())
    clangs = choose(config, lambda compiler: clang_refusal(compiler, arch))
    if config.mode == "toolkit":
        return _toolkit(config, arch, level, found, clangs)
    if clangs.compiler is not None:
        return _lean(config, arch, level, found, clangs)
    return _nvcc(config, arch, level, found, clangs.passed_over)


def clang_refusal(compiler: Compiler, arch: Arch) -> str:
    """Return why a compiler cannot make PTX for an architecture, "" when it can."""
    if reason := lean_refusal(compiler):
        return reason
    if front_end_arch(arch, compiler.version) is not None:
        return ""
    first = first_clang(arch)
    clang = f"clang {first} or newer, or " if first else ""
    return (
        f"clang {version_text(compiler.version)} does not know {arch}, and what its suffix stands "
        f"for cannot be reached from an older architecture: {clang}nvcc, or plain "
        f"sm_{arch.number} would do"
    )


def toolkit_refusal(cuda: Cuda) -> str:
    """Return why a CUDA installation cannot serve toolkit mode, "" when it can."""
    if not cuda.has_headers or not cuda.libdevice:
        return "; ".join(cuda.lacking) or "its headers are incomplete"
    if disagreement := next((text for text in cuda.lacking if "beside" in text), ""):
        return disagreement
    row = support("cuda")
    if cuda.version < row.lowest():
        return f"CUDA {version_text(cuda.version)} is too old: {row.because}"
    return ""


def nvcc_refusal(cuda: Cuda, arch: Arch) -> str:
    """Return why a CUDA installation's nvcc cannot build for an architecture, "" when it can."""
    if not cuda.nvcc:
        return "; ".join(cuda.lacking) or "it has no nvcc"
    if not cuda.has_headers:
        return "; ".join(cuda.lacking)
    row = support("nvcc")
    if cuda.nvcc_version < row.lowest():
        return f"nvcc {version_text(cuda.nvcc_version)} is too old: {row.because}"
    if not ptxas_knows(arch, cuda.nvcc_version):
        known = architecture(arch)
        return (
            f"nvcc {version_text(cuda.nvcc_version[:2])} does not know {arch}, which CUDA "
            f"{known.cuda if known else '?'} does; lean mode with a clang makes PTX for it"
        )
    return ""


def _lean(
    config: Config, arch: Arch, level: str, found: tuple[Cuda, ...], clangs: Choice
) -> Toolchain:
    assert clangs.compiler is not None
    cuda = lean_pieces(found, arch)
    passed = [
        PassedOver(other.root, other.found_via, _not_for_lean(other, cuda, arch))
        for other in found
        if other is not cuda
    ]
    return _toolchain(
        config, arch, level, "lean", clangs.compiler, cuda, (*clangs.passed_over, *passed)
    )


def lean_pieces(found: tuple[Cuda, ...], arch: Arch) -> Cuda | None:
    """Return the first installation with both libdevice and a ptxas that knows the architecture;
    else one with libdevice, else one with such a ptxas. Pieces of two places are never mixed."""

    def worth(cuda: Cuda) -> int:
        return 2 * bool(cuda.libdevice) + bool(cuda.ptxas and ptxas_knows(arch, cuda.ptxas_version))

    best = max(found, key=worth, default=None)
    return best if best is not None and worth(best) else None


def _not_for_lean(other: Cuda, chosen: Cuda | None, arch: Arch) -> str:
    if other.ptxas and not ptxas_knows(arch, other.ptxas_version):
        return f"its ptxas {version_text(other.ptxas_version[:2])} does not know {arch}"
    if not other.ptxas or not other.libdevice:
        needed = (
            text for text in other.lacking if text.startswith(("bin/ptxas", "nvvm/libdevice"))
        )
        return "; ".join(needed)
    return "an earlier one serves" if chosen is not None else "it holds nothing that serves"


def _toolkit(
    config: Config, arch: Arch, level: str, found: tuple[Cuda, ...], clangs: Choice
) -> Toolchain:
    usable, passed = _first(found, toolkit_refusal)
    everything = (*clangs.passed_over, *passed)
    if clangs.compiler is None or usable is None:
        more = "" if usable else "No CUDA toolkit with headers: " + " · ".join(INSTALL_CUDA)
        raise ToolchainError(refusal_text(config, f"{arch} in toolkit mode", everything, more))
    if clangs.compiler.kind == "zig":
        raise ToolchainError(
            refusal_text(
                config,
                f"{arch} in toolkit mode",
                (
                    PassedOver(
                        clangs.compiler.path,
                        clangs.compiler.found_via,
                        "zig's clang carries none of clang's CUDA headers: it serves lean mode",
                    ),
                    *everything,
                ),
            )
        )
    return _toolchain(config, arch, level, "toolkit", clangs.compiler, usable, everything)


def _nvcc(
    config: Config,
    arch: Arch,
    level: str,
    found: tuple[Cuda, ...],
    passed_over: tuple[PassedOver, ...],
) -> Toolchain:
    usable, passed = _first(found, lambda cuda: nvcc_refusal(cuda, arch))
    hosts = choose(config, _nvcc_host_refusal)
    everything = (*passed_over, *passed, *hosts.passed_over)
    if usable is None or hosts.compiler is None:
        more = "" if usable else "No usable nvcc either: " + " · ".join(INSTALL_CUDA)
        raise ToolchainError(refusal_text(config, str(arch), everything, more))
    nvcc = Compiler(
        path=usable.nvcc,
        kind="nvcc",
        version=usable.nvcc_version,
        version_text=version_text(usable.nvcc_version),
        found_via=usable.found_via,
    )
    return _toolchain(config, arch, level, "nvcc", nvcc, usable, everything, host=hosts.compiler)


INSTALL_CUDA = (
    "conda install -c conda-forge cuda-nvcc cuda-cudart-dev",
    "pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime nvidia-cuda-cccl",
    "apt-get install nvidia-cuda-toolkit",
)


def _nvcc_host_refusal(compiler: Compiler) -> str:
    if compiler.kind == "zig":
        return "nvcc calls its host compiler by one path, which `zig clang` has not"
    return cpu_refusal(compiler)


def _first(
    found: tuple[Cuda, ...], refusal: Callable[[Cuda], str]
) -> tuple[Cuda | None, tuple[PassedOver, ...]]:
    passed: list[PassedOver] = []
    for cuda in found:
        reason = refusal(cuda)
        if not reason:
            return cuda, tuple(passed)
        passed.append(PassedOver(cuda.root, cuda.found_via, reason))
    return None, tuple(passed)


def _toolchain(
    config: Config,
    arch: Arch,
    level: str,
    mode: Mode,
    compiler: Compiler,
    cuda: Cuda | None,
    passed_over: tuple[PassedOver, ...],
    host: Compiler | None = None,
) -> Toolchain:
    serving = host or compiler
    libraries = HostLibraries() if mode == "lean" else host_libraries(serving)
    version = cuda.version if cuda and mode != "lean" else ()
    rows = shims_for(
        compiler.family, compiler.version, version, libraries.libstdcxx, libraries.glibc
    )
    return Toolchain(
        target=f"cuda:{arch}",
        mode=mode,
        level=level,
        compiler=compiler,
        host=serving,
        cache_dir=config.resolved_cache_dir(),
        arch=arch,
        cuda=cuda,
        libraries=libraries,
        # Lean mode reads no header of the toolkit's: only the rows about the driver apply.
        shims=tuple(row for row in rows if mode != "lean" or not row.has_folder),
        passed_over=passed_over,
    )
