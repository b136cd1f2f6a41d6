# SPDX-License-Identifier: Apache-2.0
"""Every environment variable that fkl reads: name, default, meaning. No other module looks at the
environment.

Values are read when they are needed, not at import, so that a test or a notebook can set them
first.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ._errors import SettingError


@dataclass(frozen=True)
class Variable:
    """One row of the documentation table."""

    name: str
    default: str
    meaning: str


VARIABLES = (
    Variable("FKL_CACHE_DIR", "the platform's user cache", "Where compiled chains are kept."),
    Variable("FKL_COMPILER", "the best one found", "A C++ compiler: a path, or a program name."),
    Variable("FKL_CUDA_HOME", "the best one found", "The root of a CUDA toolkit."),
    Variable("FKL_ARCH", "the device's own", "The architecture to compile for, such as sm_90."),
    Variable("FKL_NUM_THREADS", "OMP_NUM_THREADS, else all", "Threads that a CPU call may use."),
    Variable("FKL_NO_JIT", "0", "1: an error instead of a compile; only cached chains run."),
    Variable(
        "FKL_INCLUDE",
        "fkl's own headers",
        "Experimental: a folder with another FKL header tree, to compile chains against.",
    ),
    Variable(
        "FKL_KEEP", "0", "1: keep the private folder of every build: its source and its library."
    ),
)
NAMES = frozenset(row.name for row in VARIABLES)


def text(name: str) -> str | None:
    """The value of a listed variable, None when unset or empty."""
    if name not in NAMES:
        raise AssertionError(f"{name} is not in _config.VARIABLES")
    return os.environ.get(name) or None


def is_on(name: str) -> bool:
    """Whether a listed switch is set to 1, and not to 0 or nothing.

    Raises:
        SettingError: neither; a typing error must not turn a switch on or off.
    """
    value = (text(name) or "0").lower()
    if value in ("1", "yes", "on", "true"):
        return True
    if value in ("0", "no", "off", "false"):
        return False
    raise SettingError(f"{name}={value!r}: give 1 or 0, or leave it unset")


def cache_directory() -> Path:
    """The folder of compiled chains; it is not created here."""
    chosen = text("FKL_CACHE_DIR")
    if chosen is not None:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_cache_path  # imported late: `import fkl` does not need it

    return user_cache_path("fkl", appauthor=False)


def thread_limit() -> int:
    """The number of threads asked for by FKL_NUM_THREADS or OMP_NUM_THREADS; 0 leaves it to the
    worker pool.
    """
    for name, value in (
        ("FKL_NUM_THREADS", text("FKL_NUM_THREADS")),
        ("OMP_NUM_THREADS", os.environ.get("OMP_NUM_THREADS") or None),
    ):
        if value is None:
            continue
        # OpenMP allows one number per nesting level: the first one is for the outermost, ours.
        first = value.split(",")[0].strip()
        if first.isdigit() and int(first) > 0:
            return int(first)
        if name.startswith("FKL_"):
            raise SettingError(f"{name}={value!r}: give a positive whole number, or leave it unset")
    return 0


def surroundings() -> tuple[str, ...]:
    """Every variable that decides which compiler and which CUDA are found."""
    names = ("PATH", "CUDA_HOME", "CUDA_PATH", "FKL_COMPILER", "FKL_CUDA_HOME", "FKL_CUDA_MODE")
    return tuple(os.environ.get(name, "") for name in names)
