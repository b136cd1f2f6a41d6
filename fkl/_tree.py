# SPDX-License-Identifier: Apache-2.0
"""FKL_INCLUDE (experimental): another FKL header tree that chains are compiled against.

The original's LTS line is such a tree. It is compiled as it is: in nvcc mode for CUDA, with
exceptions and the C++ library everywhere, and with the number of planes fixed at compile time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from . import _config
from ._errors import ToolchainError

PREFIX = "FKL_INCLUDE (experimental)"
FOLDER = "fused_kernel"
ENTRANCES = ("fused_kernel.h", "algorithms/algorithms.h")
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".cuh", ".inl", ".ipp", ".tpp", ".inc", ".def")


def chosen_tree() -> str:
    """The folder that FKL_INCLUDE names, absolute; empty when fkl's own headers serve.

    Raises:
        ToolchainError: it names a folder that holds no FKL.
    """
    given = _config.text("FKL_INCLUDE")
    if given is None:
        return ""
    folder = Path(given).expanduser().absolute()
    missing = missing_entrance(folder)
    if missing:
        below = folder / "include"
        hint = f": say {below}" if not missing_entrance(below) else ""
        raise ToolchainError(f"{PREFIX}: {folder} has no {missing}{hint}")
    return str(folder)


def missing_entrance(folder: Path) -> str:
    """The first header that every FKL tree has and this folder lacks; empty if it lacks none."""
    names = (f"{FOLDER}/{name}" for name in ENTRANCES)
    return next((name for name in names if not (folder / name).is_file()), "")


def headers_of(folder: Path) -> list[Path]:
    """Every header of a tree, in the order of its path's bytes."""
    found = (folder / FOLDER).rglob("*")
    headers = [path for path in found if path.suffix in HEADERS and path.is_file()]
    return sorted(headers, key=lambda path: path.as_posix().encode())


def tree_digest(folder: Path) -> str:
    """A digest of every header by path and content: the SHA-256 of what `sha256sum` prints.

    Read anew each time: somebody may be editing the tree.
    """
    return digest_of((path.relative_to(folder), path.read_bytes()) for path in headers_of(folder))


def digest_of(files: Iterable[tuple[Path, bytes]]) -> str:
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name.as_posix()}\n" for name, data in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
