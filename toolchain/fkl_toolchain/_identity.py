# SPDX-License-Identifier: Apache-2.0
"""What a toolchain says of itself: to a cache, all that can change its output; to a person."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fkl_toolchain._memo import file_identity
from fkl_toolchain._model import Compiler, Cuda
from fkl_toolchain._system import glibc_version
from fkl_toolchain._versions import version_text

if TYPE_CHECKING:
    from fkl_toolchain._toolchain import Toolchain

PACKAGE = Path(__file__).parent
# By content: the code that renders commands, the tables, the shims, the prelude, the runtime.
_OWN_SUFFIXES = (".py", ".h", ".c")


def fingerprint_parts(toolchain: Toolchain) -> tuple[str, ...]:
    """Return everything that can change what a build puts out, in words."""
    return (
        toolchain.target,
        toolchain.mode,
        toolchain.level,
        str(toolchain.arch or ""),
        *_compiler(toolchain.compiler),
        *(_compiler(toolchain.host) if toolchain.host != toolchain.compiler else ()),
        *(_cuda(toolchain.cuda) if toolchain.cuda else ()),
        *(shim.name for shim in toolchain.shims),
        version_text(glibc_version()),
        version_text(toolchain.libraries.libstdcxx),
        own_digest(),
    )


@cache
def own_digest() -> str:
    """Return a digest of this package's own files."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and (path.suffix in _OWN_SUFFIXES or "shims" in path.parts):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()


def describe(toolchain: Toolchain) -> str:
    """Return one paragraph: what builds, where it lies, via what it was found, what applies."""
    sentences = [f"{toolchain.target} is built by {toolchain.compiler}, in {toolchain.mode} mode."]
    if toolchain.host != toolchain.compiler:
        sentences.append(f"The host compiler is {toolchain.host}.")
    sentences.append(f"Host code is for {toolchain.level}.")
    if toolchain.arch is not None:
        sentences += _device_sentences(toolchain)
    if toolchain.shims:
        sentences.append(f"In force: {', '.join(shim.name for shim in toolchain.shims)}.")
    return " ".join(sentences)


def _device_sentences(toolchain: Toolchain) -> list[str]:
    cuda, arch = toolchain.cuda, toolchain.arch
    assert arch is not None
    sentences: list[str] = []
    if cuda is not None:
        version = version_text(cuda.version)
        sentences.append(f"CUDA {version} lies at {cuda.root} ({cuda.found_via}).")
    if toolchain.mode != "nvcc":
        front = toolchain.front
        if front != arch:
            sentences.append(f"This pair does not know {arch}: it compiles for {front}.")
    if toolchain.has_sass:
        sentences.append(f"The library holds SASS for {arch} and PTX.")
    else:
        sentences.append("The library holds PTX alone, which the driver compiles on first use.")
    if cuda is None or not cuda.libdevice:
        sentences.append("Without libdevice, transcendental functions cannot be used on the GPU.")
    return sentences


def _compiler(compiler: Compiler) -> tuple[str, ...]:
    linker = file_identity(compiler.linker[0]) if compiler.linker else ""
    return (
        file_identity(compiler.path),
        compiler.version_text,
        *compiler.extra,
        linker,
        compiler.support,
    )


def _cuda(cuda: Cuda) -> tuple[str, ...]:
    files = (cuda.ptxas, cuda.libdevice, cuda.nvcc)
    return (
        version_text(cuda.version),
        *(file_identity(path) for path in files if path and os.path.isfile(path)),
        *cuda.include,
    )
