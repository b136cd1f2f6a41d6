# SPDX-License-Identifier: Apache-2.0
"""A memo from a question (this source, on this machine as it stands) to the key of its library.

A first call then neither looks for a compiler nor hashes a header. The question holds what decides
the search: the CPU's features, variables, and of every folder searched and every file of fkl its
inode, size and time; the answer holds the same of the tools that were chosen. One difference, and
the long way is taken.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from . import _cache, _config

USUAL_PLACES = ("/usr/local", "/opt", "/usr/lib", "/usr/lib/x86_64-linux-gnu")


def question(*parts: str) -> str:
    """The name under which an answer is kept."""
    return _cache.key_of(*parts, *_config.surroundings(), _standing(_config.surroundings()))


def ask(name: str) -> str | None:
    """The key that answered this question before, None where nothing (or something else) did."""
    try:
        path = _path(name)
        if not _cache.is_ours(path):
            return None
        answer = json.loads(path.read_bytes())
        if all(_stamp(tool) == stamp for tool, stamp in answer["tools"]):
            return str(answer["key"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def remember(name: str, key: str, tools: Iterable[str]) -> None:
    """Keep an answer; a cache that cannot be written keeps none."""
    known = [(tool, _stamp(tool)) for tool in dict.fromkeys(tools) if tool]
    with contextlib.suppress(OSError):
        path = _path(name)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        aside = path.with_name(f"{path.name}.{os.getpid()}")
        aside.write_text(json.dumps({"key": key, "tools": known}))
        aside.chmod(0o600)
        aside.replace(path)


def _path(name: str) -> Path:
    return _config.cache_directory() / "warm" / f"{name}.json"


def _stamp(path: str) -> list[int]:
    try:
        found = os.stat(path)
    except OSError:
        return []
    return [found.st_ino, found.st_size, found.st_mtime_ns]


@lru_cache(maxsize=4)
def _standing(surroundings: tuple[str, ...]) -> str:
    """How everything stands that a search would look at; once per process and set of variables."""
    digest = hashlib.sha256(_cpu_features())
    for path in _watched(surroundings):
        digest.update(f"{path} {_stamp(path)}\n".encode())
    return digest.hexdigest()


def _cpu_features() -> bytes:
    """What this CPU can do, as the kernel lists it: homes are shared by unlike machines."""
    try:
        with open("/proc/cpuinfo", "rb", buffering=0) as file:
            first = file.read(8192)  # the first processor; a machine may have hundreds
    except OSError:
        return b""
    lines = first.splitlines()
    return next((line for line in lines if line.startswith((b"flags", b"Features"))), b"")


def _watched(surroundings: tuple[str, ...]) -> Iterator[str]:
    yield sys.executable
    yield os.path.join(sys.prefix, "conda-meta")
    yield from USUAL_PLACES
    yield from (folder for text in surroundings for folder in text.split(os.pathsep) if folder)
    yield from (
        folder for folder in sys.path if folder.endswith(("site-packages", "dist-packages"))
    )
    own = [str(_cache.include_dir())]
    toolchain = importlib.util.find_spec("fkl_toolchain")
    own += list(toolchain.submodule_search_locations or ()) if toolchain else []
    for folder in own:
        for place, folders, files in os.walk(folder):
            folders[:] = sorted(each for each in folders if each != "__pycache__")
            yield from (os.path.join(place, name) for name in sorted(files))
