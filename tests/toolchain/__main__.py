# SPDX-License-Identifier: Apache-2.0
"""Build the matrix of compilers and CUDA versions, and write docs/pairings.md.

--covering builds CI's choice, --tables rewrites only the part that follows from the rows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fkl_toolchain import Compiler

from tests.toolchain.cell_build import Outcome, build_cell
from tests.toolchain.cells import Cell, all_cells, compiler_names, covering_cells, installed
from tests.toolchain.pairings_page import END, START, result_lines, table_lines
from tests.toolchain.wheels import FULL, default_folder, toolkit

PAGE = Path(__file__).parents[2] / "docs" / "pairings.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.toolchain", description=__doc__)
    parser.add_argument("--covering", action="store_true", help="CI's choice instead of all")
    parser.add_argument("--tables", action="store_true", help="build nothing")
    parser.add_argument("--wheels", type=Path, default=default_folder(), help="keep wheels here")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    if chosen.tables:
        write_page(kept_results())
        return 0
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        found = {name: installed(name, cache) for name in compiler_names()}
        here = {name: compiler for name, compiler in found.items() if compiler is not None}
        outcomes = run(here, chosen, Path(folder), cache)
    absent = [name for name, compiler in found.items() if compiler is None]
    write_page(list(result_lines(outcomes, absent)))
    bad = [outcome for outcome in outcomes if not outcome.ok]
    for outcome in bad:
        print(f"FAILED {outcome.cell}: {outcome.words}")
    print(f"{len(outcomes) - len(bad)} of {len(outcomes)} builds are right")
    return 1 if bad else 0


def run(
    compilers: dict[str, Compiler], chosen: argparse.Namespace, folder: Path, cache: Path
) -> list[Outcome]:
    cells = covering_cells(compilers) if chosen.covering else all_cells(compilers, FULL)
    toolkits = {cell.cuda: toolkit(cell.cuda, chosen.wheels) for cell in cells if cell.cuda}

    def one(cell: Cell) -> Outcome:
        place = toolkits.get(cell.cuda)
        if isinstance(place, str):
            return Outcome(cell, False, place, 0.0)
        outcome = build_cell(cell, place, cache, folder)
        (folder / f"{cell}.so").unlink(missing_ok=True)
        print("." if outcome.ok else "F", end="", flush=True)
        return outcome

    with ThreadPoolExecutor(chosen.jobs) as pool:
        outcomes = list(pool.map(one, cells))
    print()
    return outcomes


def kept_results() -> list[str]:
    """Return the result part of the page as it stands."""
    lines = PAGE.read_text("utf-8").splitlines() if PAGE.is_file() else []
    return lines[lines.index(START) : lines.index(END) + 1] if START in lines else []


def write_page(results: list[str]) -> None:
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join((*table_lines(), *results)) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
