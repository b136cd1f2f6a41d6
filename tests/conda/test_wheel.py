# SPDX-License-Identifier: Apache-2.0
"""pip's way: the wheel and each of its extras, installed in an empty environment and run there.

Here because it needs what the conda tests need: time, a registry, and nothing of the source tree.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import images
import project
import pytest

INSIDE = Path(__file__).parent / "inside"
LARGEST = 2_000_000
NUMBERS = "import check_install; check_install.check_numbers()"


@pytest.fixture(scope="session")
def wheel(work: Path) -> Path:
    folder = work / "wheel"
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder)]
    subprocess.run([*pip, str(project.ROOT)], check=True)
    return next(folder.glob("fkl-*.whl"))


@pytest.fixture(scope="session")
def make_environment(work: Path, wheel: Path) -> Callable[[str], Path]:
    @cache
    def make(extras: str) -> Path:
        folder = work / "environments" / (extras or "plain")
        venv.create(folder, with_pip=False, clear=True)
        python = folder / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
        requirement = f"fkl[{extras}] @ {wheel.as_uri()}" if extras else str(wheel)
        subprocess.run([*pip, "--disable-pip-version-check", requirement], check=True)
        return python

    return make


def run(python: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run with these variables alone: an empty PATH hides every compiler of the machine."""
    variables = {"PATH": path, "PYTHONPATH": str(project.ROOT / "recipe")}
    return subprocess.run(
        [str(python), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=variables,
        cwd="/",
    )


def build(python: Path, mode: str, out: Path) -> dict[str, object]:
    done = run(python, str(INSIDE / "build_cuda.py"), mode, "sm_90", str(out))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(answer, dict)
    return answer


def test_the_wheel_is_small_and_holds_what_it_compiles_with(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size <= LARGEST
    names = set(zipfile.ZipFile(wheel).namelist())
    tree = project.ROOT / "fkl" / "include"
    headers = {f"fkl/include/{f.relative_to(tree)}" for f in tree.rglob("*") if f.is_file()}
    assert headers <= names
    assert "fkl_toolchain/lean/prelude.h" in names
    assert any(name.startswith("fkl_toolchain/shims/") for name in names)
    assert not [n for n in names if not n.startswith(("fkl/", "fkl_toolchain/", "fkl-"))]


def test_the_plain_wheel_uses_the_machines_compiler(
    make_environment: Callable[[str], Path],
) -> None:
    done = run(make_environment(""), "-c", NUMBERS, path="/usr/local/bin:/usr/bin:/bin")
    assert done.returncode == 0, done.stderr


def test_the_plain_wheel_without_any_compiler_says_what_to_install(
    make_environment: Callable[[str], Path],
) -> None:
    done = run(make_environment(""), "-c", NUMBERS)
    assert done.returncode != 0
    assert "ToolchainError" in done.stderr
    assert "pip install ziglang" in done.stderr


def test_the_compiler_extra_needs_nothing_of_the_machine(
    make_environment: Callable[[str], Path],
) -> None:
    python = make_environment("compiler")
    done = run(python, "-c", NUMBERS)
    assert done.returncode == 0, done.stderr
    where = "import fkl_toolchain; print(fkl_toolchain.find('cpu').compiler.path)"
    assert "ziglang" in run(python, "-c", where).stdout


@pytest.mark.parametrize("extra", ["cuda12", "cuda13"])
def test_a_cuda_extra_makes_machine_code_beside_the_compiler_extra(
    make_environment: Callable[[str], Path], tmp_path: Path, extra: str
) -> None:
    python = make_environment(f"compiler,{extra}")
    answer = build(python, "lean", tmp_path / "kernel.so")
    assert "site-packages" in str(answer["cuda"])
    found = {(i.kind, i.arch) for i in images.device_images(tmp_path / "kernel.so")}
    assert {("elf", 90), ("ptx", 90)} <= found


def test_the_compiler_extra_alone_makes_code_that_the_driver_compiles(
    make_environment: Callable[[str], Path], tmp_path: Path
) -> None:
    # where the machine has a toolkit of its own, lean mode would take its ptxas
    python = make_environment("compiler")
    build(python, "lean", tmp_path / "kernel.so")
    assert "ptx" in {i.kind for i in images.device_images(tmp_path / "kernel.so")}


def test_the_toolkit_extra_brings_every_piece(
    make_environment: Callable[[str], Path],
) -> None:
    python = make_environment("cuda13-toolkit")
    done = run(python, "-m", "fkl_toolchain", "--json")
    first = json.loads(done.stdout)["cuda"][0]
    assert "site-packages" in first
    assert all(piece in first for piece in ("ptxas", "libdevice", "headers", "nvcc")), first
    assert "missing" not in first


def test_the_cli_extra_brings_the_doctors_colours(make_environment: Callable[[str], Path]) -> None:
    python = make_environment("cli")
    assert run(python, "-c", "import rich").returncode == 0
    assert run(python, "-m", "fkl_toolchain", path="/usr/bin").returncode == 0
