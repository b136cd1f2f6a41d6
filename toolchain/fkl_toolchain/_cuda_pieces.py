# SPDX-License-Identifier: Apache-2.0
"""Looks into a place and names the pieces of one CUDA installation, and those that are missing."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from pathlib import Path

from fkl_toolchain._cpu import machine
from fkl_toolchain._cuda_search import Place
from fkl_toolchain._identify import ask
from fkl_toolchain._memo import remembered
from fkl_toolchain._model import Cuda
from fkl_toolchain._versions import Version, parse_version, version_text

# Header that shows a package to be there, and the packages that bring it: wheel, conda, apt.
NEEDED_HEADERS = (
    ("cuda.h", "nvidia-cuda-runtime", "cuda-cudart-dev", "nvidia-cuda-dev"),
    ("cuda_runtime.h", "nvidia-cuda-runtime", "cuda-cudart-dev", "nvidia-cuda-dev"),
    ("crt/host_defines.h", "nvidia-cuda-crt", "cuda-crt-dev_linux-64", "nvidia-cuda-dev"),
    ("nv/target", "nvidia-cuda-cccl", "cuda-cccl", "nvidia-cuda-dev"),
)


def pieces(place: Place, cache: Path) -> Cuda:
    """Return what a place holds."""
    include = tuple(_existing(place, _include_names()))
    headers = _header_version(include)
    ptxas = _program(place, "ptxas")
    nvcc = _program(place, "nvcc")
    ptxas_version = _asked_version(ptxas, cache)
    complete = bool(headers) and not any(_missing_headers(include))
    nvcc_lacking = _nvcc_lacking(place) if nvcc else ()
    return Cuda(
        root=place.root,
        found_via=place.found_via,
        version=headers or ptxas_version,
        ptxas=ptxas,
        ptxas_version=ptxas_version,
        libdevice=_first_file(place, _LIBDEVICE),
        nvcc="" if nvcc_lacking else nvcc,
        nvcc_version=_asked_version(nvcc, cache) if nvcc and not nvcc_lacking else (),
        nvvm_bin=next(iter(_existing(place, ("nvvm/bin",))), ""),
        include=include if complete else (),
        library=tuple(_existing(place, _library_names())),
        lacking=(
            *_lacking(include, ptxas, place),
            *_disagreement(headers, ptxas_version),
            *nvcc_lacking,
        ),
    )


_LIBDEVICE = (
    "nvvm/libdevice/libdevice.10.bc",
    "libdevice/libdevice.10.bc",
)


def _include_names() -> tuple[str, ...]:
    target = f"targets/{_target()}/include"
    return (target, "include", f"{target}/cccl", "include/cccl")


def _library_names() -> tuple[str, ...]:
    return (f"targets/{_target()}/lib", "lib64", "lib")


def _target() -> str:
    return "sbsa-linux" if machine() == "aarch64" else f"{machine()}-linux"


def _existing(place: Place, names: tuple[str, ...]) -> Iterator[str]:
    for folder in place.folders:
        for name in names:
            path = os.path.join(folder, name)
            # A prefix that serves everything (/usr, conda's own include) counts only when the
            # toolkit's headers really lie there: nothing else of it may get in front.
            whole = folder == "/usr" or name in ("include",)
            if os.path.isdir(path) and not (whole and _is_foreign(path)):
                yield path


def _is_foreign(include: str) -> bool:
    markers = ("cuda.h", "nv/target", "crt/host_defines.h", "nvvm.h", "fatbinary_section.h")
    return not any(os.path.exists(os.path.join(include, marker)) for marker in markers)


def _program(place: Place, name: str) -> str:
    for folder in place.folders:
        path = os.path.join(folder, "bin", name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def _first_file(place: Place, names: tuple[str, ...]) -> str:
    paths = (os.path.join(folder, name) for folder in place.folders for name in names)
    return next((path for path in paths if os.path.isfile(path)), "")


def _asked_version(program: str, cache: Path) -> Version:
    if not program:
        return ()
    facts = remembered(
        cache,
        program,
        "cuda program",
        lambda: {"text": ask((program, "--version"))},
        lambda facts: bool(facts.get("text")),
    )
    match = re.search(r"release [\d.]+, V(\d+(?:\.\d+)*)", facts.get("text", ""))
    return parse_version(match[1]) if match else ()


def _header_version(include: tuple[str, ...]) -> Version:
    for folder in include:
        try:
            text = Path(folder, "cuda.h").read_text("utf-8", "replace")
        except OSError:
            continue
        if match := re.search(r"^\s*#\s*define\s+CUDA_VERSION\s+(\d+)", text, re.M):
            return int(match[1]) // 1000, int(match[1]) % 1000 // 10
    return ()


def _missing_headers(include: tuple[str, ...]) -> Iterator[tuple[str, str, str, str]]:
    for row in NEEDED_HEADERS:
        if not any(os.path.exists(os.path.join(folder, row[0])) for folder in include):
            yield row


def _lacking(include: tuple[str, ...], ptxas: str, place: Place) -> Iterator[str]:
    if not ptxas:
        yield (
            "bin/ptxas is missing: pip nvidia-cuda-nvcc, conda cuda-nvcc-tools, "
            "apt nvidia-cuda-toolkit"
        )
    if not _first_file(place, _LIBDEVICE):
        yield (
            "nvvm/libdevice/libdevice.10.bc is missing: pip nvidia-nvvm (nvidia-cuda-nvcc-cu12 for "
            "CUDA 12), conda cuda-nvvm-tools, apt nvidia-cuda-toolkit"
        )
    for name, wheel, conda, apt in _missing_headers(include):
        yield f"include/{name} is missing: pip {wheel}, conda {conda}, apt {apt}"


def _disagreement(headers: Version, ptxas: Version) -> tuple[str, ...]:
    if not headers or not ptxas or headers[:2] == ptxas[:2]:
        return ()
    return (
        f"headers of {version_text(headers[:2])} beside ptxas {version_text(ptxas[:2])}: "
        "install all pieces at one version",
    )


def _nvcc_lacking(place: Place) -> tuple[str, ...]:
    cicc = [
        path
        for folder in place.folders
        for path in glob.glob(os.path.join(glob.escape(folder), "nvvm", "bin", "cicc"))
    ]
    beside = any(os.path.isfile(os.path.join(folder, "bin", "cicc")) for folder in place.folders)
    if cicc or beside:
        return ()
    return ("nvvm/bin/cicc, which nvcc runs, is missing: pip nvidia-nvvm, conda cuda-nvvm-tools",)
