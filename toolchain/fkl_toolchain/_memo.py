# SPDX-License-Identifier: Apache-2.0
"""Remembers what programs answered, on disk, so that a warm start runs no process.

An answer belongs to (real path, inode, size, mtime) of a file and a question; a replaced program
is asked again, and so is one that failed. A cache that cannot be read or written only means asking
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

from fkl_toolchain._kept import keep, recall

# Changes with the questions that are asked.
_FORMAT = "4"


def file_identity(path: str) -> str:
    real = os.path.realpath(path)
    stat = os.stat(real)
    return f"{real}\0{stat.st_ino}\0{stat.st_size}\0{stat.st_mtime_ns}"


def remembered(
    cache: Path,
    path: str,
    question: str,
    ask: Callable[[], dict[str, str]],
    holds: Callable[[dict[str, str]], bool],
) -> dict[str, str]:
    """Return the remembered answer about a file, asking only when there is none.

    Args:
        holds: whether an answer is worth remembering, and still true when it is recalled.
    """
    try:
        identity = file_identity(path)
    except OSError:
        return ask()
    key = hashlib.sha256(f"{_FORMAT}\0{question}\0{path}\0{identity}".encode()).hexdigest()
    entry = cache / "probes" / key[:40]
    with contextlib.suppress(ValueError):
        known = json.loads(recall(entry) or b"null")
        if isinstance(known, dict):
            answer = {str(name): str(value) for name, value in known.items()}
            if holds(answer):
                return answer
    answer = ask()
    if holds(answer):
        keep(entry, json.dumps(answer, indent=1).encode())
    return answer
