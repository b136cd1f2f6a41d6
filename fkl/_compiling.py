# SPDX-License-Identifier: Apache-2.0
"""What a user sees of a compile: a line while it takes long, and its failure in our words."""

from __future__ import annotations

import errno
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ._codegen import failing_step
from ._errors import CompileError, ToolchainError

QUIET_SECONDS = 2.0
# No space, over the quota, over the size that a file may have.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def compile_error(error: Any, folder: Path, source: str, what: str, toolchain: str) -> CompileError:
    """A compiler's failure for users: our own sentence first, then where everything is."""
    lines = error.log.splitlines()
    first = next(
        (line[line.index("fkl:") :] for line in lines if "fkl:" in line), error.first_error
    )
    step = failing_step(source, error.log)
    where = "" if step is None else f" at step {step}"
    unwritten = _write_log(folder / "compiler.log", error.log)
    return CompileError(
        f"compiling {what} failed{where}: {first}\n"
        f"  command: {' '.join(error.command)}\n"
        f"  source and log: {folder}{unwritten}\n"
        f"  {toolchain}",
        command=error.command,
        log=error.log,
        directory=folder,
        toolchain=toolchain,
    )


def unwritable(error: OSError, what: str) -> ToolchainError:
    """A build had no place for its files."""
    full = "the disk is full" if error.errno in FULL else error.strerror or str(error)
    place = error.filename or tempfile.gettempdir()
    return ToolchainError(
        f"compiling {what} failed: {place} could not be written: {full}. "
        "Free some space there, or set TMPDIR to another folder (and FKL_CACHE_DIR, if the "
        "cache lies there)"
    )


def _write_log(path: Path, log: str) -> str:
    """Write the log; returns what to say when that fails, since the error itself matters more."""
    try:
        path.write_text(log, "utf-8")
    except OSError as error:
        full = "the disk is full" if error.errno in FULL else error.strerror
        return f" (compiler.log could not be written: {full})"
    return ""


@contextmanager
def progress(text: str) -> Iterator[None]:
    """One line on stderr, only when somebody has been waiting for a while."""
    timer = threading.Timer(
        QUIET_SECONDS, lambda: print(f"fkl: {text}", file=sys.stderr, flush=True)
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
