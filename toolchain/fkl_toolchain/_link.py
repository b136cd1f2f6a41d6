# SPDX-License-Identifier: Apache-2.0
"""Renders the link: objects into one library, by the linker itself and with no C++ runtime.

The compiler driver would add start files and a C++ library that a bare machine lacks, and takes
several times as long.
"""

from __future__ import annotations

from collections.abc import Sequence


def link_argv(
    linker: tuple[str, ...],
    objects: Sequence[str],
    out: str,
    libraries: Sequence[str],
    run_paths: Sequence[str] = (),
    *,
    hosted: bool = False,
) -> tuple[str, ...]:
    # Undefined names must fail here, not when the library is loaded.
    strict = ("--no-undefined",) if libraries else ()
    return (
        *linker,
        "-shared",
        *strict,
        "--hash-style=gnu",
        "-z",
        "noexecstack",
        # Pages of a library this small would mostly be padding.
        "-z",
        "noseparate-code",
        "--gc-sections",
        # Local names of templates are long, and nothing looks them up.
        "--strip-all",
        # Where an exception looks for the way back to its handler.
        *(("--eh-frame-hdr",) if hosted else ()),
        "-o",
        out,
        *objects,
        "--as-needed",
        *libraries,
        *(part for folder in run_paths for part in ("-rpath", folder)),
    )
