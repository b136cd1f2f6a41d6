# SPDX-License-Identifier: Apache-2.0
"""A prefix that was not solved where it runs: explicit lists, conda-pack, environment files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import conda_pack
import conftest
import lock
import prefixes
import project
import pytest
from test_install import check

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="the jail mounts and changes root")


def listing(prefix: Path) -> str:
    """What a user gets from `python recipe/lock.py --prefix PREFIX`."""
    command = [sys.executable, str(project.ROOT / "recipe" / "lock.py"), "--prefix", str(prefix)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_an_explicit_list_names_every_package_with_its_sha256(cpu_prefix: Path) -> None:
    lines = listing(cpu_prefix).splitlines()
    assert lines[:2] == ["# platform: linux-64", "@EXPLICIT"]
    assert all(re.fullmatch(r"\S+\.conda#[0-9a-f]{64}", line) for line in lines[2:])
    assert len(lines) - 2 == len(list((cpu_prefix / "conda-meta").glob("*.json")))


def test_an_explicit_list_puts_dependencies_first(cpu_prefix: Path) -> None:
    names = [Path(line).name for line in listing(cpu_prefix).splitlines()[2:]]
    at = {re.sub(r"-[^-]*-[^-]*$", "", name): i for i, name in enumerate(names)}
    assert at["libgcc"] < at["libstdcxx"] < at["numpy"] < at["fkl"]
    assert at["clang-22"] < at["clangxx"] < at["fkl-toolchain"] < at["fkl"]


@needs_root
def test_an_explicit_list_installs_and_runs(
    cpu_prefix: Path, channels: list[Path], work: Path
) -> None:
    records = prefixes.explicit_records(listing(cpu_prefix), channels)
    check(prefixes.install(records, work / "prefixes" / "listed", work / "cache"))


def test_a_list_for_gpus_installs_on_a_machine_without_a_driver(
    channels: list[Path], work: Path
) -> None:
    addresses = [channel.as_uri() for channel in channels]
    records = lock.solve(addresses, ["fkl-cuda"], cuda="13.0", glibc=conftest.GLIBC)
    text = lock.explicit_list(lock.solved(records))
    prefix = work / "prefixes" / "login-node"
    prefixes.install(prefixes.explicit_records(text, channels), prefix, work / "cache")
    assert (prefix / "bin" / "nvcc").exists()
    assert (prefix / "bin" / "clang++").exists()


def test_a_listed_file_that_was_changed_is_refused(cpu_prefix: Path, channels: list[Path]) -> None:
    text = re.sub(r"(fkl-headers\S+#)[0-9a-f]{8}", r"\g<1>00000000", listing(cpu_prefix))
    with pytest.raises(ValueError, match=r"fkl-headers.*sha256 differs"):
        prefixes.explicit_records(text, channels)


def test_a_prefix_without_conda_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="is no conda environment"):
        lock.installed(tmp_path)


@needs_root
def test_a_prefix_that_conda_pack_moved_runs(cpu_prefix: Path, work: Path) -> None:
    archive, moved = work / "cpu.tar", work / "prefixes" / "moved"
    conda_pack.pack(prefix=str(cpu_prefix), output=str(archive), force=True)
    moved.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as tar:
        tar.extractall(moved, filter="fully_trusted")
    archive.unlink()
    unpack = prefixes.jail(moved, "bin/python", f"{moved}/bin/conda-unpack", flags=["-w"])
    assert unpack.returncode == 0, unpack.stderr
    check(moved)


@pytest.mark.parametrize(
    ("file", "driver", "flavour"),
    [
        ("environment.yml", "13.0", "cuda135"),
        ("environment.yml", "12.9", "cuda129"),
        ("environment-cpu.yml", "13.0", "cpu"),
        ("environment-cpu.yml", None, "cpu"),
    ],
)
def test_the_environment_files_solve(
    work: Path, names: Path, packages: object, file: str, driver: str | None, flavour: str
) -> None:
    text = (project.ROOT / file).read_text()
    assert re.findall(r"channels:\n  - (\S+)\n", text) == ["conda-forge"]
    specs = re.findall(r"^  - (.+)$", text.split("dependencies:")[1], re.MULTILINE)
    channels = [(work / "fkl").as_uri(), names.as_uri()]
    records = lock.solve(channels, specs, cuda=driver, glibc=conftest.GLIBC)
    build = next(str(r.build) for r in records if r.name.normalized == "fkl-toolchain")
    assert project.flavour(build) == flavour
