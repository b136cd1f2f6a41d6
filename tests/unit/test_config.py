# SPDX-License-Identifier: Apache-2.0
"""Environment variables, thread limits and the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fkl import FklError, _config, _threads
from fkl.__main__ import main


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FKL_NUM_THREADS", "OMP_NUM_THREADS", "FKL_NO_JIT"):
        monkeypatch.delenv(name, raising=False)


def test_every_variable_is_listed_with_its_meaning() -> None:
    assert all(
        row.name.startswith("FKL_") and row.meaning.endswith(".") for row in _config.VARIABLES
    )
    with pytest.raises(AssertionError, match="FKL_UNLISTED"):
        _config.text("FKL_UNLISTED")


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1", True), ("yes", True), ("0", False), ("off", False), ("", False), ("False", False)],
)
def test_a_switch_is_on_or_off(value: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FKL_NO_JIT", value)
    assert _config.is_on("FKL_NO_JIT") is expected


def test_a_switch_that_says_neither_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FKL_NO_JIT", "maybe")
    with pytest.raises(ValueError, match=r"FKL_NO_JIT='maybe': give 1 or 0") as caught:
        _config.is_on("FKL_NO_JIT")
    assert isinstance(caught.value, FklError)


def test_the_cache_lies_where_one_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path / "here"))
    assert _config.cache_directory() == tmp_path / "here"
    assert not (tmp_path / "here").exists()


def test_our_variable_wins_over_openmps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert _threads.thread_limit() == 3
    monkeypatch.setenv("FKL_NUM_THREADS", "5")
    assert _threads.thread_limit() == 5


@pytest.mark.parametrize("value", ["-1", "two", "0", "1.5"])
def test_a_senseless_number_of_threads_is_said(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FKL_NUM_THREADS", value)
    with pytest.raises(ValueError, match="FKL_NUM_THREADS") as caught:
        _threads.thread_limit()
    assert isinstance(caught.value, FklError)
    monkeypatch.delenv("FKL_NUM_THREADS")
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert _threads.thread_limit() >= 1


def test_affinity_limits_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3})
    assert _threads.thread_limit() == 1


@pytest.mark.parametrize(
    ("files", "membership", "expected"),
    [
        ({"a/b/cpu.max": "250000 100000"}, "0::/a/b", 3),
        ({"a/b/cpu.max": "max 100000", "a/cpu.max": "100000 100000"}, "0::/a/b", 1),
        (
            {"cpu/x/cpu.cfs_quota_us": "400000", "cpu/x/cpu.cfs_period_us": "100000"},
            "4:cpu,cpuacct:/x",
            4,
        ),
        ({"cpu.max": "50000 100000"}, "0::/", 1),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, "4:cpu:/", 2**31),
        ({}, "", 2**31),
    ],
)
def test_the_tightest_cgroup_counts(
    files: dict[str, str], membership: str, expected: int, tmp_path: Path
) -> None:
    for name, text in files.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "membership").write_text(membership)
    assert _threads.quota(tmp_path / "root", tmp_path / "membership") == expected


def test_the_doctor_says_what_was_found_and_where_things_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path))
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    for part in ("is built by", "Compilers, in the order of", "Driver and GPUs", str(tmp_path)):
        assert part in said
    assert all(row.name in said for row in _config.VARIABLES)


def test_the_doctor_for_machines_fails_where_nothing_can_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("FKL_COMPILER", "/nothing/clang++")
    assert main(["doctor", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert not report["ok"] and report["advice"]
    assert report["variables"]["FKL_COMPILER"] == "/nothing/clang++"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FKL_NUM_THREADS", "many"),
        ("FKL_KEEP", "perhaps"),
        ("FKL_ARCH", "sm_999"),
        ("FKL_INCLUDE", "/nothing"),
    ],
)
def test_the_doctor_says_which_variable_makes_no_sense(
    name: str,
    value: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv(name, value)
    assert main(["doctor", "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert value in problem


def test_a_reader_that_goes_away_early_gets_no_traceback() -> None:
    command = f"{sys.executable} -u -m fkl ops --markdown | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""


@pytest.mark.parametrize("command", ["doctor", "ops", "ops --markdown", "cache"])
def test_a_closed_output_gets_no_traceback(command: str, tmp_path: Path) -> None:
    line = f"{sys.executable} -m fkl {command} >&-"
    env = {**os.environ, "FKL_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=env)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_line_lists_operations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops"]) == 0
    assert "Multiply every channel" in capsys.readouterr().out


def test_the_command_line_shows_and_clears_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path))
    (tmp_path / "kernels" / "abc").mkdir(parents=True)
    assert main(["cache"]) == 0
    assert "1 entries" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert not (tmp_path / "kernels").exists()
