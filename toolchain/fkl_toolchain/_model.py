# SPDX-License-Identifier: Apache-2.0
"""The values that move through this package: found, passed over, built."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fkl_toolchain._versions import Version, version_text

Kind = Literal["gcc", "clang", "zig", "nvcc"]
Mode = Literal["cpu", "lean", "toolkit", "nvcc"]


@dataclass(frozen=True)
class Candidate:
    """A program that a search step came upon, not yet asked what it is."""

    path: str
    found_via: str


@dataclass(frozen=True)
class PassedOver:
    """Something that was found and not taken."""

    what: str
    found_via: str
    reason: str

    def __str__(self) -> str:
        return f"{self.what} ({self.found_via}): {self.reason}"


@dataclass(frozen=True)
class Compiler:
    """A compiler that has said what it is.

    Attributes:
        nvptx: whether it listed the NVPTX back-end among its targets.
        linker: argv prefix of the linker that goes with it.
        support: static archive of compiler support routines, "" when there is none.
        runtime: the C++ runtime library, for user code in toolkit and nvcc mode.
        extra: arguments that this installation always needs (a sysroot, a wheel's headers).
    """

    path: str
    kind: Kind
    version: Version
    version_text: str
    found_via: str
    nvptx: bool = False
    linker: tuple[str, ...] = ()
    support: str = ""
    runtime: str = ""
    extra: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        return (self.path, "clang") if self.kind == "zig" else (self.path,)

    @property
    def family(self) -> str:
        return "clang" if self.kind == "zig" else self.kind

    def __str__(self) -> str:
        name = "zig clang" if self.kind == "zig" else self.kind
        return f"{name} {version_text(self.version)} at {self.path} ({self.found_via})"


@dataclass(frozen=True)
class Cuda:
    """The pieces of one CUDA installation; a piece that is missing is "".

    Attributes:
        version: of the headers when there are headers, else of ptxas.
        include: header folders, in order.
        lacking: sentences about missing pieces: the file, and the package that brings it.
    """

    root: str
    found_via: str
    version: Version = ()
    ptxas: str = ""
    ptxas_version: Version = ()
    libdevice: str = ""
    nvcc: str = ""
    nvcc_version: Version = ()
    nvvm_bin: str = ""
    include: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()

    @property
    def has_headers(self) -> bool:
        return bool(self.include)


@dataclass(frozen=True)
class Arch:
    """A GPU architecture as asked for: sm_90, sm_90a, sm_120f."""

    number: int
    suffix: str = ""

    @classmethod
    def parse(cls, text: str) -> Arch:
        match = re.fullmatch(r"(?:sm_|compute_)?(\d{2,3})([af]?)", text.strip())
        if not match:
            raise ValueError(f"{text!r} is not a GPU architecture such as sm_90")
        return cls(int(match[1]), match[2])

    def __str__(self) -> str:
        return f"sm_{self.number}{self.suffix}"


@dataclass(frozen=True)
class HostLibraries:
    """Which libstdc++ headers and which C library the host passes meet; () when unknown."""

    libstdcxx: Version = ()
    glibc: Version = ()


@dataclass(frozen=True)
class Built:
    """One finished library: the commands that made it, the time they took, what they printed."""

    path: Path
    commands: tuple[tuple[str, ...], ...]
    seconds: float
    log: str
