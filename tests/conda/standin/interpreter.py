# SPDX-License-Identifier: Apache-2.0
"""The running interpreter, made relocatable, and the Python packages that fkl needs."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from .channel import Channel, link
from .downloads import run
from .names import python_minor

# What no test needs, and what would drag in libraries of its own.
DROPPED = {
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "site-packages",
    "dist-packages",
    "lib2to3",
    "__pycache__",
}
DROPPED_MODULES = re.compile(r"(_tkinter|nis|_curses_panel|_test\w*|_ctypes_test|xxlimited\w*)\.")
# Comes from the machine in conda too.
GLIBC = re.compile(r"^(libc|libm|libdl|libpthread|librt|libutil|libresolv|ld-linux.*|libnsl)\.so")

FROM_THE_PREFIX = {"libstdc++.so.6", "libgcc_s.so.1", "libz.so.1"}
BUILD_TOOLS = ("packaging", "pathspec", "pluggy", "trove-classifiers", "hatchling", "pip")


def pack_python(channel: Channel) -> None:
    """bin/python3.X, the standard library, and every library outside glibc that they load."""
    base, minor = Path(sys.base_prefix), sysconfig.get_python_version()
    stage = channel.stage("python")
    library = stage / "lib" / f"python{minor}"
    shutil.copytree(base / "lib" / f"python{minor}", library, ignore=_ignored, symlinks=True)
    (library / "site-packages").mkdir(exist_ok=True)
    (library / "site-packages" / "README.txt").write_text("third-party packages go here\n")
    (stage / "bin").mkdir()
    program = stage / "bin" / f"python{minor}"
    shutil.copy2(base / "bin" / program.name, program)
    for alias in ("python", "python3"):
        link(stage / "bin" / alias, program.name)

    modules = list((library / "lib-dynload").glob("*.so"))
    needed = _libraries([base / "bin" / program.name, *modules])
    for name, source in needed.items():
        shutil.copy2(source.resolve(), stage / "lib" / name)
        (stage / "lib" / name).chmod(0o755)
    _set_rpath("$ORIGIN/../lib", [program])
    _set_rpath("$ORIGIN", [stage / "lib" / name for name in needed])
    _set_rpath("$ORIGIN/../..", modules)

    version = ".".join(map(str, sys.version_info[:3]))
    channel.pack("python", version, stage, build="standin_0_cpython")
    abi = f"cp{minor.replace('.', '')}"
    channel.pack("python_abi", minor, noarch=True, build=f"0_{abi}")


def _ignored(_: str, names: list[str]) -> list[str]:
    return [n for n in names if n in DROPPED or n.startswith("config-") or DROPPED_MODULES.match(n)]


def _libraries(files: list[Path]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    waiting = list(files)
    while waiting:
        for name, path in re.findall(r"(\S+) => (/\S+)", run("ldd", waiting.pop())):
            if name not in found and not GLIBC.match(name):
                found[name] = Path(path)
                waiting.append(Path(path))
    return found


def _set_rpath(rpath: str, files: list[Path]) -> None:
    if files:
        run("patchelf", "--set-rpath", rpath, *files)


def pack_numpy(channel: Channel) -> None:
    """numpy's wheel takes libraries from the machine; a conda package, from the prefix."""
    wheel = channel.downloads.wheel("numpy")
    stage = channel.stage("numpy")
    place = f"lib/python{python_minor()}/site-packages/"
    wheel.unpack(stage, lambda n: None if ".data/" in n or "/tests/" in n else place + n)
    for module in stage.rglob("*.so*"):
        if FROM_THE_PREFIX & set(run("patchelf", "--print-needed", module).split()):
            own = run("patchelf", "--print-rpath", module).strip()
            up = "$ORIGIN/" + os.path.relpath(stage / "lib", module.parent)
            _set_rpath(":".join(filter(None, [own, up])), [module])
    channel.pack("numpy", wheel.version, stage)


def pack_build_tools(channel: Channel) -> None:
    """What the recipe's host environment installs the Python package with."""
    for name in BUILD_TOOLS:
        channel.pack_pure(name, channel.downloads.wheel(name))


def pack_pure_dependencies(channel: Channel, names: tuple[str, ...]) -> None:
    for name in names:
        channel.pack_pure(name, channel.downloads.wheel(name))


def pack_cuda_python(channel: Channel, version: str, cuda: str) -> None:
    """cuda-python with its real bindings; nvrtc and nvjitlink, which fkl never loads, are empty."""
    channel.pack_pure("cuda-pathfinder", channel.downloads.wheel("cuda-pathfinder"))
    bindings = channel.downloads.wheel(f"cuda-bindings=={version}")
    stage = channel.stage("cuda-bindings")
    place = f"lib/python{python_minor()}/site-packages/"
    bindings.unpack(stage, lambda name: None if ".data/" in name else place + name)
    channel.pack("cuda-bindings", bindings.version, stage, cuda=cuda)
    channel.pack("cuda-core", "1.2.0")
    for name in ("cuda-nvrtc", "libnvjitlink"):
        channel.pack(name, f"{cuda}.0", cuda=cuda)
    channel.pack_pure("cuda-python", channel.downloads.wheel(f"cuda-python=={version}"), cuda=cuda)
