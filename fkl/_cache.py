# SPDX-License-Identifier: Apache-2.0
"""The disk cache: an entry is a directory that was built elsewhere, copied aside and renamed into
place.

If an entry exists it is complete, and it is believed only after its owner, its mode, its key and
the sha256 of every file in it have been checked. Two builders that race both succeed: the loser
uses the winner's entry.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import _config
from ._errors import ToolchainError

MANIFEST = "build.json"
# A wheel carries the headers itself; in a conda environment they are a package of their own.
_INCLUDE = (
    Path(__file__).parent / "include",
    Path(sys.prefix) / "include" / "fkl",
    Path(sys.base_prefix) / "include" / "fkl",
)


def include_dir() -> Path:
    """The folder to give a C++ compiler as -I; headers are `<fused_kernel/...>`."""
    for folder in _INCLUDE:
        if (folder / "fused_kernel").is_dir():
            return folder
    looked = ", ".join(str(folder) for folder in _INCLUDE)
    raise ToolchainError(
        f"fkl's C++ headers are missing: looked in {looked}. "
        "Reinstall fkl (pip), or `conda install fkl-headers` (conda)."
    )


@lru_cache(maxsize=1)
def headers_digest() -> str:
    """A digest of every shipped header by path and content: an edited one cannot be missed."""
    digest, include = hashlib.sha256(), include_dir()
    for path in sorted(include.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(include).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def key_of(*parts: str) -> str:
    """The name of an entry: a digest of everything that can change the library."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode()
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()


def root() -> Path:
    return _config.cache_directory() / "kernels"


def entry_of(key: str) -> Path:
    return root() / key


def find(key: str, library: str) -> tuple[Path, dict[str, Any]] | None:
    """The verified library of an entry and its manifest, or None: absent, damaged, truncated or
    foreign.
    """
    entry = entry_of(key)
    try:
        if not is_ours(entry):
            return None
        manifest = json.loads((entry / MANIFEST).read_bytes())
        if manifest["key"] != key or library not in manifest["files"]:
            return None
        for name, digest in manifest["files"].items():
            path = entry / name
            if (
                "/" in name
                or not is_ours(path)
                or hashlib.sha256(path.read_bytes()).hexdigest() != digest
            ):
                return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return entry / library, manifest


def is_ours(path: Path) -> bool:
    """No link, owned by this user or root, writable by nobody else: code that we may run."""
    found = path.lstat()
    mode = found.st_mode
    return (
        (stat.S_ISDIR(mode) or stat.S_ISREG(mode))
        and found.st_uid in (os.geteuid(), 0)
        and not mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def publish(key: str, built: Path, manifest: dict[str, Any]) -> Path:
    """Move a finished build into the cache and return its entry.

    `built` holds exactly the entry's files. When the cache cannot take them, they stay where they
    are, one warning is given, and `built` is returned: the call goes on.
    """
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in built.iterdir()}
    text = json.dumps({"key": key, "files": files, **manifest}, indent=1)
    staged: Path | None = None
    try:
        aside = root() / "tmp"
        _make_private(aside)
        staged = Path(tempfile.mkdtemp(prefix=f"{key[:12]}-", dir=aside))
        for path in built.iterdir():
            shutil.copyfile(path, staged / path.name)
            (staged / path.name).chmod(0o600)
        (staged / MANIFEST).write_text(text)
        (staged / MANIFEST).chmod(0o600)
        _sync(staged)
        return _install(key, staged, library_names=tuple(files))
    except OSError as error:
        _warn_once(error)
        return built
    finally:
        if staged is not None:
            shutil.rmtree(staged, ignore_errors=True)


def _install(key: str, staged: Path, library_names: tuple[str, ...]) -> Path:
    entry = entry_of(key)
    for _ in range(3):
        try:
            # A rename onto a non-empty directory fails, so a complete entry is never half replaced.
            staged.rename(entry)
            return entry
        except OSError:
            if not os.path.lexists(entry):
                raise
        if find(key, library_names[0]) is not None:
            return entry
        # A bad entry is moved away before it is deleted, so that nobody sees it shrink.
        grave = Path(tempfile.mkdtemp(prefix="bad-", dir=staged.parent))
        with contextlib.suppress(FileNotFoundError):
            entry.rename(grave / "entry")
        shutil.rmtree(grave, ignore_errors=True)
    raise OSError(f"{entry} cannot be replaced")


def _make_private(folder: Path) -> None:
    # Each level by itself: mkdir gives its mode to the last one alone.
    for level in (folder.parent.parent, folder.parent, folder):
        level.mkdir(parents=True, exist_ok=True, mode=0o700)
    for level in (folder, folder.parent):
        if not is_ours(level):
            raise PermissionError(f"{level} can be written by other users")


def _sync(folder: Path) -> None:
    """A crash after the rename must not leave an entry whose files are empty."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())


_warned = False


def _warn_once(error: OSError) -> None:
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"fkl: the cache {root()} cannot be written ({error}); "
            "chains are compiled again in every process. "
            "Set FKL_CACHE_DIR to a folder of yours.",
            RuntimeWarning,
            stacklevel=2,
        )


def private_folder() -> Path:
    """A new owner-only folder for one build."""
    return Path(tempfile.mkdtemp(prefix="fkl-build-"))


def forget(folder: Path, *, at_exit: bool) -> None:
    """Delete a private folder now, or when the process ends because a loaded library lies in it."""
    if _config.is_on("FKL_KEEP"):
        return
    if not at_exit:
        shutil.rmtree(folder, ignore_errors=True)
        return
    owner = os.getpid()
    # A forked child must not delete what its parent still uses.
    atexit.register(
        lambda: shutil.rmtree(folder, ignore_errors=True) if os.getpid() == owner else None
    )


def entries() -> list[Path]:
    """Every entry, complete or not."""
    folder = root()
    return (
        sorted(path for path in folder.iterdir() if path.name != "tmp") if folder.is_dir() else []
    )


def clear() -> int:
    """Delete every entry and what the toolchain compiled to link with; returns how many entries."""
    found = entries()
    shutil.rmtree(root(), ignore_errors=True)
    # By their names: the folder may be one that holds objects of somebody else.
    for path in (root().parent / "objects").glob(f"*-{'[0-9a-f]' * 24}.o"):
        with contextlib.suppress(OSError):
            path.unlink()
    return len(found)
