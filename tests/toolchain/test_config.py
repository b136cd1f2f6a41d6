# SPDX-License-Identifier: Apache-2.0
"""Where the cache lies on a machine without a home: never in a folder that others prepared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fkl_toolchain._config import default_cache_dir


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", "/nothing/at/all")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / f"fkl_toolchain-{os.getuid()}"


def test_a_machine_without_a_home_has_one_private_cache_in_the_temporary_folder(
    homeless: Path,
) -> None:
    assert default_cache_dir({}) == homeless
    assert homeless.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("prepared", ["open to others", "a link", "a file"])
def test_a_cache_that_somebody_prepared_is_not_used(
    homeless: Path, tmp_path: Path, prepared: str
) -> None:
    if prepared == "open to others":
        homeless.mkdir()
        homeless.chmod(0o777)
    elif prepared == "a link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        homeless.symlink_to(tmp_path / "theirs")
    else:
        homeless.touch()
    chosen = default_cache_dir({})
    assert chosen != homeless and chosen.parent == tmp_path
    assert chosen.stat().st_mode & 0o777 == 0o700
    assert default_cache_dir({}) == chosen


def test_a_cache_of_one_process_goes_with_it(homeless: Path, tmp_path: Path) -> None:
    homeless.touch()
    script = "from fkl_toolchain._config import default_cache_dir as d; print(d({}).is_dir())"
    done = subprocess.run(
        (sys.executable, "-c", script),
        env={"HOME": "/nothing", "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "True\n", done.stderr
    assert list(tmp_path.iterdir()) == [homeless]
