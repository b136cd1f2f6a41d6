# SPDX-License-Identifier: Apache-2.0
"""Invariants over every row, and the closed registry: an operation is named by its row and nowhere
else.
"""

from __future__ import annotations

import ast
import pickle
from pathlib import Path
from typing import Any

import pytest

import fkl
from fkl import ops
from fkl.__main__ import catalogue, ops_markdown
from fkl._op import GEOMETRY, MAP, READ, REGISTRY, SET, WRITE, Row

PACKAGE = Path(fkl.__file__).parent
ROWS = list(REGISTRY.values())


def test_every_row_is_exported_and_every_export_is_a_row() -> None:
    assert sorted(ops.__all__) == sorted(REGISTRY)
    assert [row.name for row in catalogue()] == ops.__all__


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_complete(row: Row) -> None:
    assert row.summary.endswith("."), "the first paragraph of the docstring is the table's cell"
    assert row.headers
    assert row.cases
    assert (row.extent is not None) == (row.kind in (GEOMETRY, SET))
    assert (row.reference is not None) == (row.kind in (GEOMETRY, MAP))
    assert row.memory in ("packed", "planar")
    for field in row.statics:
        assert field.choices is None or field.default is ... or field.default in field.choices


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_rows_headers_are_shipped(row: Row) -> None:
    for header in row.headers:
        assert (fkl.include_dir() / "fused_kernel" / header).is_file()


def constructed(row: Row) -> list[Any]:
    return [construct(row, case) for case in row.cases]


def construct(row: Row, case: Any) -> Any:
    if "order" in case:
        return row.operation(*case["order"])
    return row.operation(**case)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_case_constructs_hashes_compares_and_pickles(row: Row) -> None:
    for first, second in zip(constructed(row), constructed(row), strict=True):
        assert first == second
        assert hash(first) == hash(second)
        assert pickle.loads(pickle.dumps(first)) == first


def names_in(path: Path) -> set[str]:
    """Identifiers, attributes and whole string constants of a module."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.alias):
            found.add(node.name)
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.name)
def test_no_module_but_its_own_names_an_operation(path: Path) -> None:
    own = {
        row.name
        for row in ROWS
        if Path(PACKAGE, "ops", f"{row.operation.__module__.split('.')[-1]}.py") == path
    }
    assert names_in(path) & set(REGISTRY) <= own


def test_the_documentation_table_is_the_registry() -> None:
    path = PACKAGE.parent / "docs" / "ops.md"
    assert path.read_text() == ops_markdown(), "run: python -m fkl ops --markdown > docs/ops.md"


def test_every_chain_has_a_read_and_a_write_to_choose_from() -> None:
    kinds = {row.kind for row in ROWS}
    assert kinds >= {READ, WRITE, SET, MAP, GEOMETRY}
