# SPDX-License-Identifier: Apache-2.0
"""CUDA from NVIDIA's wheels, split into conda-forge's packages and laid out as it lays them out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .channel import Channel, link
from .downloads import Wheel

TARGET = "targets/x86_64-linux"
LIBNVVM = "nvvm/lib64"


def pack_cuda(channel: Channel, cuda: str) -> str:
    """Pack the toolkit's parts; returns the compiler's full version."""
    wheels = {
        part: channel.downloads.wheel(f"nvidia-{part}=={cuda}.*")
        for part in ("cuda-nvcc", "nvvm", "cuda-crt", "cuda-runtime")
    }
    version = wheels["cuda-nvcc"].version
    channel.pack("cuda-version", cuda, cuda=cuda, noarch=True)
    _pack_compiler(channel, wheels, version, cuda)
    _pack_runtime(channel, wheels["cuda-runtime"], cuda)
    _pack_cccl(channel, cuda)
    for name in ("cuda-nvcc-impl", "cuda-nvcc_linux-64", "cuda-nvcc", "cuda-nvvm"):
        channel.pack(name, version, cuda=cuda)
    return version


def _pack_compiler(channel: Channel, wheels: dict[str, Wheel], version: str, cuda: str) -> None:
    nvcc, nvvm, crt = wheels["cuda-nvcc"], wheels["nvvm"], wheels["cuda-crt"]

    def part(name: str, wheel: Wheel, place: Callable[[str], str | None]) -> Path:
        stage = channel.stage(name)
        wheel.unpack(stage, lambda path: _own(path, place))
        return stage

    tools = part("cuda-nvcc-tools", nvcc, _under("bin/", but="bin/crt/"))
    _edit_profile(tools / "bin/nvcc.profile")
    for program in (tools / "bin").iterdir():
        program.chmod(0o644 if program.suffix == ".profile" else 0o755)
    parts = {
        "cuda-nvcc-tools": tools,
        "cuda-crt-tools": part("cuda-crt-tools", nvcc, _under("bin/crt/")),
        "cuda-nvvm-tools": part("cuda-nvvm-tools", nvvm, _under("nvvm/")),
        "cuda-nvvm-impl": part("cuda-nvvm-impl", nvvm, _libnvvm),
        "cuda-crt-dev_linux-64": part("cuda-crt-dev_linux-64", crt, _target("include/")),
        "cuda-nvcc-dev_linux-64": part("cuda-nvcc-dev_linux-64", nvcc, _target("include/")),
        "cuda-nvvm-dev_linux-64": channel.stage("cuda-nvvm-dev_linux-64"),
    }
    (parts["cuda-nvvm-tools"] / "nvvm/bin/cicc").chmod(0o755)
    link(parts["cuda-nvvm-dev_linux-64"] / TARGET / "nvvm", "../../nvvm")
    link(parts["cuda-nvcc-dev_linux-64"] / TARGET / "bin/nvcc", "../../../bin/nvcc")
    for name, stage in parts.items():
        channel.pack(name, version, stage, cuda=cuda)


def _edit_profile(profile: Path) -> None:
    """conda-forge's patch to nvcc.profile: headers and libraries lie under targets/."""
    text = profile.read_text().replace("$(_HERE_)/..", f"$(_HERE_)/../{TARGET}")
    text = text.replace("$(CICC_PATH):$(_HERE_):", "$(TOP)/bin:$(CICC_PATH):$(TOP)/../../bin:")
    profile.write_text(text)


def _pack_runtime(channel: Channel, wheel: Wheel, cuda: str) -> None:
    development = channel.stage("cuda-cudart-dev_linux-64")
    wheel.unpack(development, lambda path: _own(path, _target("include/")))
    runtime = channel.stage("cuda-cudart_linux-64")
    wheel.unpack(runtime, lambda path: _own(path, _target("lib/", but=".a")))
    library = next((runtime / TARGET / "lib").glob("libcudart.so.*"))
    link(development / TARGET / "lib/libcudart.so", library.name)
    linked = channel.stage("cuda-cudart")
    link(linked / "lib" / library.name, f"../{TARGET}/lib/{library.name}")
    linked_development = channel.stage("cuda-cudart-dev")
    link(linked_development / "lib/libcudart.so", f"../{TARGET}/lib/libcudart.so")
    for name, stage in {
        "cuda-cudart_linux-64": runtime,
        "cuda-cudart-dev_linux-64": development,
        "cuda-cudart": linked,
        "cuda-cudart-dev": linked_development,
        "cuda-driver-dev_linux-64": None,  # a stub libcuda, which fkl never links
    }.items():
        channel.pack(name, wheel.version, stage, cuda=cuda)


def _pack_cccl(channel: Channel, cuda: str) -> None:
    """cub, thrust and libcu++: the wheels number them apart from the toolkit."""
    wheel = channel.downloads.wheel("nvidia-cuda-cccl")
    stage = channel.stage("cuda-cccl_linux-64")
    wheel.unpack(stage, lambda path: _own(path, _target("include/")))
    channel.pack("cuda-cccl_linux-64", wheel.version, stage, cuda=cuda)


def _own(path: str, place: Callable[[str], str | None]) -> str | None:
    """A file of the toolkit, by its path below the wheel's `nvidia/cuXX`; None for the metadata."""
    parts = path.split("/", 2)
    return place(parts[2]) if parts[0] == "nvidia" and len(parts) == 3 else None


def _under(start: str, but: str = "\0") -> Callable[[str], str | None]:
    return lambda path: path if path.startswith(start) and not path.startswith(but) else None


def _target(start: str, but: str = "\0") -> Callable[[str], str | None]:
    return lambda path: (
        f"{TARGET}/{path}" if path.startswith(start) and not path.endswith(but) else None
    )


def _libnvvm(path: str) -> str | None:
    if path.startswith("lib/"):
        return f"{LIBNVVM}/{path[4:]}"
    return "nvvm/include/nvvm.h" if path == "include/nvvm.h" else None
