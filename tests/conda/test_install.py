# SPDX-License-Identifier: Apache-2.0
"""A fresh prefix runs fkl in a root that holds nothing but that prefix and glibc."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import prefixes
import project
import pytest

RECIPE = project.ROOT / "recipe"
INSIDE = Path(__file__).parent / "inside"
CHECK = ("bin/python", "/input/check_install.py")

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the jail mounts and changes root")


def check(prefix: Path, folder: Path = RECIPE, **variables: str) -> str:
    done = prefixes.jail(prefix, *CHECK, variables=variables, flags=["-d", str(folder)])
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert f"ok {prefix}" in done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def poison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a compiler, headers, libraries and a toolkit that break whoever uses them."""
    folder = tmp_path_factory.mktemp("poison")
    (folder / "check_install.py").write_bytes((RECIPE / "check_install.py").read_bytes())
    for program in ("clang++", "g++", "nvcc", "ld.lld", "ptxas"):
        file = folder / "bin" / program
        file.parent.mkdir(exist_ok=True)
        file.write_text("not a program\n")
        file.chmod(0o755)
    for header in ("fused_kernel/core/lean.h", "stddef.h", "cuda_runtime.h"):
        file = folder / "include" / header
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#error poisoned\n")
    (folder / "lib").mkdir()
    for library in ("libLLVM.so.22.1", "libclang-cpp.so.22.1"):
        (folder / "lib" / library).write_text("not a library\n")
    (folder / "conda-meta").mkdir()
    return folder


HOSTILE = {
    "PATH": "/input/bin",
    "CONDA_PREFIX": "/input",
    "CONDA_BUILD_SYSROOT": "/input",
    "CUDA_HOME": "/input",
    "CUDA_PATH": "/input",
    "CPATH": "/input/include",
    "C_INCLUDE_PATH": "/input/include",
    "CPLUS_INCLUDE_PATH": "/input/include",
    "LIBRARY_PATH": "/input/lib",
    "LD_LIBRARY_PATH": "/input/lib",
    "COMPILER_PATH": "/input/bin",
    "GCC_EXEC_PREFIX": "/input/lib",
    "CCC_OVERRIDE_OPTIONS": "+-fsyntax-only",
    "CXX": "/input/bin/clang++",
    "CXXFLAGS": "-fsyntax-only",
    "NVCC_PREPEND_FLAGS": "-ccbin=/input/bin/g++",
    "NVCC_APPEND_FLAGS": "--no-such-option",
    "NVCC_CCBIN": "/input/bin/g++",
    "SDKROOT": "/input",
}


def test_a_fresh_prefix_builds_and_runs_without_activation(cpu_prefix: Path) -> None:
    printed = check(cpu_prefix)
    assert "the interpreter's conda prefix" in printed


def test_the_jail_holds_no_other_program(cpu_prefix: Path) -> None:
    """If it did, everything here would prove nothing."""
    done = prefixes.jail(cpu_prefix, "bin/python", "/input/programs.py", flags=["-d", str(INSIDE)])
    assert done.returncode == 0, done.stderr
    programs = [Path(line).name for line in done.stdout.splitlines()]
    assert programs  # glibc's libraries are executable files too
    assert all(".so" in name for name in programs), programs


def test_the_prefix_is_read_only_in_the_jail(cpu_prefix: Path) -> None:
    done = prefixes.jail(cpu_prefix, "bin/python", "-c", "import sys; open(sys.prefix + '/x', 'w')")
    assert "Read-only" in done.stderr


def test_a_path_with_spaces_and_letters_beyond_ascii_serves(
    make_prefix: Callable[..., Path],
) -> None:
    check(make_prefix("mein größter Ordner", "fkl-cpu"))


@pytest.mark.parametrize("name", ["CPATH", "CCC_OVERRIDE_OPTIONS", "LD_LIBRARY_PATH"])
def test_the_poison_breaks_a_compiler_that_is_run_plainly(
    cpu_prefix: Path, poison: Path, tmp_path: Path, name: str
) -> None:
    """Otherwise the next test would prove nothing."""
    source = poison / "plain.cpp"
    source.write_text("#include <stddef.h>\nint f() { return 1; }\n")
    done = prefixes.jail(
        cpu_prefix,
        *("bin/clang++", "-shared", "-o", "/output/plain.so", "/input/plain.cpp"),
        variables={name: HOSTILE[name]},
        flags=["-d", str(poison), "-o", str(tmp_path)],
    )
    assert done.returncode != 0 or not (tmp_path / "plain.so").exists()


def test_a_hostile_environment_changes_nothing(cpu_prefix: Path, poison: Path) -> None:
    check(cpu_prefix, poison, **HOSTILE)


@pytest.mark.parametrize("name", ["CONDA_PREFIX", "CUDA_HOME", "PATH", "LD_LIBRARY_PATH"])
def test_another_environment_changes_nothing(cpu_prefix: Path, poison: Path, name: str) -> None:
    check(cpu_prefix, poison, **{name: HOSTILE[name]})


def test_a_home_that_cannot_be_written_serves(cpu_prefix: Path) -> None:
    check(cpu_prefix, HOME=str(cpu_prefix))


def test_a_prefix_for_gpus_serves_the_cpu_too(cuda_prefix: Path) -> None:
    check(cuda_prefix)
