# SPDX-License-Identifier: Apache-2.0
"""What the caller may decide, and the only place where this package reads the environment."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Config:
    """Overrides for the search. None means: search.

    Attributes:
        compiler: a path or a program name; its kind is asked of it.
        cuda_home: root of a CUDA toolkit, or of a folder of NVIDIA wheels (site-packages/nvidia).
        cache_dir: where probes, precompiled headers and runtime objects are kept.
        mode: "lean", "toolkit" or "nvcc" to insist on one way of building for CUDA.
        search_path: the PATH to search for programs.
        cuda_environ: value of CUDA_HOME or CUDA_PATH, a late place to look.
        prefix: the interpreter's prefix, searched first when it is a conda environment.
        site_packages: where wheels lie.
    """

    compiler: str | None = None
    cuda_home: str | None = None
    cache_dir: Path | None = None
    mode: str | None = None
    search_path: str = field(default_factory=lambda: os.environ.get("PATH", os.defpath))
    cuda_environ: str | None = field(default_factory=lambda: _cuda_environ(os.environ))
    prefix: str = sys.prefix
    site_packages: tuple[str, ...] = field(default_factory=lambda: _site_packages(sys.path))

    @property
    def names_nvcc(self) -> bool:
        """Whether nvcc was asked for: it builds for GPUs, and for the CPU others are searched."""
        return self.compiler is not None and Path(self.compiler).name == "nvcc"

    def resolved_cache_dir(self) -> Path:
        return self.cache_dir if self.cache_dir is not None else default_cache_dir(os.environ)


def config_from_environ(environ: Mapping[str, str] | None = None) -> Config:
    """Return the configuration that this package's own command line uses."""
    env = os.environ if environ is None else environ
    cache = env.get("FKL_CACHE_DIR")
    return Config(
        compiler=env.get("FKL_COMPILER") or None,
        cuda_home=env.get("FKL_CUDA_HOME") or None,
        cache_dir=Path(cache) if cache else None,
        mode=env.get("FKL_CUDA_MODE") or None,
        search_path=env.get("PATH", os.defpath),
        cuda_environ=_cuda_environ(env),
    )


def default_cache_dir(environ: Mapping[str, str]) -> Path:
    """Return the user's cache folder; without a home, a private one in the temporary folder."""
    if base := environ.get("XDG_CACHE_HOME"):
        return Path(base) / "fkl_toolchain"
    home = Path(os.path.expanduser("~"))
    if home.is_absolute() and os.access(home, os.W_OK | os.X_OK):
        return home / ".cache" / "fkl_toolchain"
    return _private_folder(tempfile.gettempdir())


@lru_cache
def _private_folder(temporary: str) -> Path:
    # Its name can be foretold, so somebody else may have made it, to be believed later.
    folder = Path(temporary) / f"fkl_toolchain-{os.getuid()}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700)
    with contextlib.suppress(OSError):
        found = folder.lstat()
        if found.st_mode == stat.S_IFDIR | 0o700 and found.st_uid == os.geteuid():
            return folder
    try:
        alone = Path(tempfile.mkdtemp(prefix="fkl_toolchain-", dir=temporary))
    except OSError:
        # Nothing can be written at all: a folder that never exists means asking again.
        return Path("/proc/no-cache")
    owner = os.getpid()
    # A forked child must not delete what its parent still uses.
    atexit.register(
        lambda: shutil.rmtree(alone, ignore_errors=True) if os.getpid() == owner else None
    )
    return alone


def _cuda_environ(environ: Mapping[str, str]) -> str | None:
    return environ.get("CUDA_HOME") or environ.get("CUDA_PATH") or None


def _site_packages(path: list[str]) -> tuple[str, ...]:
    return tuple(
        entry for entry in path if entry.endswith(("site-packages", "dist-packages")) and entry
    )
