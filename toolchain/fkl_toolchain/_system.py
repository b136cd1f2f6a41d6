# SPDX-License-Identifier: Apache-2.0
"""What the running system and an installation's folder add: C library files, headers, a sysroot."""

from __future__ import annotations

import glob
import os
import re
from functools import cache
from pathlib import Path

from fkl_toolchain._cpu import machine
from fkl_toolchain._versions import Version, parse_version

LIBRARY_FOLDERS = (
    "/lib64",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/lib",
)


@cache
def c_library_files() -> tuple[str, ...]:
    """Return the C library files to link with, by absolute path.

    They are the ones the running interpreter has mapped: no development package is needed, and
    no foreign libc can be picked up.
    """
    try:
        maps = Path("/proc/self/maps").read_text("utf-8", "replace")
    except OSError:
        maps = ""
    mapped = dict.fromkeys(
        re.findall(r"(/\S*/(?:libc\.so\.6|ld-linux[\w.-]*|libc\.musl\S*))$", maps, re.M)
    )
    folders = [os.path.dirname(path) for path in mapped] + list(LIBRARY_FOLDERS)
    files = list(mapped)
    for name in ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"):
        found = (os.path.join(folder, name) for folder in folders)
        path = next((path for path in found if os.path.isfile(path)), None)
        if path and os.path.basename(path) not in {os.path.basename(file) for file in files}:
            files.append(path)
    return tuple(files)


@cache
def glibc_version() -> Version:
    try:
        return parse_version(os.confstr("CS_GNU_LIBC_VERSION") or "")
    except (OSError, ValueError):
        return ()


def zig_arguments(path: str) -> tuple[str, ...]:
    """Return the header folders of a zig installation, in front of nothing else.

    zig's own way to them (`zig cc`) builds a C library on first use, which takes most of a minute;
    the headers alone are all that compiling needs.
    """
    library = os.path.join(os.path.dirname(os.path.realpath(path)), "lib")
    if not os.path.isdir(library):
        library = os.path.join(os.path.dirname(os.path.realpath(path)), "..", "lib", "zig")
    cpu = machine()
    family = "x86" if cpu == "x86_64" else cpu
    folders = [os.path.join(library, "include")]
    for name in (f"{family}-linux-gnu", "generic-glibc", f"{family}-linux-any", "any-linux-any"):
        folders.append(os.path.join(library, "libc", "include", name))
    minor = (*glibc_version(), 0, 28)[1] if glibc_version() else 28
    target = (f"--target={cpu}-linux-gnu", "-nostdinc", f"-D__GLIBC_MINOR__={minor}")
    return target + tuple(
        part for folder in folders if os.path.isdir(folder) for part in ("-isystem", folder)
    )


def conda_arguments(path: str) -> tuple[str, ...]:
    """Return sysroot arguments for a clang in a conda prefix that has no configuration file."""
    prefix = os.path.dirname(os.path.dirname(path))
    triple = f"{machine()}-conda-linux-gnu"
    sysroot = os.path.join(prefix, triple, "sysroot")
    if not os.path.isdir(os.path.join(prefix, "conda-meta")) or not os.path.isdir(sysroot):
        return ()
    installs = sorted(glob.glob(os.path.join(glob.escape(prefix), "lib", "gcc", triple, "*")))
    return (f"--sysroot={sysroot}", *(f"--gcc-install-dir={folder}" for folder in installs[-1:]))
