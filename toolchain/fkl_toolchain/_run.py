# SPDX-License-Identifier: Apache-2.0
"""Runs one tool: no shell, absolute paths, a scrubbed environment, a time limit.

The only module that starts processes. The child gets an allow-list instead of the caller's
environment, since CPATH, CCC_OVERRIDE_OPTIONS, LD_LIBRARY_PATH, NVCC_APPEND_FLAGS and their like
change what compilers do or stop them from working.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain._errors import BuildError

# Programs that compilers themselves look for by name (as, ld, sh) are in one of these.
SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")

_ERROR_LINE = re.compile(
    r"(fatal |internal compiler )?error\b\s*:|\bfatal\s+:|\berror\s+:|undefined (reference|symbol)"
    r"|unsupported .* version|Unknown option|LLVM ERROR|not found|No such file|cannot find",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Completed:
    argv: tuple[str, ...]
    returncode: int
    output: str
    seconds: float
    timed_out: bool = False


def scrubbed_environment(program: str, folder: Path) -> dict[str, str]:
    """Return all that a tool gets to see of an environment.

    HOME and every temporary or cache folder point into the build's own directory: nothing of the
    user's settings is read and nothing is left behind.
    """
    place = str(folder)
    return {
        "PATH": os.pathsep.join((os.path.dirname(program), *SYSTEM_PATH)),
        "LC_ALL": "C",
        "HOME": place,
        "TMPDIR": place,
        "ZIG_GLOBAL_CACHE_DIR": os.path.join(place, "zig"),
        "ZIG_LOCAL_CACHE_DIR": os.path.join(place, "zig"),
    }


def run(argv: tuple[str, ...], folder: Path, timeout: float) -> Completed:
    """Run a tool in a folder and return what it said; never raises for a failing tool."""
    started = time.monotonic()
    try:
        child = subprocess.Popen(
            argv,
            cwd=folder,
            env=scrubbed_environment(argv[0], folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Completed(argv, 127, f"{argv[0]}: {error.strerror}", 0.0)
    timed_out = False
    try:
        output, _ = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        _kill_group(child)
        output, _ = child.communicate()
    except BaseException:
        _kill_group(child)
        child.wait()
        raise
    text = output.decode("utf-8", "replace")
    if timed_out:
        text += f"\nerror: stopped after {timeout:g} s"
    return Completed(argv, child.returncode, text, time.monotonic() - started, timed_out)


def checked(argv: tuple[str, ...], folder: Path, timeout: float, row: str) -> Completed:
    """Run a tool and raise BuildError unless it succeeded; death by a signal is a failure."""
    done = run(argv, folder, timeout)
    if done.returncode != 0:
        first = first_error(done.output)
        if done.returncode < 0 and not done.output.strip():
            # The system's out-of-memory killer leaves no word behind.
            first = f"ended by signal {-done.returncode} without a word; memory may have run out"
        raise BuildError(argv, done.output, done.returncode, row, first)
    return done


def first_error(log: str) -> str:
    """Return the first line that reads like an error, else the last line."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    hits = (line for line in lines if _ERROR_LINE.search(line) and "warning:" not in line)
    return next(hits, lines[-1] if lines else "no output")


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    # The tool may have children of its own (cc1, cicc): the whole session goes.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
