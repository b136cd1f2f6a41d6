# SPDX-License-Identifier: Apache-2.0
"""The tree that clang is given as a CUDA toolkit, out of pieces that lie apart."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import pytest
from fkl_toolchain._farm import farm
from fkl_toolchain._model import Cuda


def file(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_pieces_of_several_folders_become_one_tree(tmp_path: Path) -> None:
    first = file(tmp_path / "runtime/cuda.h", "one").parent
    file(first / "cuda/std/first.h")
    second = file(tmp_path / "cccl/cuda/std/second.h").parents[2]
    ptxas, bitcode = file(tmp_path / "p/ptxas"), file(tmp_path / "b/libdevice.10.bc")
    cuda = Cuda(
        root=str(tmp_path),
        found_via="a test",
        ptxas=str(ptxas),
        libdevice=str(bitcode),
        include=(str(first), str(second)),
    )
    tree = Path(farm(cuda, tmp_path / "cache", tmp_path / "spare"))
    assert (tree / "include/cuda.h").read_text() == "one"
    assert {path.name for path in (tree / "include/cuda/std").iterdir()} == {"first.h", "second.h"}
    assert (tree / "bin/ptxas").resolve() == ptxas
    assert (tree / "nvvm/libdevice/libdevice.10.bc").resolve() == bitcode


def test_the_same_pieces_give_the_same_tree_and_other_ones_another(tmp_path: Path) -> None:
    header = file(tmp_path / "include/cuda.h", "one")
    cuda = Cuda(root="", found_via="", include=(str(header.parent),))
    before = farm(cuda, tmp_path / "cache", tmp_path / "spare")
    assert farm(cuda, tmp_path / "cache", tmp_path / "spare") == before
    header.unlink()
    file(header, "another release")
    assert farm(cuda, tmp_path / "cache", tmp_path / "spare") != before


def test_of_a_folder_shared_with_the_system_only_cudas_headers_are_taken(tmp_path: Path) -> None:
    include = file(tmp_path / "usr/include/stdio.h").parent
    for name in ("cuda.h", "vector_types.h", "crt/host_defines.h", "zlib.h", "bits/floatn.h"):
        file(include / name)
    tree = Path(
        farm(
            Cuda(root="", found_via="", include=(str(include),)),
            tmp_path / "cache",
            tmp_path / "spare",
        )
    )
    names = {path.name for path in (tree / "include").iterdir()}
    assert names == {"cuda.h", "vector_types.h", "crt"}


@pytest.mark.parametrize("cache", ["/proc/no-cache", "foreign", "full"])
def test_a_cache_that_cannot_be_used_gives_a_tree_in_the_builds_own_folder(
    cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    include = file(tmp_path / "include/cuda.h").parent
    cuda = Cuda(root="", found_via="", include=(str(include),))
    place, spare = tmp_path / cache, tmp_path / "spare"
    if cache == "foreign":
        Path(farm(cuda, place, spare)).chmod(0o777)
    elif cache == "full":

        def refuse(*_arguments: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("fkl_toolchain._farm.os.rename", refuse)
    before = set(Path(tempfile.gettempdir()).glob("fkl-farm-*"))
    tree = farm(cuda, place, spare)
    assert tree == str(spare) and (Path(tree) / "include/cuda.h").exists()
    assert set(Path(tempfile.gettempdir()).glob("fkl-farm-*")) == before
    assert not list(place.glob("farms/.new-*"))
