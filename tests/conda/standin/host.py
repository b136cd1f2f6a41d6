# SPDX-License-Identifier: Apache-2.0
"""glibc's and gcc's development files, from Debian's packages, at conda-forge's paths."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from .channel import Channel, link

TRIPLE = "x86_64-conda-linux-gnu"
GCC = "12"  # Debian 12's
DEBIAN = "x86_64-linux-gnu"
C_LIBRARY = ("libc6", "libc6-dev", "linux-libc-dev", "libcrypt-dev", "libcrypt1")
DEBS = (
    *C_LIBRARY,
    f"libgcc-{GCC}-dev",
    "libgcc-s1",
    "libatomic1",
    f"libstdc++-{GCC}-dev",
    "libstdc++6",
)
# Run-time libraries that nothing here links.
UNUSED = re.compile(
    r"lib(asan|tsan|lsan|ubsan|hwasan|itm|quadmath|atomic|gcov|caf|sanitizer)|plugin|include"
)


def pack_sysroot(channel: Channel) -> None:
    stage = channel.stage("sysroot_linux-64")
    root = stage / TRIPLE / "sysroot"
    for name in C_LIBRARY:
        tree = channel.downloads.deb(name).tree
        for source, target in (
            ("usr/include", "usr/include"),
            (f"usr/lib/{DEBIAN}", "usr/lib64"),
            (f"lib/{DEBIAN}", "usr/lib64"),
        ):
            if (tree / source).is_dir():
                shutil.copytree(tree / source, root / target, symlinks=True, dirs_exist_ok=True)
    _flatten_headers(root / "usr/include")
    _relocate(root / "usr/lib64")
    link(root / "lib64", "usr/lib64")
    link(root / "lib", "usr/lib64")
    link(root / "usr/lib", "lib64")
    version = channel.downloads.deb("libc6").version
    channel.pack("sysroot_linux-64", version, stage, noarch=True)
    channel.pack("kernel-headers_linux-64", "6.1", noarch=True)


def _flatten_headers(include: Path) -> None:
    """Debian's multiarch include folder becomes the plain one."""
    shutil.copytree(include / DEBIAN, include, symlinks=True, dirs_exist_ok=True)
    shutil.rmtree(include / DEBIAN)


def _relocate(library: Path) -> None:
    """Linker scripts and absolute links hold Debian's paths: make them bare names."""
    for junk in ("gconv", "audit"):
        shutil.rmtree(library / junk, ignore_errors=True)
    for file in library.iterdir():
        if file.is_symlink():
            if len(file.readlink().parts) > 1:
                link(file, file.readlink().name)
        elif file.suffix == ".so" and file.stat().st_size < 2000:
            _bare_names(file)


def _bare_names(file: Path) -> None:
    if b"GROUP" in (text := file.read_bytes()):
        file.write_bytes(re.sub(rb"/\S*/", b"", text))


def pack_gcc_files(channel: Channel) -> None:
    """crtbegin.o and libgcc.a for linking; libgcc_s and libatomic for running."""
    deb = channel.downloads.deb(f"libgcc-{GCC}-dev")
    stage = channel.stage("libgcc-devel_linux-64")
    target = stage / "lib/gcc" / TRIPLE / GCC
    shutil.copytree(
        deb.tree / "usr/lib/gcc" / DEBIAN / GCC,
        target,
        symlinks=True,
        ignore=lambda _, names: [n for n in names if UNUSED.match(n)],
    )
    for file in target.glob("*.so"):
        if not file.is_symlink() and file.stat().st_size < 2000:
            _bare_names(file)
    shared = channel.downloads.deb("libgcc-s1").tree / "lib" / DEBIAN / "libgcc_s.so.1"
    shutil.copy2(shared, target)
    channel.pack("libgcc-devel_linux-64", deb.version, stage, noarch=True)

    stage = channel.stage("libgcc")
    (stage / "lib").mkdir()
    shutil.copy2(shared, stage / "lib")
    # conda-forge's libgcc holds libatomic too
    atomic = channel.downloads.deb("libatomic1").tree / "usr/lib" / DEBIAN / "libatomic.so.1"
    shutil.copy2(atomic.resolve(), stage / "lib/libatomic.so.1")
    channel.pack("libgcc", deb.version, stage)


def pack_libstdcxx(channel: Channel) -> None:
    deb = channel.downloads.deb(f"libstdc++-{GCC}-dev")
    stage = channel.stage("libstdcxx-devel_linux-64")
    target = stage / "lib/gcc" / TRIPLE / GCC
    include = target / "include/c++"
    shutil.copytree(deb.tree / "usr/include/c++" / GCC, include, symlinks=True)
    shutil.copytree(
        deb.tree / "usr/include" / DEBIAN / "c++" / GCC, include / TRIPLE, symlinks=True
    )
    for name in ("libstdc++.a", "libsupc++.a"):
        shutil.copy2(deb.tree / "usr/lib/gcc" / DEBIAN / GCC / name, target)
    link(target / "libstdc++.so", "../../../libstdc++.so.6")  # the prefix's lib/
    channel.pack("libstdcxx-devel_linux-64", deb.version, stage, noarch=True)

    stage = channel.stage("libstdcxx")
    (stage / "lib").mkdir()
    libraries = channel.downloads.deb("libstdc++6").tree / "usr/lib" / DEBIAN
    shutil.copy2((libraries / "libstdc++.so.6").resolve(), stage / "lib/libstdc++.so.6")
    channel.pack("libstdcxx", deb.version, stage)


def pack_gcc_names(channel: Channel) -> None:
    """gcc itself, which cuda-nvcc brings and fkl never runs: names without files."""
    version = channel.rows["gcc_linux-64"].versions[0]
    for name in ("gcc_impl", "gxx_impl", "gcc", "gxx"):
        channel.pack(f"{name}_linux-64", version)
    channel.pack("binutils_impl_linux-64", "2.40")
