# SPDX-License-Identifier: Apache-2.0
"""A channel of names, without packages: to ask the solver about pairs that cannot be run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from .names import Row, edges, fill, rows

ANY = "100"  # a version that satisfies every lower bound of the table


def write_channel(folder: Path, cudas: Sequence[str]) -> Path:
    """Index every row of names.toml, in each of its versions and for each CUDA minor."""
    packages: dict[str, dict[str, object]] = {}
    for row in rows().values():
        for version, cuda in _versions(row, cudas):
            record = _record(row, version, cuda)
            packages[f"{record['name']}-{version}-names_0.conda"] = record
    for subdir, content in (("linux-64", packages), ("noarch", {})):
        (folder / subdir).mkdir(parents=True, exist_ok=True)
        index = {
            "info": {"subdir": subdir},
            "packages": {},
            "packages.conda": content,
            "repodata_version": 1,
        }
        (folder / subdir / "repodata.json").write_text(json.dumps(index))
    return folder


def _versions(row: Row, cudas: Sequence[str]) -> list[tuple[str, str]]:
    if row.per == "cuda":
        return [(c if row.name == "cuda-version" else f"{c}.99", c) for c in cudas]
    return [(fill(version, ANY), "") for version in row.versions or (ANY,)]


def _record(row: Row, version: str, cuda: str) -> dict[str, object]:
    edge = edges(row, version, cuda)
    return {
        "name": fill(row.name, version, cuda),
        "version": version,
        "build": "names_0",
        "build_number": 0,
        "depends": edge.depends,
        "constrains": edge.constrains,
        "subdir": "linux-64",
        "md5": "0" * 32,
        "sha256": "0" * 64,
        "size": 1,
        "timestamp": 1,
    }
