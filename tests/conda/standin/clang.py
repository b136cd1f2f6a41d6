# SPDX-License-Identifier: Apache-2.0
"""clang, from Debian's packages: they have the NVPTX back end, which PyPI's clang wheel lacks."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from .channel import Channel, link
from .downloads import run
from .host import GCC, TRIPLE

LIBRARIES = (
    "libllvm{major}",
    "libclang-cpp{major}",
    "libedit2",
    "libbsd0",
    "libmd0",
    "libtinfo6",
    "libffi8",
    "libxml2",
    "libicu72",
    "liblzma5",
    "libz3-4",
    "libzstd1",
    "zlib1g",
)
# Apart: conda-forge packages libz, libffi and others, and the stand-in of Python holds those.
PRIVATE = "lib/clang/libraries"
UNUSED = re.compile(r"libicu(io|test|tu|i18n)|libform|libmenu|libpanel")


def debs(major: str) -> list[str]:
    programs = (
        "clang-{major}",
        "clang-tools-{major}",
        "libclang-common-{major}-dev",
        "lld-{major}",
    )
    return [name.format(major=major) for name in (*programs, *LIBRARIES)]


def pack_clang(channel: Channel, major: str) -> None:
    deb = channel.downloads.deb(f"clang-{major}")
    home = f"usr/lib/llvm-{major}"
    stage = channel.stage(f"clang-{major}")
    program = _program(deb.tree / home / "bin/clang", stage / "bin" / f"clang-{major}")
    _copy_libraries(channel, major, home, stage / PRIVATE)
    _headers(channel, major, stage)
    tools = channel.downloads.deb(f"clang-tools-{major}").tree / home / "bin"
    for name in ("clang-offload-bundler", "clang-linker-wrapper", "clang-offload-packager"):
        if (tools / name).exists():
            _program(tools / name, program.with_name(name))
    version = deb.version
    channel.pack("clang-major", version, stage)
    stage = channel.stage("lld")
    linker = channel.downloads.deb(f"lld-{major}").tree / home / "bin/lld"
    _program(linker, stage / "bin/lld")
    link(stage / "bin/ld.lld", "lld")
    channel.pack("lld", version, stage)
    _pack_drivers(channel, version, major)


def _program(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source.resolve(), target)
    # its own libraries first; libstdc++ and libgcc_s are the prefix's
    run("patchelf", "--set-rpath", f"$ORIGIN/../{PRIVATE}:$ORIGIN/../lib", target)
    return target


def _copy_libraries(channel: Channel, major: str, home: str, target: Path) -> None:
    target.mkdir(parents=True)
    for pattern in LIBRARIES:
        deb = channel.downloads.deb(pattern.format(major=major))
        own = [p for p in sorted((deb.tree / home / "lib").glob("lib*.so*")) if p.is_file()]
        for file in [*deb.libraries, *own]:
            soname = re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", file))
            if soname and not UNUSED.search(file.name) and not (target / soname[1]).exists():
                shutil.copy2(file.resolve(), target / soname[1])
                (target / soname[1]).chmod(0o755)
    run("patchelf", "--set-rpath", "$ORIGIN:$ORIGIN/../..", *sorted(target.iterdir()))


def _headers(channel: Channel, major: str, stage: Path) -> None:
    """The resource folder: clang's own headers, without the sanitizers' libraries."""
    tree = channel.downloads.deb(f"libclang-common-{major}-dev").tree / "usr/lib"
    include = next(tree.glob(f"llvm-{major}/lib/clang/*/include"))
    shutil.copytree(include, stage / "lib/clang" / major / "include")


def _pack_drivers(channel: Channel, version: str, major: str) -> None:
    """bin/clang and bin/clang++ with their config files, as conda-forge has them since clang 21.

    conda-forge's clang links with GNU ld of the prefix; the stand-in with lld, found beside it.
    """
    stages = {name: channel.stage(name) for name in ("clang", "clangxx")}
    for driver, package in (("clang", "clang"), ("clang-cpp", "clang"), ("clang++", "clangxx")):
        folder = stages[package] / "bin"
        link(folder / driver, f"clang-{major}")
        (folder / f"{driver}.cfg").write_text("\n".join(_config(driver)) + "\n")
    channel.pack("clang_impl_linux-64", version)
    channel.pack("clang", version, stages["clang"], build="default_cfg_standin_0")
    channel.pack("clangxx", version, stages["clangxx"], build="default_cfg_standin_0")


def _config(driver: str) -> list[str]:
    gcc = f"<CFGDIR>/../lib/gcc/{TRIPLE}/{GCC}"
    lines = [f"--sysroot=<CFGDIR>/../{TRIPLE}/sysroot", f"--gcc-install-dir={gcc}"]
    if driver == "clang++":
        lines += [f"-stdlib++-isystem{gcc}/include/c++{end}" for end in ("", f"/{TRIPLE}")]
    lines += ["-isystem", "<CFGDIR>/../include"]
    if driver != "clang-cpp":
        lines += ["-fuse-ld=lld", "-Wl,-L,<CFGDIR>/../lib"]
        lines += ["-Wl,-rpath,<CFGDIR>/../lib", "-Wl,-rpath-link,<CFGDIR>/../lib"]
    return lines
