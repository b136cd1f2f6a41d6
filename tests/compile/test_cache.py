# SPDX-License-Identifier: Apache-2.0
"""The disk cache under faults: damage, strangers, races, a place that cannot be written. Each in a
cache of its own.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import _build, _cache, _compiling, _kernel, _warm

SOURCE_OF = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite())
IMAGE = np.ones((3, 5), np.float32)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and a process that has loaded nothing."""
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(_cache, "_warned", False)
    monkeypatch.setattr(_kernel, "_kernels", {})
    yield tmp_path / "cache" / "kernels"
    for folder, _, _ in os.walk(tmp_path):
        Path(folder).chmod(0o700)


def run() -> None:
    """Load the chain as a new process would, and check what it gives."""
    _kernel._kernels.clear()
    pipe = fkl.compose(*SOURCE_OF.operations)
    np.testing.assert_array_equal(pipe(IMAGE), IMAGE * 2)


def kernel_entry(cache: Path) -> Path:
    (found,) = [entry for entry in cache.iterdir() if (entry / "kernel.so").exists()]
    return found


def test_a_second_process_hits_and_starts_no_process(cache: Path, count: Any) -> None:
    # the pool of this process may have come from another test's cache
    _kernel._load_pool()
    run()
    assert count.compiles == 1
    script = (
        "import sys, numpy as np; import fkl\n"
        "started = []\n"
        "sys.addaudithook(lambda event, _: started.append(event) if event in "
        "('subprocess.Popen', 'os.posix_spawn', 'os.fork', 'os.system', 'os.exec') else None)\n"
        "pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite())\n"
        "out = pipe(np.ones((3, 5), np.float32))\n"
        "from fkl._build import stats\n"
        "print(started, stats.compiles, stats.runtime_builds, out.sum())"
    )
    environment = {**os.environ, "FKL_NO_JIT": "1"}
    result = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120
    )
    assert result.stdout.strip() == "[] 0 0 30.0", result.stderr


def replace(path: Path, data: bytes) -> None:
    """Another file of this name: the old one may be mapped into this process."""
    path.unlink()
    path.write_bytes(data)
    path.chmod(0o600)


