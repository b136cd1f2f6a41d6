# SPDX-License-Identifier: Apache-2.0
"""Builds the covering choice of the matrix, or with --full every cell of CI's CUDA versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from fkl_toolchain import Compiler

from tests.toolchain.cell_build import build_cell
from tests.toolchain.cells import (
    Cell,
    all_cells,
    compiler_names,
    covering_cells,
    installed,
    pairwise,
)
from tests.toolchain.wheels import COVERING, default_folder, toolkit

pytestmark = pytest.mark.filterwarnings("error")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cell" in metafunc.fixturenames:
        compilers = _compilers()
        full = metafunc.config.getoption("--full", default=False)
        cells = all_cells(compilers, COVERING) if full else covering_cells(compilers)
        metafunc.parametrize("cell", cells, ids=str)


def _compilers() -> dict[str, Compiler]:
    # Probing at collection must not touch the user's cache; a folder that cannot exist remembers
    # nothing.
    nowhere = Path("/dev/null/fkl")
    found = {name: installed(name, nowhere) for name in compiler_names()}
    return {name: compiler for name, compiler in found.items() if compiler is not None}


def test_the_cell_builds_and_holds_the_device_code_that_the_tables_promise(
    cell: Cell, session_cache: Path, tmp_path: Path
) -> None:
    cuda = toolkit(cell.cuda, default_folder()) if cell.cuda else None
    if isinstance(cuda, str):
        pytest.skip(cuda)
    outcome = build_cell(cell, cuda, session_cache, tmp_path)
    assert outcome.ok, outcome.words


def test_the_covering_choice_holds_every_pair_of_values_of_the_pool() -> None:
    pool = [Cell("lean", c, v, a, "axpb") for c in "xyz" for v in "12" for a in "pqr"]
    chosen = pairwise(pool)
    pairs = {(cell.compiler, cell.arch) for cell in chosen}
    assert pairs == {(c, a) for c in "xyz" for a in "pqr"}
    assert len(chosen) < len(pool)
