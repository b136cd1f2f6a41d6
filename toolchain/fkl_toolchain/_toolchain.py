# SPDX-License-Identifier: Apache-2.0
"""The value that find() returns: everything decided, able to build."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fkl_toolchain._build_cpu import build_c, build_cpp
from fkl_toolchain._build_cuda import build_cuda
from fkl_toolchain._build_nvcc import build_nvcc
from fkl_toolchain._errors import ToolchainError
from fkl_toolchain._identity import describe, fingerprint_parts
from fkl_toolchain._model import Arch, Built, Compiler, Cuda, HostLibraries, Mode, PassedOver
from fkl_toolchain._workshop import Workshop, workshop
from fkl_toolchain.architectures import front_end_arch, ptxas_knows, ptxas_ptx_cap
from fkl_toolchain.pairings import Shim

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
        cuda: the toolkit pieces in use; None when there are none.
        shims: the rows of the pairing table in force.
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
    libraries: HostLibraries = field(default_factory=HostLibraries)
    shims: tuple[Shim, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()

    def fingerprint(self) -> str:
        """Return a digest of everything here that can change what a build puts out."""
        return hashlib.sha256("\0".join(fingerprint_parts(self)).encode()).hexdigest()

    def describe(self) -> str:
        """Return one paragraph: what builds, where it lies, why it was chosen."""
        return describe(self)

    def build(
        self,
        source: Path,
        out: Path,
        *,
        include_dirs: Sequence[Path] = (),
        fp: str = "fast",
        precompiled: Sequence[str] = (),
        hosted: bool = False,
        timeout: float = BUILD_SECONDS,
    ) -> Built:
        """Compile one source into one shared library, host and device code in one step.

        Args:
            fp: "fast" lets multiplications and additions fuse, "strict" does not.
            precompiled: headers of include_dirs that the source includes first anyway, by the
                names it includes them under; kept precompiled where the compiler can.
            hosted: the source uses exceptions and the C++ library; for the CPU and in nvcc mode.

        Raises:
            BuildError: a tool failed or ran out of time; carries its command and log.
        """
        folders = tuple(str(folder.resolve()) for folder in include_dirs)
        path = source.resolve()
        if hosted and self.mode not in ("cpu", "nvcc"):
            raise ToolchainError(f"{self.mode} mode builds no source that uses the C++ library")

        def make(shop: Workshop) -> Path:
            if self.mode == "cpu":
                return build_cpp(self, shop, path, folders, fp, precompiled, hosted)
            if self.mode == "nvcc":
                return build_nvcc(self, shop, path, folders, fp, hosted)
            return build_cuda(self, shop, path, folders, fp, precompiled)

        return self._in_workshop(out, timeout, make)

    def build_c(self, source: Path, out: Path, *, timeout: float = BUILD_SECONDS) -> Built:
        """Compile one C11 source that may use pthreads into a shared library for the host."""
        path = source.resolve()
        return self._in_workshop(out, timeout, lambda shop: build_c(self, shop, path))

    @property
    def front(self) -> Arch | None:
        """Return what the device pass compiles for, where that is clang's business."""
        if self.arch is None or self.mode == "nvcc":
            return self.arch
        cap = ptxas_ptx_cap(self.cuda.version) if self.mode == "toolkit" and self.cuda else 999
        return front_end_arch(self.arch, self.compiler.version, cap)

    @property
    def has_sass(self) -> bool:
        """Return whether a library holds machine code, and not PTX alone."""
        if self.arch is None or self.cuda is None or not self.cuda.ptxas:
            return False
        return ptxas_knows(self.arch, self.cuda.ptxas_version)

    @property
    def row(self) -> str:
        """Return what applies here, in words, for an error."""
        rows = ", ".join(shim.name for shim in self.shims)
        toolkit = f", CUDA at {self.cuda.root}" if self.cuda else ""
        return f"{self.mode} mode, {self.compiler}{toolkit}" + (f", rows {rows}" if rows else "")

    def _in_workshop(self, out: Path, timeout: float, make: Callable[[Workshop], Path]) -> Built:
        started = time.monotonic()
        with workshop(self.row, timeout) as shop:
            shop.publish(make(shop), out)
            seconds = time.monotonic() - started
            return Built(out, tuple(shop.commands), seconds, "".join(shop.log))
