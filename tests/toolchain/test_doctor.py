# SPDX-License-Identifier: Apache-2.0
"""The doctor on bare and on furnished machines; and the example of the README."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fkl_toolchain.doctor import examine, report_lines

from tests.toolchain import fakes

README = Path(__file__).parents[2] / "toolchain" / "README.md"


def doctor(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    base = {"PYTHONPATH": os.pathsep.join(sys.path), "PATH": "/nothing"}
    return subprocess.run(
        (sys.executable, "-m", "fkl_toolchain", *arguments),
        env=base | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_compiler_that_is_named_and_missing_gets_a_status_and_is_to_be_corrected(
    tmp_path: Path,
) -> None:
    done = doctor(
        FKL_COMPILER="/nothing/clang++", FKL_CUDA_HOME="/nothing", FKL_CACHE_DIR=str(tmp_path)
    )
    assert done.returncode == 1
    assert "/nothing/clang++ (the override): no such file" in done.stdout
    assert "/nothing/clang++ alone: correct it, or unset it" in done.stdout
    assert "install ziglang" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_machine_where_nothing_can_build_gets_commands(tmp_path: Path) -> None:
    report = examine(fakes.config(tmp_path))
    assert not report["ok"]
    for command in ("conda install", "pip install", "apt-get install"):
        assert command in report["advice"][0]


def test_the_report_for_machines_is_the_same_report(tmp_path: Path) -> None:
    done = doctor("--json", FKL_COMPILER="/nothing/g++", FKL_CACHE_DIR=str(tmp_path))
    report = json.loads(done.stdout)
    assert done.returncode == 1 and report["ok"] is False
    assert set(report) >= {"targets", "compilers", "cuda", "driver", "gpus", "cache", "advice"}


def test_a_machine_without_a_home_still_gets_an_answer() -> None:
    assert "Cache" in doctor(HOME="/nothing/at/all").stdout


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_reader_that_goes_away_ends_it_without_a_traceback(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        (sys.executable, "-m", "fkl_toolchain", *arguments),
        env={"PYTHONPATH": os.pathsep.join(sys.path), "FKL_CACHE_DIR": str(tmp_path)},
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=120,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_one_working_target_is_enough_for_status_zero(tmp_path: Path) -> None:
    compiler = fakes.gcc(tmp_path / "g++", "12.2.0")
    done = doctor(FKL_COMPILER=str(compiler), FKL_CUDA_HOME="/nothing", FKL_CACHE_DIR=str(tmp_path))
    assert done.returncode == 0
    assert "is built by gcc 12.2.0" in done.stdout
    assert "gcc makes no PTX" in done.stdout


def test_rows_in_force_are_reported_with_reason_and_link(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    report = examine(fakes.config(tmp_path, search_path=str(tmp_path / "path")))
    (shim, *_) = report["targets"][1]["shims"]
    assert re.search(r"clang20-offload-driver: .*\(https://", shim)


def test_what_was_passed_over_is_said_with_its_reason(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++-14", "14.0.0")
    fakes.clang(tmp_path / "path/clang++-12", "22.1.8")
    report = examine(fakes.config(tmp_path, search_path=str(tmp_path / "path")))
    text = "\n".join(line for _, line in report_lines(report))
    assert "clang 14.0.0 is older than 16" in text


def test_an_untested_newer_compiler_is_taken_and_called_untested(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "99.0.0")
    report = examine(fakes.config(tmp_path, search_path=str(tmp_path / "path")))
    assert "newer than what was tested" in report["targets"][0]["description"]


def test_a_cache_that_cannot_be_written_is_mentioned(tmp_path: Path) -> None:
    report = examine(fakes.config(tmp_path, cache_dir=Path("/proc/nowhere")))
    assert "cannot be written" in report["cache"]


def test_the_example_in_the_readme_runs(tmp_path: Path) -> None:
    example = re.search(r"```python\n(.*?)```", README.read_text("utf-8"), re.S)
    assert example is not None
    done = subprocess.run(
        (sys.executable, "-c", example[1]),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("[2.0, 4.0, 6.0] cpu:"), done.stderr
