# SPDX-License-Identifier: Apache-2.0
"""How tools are run: scrubbed, within a time, and never taken for successful when they died."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from fkl_toolchain import BuildError
from fkl_toolchain._run import checked, first_error, run, scrubbed_environment
from fkl_toolchain._workshop import workshop

from tests.toolchain.fakes import program

POISON = {
    "CPATH": "/poison",
    "CPLUS_INCLUDE_PATH": "/poison",
    "CCC_OVERRIDE_OPTIONS": "# x-c",
    "LD_LIBRARY_PATH": "/poison",
    "LD_PRELOAD": "",
    "NVCC_APPEND_FLAGS": "--poison",
    "NVCC_PREPEND_FLAGS": "--poison",
    "NVCC_CCBIN": "/poison",
    "GCC_EXEC_PREFIX": "/poison",
    "COMPILER_PATH": "/poison",
    "CONDA_BUILD_SYSROOT": "/poison",
    "LANG": "de_DE.UTF-8",
}


def test_a_tool_sees_an_allow_list_and_nothing_of_the_callers_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in POISON.items():
        monkeypatch.setenv(name, value)
    tool = program(tmp_path / "tool", "#!/bin/sh\n/usr/bin/env\n")
    seen = {line.split("=")[0] for line in run((str(tool),), tmp_path, 10).output.splitlines()}
    shell = {"PWD", "SHLVL", "_", "OLDPWD"}
    assert seen - shell == set(scrubbed_environment("/x/tool", tmp_path))


def test_a_tool_that_hangs_is_stopped_with_its_children(tmp_path: Path) -> None:
    child = tmp_path / "child"
    tool = program(tmp_path / "tool", f"#!/bin/sh\nsleep 60 &\necho $! > {child}\nwait\n")
    done = run((str(tool),), tmp_path, 1.0)
    assert done.timed_out
    assert "stopped after 1 s" in done.output
    deadline = time.monotonic() + 10
    while Path(f"/proc/{child.read_text().strip()}/stat").exists():
        state = Path(f"/proc/{child.read_text().strip()}/stat").read_text().split()[2]
        if state == "Z":
            break
        assert time.monotonic() < deadline, "the child lives on"
        time.sleep(0.05)


def test_a_time_limit_is_an_error_of_the_build(tmp_path: Path) -> None:
    tool = program(tmp_path / "tool", "#!/bin/sh\nsleep 60\n")
    with pytest.raises(BuildError, match="stopped after"):
        checked((str(tool),), tmp_path, 0.5, "a row")


def test_death_by_a_signal_is_an_error(tmp_path: Path) -> None:
    tool = program(tmp_path / "tool", "#!/bin/sh\necho almost done\nkill -SEGV $$\n")
    with pytest.raises(BuildError) as caught:
        checked((str(tool),), tmp_path, 10, "a row")
    assert caught.value.returncode == -11
    assert "signal 11" in str(caught.value)


def test_a_tool_killed_without_a_word_names_the_signal(tmp_path: Path) -> None:
    tool = program(tmp_path / "tool", "#!/bin/sh\nkill -KILL $$\n")
    with pytest.raises(BuildError) as caught:
        checked((str(tool),), tmp_path, 10, "a row")
    assert caught.value.first_error.startswith("ended by signal 9 without a word")


def test_a_failure_shows_the_first_real_error_the_command_and_the_row(tmp_path: Path) -> None:
    text = (
        "#!/bin/sh\necho 'x.h:1: warning: error: not this'\necho 'x.h:2: error: this one'\nexit 1\n"
    )
    tool = program(tmp_path / "tool", text)
    with pytest.raises(BuildError) as caught:
        checked((str(tool), "-c"), tmp_path, 10, "lean mode, clang 22")
    error = caught.value
    assert error.first_error == "x.h:2: error: this one"
    assert error.command == (str(tool), "-c")
    assert "lean mode, clang 22" in str(error) and "not this" in error.log


@pytest.mark.parametrize(
    "line",
    [
        "ptxas fatal   : Value 'sm_70' is not defined for option 'gpu-name'",
        "fatbinary fatal : Unknown option '-image'",
        "k.cu:2:1: error: unknown type name 'x'",
        "/usr/bin/ld: host.o: undefined reference to `f'",
        "ld.lld: error: undefined symbol: f",
        "nvcc fatal   : Unsupported gpu architecture 'compute_35'",
    ],
)
def test_errors_of_every_tool_are_recognised(line: str) -> None:
    assert first_error(f"note: something\n{line}\nerror: later") == line


def test_a_tool_that_is_gone_is_an_error_and_no_exception_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="No such file"):
        checked((str(tmp_path / "gone"),), tmp_path, 10, "a row")


def test_a_build_happens_in_a_folder_for_its_owner_alone_that_goes_away() -> None:
    with workshop("a row", 10) as shop:
        assert shop.folder.stat().st_mode & 0o777 == 0o700
    assert not shop.folder.exists()


def test_what_is_published_replaces_the_old_in_one_step(tmp_path: Path) -> None:
    out = tmp_path / "deep/out.so"
    out.parent.mkdir()
    out.write_bytes(b"old")
    kept = os.open(out, os.O_RDONLY)
    with workshop("a row", 10) as shop:
        made = Path(shop.path("made"))
        made.write_bytes(b"new")
        shop.publish(made, out)
    assert os.read(kept, 10) == b"old"
    os.close(kept)
    assert out.read_bytes() == b"new"
    assert [path.name for path in out.parent.iterdir()] == ["out.so"]


def test_a_tool_that_claims_success_and_writes_nothing_is_not_believed(tmp_path: Path) -> None:
    tool = program(tmp_path / "tool", "#!/bin/sh\nexit 0\n")
    with workshop("a row", 10) as shop, pytest.raises(BuildError, match=r"wrote no kernel\.so"):
        shop.run((str(tool), "-c", "x.cpp", "-o", shop.path("kernel.so")))
