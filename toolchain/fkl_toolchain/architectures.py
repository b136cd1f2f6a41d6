# SPDX-License-Identifier: Apache-2.0
"""The table of GPU architectures: who knows which, and the PTX version that each asks for."""

from __future__ import annotations

from dataclasses import dataclass

from fkl_toolchain._model import Arch
from fkl_toolchain._versions import Range, Version

# PTX that every served clang writes and every driver since CUDA 11.8 reads.
PTX_FLOOR = 78


@dataclass(frozen=True)
class Architecture:
    """One GPU architecture.

    Attributes:
        ptx: the lowest PTX version that knows it: the oldest driver that runs the GPU reads it.
        clang: the first clang major that knows it.
        cuda: the toolkits whose ptxas knows it.
    """

    number: int
    ptx: int
    clang: int
    cuda: str
    because: str
    upstream: str = "https://docs.nvidia.com/cuda/parallel-thread-execution/#release-notes"


ARCHITECTURES = (
    Architecture(70, 60, 5, "9.0..12.9", "Volta; CUDA 13 dropped it"),
    Architecture(72, 61, 6, "9.2..12.9", "Xavier; CUDA 13 dropped it"),
    Architecture(75, 63, 8, "10.0..", "Turing"),
    Architecture(80, 70, 11, "11.0..", "Ampere, data centre"),
    Architecture(86, 71, 13, "11.1..", "Ampere, desktop"),
    Architecture(87, 74, 16, "11.4..", "Orin"),
    Architecture(88, 90, 22, "13.0..", "a Jetson that CUDA 13 added"),
    Architecture(89, 78, 16, "11.8..", "Ada"),
    Architecture(90, 78, 16, "11.8..", "Hopper"),
    Architecture(100, 86, 20, "12.8..", "Blackwell, data centre"),
    Architecture(101, 86, 20, "12.8..12.9", "Thor, as CUDA 12 named it"),
    Architecture(103, 88, 21, "12.9..", "Blackwell Ultra"),
    Architecture(110, 90, 22, "13.0..", "Thor"),
    Architecture(120, 87, 20, "12.8..", "Blackwell, desktop"),
    Architecture(121, 88, 21, "12.9..", "Spark"),
)


@dataclass(frozen=True)
class PtxCap:
    """The newest PTX that a clang writes (toolkit headers may ask for more than the arch does)."""

    versions: str
    ptx: int


CLANG_PTX = (
    PtxCap("16..16", 78),
    PtxCap("17..17", 81),
    PtxCap("18..18", 83),
    PtxCap("19..19", 85),
    PtxCap("20..21", 87),
    PtxCap("22..", 90),
)


def architecture(arch: Arch) -> Architecture | None:
    return next((row for row in ARCHITECTURES if row.number == arch.number), None)


def clang_ptx_cap(version: Version) -> int:
    return next((row.ptx for row in CLANG_PTX if version in Range.parse(row.versions)), PTX_FLOOR)


def ptxas_ptx_cap(version: Version) -> int:
    """Return the newest PTX that a ptxas reads: toolkit M.N reads (M - 4).N since CUDA 12."""
    major, minor = (*version, 0, 0)[:2]
    if major == 11:
        return 70 + min(minor, 8)
    # 12.5 and 12.6 read one PTX version, and so on by one less.
    return (major - 4) * 10 + (minor - (1 if major == 12 and minor >= 6 else 0))


def ptx_for(arch: Arch) -> int:
    """Return the PTX version to write for an architecture: the lowest that knows it."""
    row = architecture(arch)
    feature = {"": 0, "a": 80, "f": 88}[arch.suffix]
    return max(PTX_FLOOR, feature, row.ptx if row else PTX_FLOOR)


def clang_knows(arch: Arch, version: Version) -> bool:
    row = architecture(arch)
    # No released clang takes an f suffix.
    if row is None or arch.suffix == "f":
        return False
    first = max(row.clang, 19) if arch.suffix else row.clang
    return version[:1] >= (first,) and ptx_for(arch) <= clang_ptx_cap(version)


def ptxas_knows(arch: Arch, version: Version) -> bool:
    row = architecture(arch)
    needed = Range.parse("12.9.." if arch.suffix == "f" else "12.0.." if arch.suffix else "")
    return row is not None and version in Range.parse(row.cuda) and version in needed


def first_clang(arch: Arch) -> int | None:
    """Return the first clang major that compiles for an architecture, None when none does."""
    majors = range(16, 40)
    return next((major for major in majors if clang_knows(arch, (major,))), None)


def front_end_arch(arch: Arch, version: Version, ptx_cap: int = 999) -> Arch | None:
    """Return what clang should compile for: the architecture, or the highest below that will do.

    ptxas or the driver takes PTX of an older architecture to a newer one; only the features behind
    an a or f suffix cannot be reached this way.

    Args:
        ptx_cap: the newest PTX that may be written, whatever clang knows.
    """
    if clang_knows(arch, version) and ptx_for(arch) <= ptx_cap:
        return arch
    if arch.suffix or architecture(arch) is None:
        return None
    below = [Arch(row.number) for row in ARCHITECTURES if row.number < arch.number]
    below = [older for older in below if ptx_for(older) <= ptx_cap]
    known = [
        candidate
        for candidate in sorted(below, key=lambda old: old.number)
        if clang_knows(candidate, version)
    ]
    return known[-1] if known else None
