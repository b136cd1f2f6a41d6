# SPDX-License-Identifier: Apache-2.0
"""Chains saved on one machine run on another without a compiler; files are checked first."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import fkl

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


def test_a_recipe_that_could_run_something_is_refused(saved: Path) -> None:
    import hashlib
    import json
    import pickle

    with zipfile.ZipFile(saved) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    evil = pickle.dumps(os.getcwd)
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
    try:
        fkl.save(crops(), path, inputs=["uint8x3"], targets=["sm_90"])
    except fkl.ToolchainError as error:
        pytest.skip(f"nothing here builds for a GPU: {str(error).splitlines()[0]}")
    with zipfile.ZipFile(path) as file:
        library = next(name for name in file.namelist() if name.endswith(".so"))
        assert b"nv_fatbin" in file.read(library)