def truncate(entry: Path) -> None:
    data = (entry / "kernel.so").read_bytes()
    replace(entry / "kernel.so", data[: len(data) // 2])


def flip(entry: Path) -> None:
    data = bytearray((entry / "kernel.so").read_bytes())
    data[len(data) // 2] ^= 1
    replace(entry / "kernel.so", bytes(data))


def edit_manifest(entry: Path) -> None:
    manifest = json.loads((entry / "build.json").read_text())
    manifest["key"] = "0" * 64
    (entry / "build.json").write_text(json.dumps(manifest))


def link_away(entry: Path) -> None:
    elsewhere = entry.parent.parent / "elsewhere.so"
    (entry / "kernel.so").rename(elsewhere)
    (entry / "kernel.so").symlink_to(elsewhere)


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "truncated library": truncate,
    "one bit": flip,
    "library gone": lambda entry: (entry / "kernel.so").unlink(),
    "manifest gone": lambda entry: (entry / "build.json").unlink(),
    "manifest of nothing": lambda entry: (entry / "build.json").write_text(""),
    "manifest of another shape": lambda entry: (entry / "build.json").write_text("[1]"),
    "another entry's key": edit_manifest,
    "source changed": lambda entry: (entry / "kernel.cpp").write_text("// nothing"),
    "a link": link_away,
    "writable by all": lambda entry: entry.chmod(0o777),
    "library writable by all": lambda entry: (entry / "kernel.so").chmod(0o666),
    "an empty folder": lambda entry: [path.unlink() for path in entry.iterdir()],
    "a file": lambda entry: (shutil.rmtree(entry), entry.write_text("?")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_bad_entry_is_not_loaded_but_built_again(damage: str, cache: Path, count: Any) -> None:
    run()
    DAMAGES[damage](kernel_entry(cache))
    run()
    assert count.compiles == 2
    run()
    assert (count.compiles, list((cache / "tmp").iterdir())) == (2, [])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_an_entry_of_another_user_is_not_loaded(cache: Path, count: Any) -> None:
    run()
    os.chown(kernel_entry(cache) / "kernel.so", 12345, 12345)
    run()
    assert count.compiles == 2


def test_folders_and_files_belong_to_their_owner_alone(cache: Path) -> None:
    previous = os.umask(0)
    try:
        run()
    finally:
        os.umask(previous)
    for path in [cache, *cache.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_an_entry_holds_source_library_and_how_it_was_built(cache: Path) -> None:
    run()
    entry = kernel_entry(cache)
    manifest = json.loads((entry / "build.json").read_text())
    assert sorted(path.name for path in entry.iterdir()) == [
        "build.json",
        "kernel.cpp",
        "kernel.so",
    ]
    assert manifest["commands"]
    assert manifest["toolchain"]
    assert (entry / "kernel.cpp").read_text() == SOURCE_OF.source(IMAGE)


@pytest.mark.parametrize("fault", ["a file in the way", "full"])
def test_a_cache_that_cannot_be_written_costs_one_warning(
    fault: str, cache: Path, count: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == "full":

        def fail(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(_cache, "_sync", fail)
    else:
        cache.parent.parent.joinpath("cache").write_text("a file")
    with pytest.warns(RuntimeWarning, match="cannot be written") as caught:
        run()
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run()
    assert count.compiles == 2


def test_a_read_only_cache_is_used(cache: Path, count: Any) -> None:
    run()
    for path in [*cache.rglob("*"), cache, cache.parent]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    run()
    assert count.compiles == 1


def test_a_cache_that_others_can_write_is_not_trusted(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="other users"):
        run()


@pytest.mark.parametrize("part", ["header", "fingerprint", "fp"])
def test_what_can_change_the_library_changes_the_key(
    part: str, cache: Path, count: Any, monkeypatch: Any
) -> None:
    run()
    monkeypatch.setattr(_warm, "ask", lambda _: None)
    if part == "header":
        monkeypatch.setattr(_cache, "headers_digest", lambda: "other")
    elif part == "fingerprint":
        monkeypatch.setattr(_build, "_fingerprint", lambda _: "other")
    else:
        monkeypatch.setattr(sys.modules[__name__], "SOURCE_OF", fkl.compose(*SOURCE_OF.operations))
        _kernel._kernels.clear()
        fkl.compose(*SOURCE_OF.operations, fp="strict")(IMAGE)
        assert count.compiles == 2
        return
    run()
    assert count.compiles == 2


def test_an_edited_header_is_another_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = set()
    header = tmp_path / "fused_kernel" / "x.h"
    header.parent.mkdir()
    monkeypatch.setattr(_cache, "_INCLUDE", (tmp_path,))
    for text in ("a", "b"):
        header.write_text(text)
        digests.add(_cache.headers_digest.__wrapped__())
    assert len(digests) == 2


def test_without_jit_a_missing_chain_is_named(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FKL_NO_JIT", "1")
    with pytest.raises(
        fkl.ToolchainError,
        match=r"FKL_NO_JIT is set, and TensorRead → Mul → TensorWrite on \w+ for cpu.*inputs=\[",
    ):
        run()


def test_a_compilers_failure_carries_everything(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = _kernel.emit
    bad = 'static_assert(false, "fkl: a sentence for the user");\n'
    monkeypatch.setattr(_kernel, "emit", lambda plan: good(plan) + bad)
    with pytest.raises(fkl.CompileError, match="fkl: a sentence for the user") as caught:
        run()
    error = caught.value
    assert error.command
    assert "sentence" in error.log
    assert error.directory is not None
    assert bad in (error.directory / "kernel.cpp").read_text()
    assert str(error.directory) in str(error)
    shutil.rmtree(error.directory)


def test_clearing_forgets_every_entry(cache: Path, count: Any) -> None:
    run()
    assert _cache.clear() == len(["kernel"])
    assert _cache.entries() == []
    run()
    assert count.compiles == 2


def test_a_long_build_says_so_in_one_line(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_compiling, "QUIET_SECONDS", 0.001)
    run()
    lines = capsys.readouterr().err.splitlines()
    assert sum("compiling TensorRead → Mul → TensorWrite" in line for line in lines) == 1
    run()
    assert capsys.readouterr().err == ""


def test_a_machine_of_another_kind_asks_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A home may be shared: what was compiled for one CPU's features must not be met on another."""
    here = _warm.question("kernel", "source", "fast", "cpu")
    assert _warm.question("kernel", "source", "fast", "cpu") == here
    monkeypatch.setattr(_warm, "_cpu_features", lambda: b"flags : of another machine")
    _warm._standing.cache_clear()
    assert _warm.question("kernel", "source", "fast", "cpu") != here
    monkeypatch.undo()
    _warm._standing.cache_clear()
    assert _warm.question("kernel", "source", "fast", "cpu") == here


@pytest.mark.parametrize("step", ["private_folder", "write_text"])
def test_a_full_disk_is_a_sentence(step: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device", "/tmp/somewhere")

    monkeypatch.setattr(*((_cache, step) if step == "private_folder" else (Path, step)), full)
    pipe = fkl.compose(fkl.TensorRead(), fkl.Add(41), fkl.Mul(43), fkl.TensorWrite())
    with pytest.raises(fkl.ToolchainError, match=r"/tmp/somewhere .*the disk is full.*TMPDIR"):
        pipe(np.ones((2, 2), np.float32))
