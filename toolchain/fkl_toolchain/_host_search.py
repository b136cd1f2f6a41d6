# SPDX-License-Identifier: Apache-2.0
"""Where host compilers may be: an ordered tuple of steps, each from a Config to candidates.

Nothing is run here; a step only says what lies where, and via what it was found.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from fkl_toolchain._config import Config
from fkl_toolchain._model import Candidate

_NAMES = re.compile(r"(?:[\w]+-conda-linux-gnu-)?(clang\+\+|g\+\+)(?:-(\d+(?:\.\d+)?))?")
_ORDER = {"clang++": 0, "g++": 1}

WHEEL_NAMES = ("zig", "ziglang")  # for who has the wheel, which puts no program on PATH
Step = Callable[[Config], Iterator[Candidate]]


def override(config: Config) -> Iterator[Candidate]:
    if config.compiler is None:
        return
    if os.sep in config.compiler:
        yield Candidate(os.path.abspath(config.compiler), "the override")
    elif path := shutil.which(config.compiler, path=config.search_path):
        yield Candidate(os.path.abspath(path), "the override, on PATH")
    elif config.compiler in WHEEL_NAMES:
        yield from ziglang_wheel(config)


def conda_prefix(config: Config) -> Iterator[Candidate]:
    # Never CONDA_PREFIX: it is unset without activation, and wrong when another one is active.
    if os.path.isdir(os.path.join(config.prefix, "conda-meta")):
        for path in _programs((os.path.join(config.prefix, "bin"),)):
            yield Candidate(path, "the interpreter's conda prefix")


def on_path(config: Config) -> Iterator[Candidate]:
    folders = tuple(entry for entry in config.search_path.split(os.pathsep) if os.path.isabs(entry))
    for path in _programs(folders):
        yield Candidate(path, "PATH")


def ziglang_wheel(config: Config) -> Iterator[Candidate]:
    for folder in config.site_packages:
        path = Path(folder) / "ziglang" / "zig"
        if path.is_file():
            yield Candidate(str(path), "the ziglang wheel")


def conda_zig(config: Config) -> Iterator[Candidate]:
    path = os.path.join(config.prefix, "bin", "zig")
    if os.path.isdir(os.path.join(config.prefix, "conda-meta")) and os.path.isfile(path):
        yield Candidate(path, "the interpreter's conda prefix")


STEPS: tuple[Step, ...] = (override, conda_prefix, on_path, ziglang_wheel, conda_zig)


def host_candidates(config: Config) -> tuple[Candidate, ...]:
    """Return candidates, best place first, each file once; an override allows nothing else."""
    steps = (override,) if config.compiler is not None else STEPS
    seen: dict[str, Candidate] = {}
    for step in steps:
        for candidate in step(config):
            seen.setdefault(os.path.realpath(candidate.path), candidate)
    return tuple(seen.values())


def _programs(folders: tuple[str, ...]) -> list[str]:
    found: list[tuple[int, float, int, str]] = []
    for place, folder in enumerate(folders):
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            match = _NAMES.fullmatch(name)
            path = os.path.join(folder, name)
            if match and os.access(path, os.X_OK) and os.path.isfile(path):
                # clang before g++, the plain name (the machine's own choice) first, then newest.
                newest = -float(match[2]) if match[2] else -float("inf")
                found.append((_ORDER[match[1]], newest, place, path))
    return [path for *_, path in sorted(found)]
