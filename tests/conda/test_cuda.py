# SPDX-License-Identifier: Apache-2.0
"""A prefix with a GPU toolchain compiles CUDA in the jail, and says which package is missing."""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import images
import prefixes
import project
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


@dataclass(frozen=True)
class Compiled:
    answer: dict[str, object]
    images: list[images.Image]


@pytest.fixture(scope="session")
def compiled(
    cuda_prefix: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, str], Compiled]:
    """Each build once, however many tests look at it."""

    @cache
    def compile_for(mode: str, arch: str) -> Compiled:
        folder = tmp_path_factory.mktemp(f"{mode}-{arch}")
        answer = build(cuda_prefix, mode, arch, folder)
        return Compiled(answer, images.device_images(folder / "kernel.so"))

    return compile_for


@pytest.mark.parametrize(
    ("mode", "arch"),
    [
        *(("lean", arch) for arch in ("sm_80", "sm_90", "sm_120")),
        *(("toolkit", arch) for arch in ("sm_90", "sm_120")),
        ("nvcc", "sm_90"),
    ],
)
def test_every_mode_builds_machine_code_with_the_prefixs_own_pieces(
    cuda_prefix: Path, compiled: Callable[[str, str], Compiled], mode: str, arch: str
) -> None:
    library = compiled(mode, arch)
    assert library.answer["mode"] == mode
    pieces = {key: str(library.answer[key]) for key in ("compiler", "host", "cuda")}
    assert all(path.startswith(str(cuda_prefix)) for path in pieces.values()), pieces
    found = {(image.kind, image.arch) for image in library.images}
    assert {("elf", int(arch[3:])), ("ptx", int(arch[3:]))} <= found, found


@pytest.mark.parametrize("mode", ["lean", "toolkit"])
def test_the_machine_code_holds_the_kernel(
    compiled: Callable[[str, str], Compiled], mode: str
) -> None:
    cubin = next(i.data for i in compiled(mode, "sm_90").images if i.kind == "elf")
    sizes = images.kernels(cubin)
    assert any("scale_kernel" in name and size for name, size in sizes.items()), sizes


@pytest.mark.parametrize("mode", MODES)
def test_a_launch_without_a_driver_is_an_error_and_not_a_crash(
    compiled: Callable[[str, str], Compiled], mode: str
) -> None:
    assert compiled(mode, "sm_90").answer["status"] != 0


@pytest.mark.parametrize("mode", MODES)
def test_a_hostile_environment_does_not_reach_the_compilers(
    cuda_prefix: Path, tmp_path: Path, poison: Path, mode: str
) -> None:
    for file in INSIDE.iterdir():
        if file.is_file():
            shutil.copy2(file, poison)
    answer = build(cuda_prefix, mode, "sm_90", tmp_path, poison, **HOSTILE)
    assert str(answer["cuda"]).startswith(str(cuda_prefix))


@pytest.fixture(scope="session")
def own_prefix(make_prefix: Callable[..., Path]) -> Path:
    """A prefix that may be damaged."""
    return make_prefix("damaged", "fkl-cuda", cuda="13.5")


@contextmanager
def removed(piece: Path) -> Iterator[None]:
    hidden = piece.with_name(piece.name + ".removed")
    piece.rename(hidden)
    yield
    hidden.rename(piece)


@pytest.mark.parametrize(
    ("missing", "package"),
    [
        ("bin/ptxas", "cuda-nvcc-tools"),
        ("nvvm/libdevice", "cuda-nvvm-tools"),
        ("nvvm/bin/cicc", "cuda-nvvm-tools"),
        ("targets/x86_64-linux/include/crt", "cuda-crt-dev_linux-64"),
        ("targets/x86_64-linux/include/cuda_runtime.h", "cuda-cudart-dev"),
        ("bin/clang++", "clangxx"),
    ],
)
def test_the_doctor_names_the_package_of_a_missing_piece(
    own_prefix: Path, missing: str, package: str
) -> None:
    with removed(own_prefix / missing):
        done = prefixes.jail(own_prefix, "bin/python", "-m", "fkl_toolchain", "--json")
    report = json.loads(done.stdout)
    said = "\n".join((*report["cuda"], *report["advice"]))
    assert Path(missing).name in said or package == "clangxx"
    assert re.search(rf"conda (install -c conda-forge )?{package}\b", said), said


def test_the_doctor_has_no_complaint_about_a_whole_prefix(cuda_prefix: Path) -> None:
    done = prefixes.jail(cuda_prefix, "bin/python", "-m", "fkl_toolchain", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["ok"]
    assert report["advice"] == []
    assert all(target["works"] for target in report["targets"])
    first = report["cuda"][0]
    assert str(cuda_prefix) in first
    assert "missing" not in first


def test_headers_that_are_gone_are_an_error_that_names_the_package(own_prefix: Path) -> None:
    with removed(own_prefix / "include" / "fkl"):
        done = prefixes.jail(own_prefix, "bin/python", "-c", "import fkl; fkl.include_dir()")
    assert done.returncode != 0
    assert "fkl-headers" in done.stderr


@pytest.fixture(scope="session")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts that run in a prefix, and the recipe's, which they share a job with."""
    folder = tmp_path_factory.mktemp("inside")
    for file in (*INSIDE.glob("*.*"), project.ROOT / "recipe" / "check_install.py"):
        shutil.copy2(file, folder)
    return folder


def test_a_file_saved_for_cpu_and_gpu_runs_where_there_is_no_compiler(
    cuda_prefix: Path, own_prefix: Path, inside: Path, tmp_path: Path
) -> None:
    flags = ["-d", str(inside), "-o", str(tmp_path)]
    save = ("/input/save.py", "/output/job.fkl", "cpu:x86-64-v2", "sm_90")
    done = prefixes.jail(cuda_prefix, "bin/python", *save, flags=flags)
    assert done.returncode == 0, done.stderr
    with removed(own_prefix / "bin" / "clang++"):
        load = ("/input/load.py", "/output/job.fkl")
        done = prefixes.jail(own_prefix, "bin/python", *load, flags=flags)
    assert done.returncode == 0, done.stderr
    assert "saved numbers" in done.stdout
    with zipfile.ZipFile(tmp_path / "job.fkl") as saved:
        libraries = [saved.read(name) for name in saved.namelist() if name.endswith(".so")]
    found = {(i.kind, i.arch) for library in libraries for i in images.images_in(library)}
    assert ("elf", 90) in found
