# SPDX-License-Identifier: Apache-2.0
"""Read names.toml: the packages of conda-forge that fkl's recipe leads to, with their edges."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import tomllib

TABLE = Path(__file__).parents[1] / "names.toml"


@dataclass(frozen=True)
class Row:
    """One package name; `{...}` in its fields is filled in for a version by `edges`."""

    name: str
    feedstock: str
    depends: tuple[str, ...] = ()
    constrains: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    per: str = ""


@dataclass(frozen=True)
class Edges:
    depends: list[str]
    constrains: list[str]


def rows() -> dict[str, Row]:
    with TABLE.open("rb") as file:
        table = tomllib.load(file)
    return {
        key: Row(
            name=entry.get("name", key),
            feedstock=entry["feedstock"],
            depends=tuple(entry.get("depends", ())),
            constrains=tuple(entry.get("constrains", ())),
            versions=tuple(entry.get("versions", ())),
            per=entry.get("per", ""),
        )
        for key, entry in table.items()
    }


def fill(text: str, version: str, cuda: str = "") -> str:
    """Fill in a placeholder text for one version of a package."""
    words = {"version": version, "major": version.split(".")[0], "python": python_minor()}
    if cuda:
        major, minor = cuda.split(".")[:2]
        words |= {
            "cuda": f"{major}.{minor}",
            "cuda_next": f"{major}.{int(minor) + 1}.0a0",
            "cuda_major": major,
            "cuda_major_next": f"{int(major) + 1}.0a0",
            "gcc_next": f"{_first_gcc_refused(int(major), int(minor))}.0a0",
        }
    return text.format(**words)


def _first_gcc_refused(major: int, minor: int) -> int:
    """nvcc's ceiling for gcc, as each release's host_config.h states it."""
    ceilings = ((12, 4), 14), ((12, 99), 15), ((13, 3), 16), ((13, 99), 17)
    return next(gcc for newest, gcc in ceilings if (major, minor) <= newest)


def python_minor() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def edges(row: Row, version: str, cuda: str = "") -> Edges:
    return Edges(
        depends=[fill(d, version, cuda) for d in row.depends],
        constrains=[fill(c, version, cuda) for c in row.constrains],
    )
