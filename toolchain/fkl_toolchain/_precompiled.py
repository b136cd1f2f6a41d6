# SPDX-License-Identifier: Apache-2.0
"""Precompiled headers for clang: an accelerator that nothing depends on.

Keyed by the compiler, the exact command and the header names; a manifest beside each one holds
the time and the content digest of every file that went in (clang checks the first and not all
of them, we check both) and of what came out. Missing, stale, damaged, not ours or unwritable
means a plain compile.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fkl_toolchain._cuda_argv import precompile_argv, use_precompiled
from fkl_toolchain._errors import BuildError
from fkl_toolchain._kept import is_ours, keep, recall, write_atomically
from fkl_toolchain._memo import file_identity
from fkl_toolchain._workshop import Workshop

if TYPE_CHECKING:
    from fkl_toolchain._toolchain import Toolchain

_FORMAT = "3"
_HEADER_TIME = 1_000_000_000
_MANIFEST = "manifest"
_BODY = "header.pch"


def precompiled_arguments(
    toolchain: Toolchain,
    shop: Workshop,
    argv: tuple[str, ...],
    first: Sequence[str],
    names: Sequence[str],
    side: str,
) -> tuple[str, ...]:
    """Return what a pass puts before its source: a precompiled header, or plain includes.

    Args:
        argv: the pass's command without its source and output.
        first: header files by path that every source gets first.
        names: headers by name, as the source includes them.
        side: names the pass in the folder of this build.
    """
    plain = tuple(part for path in first for part in ("-include", path))
    if toolchain.compiler.family != "clang" or not (first or names):
        return plain
    text = "".join(f'#include "{path}"\n' for path in first)
    text += "".join(f"#include <{name}>\n" for name in names)
    folder = toolchain.cache_dir / "precompiled" / _key(toolchain, argv, text)
    # Named by its content and kept beside the folder: clang opens it again at every use.
    header = folder.with_suffix(".h")
    if not _fresh(folder, header) and not _make(shop, argv, text, folder, header, side):
        return plain
    return use_precompiled(str(folder / _BODY))


def _key(toolchain: Toolchain, argv: tuple[str, ...], text: str) -> str:
    compiler = toolchain.compiler
    parts = (_FORMAT, file_identity(compiler.path), compiler.version_text, *argv, text)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _fresh(folder: Path, header: Path) -> bool:
    try:
        lines = (recall(folder / _MANIFEST) or b"").decode().splitlines()
        # The first line is the body's, relative to the folder; the others are absolute.
        return (
            bool(lines)
            and is_ours(header)
            and is_ours(folder / _BODY)
            and all(
                _digest(folder / path) == digest
                for digest, path in (line.split(" ", 1) for line in lines)
            )
        )
    except (OSError, ValueError):
        return False


def _make(
    shop: Workshop, argv: tuple[str, ...], text: str, folder: Path, header: Path, side: str
) -> bool:
    body = shop.path(f"{side}.pch")
    # clang compares times: two processes that write the same header must give it the same one.
    if not write_atomically(header, text.encode(), modified=_HEADER_TIME):
        return False
    try:
        draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-"))
    except OSError:
        return False
    try:
        shop.run(precompile_argv(argv, str(header), body))
        shutil.copyfile(body, draft / _BODY)
        inputs = dependencies(Path(body + ".d"))
        manifest = "".join(f"{_digest(draft / path)} {path}\n" for path in (_BODY, *inputs))
        (draft / _BODY).chmod(0o600)
        keep(draft / _MANIFEST, manifest.encode())
        if not _fresh(folder, header):
            # A stale one is moved aside first; one that another process just finished stays.
            with contextlib.suppress(OSError):
                os.rename(folder, draft / "stale")
            with contextlib.suppress(OSError):
                os.rename(draft, folder)
            shutil.rmtree(folder / "stale", ignore_errors=True)
    except (OSError, BuildError):
        # A full disk, or an error that the plain compile is about to show.
        return False
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return _fresh(folder, header)


def dependencies(makefile: Path) -> tuple[str, ...]:
    """Return the files that a compiler's -MD output names, spaces in paths and all."""
    text = makefile.read_text("utf-8").replace("\\\n", " ").partition(":")[2]
    words = re.findall(r"(?:\\.|[^\s\\])+", text)
    return tuple(dict.fromkeys(re.sub(r"\\(.)|\$(\$)", r"\1\2", word) for word in words))


def _digest(path: Path) -> str:
    stat = path.stat()
    return f"{stat.st_size}-{stat.st_mtime_ns}-{hashlib.sha256(path.read_bytes()).hexdigest()}"
