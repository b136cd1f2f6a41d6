# SPDX-License-Identifier: Apache-2.0
"""Where CUDA toolkits may be: an ordered tuple of steps, each from a Config to places.

A place is one or more folders that belong together (the split wheels are three). Nothing is
opened here; _cuda_pieces looks inside.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fkl_toolchain._config import Config

SPLIT_WHEELS = ("cuda_nvcc", "cuda_runtime", "cuda_cccl")
USUAL = ("/usr/local/cuda", "/opt/cuda")


@dataclass(frozen=True)
class Place:
    root: str
    found_via: str
    folders: tuple[str, ...]


Step = Callable[[Config], Iterator[Place]]


def override(config: Config) -> Iterator[Place]:
    if config.cuda_home is None:
        return
    root = os.path.abspath(config.cuda_home)
    wheels = tuple(_wheel_places(root, "the override"))
    if wheels:
        yield from wheels
    else:
        yield Place(root, "the override", (root,))


def conda_prefix(config: Config) -> Iterator[Place]:
    if os.path.isdir(os.path.join(config.prefix, "conda-meta")):
        yield Place(config.prefix, "the interpreter's conda prefix", (config.prefix,))


def wheels(config: Config) -> Iterator[Place]:
    for folder in config.site_packages:
        yield from _wheel_places(os.path.join(folder, "nvidia"), "NVIDIA wheels")


def cuda_home_variable(config: Config) -> Iterator[Place]:
    if config.cuda_environ:
        root = os.path.abspath(config.cuda_environ)
        yield Place(root, "CUDA_HOME", (root,))


def on_path(config: Config) -> Iterator[Place]:
    for folder in config.search_path.split(os.pathsep):
        for name in ("nvcc", "ptxas"):
            program = os.path.join(folder, name)
            if os.path.isabs(folder) and os.access(program, os.X_OK):
                root = os.path.dirname(os.path.dirname(os.path.realpath(program)))
                yield from _system_place(root, "PATH")


def usual_places(_config: Config) -> Iterator[Place]:
    newest_first = sorted(glob.glob("/usr/local/cuda-*"), key=_version_key, reverse=True)
    for root in (*USUAL, *newest_first):
        if os.path.isdir(root):
            yield Place(root, "the usual places", (root,))
    yield from _system_place("/usr/lib/nvidia-cuda-toolkit", "Debian's packages")


STEPS: tuple[Step, ...] = (
    override,
    conda_prefix,
    wheels,
    cuda_home_variable,
    on_path,
    usual_places,
)


def cuda_places(config: Config) -> tuple[Place, ...]:
    """Return places, best first, each root once; an override allows nothing else."""
    steps = (override,) if config.cuda_home is not None else STEPS
    seen: dict[str, Place] = {}
    for step in steps:
        for place in step(config):
            seen.setdefault(os.path.realpath(place.folders[0]), place)
    return tuple(seen.values())


def _wheel_places(nvidia: str, found_via: str) -> Iterator[Place]:
    unified = sorted(
        glob.glob(os.path.join(glob.escape(nvidia), "cu[0-9]*")), key=_version_key, reverse=True
    )
    for root in unified:
        if os.path.isdir(root):
            yield Place(root, found_via, (root,))
    split = tuple(os.path.join(nvidia, name) for name in SPLIT_WHEELS)
    if any(os.path.isdir(folder) for folder in split):
        yield Place(nvidia, found_via, tuple(folder for folder in split if os.path.isdir(folder)))


def _system_place(root: str, found_via: str) -> Iterator[Place]:
    # Debian spreads its toolkit over /usr: programs in /usr/lib/nvidia-cuda-toolkit, headers in
    # /usr/include, which is on every compiler's path anyway.
    if root in ("/usr", "/usr/lib/nvidia-cuda-toolkit"):
        if os.path.isdir("/usr/lib/nvidia-cuda-toolkit"):
            folders = ("/usr/lib/nvidia-cuda-toolkit", "/usr/lib/cuda", "/usr")
            yield Place("/usr/lib/nvidia-cuda-toolkit", "Debian's packages", folders)
    else:
        yield Place(root, found_via, (root,))


def _version_key(path: str) -> tuple[int, ...]:
    digits = os.path.basename(path).lstrip("cuda-")
    return tuple(int(part) for part in digits.split(".") if part.isdigit())
