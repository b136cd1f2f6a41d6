# SPDX-License-Identifier: Apache-2.0
"""The table of pairings: which compilers are served, and what each pair of tools needs.

argv, fingerprint, doctor, docs/pairings.md and the test matrix are derived from these rows. A new
pairing is one row here, and one folder under shims/ when it needs files; architectures.py holds
the rows about GPUs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain._versions import Range, Version

SHIMS_FOLDER = Path(__file__).parent / "shims"
_LLVM = "https://github.com/llvm/llvm-project"
_TOOLKIT_NOTES = "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/"


@dataclass(frozen=True)
class Support:
    """A family that is served: older versions are refused, newer ones taken as untested."""

    family: str
    versions: str
    because: str

    def lowest(self) -> Version:
        return Range.parse(self.versions).low

    def tested(self, version: Version) -> bool:
        return version in Range.parse(self.versions)


SUPPORT = (
    Support("clang", "16..23", "the headers need the C++20 concepts of clang 16"),
    Support("gcc", "12..16", "the headers need the C++20 concepts of g++ 12"),
    Support("nvcc", "12.0..13.5", "C++20 in device code came with nvcc 12.0"),
    Support("cuda", "11.8..13.5", "older toolkits lack headers that clang 16 includes"),
)


@dataclass(frozen=True)
class Shim:
    """Files or flags that one part of the matrix needs in toolkit mode.

    A row selects by compiler, toolkit and host-library ranges; an empty range means any. It adds
    shims/<name>/include in front (has_folder), flags, or both. Its ranges are its end: when no
    supported version is left inside, a test says to delete it.
    """

    name: str
    because: str
    upstream: str
    compiler: str = "clang"
    versions: str = ""
    cuda: str = ""
    libstdcxx: str = ""
    glibc: str = ""
    has_folder: bool = False
    flags: tuple[str, ...] = ()

    def applies(
        self, family: str, version: Version, cuda: Version, libstdcxx: Version, glibc: Version
    ) -> bool:
        """Return whether this row is in force; a host library of unknown version counts as hit."""
        return (
            family == self.compiler
            and version in Range.parse(self.versions)
            and cuda in Range.parse(self.cuda)
            and (not libstdcxx or libstdcxx in Range.parse(self.libstdcxx))
            and (not glibc or glibc in Range.parse(self.glibc))
        )

    @property
    def include(self) -> str:
        return str(SHIMS_FOLDER / self.name / "include") if self.has_folder else ""


SHIMS = (
    Shim(
        name="clang-cuda-curand-header",
        because="clang's wrapper includes a cuRAND header that the toolkit wheels do not carry",
        upstream=f"{_LLVM}/blob/main/clang/lib/Headers/__clang_cuda_runtime_wrapper.h",
        has_folder=True,
    ),
    Shim(
        name="clang-cuda13-texture-header",
        because="CUDA 13 removed texture_fetch_functions.h, which this clang still includes",
        upstream=f"{_LLVM}/blob/release/21.x/clang/lib/Headers/__clang_cuda_runtime_wrapper.h",
        versions="..21",
        cuda="13..",
        has_folder=True,
    ),
    Shim(
        name="clang-cuda132-rsqrt-macro",
        because="crt/math_functions.hpp uses a macro that a header which clang skips defines",
        upstream=_TOOLKIT_NOTES,
        versions="..21",
        cuda="13.2..",
        has_folder=True,
    ),
    Shim(
        name="clang-libstdcxx15-assert",
        because="constexpr members of libstdc++ 15 name a host-only function on the GPU",
        upstream=f"{_LLVM}/blob/release/21.x/clang/lib/Headers/cuda_wrappers/bits/c++config.h",
        versions="..20",
        libstdcxx="15..",
        has_folder=True,
    ),
    Shim(
        name="clang-libstdcxx16-float128",
        because="libstdc++ 16 specialises traits on __float128, which NVPTX has not",
        upstream=f"{_LLVM}/blob/release/19.x/clang/lib/Basic/Targets/NVPTX.h",
        versions="..18",
        libstdcxx="16..",
        has_folder=True,
    ),
    Shim(
        name="clang-glibc242-float128",
        because="glibc 2.42 gives every clang _Float128, which this one cannot name on NVPTX",
        upstream="https://sourceware.org/git/?p=glibc.git;a=blob;f=sysdeps/x86/bits/floatn.h",
        versions="..18",
        glibc="2.42..",
        has_folder=True,
    ),
    Shim(
        name="clang20-offload-driver",
        because="the new offload driver needs clang-linker-wrapper, which packages leave out",
        upstream=f"{_LLVM}/blob/main/clang/docs/ClangLinkerWrapper.rst",
        versions="20..",
        flags=("--no-offload-new-driver",),
    ),
    Shim(
        name="clang-cxx20-precompiled-overloads",
        because="in C++20 this clang mixes up precompiled host and device overloads",
        upstream=f"{_LLVM}/blob/release/19.x/clang/lib/Serialization/ASTReaderDecl.cpp",
        versions="..21",
        flags=("-Xclang", "-fno-cxx-modules"),
    ),
    Shim(
        name="clang-cuda-unknown-version",
        because="clang warns about every toolkit newer than itself although its headers work",
        upstream=f"{_LLVM}/blob/main/clang/include/clang/Basic/Cuda.h",
        flags=("-Wno-unknown-cuda-version",),
    ),
    Shim(
        name="clang-grid-constant-attribute",
        because="this clang ignores grid_constant, which is right but noisy",
        upstream=f"{_LLVM}/blob/release/20.x/clang/docs/ReleaseNotes.rst",
        versions="..19",
        flags=("-Wno-unknown-attributes", "-Wno-ignored-attributes"),
    ),
    Shim(
        name="nvcc-relaxed-constexpr",
        because="nvcc refuses the standard library's constexpr functions in device code by default",
        upstream="https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/#expt-relaxed-constexpr",
        compiler="nvcc",
        flags=("--expt-relaxed-constexpr", "--extended-lambda"),
    ),
)


@dataclass(frozen=True)
class HostLimit:
    """The newest host compilers that an nvcc takes without being told to (crt/host_config.h)."""

    nvcc: str
    gcc: int
    clang: int


# The clang number is the last major taken; host_config.h writes the first one refused.
NVCC_HOSTS = (
    HostLimit("12.0..12.0", gcc=12, clang=14),
    HostLimit("12.1..12.3", gcc=12, clang=16),
    HostLimit("12.4..12.5", gcc=13, clang=17),
    HostLimit("12.6..12.7", gcc=13, clang=18),
    HostLimit("12.8..12.9", gcc=14, clang=19),
    HostLimit("13.0..13.0", gcc=15, clang=20),
    HostLimit("13.1..13.3", gcc=15, clang=21),
    HostLimit("13.4..", gcc=16, clang=22),
)


def support(family: str) -> Support:
    return next(row for row in SUPPORT if row.family == family)


def shims_for(
    family: str, version: Version, cuda: Version, libstdcxx: Version, glibc: Version
) -> tuple[Shim, ...]:
    return tuple(row for row in SHIMS if row.applies(family, version, cuda, libstdcxx, glibc))


def host_limit(nvcc: Version) -> HostLimit | None:
    return next((row for row in NVCC_HOSTS if nvcc in Range.parse(row.nvcc)), None)
