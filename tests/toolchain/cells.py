# SPDX-License-Identifier: Apache-2.0
"""The cells of the build matrix, derived from the rows of the tables.

A cell is one build: mode, compiler, CUDA version, architecture, probe. all_cells() is every one
that this machine's compilers allow; covering_cells() a choice in which every pair of values meets.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain import Config
from fkl_toolchain._host_search import host_candidates
from fkl_toolchain._identify import identify
from fkl_toolchain._model import Compiler
from fkl_toolchain._versions import Range
from fkl_toolchain.architectures import ARCHITECTURES
from fkl_toolchain.pairings import support

from tests.toolchain.wheels import COVERING

PROBES = Path(__file__).parent / "probes"
TOOLKIT_PROBES = ("axpb", "rich", "texture")
# One of each kind: assembled by every ptxas, by those of today, retargeted by the older clangs.
CI_ARCHITECTURES = ("sm_80", "sm_90", "sm_120")


@dataclass(frozen=True)
class Cell:
    mode: str
    compiler: str
    cuda: str
    arch: str
    probe: str

    def __str__(self) -> str:
        return "-".join(part for part in vars(self).values() if part)


def compiler_names() -> tuple[str, ...]:
    """Return the compilers that the rows serve, by the names that the search takes."""
    names = [f"{program}-{major}" for program, major in _served()] + ["ziglang"]
    return tuple(names)


def _served() -> Iterator[tuple[str, int]]:
    for family, program in (("clang", "clang++"), ("gcc", "g++")):
        bounds = Range.parse(support(family).versions)
        for major in range(bounds.low[0], bounds.high[0] + 1):
            yield program, major


def installed(name: str, cache: Path) -> Compiler | None:
    """Return the compiler behind a name of compiler_names(), None when it is not here."""
    if name != "ziglang" and shutil.which(name) is None:
        return None
    for candidate in host_candidates(Config(compiler=name, cache_dir=cache)):
        answer = identify(candidate, cache)
        if isinstance(answer, Compiler):
            return answer
    return None


def all_cells(compilers: dict[str, Compiler], cuda: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return every cell: all architectures for the smallest probe, some for the larger ones."""
    arches = tuple(f"sm_{row.number}" for row in ARCHITECTURES)
    cells: list[Cell] = []
    for name, compiler in compilers.items():
        cells.append(Cell("cpu", name, "", "", "chain"))
        if compiler.nvptx:
            cells += _product("lean", name, cuda, arches, ("axpb",))
            cells += _product("lean", name, cuda, CI_ARCHITECTURES, ("math",))
        if compiler.kind == "clang" and compiler.nvptx:
            cells += _product("toolkit", name, cuda, ("sm_80", "sm_120"), TOOLKIT_PROBES)
        if compiler.kind != "zig":
            with_nvcc = tuple(version for version in cuda if version.startswith("13"))
            cells += _product("nvcc", name, with_nvcc, ("sm_90",), TOOLKIT_PROBES)
    return tuple(cells)


def covering_cells(compilers: dict[str, Compiler]) -> tuple[Cell, ...]:
    """Return CI's choice: for each mode, cells in which every pair of values of two axes meets."""
    chosen: list[Cell] = []
    for mode in ("cpu", "lean", "toolkit", "nvcc"):
        pool = [
            cell
            for cell in all_cells(compilers, COVERING)
            if cell.mode == mode and (not cell.arch or cell.arch in CI_ARCHITECTURES)
        ]
        chosen += pairwise(pool)
    return tuple(chosen)


def pairwise(pool: list[Cell]) -> list[Cell]:
    """Return a small choice of a pool that holds every pair of values the pool holds."""
    missing = {pair for cell in pool for pair in _pairs(cell)}
    chosen: list[Cell] = []
    while missing:
        best = max(pool, key=lambda cell: len(missing & _pairs(cell)))
        chosen.append(best)
        missing -= _pairs(best)
    return chosen


def _product(
    mode: str,
    compiler: str,
    cuda: tuple[str, ...],
    arches: tuple[str, ...],
    probes: tuple[str, ...],
) -> list[Cell]:
    return [Cell(mode, compiler, *rest) for rest in itertools.product(cuda, arches, probes)]


def _pairs(cell: Cell) -> set[tuple[tuple[str, str], tuple[str, str]]]:
    axes = (
        ("compiler", cell.compiler),
        ("cuda", cell.cuda),
        ("arch", cell.arch),
        ("probe", cell.probe),
    )
    return set(itertools.combinations([axis for axis in axes if axis[1]], 2))
