# SPDX-License-Identifier: Apache-2.0
"""Threads, racing processes and forks: right results, one build, no hang."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import Arg
from fkl._kernel import load

CHAIN = (fkl.TensorRead(), fkl.Crop(Arg("rects")), fkl.Mul(Arg("k")), fkl.TensorWrite())
IMAGE = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)


def test_threads_share_one_pipeline_and_build_it_once(count: Any) -> None:
    pipe = fkl.compose(
        fkl.TensorRead(), fkl.Crop(Arg("rects")), fkl.Sub(Arg("k")), fkl.TensorWrite()
    )

    def work(seed: int) -> None:
        for step in range(200):
            x, y = (seed * 7 + step) % 50, (seed + step * 3) % 50
            result = pipe(IMAGE, rects=[(x, y, 9, 11), (y, x, 9, 11)], k=seed)
            np.testing.assert_array_equal(result[0], IMAGE[y : y + 11, x : x + 9] - seed)
            np.testing.assert_array_equal(result[1], IMAGE[x : x + 11, y : y + 9] - seed)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert count.compiles <= 1
    assert count.loads <= 1


def test_threads_share_one_bound_call() -> None:
    out = np.zeros((64, 64), np.float32)
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(Arg("k")), fkl.TensorWrite())
    run = pipe.bind(IMAGE, out=out, k=2)

    def work(_: int) -> None:
        for _ in range(500):
            run()

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(work, index) for index in range(4)]
        for k in (3, 4, 2) * 50:
            run.update(k=k)
        for future in futures:
            future.result()
    run()
    np.testing.assert_array_equal(out, IMAGE * 2)


def test_first_calls_of_many_libraries_are_right(tmp_path: Path) -> None:
    """A library once looked up on its way in what a thread has of its own; where glibc had to make
    room for that, after some fourteen libraries, values were lost.
    """
    image = np.arange(48 * 64 * 3, dtype=np.uint8).reshape(48, 64, 3)
    pipe = fkl.compose(
        fkl.TensorRead(), fkl.Crop(Arg("rects")), fkl.Resize(16, 8), fkl.Div(255.0),
        fkl.Sub((0.5, 0.25, 0.125)), fkl.Div((2.0, 4.0, 8.0)), fkl.TensorSplit(),
    )  # fmt: skip
    run = pipe.bind(image, rects=[(3, 4, 20, 30), (0, 0, 64, 48), (63, 47, 1, 1)])
    expected = run().copy()
    _, params, _, _, _, _, (kernel, *_) = run._state
    for number in range(64):
        copy = Path(shutil.copy(kernel.artifact.library, tmp_path / f"{number}.so"))
        run.out[:] = np.nan
        load(replace(kernel.artifact, library=copy), kernel.plan).launch(params)
        np.testing.assert_array_equal(run.out, expected)


RACE = """
import numpy as np, fkl
out = fkl.compose(fkl.TensorRead(), fkl.Add(41), fkl.TensorWrite())(np.ones((3, 5), np.float64))
assert (out == 42).all()
"""


def test_racing_processes_end_with_one_entry_and_all_succeed(tmp_path: Path) -> None:
    environment = {**os.environ, "FKL_CACHE_DIR": str(tmp_path)}
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", RACE], env=environment, stderr=subprocess.PIPE
        )
        for _ in range(4)
    ]
    errors = [process.communicate(timeout=300)[1].decode() for process in running]
    assert errors == [""] * 4
    names = sorted(
        path.name for entry in (tmp_path / "kernels").iterdir() for path in entry.glob("*.so")
    )
    assert names == ["kernel.so", "runtime.so"]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("used_before", [True, False])
def test_a_forked_child_works(used_before: bool) -> None:
    script = f"""
import os, sys, numpy as np, fkl
x = np.ones((1500, 2000), np.float32)
pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(3), fkl.TensorWrite())
if {used_before}:
    assert (pipe(x) == 3).all()
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        os._exit(0 if (pipe(x) == 3).all() else 1)
    children.append(child)
assert all(os.waitpid(child, 0)[1] == 0 for child in children)
assert (pipe(x) == 3).all()
"""
    environment = {**os.environ, "FKL_NUM_THREADS": "4"}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, timeout=300)


def test_one_thread_gives_what_many_give() -> None:
    script = """
import sys, numpy as np, fkl
x = (np.arange(1200 * 1600 * 3) % 251).astype(np.uint8).reshape(1200, 1600, 3)
pipe = fkl.compose(fkl.TensorRead(), fkl.Resize(900, 700), fkl.Div(3), fkl.TensorSplit())
sys.stdout.write(str(hash(pipe(x).tobytes())))
"""
    results = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "FKL_NUM_THREADS": threads, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        ).stdout
        for threads in ("1", "3")
    }
    assert len(results) == 1
