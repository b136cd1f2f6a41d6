# SPDX-License-Identifier: Apache-2.0
"""Lays out scattered CUDA pieces as the one tree that clang wants as --cuda-path, by links."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from fkl_toolchain._kept import is_ours
from fkl_toolchain._memo import file_identity
from fkl_toolchain._model import Cuda

_FORMAT = "1"
# How the names of the toolkit's headers begin, in the folders of cuda-cudart-dev, crt and cccl.
_CUDA_ENTRIES = (
    *(
        "builtin_types",
        "channel_descriptor",
        "common_functions",
        "cooperative_groups",
        "crt",
        "cub",
    ),
    *("cuda", "curand_mtgp32", "device_", "driver_", "fatbinary", "host_config", "host_defines"),
    *("library_types", "math_constants", "math_functions", "mma.h", "nv", "sm_", "surface_"),
    *("texture_", "thrust", "vector_functions", "vector_types"),
)


def farm(cuda: Cuda, cache: Path, spare: Path) -> str:
    """Return a tree with bin, include, lib and nvvm/libdevice, made once for each set of pieces.

    Args:
        spare: where the tree is made when the cache cannot be written; it belongs to one build.
    """
    tree = cache / "farms" / _key(cuda)
    if is_ours(tree):
        return str(tree)
    try:
        tree.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = Path(tempfile.mkdtemp(dir=tree.parent, prefix=".new-"))
    except OSError:
        return str(_lay_out(cuda, spare))
    try:
        # A full disk, or another process that was first.
        with contextlib.suppress(OSError):
            _lay_out(cuda, draft)
            os.rename(draft, tree)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return str(tree if is_ours(tree) else _lay_out(cuda, spare))


def _lay_out(cuda: Cuda, tree: Path) -> Path:
    for name in ("bin", "include", "lib", "nvvm/libdevice"):
        (tree / name).mkdir(parents=True)
    for folder in cuda.include:
        _merge(Path(folder), tree / "include", shared=(Path(folder) / "stdio.h").exists())
    if cuda.ptxas:
        (tree / "bin" / "ptxas").symlink_to(cuda.ptxas)
    if cuda.libdevice:
        (tree / "nvvm/libdevice/libdevice.10.bc").symlink_to(cuda.libdevice)
    return tree


def _merge(source: Path, target: Path, *, shared: bool = False) -> None:
    """Link every entry; a folder that two sources have is opened up and merged, first one wins.

    Of a folder that is shared with the whole system (Debian's /usr/include) only CUDA's entries
    are taken: a C library's headers must not get in front of the C++ library's.
    """
    for entry in sorted(source.iterdir()):
        place = target / entry.name
        if entry.name.startswith("__init__") or entry.name == "__pycache__":
            continue
        if shared and not entry.name.startswith(_CUDA_ENTRIES):
            continue
        if not place.is_symlink() and not place.exists():
            place.symlink_to(entry.resolve(), target_is_directory=entry.is_dir())
        elif entry.is_dir() and place.is_dir():
            if place.is_symlink():
                first = place.resolve()
                place.unlink()
                place.mkdir()
                _merge(first, place)
            _merge(entry, place)


def _key(cuda: Cuda) -> str:
    # cuda.h stands for its folder: it changes with every release.
    headers = [str(Path(folder) / "cuda.h") for folder in cuda.include]
    files = [cuda.ptxas, cuda.libdevice, *headers]
    parts = [
        _FORMAT,
        *cuda.include,
        *(file_identity(file) for file in files if os.path.isfile(file)),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
