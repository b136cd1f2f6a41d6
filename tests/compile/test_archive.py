# SPDX-License-Identifier: Apache-2.0
"""Chains saved on one machine run on another without a compiler; files are checked first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fkl
from fkl.__main__ import main

RUN = """
import sys, numpy as np, fkl
pipe = fkl.load(sys.argv[1])
x = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
print(pipe(x, rects=[(1, 0, 2, 3), (0, 1, 4, 3)]).sum())
from fkl import _build
print(_build.stats.compiles, _build.stats.runtime_builds)
"""


def crops() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Crop(fkl.Arg("rects")),
        fkl.Resize(3, 2),
        fkl.Mul((2, 1, 1)),
        fkl.TensorSplit(),
    )


def without_compiler(path: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "FKL_CACHE_DIR": str(cache), "FKL_COMPILER": "/no/such/compiler"}
    return subprocess.run(
        [sys.executable, "-c", RUN, str(path)], env=env, text=True, capture_output=True, check=False
    )


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "crops.fkl"
    fkl.save(crops(), path, inputs=["uint8x3"], targets=["cpu"])
    return path


def test_a_saved_chain_runs_without_a_compiler(saved: Path, tmp_path: Path) -> None:
    done = without_compiler(saved, tmp_path / "elsewhere")
    x = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    expected = crops()(x, rects=[(1, 0, 2, 3), (0, 1, 4, 3)]).sum()
    assert done.stdout.split() == [str(expected), "0", "0"], done.stderr


def test_the_pipeline_comes_back_equal(saved: Path) -> None:
    assert fkl.load(saved) == crops()


def test_what_a_file_lacks_is_named(saved: Path, tmp_path: Path) -> None:
    code = RUN.replace("np.uint8", "np.float32")
    env = {
        **os.environ,
        "FKL_CACHE_DIR": str(tmp_path / "elsewhere"),
        "FKL_COMPILER": "/no/such/compiler",
    }
    done = subprocess.run(
        [sys.executable, "-c", code, str(saved)],
        env=env,
        text=True,
        capture_output=True,
        check=False,
    )
    assert "ToolchainError" in done.stderr
    assert "/no/such/compiler" in done.stderr
    chain = "TensorRead → Crop → Resize → Mul → TensorSplit"
    assert f"{chain} on float32x3 for cpu is in no loaded file" in done.stderr
    assert "save it with fkl.save(..., inputs=[...])" in done.stderr


@pytest.mark.parametrize(
    ("given", "named"), [("uint8", "uint8x3"), ("float32", "a list of float32x3")]
)
def test_without_jit_the_chain_and_its_input_are_named(
    given: str, named: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path / "fresh"))
    monkeypatch.setenv("FKL_NO_JIT", "1")
    pipe = fkl.compose(fkl.TensorRead(), fkl.Resize(3, 2), fkl.Sub(7), fkl.TensorWrite())
    image = np.zeros((4, 5, 3), given)
    with pytest.raises(fkl.ToolchainError, match=f"TensorWrite on {named} for cpu") as caught:
        pipe([image] if "list" in named else image)
    assert "inputs=[...]" in str(caught.value)


def test_a_damaged_file_is_refused(saved: Path) -> None:
    with zipfile.ZipFile(saved) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    library = next(name for name in contents if name.endswith(".so"))
    contents[library] = contents[library][:-1] + bytes([contents[library][-1] ^ 1])
    with zipfile.ZipFile(saved, "w") as file:
        for name, data in contents.items():
            file.writestr(name, data)
    with pytest.raises(fkl.ArgumentError, match="damaged"):
        fkl.load(saved)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x05\x06" + bytes(18)])
def test_a_foreign_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign.fkl"
    path.write_bytes(content)
    with pytest.raises(fkl.ArgumentError, match="no file of compiled chains"):
        fkl.load(path)


def test_a_file_with_a_flipped_bit_anywhere_in_a_library_is_refused(saved: Path) -> None:
    data = bytearray(saved.read_bytes())
    for at in range(len(data) // 4, len(data) // 2, len(data) // 40):
        data[at] ^= 0xFF
        saved.write_bytes(data)
        with pytest.raises(fkl.ArgumentError, match="damaged"):
            fkl.load(saved)
        data[at] ^= 0xFF


def with_manifest(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the manifest of a file in place."""
    with zipfile.ZipFile(path) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(contents["manifest.json"])
    change(manifest)
    contents["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in contents.items():
            file.writestr(name, data)


@pytest.mark.parametrize(
    "library", ["/PLACE/evil.so", "../evil.so", "evil.so", "build.json", "", 3]
)
def test_a_file_whose_library_is_a_path_is_refused_before_anything_is_written(
    library: Any, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path / "fresh"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    name = library.replace("/PLACE", str(tmp_path)) if isinstance(library, str) else library
    # the last row: those before it are good, and are not written either
    with_manifest(saved, lambda manifest: manifest["entries"][-1].update(library=name))
    with pytest.raises(fkl.ArgumentError, match="damaged"):
        fkl.load(saved)
    assert main(["cache", "import", str(saved)]) == 1
    assert [path.name for path in tmp_path.rglob("*")] == [saved.name]


@pytest.mark.parametrize("key", ["identity", "target", "library", "sha256", "toolchain"])
def test_a_row_that_lacks_something_is_damage(key: str, saved: Path) -> None:
    with_manifest(saved, lambda manifest: manifest["entries"][-1].pop(key))
    with pytest.raises(fkl.ArgumentError, match="damaged"):
        fkl.load(saved)


@pytest.mark.parametrize("key", ["format", "headers"])
def test_a_file_of_another_version_says_so_whatever_its_rows(key: str, saved: Path) -> None:
    with_manifest(saved, lambda manifest: manifest.update({key: "other", "entries": [{}]}))
    with pytest.raises(fkl.ArgumentError, match="another version"):
        fkl.load(saved)


def test_save_says_what_it_wants(tmp_path: Path) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite())
    wrong: Any
    for wrong in ({"inputs": "uint8"}, {"targets": "cpu"}, {"targets": []}):
        arguments = {"inputs": ["uint8"], "targets": ["cpu"], **wrong}
        with pytest.raises(fkl.ArgumentError, match="at least one target"):
            fkl.save(pipe, tmp_path / "a.fkl", **arguments)
    wrong = 3
    with pytest.raises(fkl.ArgumentError, match="takes a pipeline first, not int"):
        fkl.save(wrong, tmp_path / "a.fkl", inputs=["uint8"], targets=["cpu"])


def test_a_file_that_cannot_be_moved_is_a_sentence_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", "import", str(tmp_path / "none")]) == 1
    assert main(["cache", "export", str(tmp_path / "none" / "file")]) == 1
    said = capsys.readouterr().err
    assert "fkl cache import: " in said and "fkl cache export: " in said


@pytest.mark.parametrize(
    "evil", [b"cos\ngetcwd\n.", b"\x80\x04\x8c\x10fkl.ops.geometry\x8c\x09np.arange\x93."]
)
def test_a_recipe_that_could_run_something_is_refused(evil: bytes, saved: Path) -> None:
    import hashlib

    with zipfile.ZipFile(saved) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(contents["manifest.json"])
    manifest["recipe"] = hashlib.sha256(evil).hexdigest()
    contents |= {"recipe.pickle": evil, "manifest.json": json.dumps(manifest).encode()}
    with zipfile.ZipFile(saved, "w") as file:
        for name, data in contents.items():
            file.writestr(name, data)
    with pytest.raises(fkl.ArgumentError, match="no operation of fkl"):
        fkl.load(saved)


def test_a_cache_travels_as_one_file(tmp_path: Path) -> None:
    code = """
import sys
from fkl.__main__ import main
raise SystemExit(main(["cache", sys.argv[1], sys.argv[2]]))
"""
    run = """
import numpy as np, fkl
print(fkl.compose(fkl.TensorRead(), fkl.Add(1), fkl.TensorWrite())(np.arange(4)).tolist())
"""
    file = tmp_path / "cache.fkl"
    here = {**os.environ, "FKL_CACHE_DIR": str(tmp_path / "here")}
    there = {
        **os.environ,
        "FKL_CACHE_DIR": str(tmp_path / "there"),
        "FKL_COMPILER": "/no/such/compiler",
    }
    steps = (
        ([run], here),
        ([code, "export", str(file)], here),
        ([code, "import", str(file)], there),
        ([run], there),
    )
    for arguments, env in steps:
        done = subprocess.run(
            [sys.executable, "-c", *arguments], env=env, text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[1, 2, 3, 4]"


def test_libraries_for_gpus_are_saved_where_none_is(tmp_path: Path) -> None:
    path = tmp_path / "gpu.fkl"
    fkl.save(crops(), path, inputs=["uint8x3"], targets=["sm_90"])
    with zipfile.ZipFile(path) as file:
        library = next(name for name in file.namelist() if name.endswith(".so"))
        assert b"nv_fatbin" in file.read(library)


@pytest.mark.parametrize("place", ["missing/folder/x.fkl", "."])
def test_a_place_that_cannot_be_written_is_named_and_left_clean(place: str, tmp_path: Path) -> None:
    with pytest.raises(fkl.ArgumentError, match="cannot be written"):
        fkl.save(crops(), tmp_path / place, inputs=["uint8x3"], targets=["cpu"])
    assert [path for path in tmp_path.parent.iterdir() if path.name.endswith(".part")] == []
