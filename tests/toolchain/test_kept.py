# SPDX-License-Identifier: Apache-2.0
"""What lies in the cache is used only while it is whole and ours, and is made again in place."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fkl_toolchain import Config, Toolchain, ToolchainError, _build_cpu, _identity, find
from fkl_toolchain._kept import keep, recall

from fkl import _cache
from tests.toolchain import fakes
from tests.toolchain.cells import PROBES


def any_clang(cache: Path) -> Toolchain:
    """One that precompiles headers."""
    for name in ("clang++-22", "clang++-19", "clang++-16", "clang++"):
        try:
            return find("cpu", config=Config(compiler=name, cache_dir=cache))
        except ToolchainError:
            continue
    pytest.skip("no clang on PATH")


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def shortened(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def altered(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def writable_by_others(path: Path) -> None:
    path.chmod(0o666)


def linked_elsewhere(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to(path.with_name("moved"))


DAMAGES = (emptied, shortened, altered, writable_by_others, linked_elsewhere)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_foreign_file_is_not_recalled_and_can_be_kept_again(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "kept/file"
    assert keep(path, b"0123456789") and recall(path) == b"0123456789"
    damage(path)
    assert recall(path) is None
    assert keep(path, b"0123456789") and recall(path) == b"0123456789"


def test_a_folder_that_others_may_write_is_not_believed(tmp_path: Path) -> None:
    keep(tmp_path / "kept/file", b"data")
    (tmp_path / "kept").chmod(0o777)
    assert recall(tmp_path / "kept/file") is None


def test_a_pipe_in_the_place_of_a_file_blocks_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file", 0o600)
    assert recall(tmp_path / "file") is None


@pytest.fixture
def gcc(tmp_path: Path) -> Toolchain:
    return find("cpu", config=Config(compiler="g++", cache_dir=tmp_path / "cache"))


@pytest.mark.parametrize("damage", DAMAGES[:3])
def test_a_damaged_object_is_compiled_again_once(
    damage: Callable[[Path], None], gcc: Toolchain, tmp_path: Path
) -> None:
    gcc.build_c(PROBES / "threads.c", tmp_path / "one.so")
    (kept,) = (tmp_path / "cache/objects").iterdir()
    damage(kept)
    again = gcc.build_c(PROBES / "threads.c", tmp_path / "two.so")
    after = gcc.build_c(PROBES / "threads.c", tmp_path / "three.so")
    assert (len(again.commands), len(after.commands)) == (3, 2)
    assert (tmp_path / "one.so").read_bytes() == (tmp_path / "three.so").read_bytes()


def test_another_version_of_the_package_compiles_its_objects_again(
    gcc: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gcc.build_c(PROBES / "threads.c", tmp_path / "one.so")
    monkeypatch.setattr(_build_cpu, "own_digest", lambda: "another")
    again = gcc.build_c(PROBES / "threads.c", tmp_path / "two.so")
    assert (len(again.commands), len(list((tmp_path / "cache/objects").iterdir()))) == (3, 2)


@pytest.mark.parametrize("name", sorted(path.name for path in _build_cpu.LEAN.glob("*.[ch]")))
def test_every_file_that_is_compiled_in_makes_another_version(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(_identity.PACKAGE, tmp_path / "package")
    monkeypatch.setattr(_identity, "PACKAGE", tmp_path / "package")
    before = _identity.own_digest.__wrapped__()
    with (tmp_path / "package/lean" / name).open("a") as file:
        file.write("\n")
    assert _identity.own_digest.__wrapped__() != before


def test_clearing_the_cache_clears_the_objects_and_nobody_elses(
    gcc: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gcc.build_c(PROBES / "threads.c", tmp_path / "one.so")
    (tmp_path / "cache/objects/main.o").touch()
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path / "cache"))
    _cache.clear()
    assert [path.name for path in (tmp_path / "cache/objects").iterdir()] == ["main.o"]


@pytest.mark.parametrize("name", ["header.pch", "manifest"])
@pytest.mark.parametrize("damage", DAMAGES[:4])
def test_a_damaged_precompiled_header_is_made_again(
    damage: Callable[[Path], None], name: str, tmp_path: Path
) -> None:
    clang = any_clang(tmp_path / "cache")
    header, source = tmp_path / "inc/number.h", tmp_path / "use.cpp"
    header.parent.mkdir()
    header.write_text("#pragma once\ninline int number() { return 3; }\n")
    source.write_text('#include <number.h>\nextern "C" int f() { return number(); }\n')
    made = []
    for _ in range(3):
        built = clang.build(
            source, tmp_path / "x.so", include_dirs=[header.parent], precompiled=["number.h"]
        )
        made.append(sum("-emit-pch" in command for command in built.commands))
        (kept,) = (tmp_path / "cache/precompiled").glob(f"*/{name}")
        if len(made) == 1:
            damage(kept)
    assert made == [1, 1, 0]


def test_a_header_that_cannot_be_precompiled_does_not_stop_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clang = any_clang(tmp_path / "cache")

    def fail(*_arguments: object) -> tuple[str, ...]:
        return (clang.compiler.path, "--no-space-left-on-device")

    monkeypatch.setattr("fkl_toolchain._precompiled.precompile_argv", fail)
    (tmp_path / "one.h").write_text("#pragma once\n")
    (tmp_path / "use.cpp").write_text("#include <one.h>\nint f() { return 1; }\n")
    out = tmp_path / "x.so"
    clang.build(tmp_path / "use.cpp", out, include_dirs=[tmp_path], precompiled=["one.h"])
    assert out.is_file()


def test_a_damaged_answer_of_a_compiler_is_asked_for_again(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.0")
    config = fakes.config(tmp_path, search_path=str(tmp_path / "path"))
    before = find("cpu", config=config)
    for kept in (tmp_path / "cache/probes").iterdir():
        kept.write_text('{"kind": "gcc", "version": "15", "text": "", "linker": "/bin/sh"}')
    assert find("cpu", config=config) == before
