# SPDX-License-Identifier: Apache-2.0
"""What the rest of the project says that the recipe has to agree with."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import tomllib
from standin.names import rows

ROOT = Path(__file__).parents[2]
# Pieces of fkl that the channel cannot get from a wheel of the same name.
NOT_PURE = {"numpy"}


def metadata() -> dict[str, object]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert isinstance(table, dict)
    return table


def version() -> str:
    """The version of the Python package, which is the one place that states it."""
    table = metadata()
    if "version" in table:
        return str(table["version"])
    found = re.search(
        r'^__version__ = "(.*)"$', (ROOT / "fkl" / "__init__.py").read_text(), re.MULTILINE
    )
    assert found, "neither pyproject.toml nor fkl/__init__.py states a version"
    return found[1]


def dependencies() -> set[str]:
    """Names that the wheel depends on."""
    listed = metadata()["dependencies"]
    assert isinstance(listed, list)
    return {re.split(r"[\s<>=!~;\[]", entry)[0].lower() for entry in listed}


def pure_dependencies() -> tuple[str, ...]:
    return tuple(sorted((dependencies() - NOT_PURE) & set(rows())))


def variants() -> list[tuple[str, str]]:
    """(CUDA minor or "None", clang major), as recipe/variants.yaml zips them."""
    text = (ROOT / "recipe" / "variants.yaml").read_text()
    columns = {
        key: ast.literal_eval(value)
        for key, value in re.findall(r"^(fkl_\w+): (\[.*\])$", text, re.MULTILINE)
    }
    return list(zip(columns["fkl_cuda"], columns["fkl_clang"], strict=True))


def flavour(build: str) -> str:
    """`cuda135` of `cuda135_h0ac646f_200`; "" for the builds that serve every pair."""
    start = build.split("_")[0]
    return start if start.startswith(("cpu", "cuda")) else ""
