# SPDX-License-Identifier: Apache-2.0
"""The demo runs as `make demo` runs it, and on a machine where no compiler is installed; the C++
example compiles with what is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fkl

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo.py"
PNG = b"\x89PNG"


def demo(environ: dict[str, str], folder: Path) -> str:
    """What the demo prints; its picture goes below `folder`."""
    picture = folder / "demo.png"
    argv = [sys.executable, str(DEMO), "--picture", str(picture)]
    done = subprocess.run(argv, env=environ, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert picture.read_bytes()[:4] == PNG
    return done.stdout


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment with no program on PATH, and a home without a cache."""
    (tmp_path / "bin").mkdir()
    tree = f"{ROOT}:{ROOT / 'toolchain'}"  # so that it is this tree's fkl, installed or not
    return {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path), "PYTHONPATH": tree}


def test_the_demo_checks_its_numbers_and_its_second_process_compiles_nothing(tmp_path, bare):
    printed = demo({**bare, "PATH": "/usr/bin:/bin"}, tmp_path)
    assert "a cache hit" in printed


def test_the_demo_runs_with_the_compiler_of_the_wheel_where_there_is_no_other(tmp_path, bare):
    printed = demo(bare, tmp_path)
    assert "ziglang" in printed


NAMES = {
    "g++": ["g++"],
    "clang++": ["clang++", *(f"clang++-{version}" for version in range(23, 15, -1))],
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_the_cpp_example_gives_the_numbers_of_the_readme(names, tmp_path):
    compiler = next(filter(None, map(shutil.which, names)), None)
    if compiler is None:
        pytest.skip(f"no {names[0]} on PATH")
    program = tmp_path / "crops"
    argv = [compiler, "-std=c++20", "-O1", "-pthread", "-I", str(fkl.include_dir())]
    argv += [str(ROOT / "examples" / "crops.cpp"), "-o", str(program)]
    subprocess.run(argv, check=True, capture_output=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert printed == "2.2489 -2.0357 0.4265\n"
