# SPDX-License-Identifier: Apache-2.0
"""Files of the cache that are believed only while they are whole and ours.

A kept file ends with the SHA-256 of what is before it, so that one rename replaces both.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

_DIGEST_BYTES = hashlib.sha256().digest_size


def keep(path: Path, data: bytes) -> bool:
    """Keep bytes under a name; False when the place is read-only or full."""
    return write_atomically(path, data + hashlib.sha256(data).digest())


def recall(path: Path) -> bytes | None:
    """Return what was kept; None when it is absent, damaged or not ours."""
    with contextlib.suppress(OSError):
        # The open file is looked at, since the name may change hands; a pipe must not block.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not _private(os.fstat(handle)) or not is_ours(path.parent):
                return None
            sealed = file.read()
        data, digest = sealed[:-_DIGEST_BYTES], sealed[-_DIGEST_BYTES:]
        if hashlib.sha256(data).digest() == digest:
            return data
    return None


def is_ours(path: Path) -> bool:
    """Whether a file or folder is no link, and nobody but this user or root can write it."""
    try:
        return _private(path.lstat())
    except OSError:
        return False


def _private(found: os.stat_result) -> bool:
    mode = found.st_mode
    return (
        (stat.S_ISDIR(mode) or stat.S_ISREG(mode))
        and found.st_uid in (os.geteuid(), 0)
        and not mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


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
