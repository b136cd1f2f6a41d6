# SPDX-License-Identifier: Apache-2.0
"""A prefix with a GPU toolchain compiles CUDA in the jail, and says which package is missing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import images
import prefixes
import pytest
from test_install import HOSTILE, poison

INSIDE = Path(__file__).parent / "inside"
MODES = ["lean", "toolkit", "nvcc"]

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the jail mounts and changes root")
__all__ = ["poison"]


def build(
    prefix: Path, mode: str, arch: str, out: Path, folder: Path = INSIDE, **variables: str
) -> dict[str, object]:
    # nvcc alone runs its own steps through a shell
    flags = ["-d", str(folder), "-o", str(out), *(["-s"] if mode == "nvcc" else [])]
    command = ("bin/python", "/input/build_cuda.py", mode, arch, "/output/kernel.so")
    done = prefixes.jail(prefix, *command, variables=variables, flags=flags)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    answer = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_120"])
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_builds_machine_code_with_the_prefixs_own_pieces(
    cuda_prefix: Path, tmp_path: Path, mode: str, arch: str
) -> None:
    answer = build(cuda_prefix, mode, arch, tmp_path)
    assert answer["mode"] == mode
    pieces = {key: str(answer[key]) for key in ("compiler", "host", "cuda")}
    assert all(path.startswith(str(cuda_prefix)) for path in pieces.values()), pieces
    number = int(arch[3:])
    found = images.device_images(tmp_path / "kernel.so")
    assert ("elf", number) in {(image.kind, image.arch) for image in found}, found
    assert "ptx" in {image.kind for image in found}


@pytest.mark.parametrize("mode", ["lean", "toolkit"])
def test_the_machine_code_holds_the_kernel(cuda_prefix: Path, tmp_path: Path, mode: str) -> None:
    build(cuda_prefix, mode, "sm_90", tmp_path)
    cubin = next(i.data for i in images.device_images(tmp_path / "kernel.so") if i.kind == "elf")
    sizes = images.kernels(cubin)
    assert any("scale_kernel" in name and size for name, size in sizes.items()), sizes


@pytest.mark.parametrize("mode", MODES)
def test_a_launch_without_a_driver_is_an_error_and_not_a_crash(
    cuda_prefix: Path, tmp_path: Path, mode: str
) -> None:
    assert build(cuda_prefix, mode, "sm_90", tmp_path)["status"] != 0


@pytest.mark.parametrize("mode", MODES)
def test_a_hostile_environment_does_not_reach_the_compilers(
    cuda_prefix: Path, tmp_path: Path, poison: Path, mode: str
) -> None:
    for file in INSIDE.iterdir():
        if file.is_file():
            shutil.copy2(file, poison)
    answer = build(cuda_prefix, mode, "sm_90", tmp_path, poison, **HOSTILE)
    assert str(answer["cuda"]).startswith(str(cuda_prefix))


@pytest.mark.parametrize(
    ("missing", "package", "mode"),
    [
        ("bin/ptxas", "cuda-nvcc-tools", "toolkit"),
        ("nvvm", "cuda-nvvm-tools", "toolkit"),
        ("targets/x86_64-linux/include/crt", "cuda-crt-dev_linux-64", "toolkit"),
        ("targets/x86_64-linux/include/cuda_runtime.h", "cuda-cudart-dev", "toolkit"),
        ("nvvm/bin/cicc", "cuda-nvvm-tools", "nvcc"),
    ],
)
def test_a_missing_piece_is_an_error_that_names_the_package(
    make_prefix: Callable[..., Path], tmp_path: Path, missing: str, package: str, mode: str
) -> None:
    prefix = make_prefix("broken", "fkl-cuda", cuda="13.5")
    piece = prefix / missing
    if piece.is_dir():
        shutil.rmtree(piece)
    else:
        piece.unlink()
    flags = ["-d", str(INSIDE), "-o", str(tmp_path), "-s"]
    command = ("bin/python", "/input/build_cuda.py", mode, "sm_90", "/output/kernel.so")
    done = prefixes.jail(prefix, *command, flags=flags)
    assert done.returncode != 0
    assert missing.split("/")[-1] in done.stderr
    assert package in done.stderr
