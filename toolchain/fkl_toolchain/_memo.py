# SPDX-License-Identifier: Apache-2.0
"""Remembers what programs answered, on disk, so that a warm start runs no process.

An answer belongs to (real path, inode, size, mtime) of a file and a question; a replaced program
is asked again. A cache that cannot be read or written only means asking again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

# Changes with the questions that are asked.
_FORMAT = "2"


def file_identity(path: str) -> str:
    real = os.path.realpath(path)
    stat = os.stat(real)
    return f"{real}\0{stat.st_ino}\0{stat.st_size}\0{stat.st_mtime_ns}"


def remembered(
    cache: Path, path: str, question: str, ask: Callable[[], dict[str, str]]
) -> dict[str, str]:
    """Return the remembered answer about a file, asking only when there is none."""
    try:
        identity = file_identity(path)
    except OSError:
        return ask()
    key = hashlib.sha256(f"{_FORMAT}\0{question}\0{path}\0{identity}".encode()).hexdigest()
    entry = cache / "probes" / f"{key[:40]}.json"
    with contextlib.suppress(OSError, ValueError):
        known = json.loads(entry.read_text("utf-8"))
        if isinstance(known, dict):
            return {str(name): str(value) for name, value in known.items()}
    answer = ask()
    write_atomically(entry, json.dumps(answer, indent=1).encode())
    return answer


def write_atomically(path: Path, data: bytes, modified: int | None = None) -> bool:
    """Write a file so that readers see all of it or none; False when the place is read-only.

    Args:
        modified: the modification time that the file appears with, in seconds.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if modified is not None:
            os.utime(name, (modified, modified))
        os.replace(name, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        return False
    return True
