# SPDX-License-Identifier: Apache-2.0
"""Fake compilers and toolkits: five-line scripts and folder trees."""

from __future__ import annotations

from pathlib import Path

from fkl_toolchain import Config

CLANG = """#!/bin/sh
case "$*" in
  --version) echo "Debian clang version {version}" ;;
  --print-targets) echo "{targets}" ;;
  -print-prog-name=ld) echo "{linker}" ;;
  -print-*) echo "nothing" ;;
  *) echo "fake clang was asked to compile" >&2; exit 3 ;;
esac
"""
GCC = """#!/bin/sh
case "$*" in
  --version) echo "g++ (Debian {version}-14) {version}"; echo "Free Software Foundation" ;;
  -print-prog-name=ld) echo "/bin/sh" ;;
  -print-*) echo "nothing" ;;
  *) exit 3 ;;
esac
"""
NVIDIA = """#!/bin/sh
echo "Cuda compilation tools, release {version}, V{version}.1"
"""


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def clang(path: Path, version: str, *, nvptx: bool = True, linker: str = "/bin/sh") -> Path:
    targets = "nvptx64 - NVIDIA PTX 64-bit" if nvptx else "x86-64"
    return program(path, CLANG.format(version=version, targets=targets, linker=linker))


def gcc(path: Path, version: str) -> Path:
    return program(path, GCC.format(version=version))


def headers(include: Path, version: str) -> None:
    major, minor = version.split(".")
    for name in ("cuda_runtime.h", "crt/host_defines.h", "nv/target"):
        (include / name).parent.mkdir(parents=True, exist_ok=True)
        (include / name).write_text("")
    (include / "cuda.h").write_text(f"#define CUDA_VERSION {int(major) * 1000 + int(minor) * 10}\n")


def classic_tree(root: Path, version: str, *, nvcc: bool = True) -> Path:
    """Make a toolkit as an installer lays it out; its programs only know their version."""
    headers(root / "include", version)
    for name in ("ptxas", *(("nvcc",) if nvcc else ())):
        program(root / "bin" / name, NVIDIA.format(version=version))
    program(root / "nvvm/bin/cicc", "#!/bin/sh\n")
    (root / "nvvm/libdevice").mkdir(parents=True)
    (root / "nvvm/libdevice/libdevice.10.bc").write_text("bitcode")
    return root


def split_wheels(site: Path, version: str, headers_version: str | None = None) -> Path:
    """Make the three folders of the cu12 wheels; the versions may disagree."""
    nvidia = site / "nvidia"
    program(nvidia / "cuda_nvcc/bin/ptxas", NVIDIA.format(version=version))
    (nvidia / "cuda_nvcc/nvvm/libdevice").mkdir(parents=True)
    (nvidia / "cuda_nvcc/nvvm/libdevice/libdevice.10.bc").write_text("bitcode")
    headers(nvidia / "cuda_runtime/include", headers_version or version)
    for folder, name in (("cuda_nvcc", "crt/host_defines.h"), ("cuda_cccl", "nv/target")):
        place = nvidia / folder / "include" / name
        place.parent.mkdir(parents=True)
        place.write_text("")
        (nvidia / "cuda_runtime/include" / name).unlink()
    return site


def config(tmp_path: Path, **changes: object) -> Config:
    """Return a configuration that sees nothing of this machine but what a test names."""
    values: dict[str, object] = {
        "search_path": str(tmp_path / "no-path"),
        "cache_dir": tmp_path / "cache",
        "prefix": str(tmp_path / "no-prefix"),
        "site_packages": (),
        "cuda_environ": None,
    }
    return Config(**(values | changes))  # type: ignore[arg-type]
