# SPDX-License-Identifier: Apache-2.0
"""From the first call to the hot one: what is compiled, found on disk, kept in the process; and
by what it is not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import _kernel
from fkl._build import stats
from tests.device import arrays, compilers
from tests.device.cases import BY_NAME
from tests.device.chains import rectangles
from tests.device.compilers import Compiler

pytestmark = pytest.mark.group("end to end")
Compiled = Callable[[str], Any]


class Counter:
    """What happened since it was made."""

    def __init__(self) -> None:
        self.start = replace(stats)

    def __getattr__(self, name: str) -> int:
        return int(getattr(stats, name)) - int(getattr(self.start, name))


@pytest.fixture
def native(compiler: Compiler) -> Compiler:
    if not compiler.is_native:
        pytest.skip(f"{compiler.name} is not on this machine: its chains were built ahead")
    return compiler


AGAIN = """
import sys
from tests.device import arrays, cases
from fkl._build import stats
kind = arrays.Numpy() if arrays.ON_CPU else arrays.Torch()
chain = cases.BY_NAME["six"]
chain.pipeline()(*kind.given(chain.host_inputs()))
print(stats.compiles, stats.runtime_builds, stats.loads, stats.launches)
"""


def test_a_chain_is_compiled_once_found_on_disk_and_then_kept(
    native: Compiler, kind: arrays.Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_kernel, "_pool", None)  # the CPU's runtime has to be in this cache too
    compilers.forget()
    chain = BY_NAME["six"]
    x = kind.to_device(chain.host_inputs()[0])

    count = Counter()
    first = kind.to_host(chain.pipeline()(x))
    assert (count.compiles, count.launches) == (1, 1)

    count = Counter()
    pipe = chain.pipeline()
    for _ in range(10):
        np.testing.assert_array_equal(kind.to_host(pipe(x)), first)
    assert (count.compiles, count.cache_hits, count.loads, count.launches) == (0, 0, 0, 10)

    compilers.forget()
    count = Counter()
    np.testing.assert_array_equal(kind.to_host(chain.pipeline()(x)), first)
    assert (count.compiles, count.loads) == (0, 1)
    assert count.cache_hits >= 1

    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", AGAIN],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["0", "0", "1", "1"]
    compilers.forget()


def test_sizes_alignments_and_counts_compile_nothing(
    compiled: Compiled, kind: arrays.Kind, random: np.random.Generator
) -> None:
    pipe, image = compiled("crops"), random.integers(0, 256, (480, 643, 3), dtype=np.uint8)
    pipe(kind.to_device(image[:48, :64]), rects=rectangles(2, 64, 48, 4, 20))
    count = Counter()
    for width in (640, 641, 640):
        whole = kind.to_device(image)
        for view in (whole[:, :width], kind.to_device(image[:, 3 : 3 + width])):
            for number in (1, 50, 7):
                rects = rectangles(number, width, 480, 4, 200, seed=number)
                assert pipe(view, rects=rects).shape == (number, 3, 6, 8)
    assert count.compiles == 0


def test_few_and_many_crops_are_at_most_two_compiles(
    compiler: Compiler, compiled: Compiled, kind: arrays.Kind
) -> None:
    pipe = compiled("crops")
    x = kind.to_device(np.zeros((48, 64, 3), np.uint8))
    count = Counter()
    for number in (1, 2, 100, 1000, 5000, 30):
        assert len(pipe(x, rects=rectangles(number, 64, 48, 4, 20))) == number
    assert count.compiles <= 2
    assert count.launches == 6


def test_one_launch_serves_all_crops(compiled: Compiled, kind: arrays.Kind) -> None:
    pipe = compiled("crops")
    x = kind.to_device(np.zeros((48, 64, 3), np.uint8))
    pipe(x, rects=rectangles(3, 64, 48, 4, 20))
    for number in (1, 50, 4096, 200_000):
        count = Counter()
        pipe(x, rects=rectangles(number, 64, 48, 4, 20))
        assert count.launches == 1


def test_another_pipeline_of_the_same_chain_shares_the_kernel(
    native: Compiler, kind: arrays.Kind
) -> None:
    x = kind.to_device(np.ones((3, 4), np.float32))
    fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.Add(1), fkl.TensorWrite())(x)
    count = Counter()
    result = fkl.compose(fkl.TensorRead(), fkl.Mul(5), fkl.Add(7), fkl.TensorWrite())(x)
    np.testing.assert_array_equal(kind.to_host(result), np.full((3, 4), 12, np.float32))
    assert (count.compiles, count.loads) == (0, 0)


def test_without_jit_a_missing_chain_is_an_error_that_names_it(
    native: Compiler, kind: arrays.Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("FKL_NO_JIT", "1")
    compilers.forget()
    with pytest.raises(fkl.ToolchainError, match=r"FKL_NO_JIT.*TensorRead"):
        BY_NAME["six"].pipeline()(kind.to_device(np.ones((3, 4), np.float32)))
    compilers.forget()


@pytest.mark.skipif(arrays.ON_CPU, reason="compiles for a GPU")
def test_a_saved_chain_runs_without_any_compiler(
    native: Compiler, kind: arrays.Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = BY_NAME["crops"]
    file = tmp_path / "crops.fkl"
    torch = kind.torch  # type: ignore[attr-defined]
    major, minor = torch.cuda.get_device_capability()
    inputs, args = chain.host_inputs(), chain.host_args()
    fkl.save(chain.pipeline(), file, inputs=inputs, targets=[f"sm_{major}{minor}"], **args)  # type: ignore[attr-defined]
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path / "empty"))
    monkeypatch.setenv("FKL_NO_JIT", "1")
    monkeypatch.setenv("FKL_COMPILER", str(tmp_path / "no-compiler"))
    compilers.forget()
    result = fkl.load(file)(*kind.given(inputs), **args)  # type: ignore[attr-defined]
    monkeypatch.undo()
    np.testing.assert_allclose(
        kind.to_host(result), kind.to_host(chain.pipeline()(*kind.given(inputs), **args)), rtol=1e-6
    )


@pytest.mark.skipif(arrays.ON_CPU, reason="compiles for a GPU")
def test_a_damaged_file_is_refused(native: Compiler, kind: arrays.Kind, tmp_path: Path) -> None:
    chain = BY_NAME["six"]
    file = tmp_path / "six.fkl"
    torch = kind.torch  # type: ignore[attr-defined]
    major, minor = torch.cuda.get_device_capability()
    fkl.save(chain.pipeline(), file, inputs=chain.host_inputs(), targets=[f"sm_{major}{minor}"])  # type: ignore[attr-defined]
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(bytes(content))
    with pytest.raises(fkl.FklError):
        fkl.load(file)(*kind.given(chain.host_inputs()))  # type: ignore[attr-defined]


@pytest.mark.skipif(arrays.ON_CPU, reason="compiles for a GPU")
def test_fkl_arch_decides_what_is_compiled(
    native: Compiler, kind: arrays.Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older architecture's intermediate code runs on a newer GPU; nonsense is an error that
    says so.
    """
    monkeypatch.setenv("FKL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("FKL_ARCH", "sm_80")
    compilers.forget()
    x = kind.to_device(np.full((3, 4), 2, np.float32))
    result = BY_NAME["float to float"].pipeline()(x)
    np.testing.assert_array_equal(kind.to_host(result), np.full((3, 4), 5, np.float32))
    monkeypatch.setenv("FKL_ARCH", "sm_nonsense")
    compilers.forget()
    with pytest.raises((fkl.FklError, ValueError), match="sm_nonsense"):
        BY_NAME["float to float"].pipeline()(x)
    compilers.forget()
