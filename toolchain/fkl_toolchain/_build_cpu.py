# SPDX-License-Identifier: Apache-2.0
"""Builds for the host: compile, link with the C library alone."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fkl_toolchain._argv import c_argv, host_argv
from fkl_toolchain._identity import own_digest
from fkl_toolchain._kept import keep, recall
from fkl_toolchain._link import link_argv
from fkl_toolchain._memo import file_identity
from fkl_toolchain._model import Compiler
from fkl_toolchain._precompiled import precompiled_arguments
from fkl_toolchain._system import LIBRARY_FOLDERS, c_library_files
from fkl_toolchain._workshop import Workshop

if TYPE_CHECKING:
    from fkl_toolchain._toolchain import Toolchain

LEAN = Path(__file__).parent / "lean"


def build_cpp(
    toolchain: Toolchain,
    shop: Workshop,
    source: Path,
    folders: Sequence[str],
    fp: str,
    precompiled: Sequence[str],
    hosted: bool,
) -> Path:
    host, out = toolchain.host, shop.path("host.o")
    argv = host_argv(host, toolchain.level, fp, folders, (), out, hosted=hosted)[:-2]
    front = precompiled_arguments(toolchain, shop, argv, (), precompiled, "host")
    parts = (*front, str(source))
    shop.run(host_argv(host, toolchain.level, fp, folders, parts, out, hosted=hosted))
    return link(toolchain, shop, [out], hosted=hosted)


def build_c(toolchain: Toolchain, shop: Workshop, source: Path) -> Path:
    shop.run(c_argv(toolchain.host, str(source), shop.path("host.o")))
    return link(toolchain, shop, [shop.path("host.o")])


def link(toolchain: Toolchain, shop: Workshop, objects: list[str], *, hosted: bool = False) -> Path:
    support = own_object(toolchain, shop, "host_support.c")
    cxx = cxx_libraries(toolchain.host) if hosted else ()
    files = (*cxx, *support_libraries(toolchain.host))
    out, paths = shop.path("out.so"), run_paths(cxx)
    shop.run(
        link_argv(toolchain.host.linker, [*objects, support], out, files, paths, hosted=hosted)
    )
    return Path(out)


def support_libraries(compiler: Compiler) -> tuple[str, ...]:
    """Return the files that every link ends with: compiler support, then the C library."""
    own = (compiler.support,) if compiler.support.endswith(".a") else ()
    return (*own, *c_library_files())


def cxx_libraries(compiler: Compiler) -> tuple[str, ...]:
    """Return the C++ library of a compiler and the unwinder that exceptions need."""
    beside = os.path.dirname(compiler.runtime)
    folders = (beside, *LIBRARY_FOLDERS)
    unwinders = (os.path.join(folder, "libgcc_s.so.1") for folder in folders)
    unwinder = next((path for path in unwinders if os.path.isfile(path)), "")
    return tuple(path for path in (compiler.runtime, unwinder) if path)


def run_paths(libraries: Sequence[str]) -> list[str]:
    """Return the folders that the system's loader would not search by itself."""
    folders = dict.fromkeys(os.path.dirname(path) for path in libraries)
    return [folder for folder in folders if not folder.startswith(("/usr/lib", "/lib"))]


def own_object(toolchain: Toolchain, shop: Workshop, name: str) -> str:
    """Return an object made from one of our own C files, compiled once for each compiler."""
    made = shop.path(f"{name}.o")
    source = LEAN / name
    kept = toolchain.cache_dir / "objects" / f"{_object_key(toolchain.host, source)}.o"
    data = recall(kept)
    if data is not None:
        Path(made).write_bytes(data)
    else:
        shop.run(c_argv(toolchain.host, str(source), made))
        keep(kept, Path(made).read_bytes())
    return made


def _object_key(compiler: Compiler, source: Path) -> str:
    parts = (
        file_identity(compiler.path),
        compiler.version_text,
        *c_argv(compiler, "in.c", "out.o"),
        own_digest(),  # the file, and whatever it includes
    )
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f"{source.stem}-{digest[:24]}"
