# SPDX-License-Identifier: Apache-2.0
"""The value that find() returns: everything decided, able to build."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain import _build_cpu
from fkl_toolchain._memo import file_identity
from fkl_toolchain._model import Arch, Built, Compiler, Cuda, HostLibraries, Mode, PassedOver
from fkl_toolchain._system import glibc_version
from fkl_toolchain._versions import version_text
from fkl_toolchain._workshop import Workshop, workshop

PACKAGE = Path(__file__).parent
BUILD_SECONDS = 300.0


@dataclass(frozen=True)
class Toolchain:
    """One way to build for one target.

    Attributes:
        target: as it was asked for, resolved: "cpu:x86-64-v3", "cuda:sm_90".
        mode: "cpu", "lean", "toolkit" or "nvcc".
        level: the host CPU level of every host pass.
        arch: the GPU architecture, None for the CPU.
        compiler: what compiles; for nvcc mode, nvcc itself.
        host: the host compiler; the same as compiler but in nvcc mode.
        passed_over: what else was found, and why it was not taken.
    """

    target: str
    mode: Mode
    level: str
    compiler: Compiler
    host: Compiler
    cache_dir: Path
    arch: Arch | None = None
    cuda: Cuda | None = None
    libraries: HostLibraries = HostLibraries()
    passed_over: tuple[PassedOver, ...] = ()

    def fingerprint(self) -> str:
        """Return a digest of everything here that can change what a build puts out."""
        digest = hashlib.sha256()
        for part in self._identity():
            digest.update(part.encode() + b"\0")
        return digest.hexdigest()

    def describe(self) -> str:
        """Return one paragraph: what builds, where it lies, why it was chosen."""
        return f"{self.target}: {self.compiler}, {self.mode} mode, host code for {self.level}."

    def build(
        self,
        source: Path,
        out: Path,
        *,
        include_dirs: Sequence[Path] = (),
        fp: str = "fast",
        timeout: float = BUILD_SECONDS,
    ) -> Built:
        """Compile one source into one shared library, host and device code in one step.

        Raises:
            BuildError: a tool failed or ran out of time; carries its command and log.
        """
        folders = tuple(str(folder.resolve()) for folder in include_dirs)
        return self._in_workshop(
            out,
            timeout,
            lambda shop: _build_cpu.build_cpp(self, shop, source.resolve(), folders, fp),
        )

    def build_c(self, source: Path, out: Path, *, timeout: float = BUILD_SECONDS) -> Built:
        """Compile one C11 source that may use pthreads into a shared library for the host."""
        return self._in_workshop(
            out, timeout, lambda shop: _build_cpu.build_c(self, shop, source.resolve())
        )

    @property
    def row(self) -> str:
        """Return what applies here, in words, for an error."""
        return f"{self.mode} mode, {self.compiler}"

    def _in_workshop(self, out: Path, timeout: float, make: Callable[[Workshop], Path]) -> Built:
        started = time.monotonic()
        with workshop(self.row, timeout) as shop:
            shop.publish(make(shop), out)
            seconds = time.monotonic() - started
            return Built(out, tuple(shop.commands), seconds, "".join(shop.log))

    def _identity(self) -> tuple[str, ...]:
        own = sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".c", ".h", ".py"))
        return (
            self.target,
            self.mode,
            self.level,
            *_program_identity(self.compiler),
            *_program_identity(self.host),
            version_text(glibc_version()),
            *(hashlib.sha256(path.read_bytes()).hexdigest() for path in own),
        )


def _program_identity(compiler: Compiler) -> tuple[str, ...]:
    linker = file_identity(compiler.linker[0]) if compiler.linker else ""
    return (file_identity(compiler.path), compiler.version_text, *compiler.extra, linker)
