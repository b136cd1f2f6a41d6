# SPDX-License-Identifier: Apache-2.0
"""The table: which compilers are served, what each pairing needs, and what each architecture asks.

Everything else (argv, fingerprint, doctor, docs/pairings.md, the test matrix) is derived from
these rows. A new pairing is one row here, and one folder under shims/ when it needs files.
"""

from __future__ import annotations

from dataclasses import dataclass

from fkl_toolchain._versions import Range, Version

LLVM = "https://github.com/llvm/llvm-project"
CUDA_NOTES = "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/"
PTX_NOTES = "https://docs.nvidia.com/cuda/parallel-thread-execution/#release-notes"


@dataclass(frozen=True)
class Support:
    """A compiler that is served; older ones are refused, newer ones are taken and called untested."""

    family: str
    versions: str
    because: str

    def lowest(self) -> Version:
        return Range.parse(self.versions).low

    def tested(self, version: Version) -> bool:
        return version in Range.parse(self.versions)


SUPPORT = (
    Support("clang", "16..23", "C++20 concepts that the headers use work from clang 16 on"),
    Support("gcc", "12..16", "C++20 concepts and _Float16 on x86 work from g++ 12 on"),
    Support("nvcc", "12.0..13.5", "C++20 in device code came with nvcc 12.0"),
)

# Toolkits that toolkit mode is served for.
CUDA_SUPPORT = "11.8..13.5"


def support(family: str) -> Support:
    return next(row for row in SUPPORT if row.family == family)
