# SPDX-License-Identifier: Apache-2.0
"""A million calls, eight threads, a fork, several devices: nothing grows, nothing mixes, nothing
hangs.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.device import arrays
from tests.device.cases import BY_NAME
from tests.device.chains import rectangles
from tests.device.compilers import Compiler

Compiled = Callable[[str], Any]
gpu_only = pytest.mark.skipif(arrays.ON_CPU, reason="needs a GPU")


def resident_bytes() -> int:
    """Memory of this process."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def device_bytes(torch: Any) -> int:
    torch.cuda.synchronize()
    free, total = torch.cuda.mem_get_info()
    return int(total - free)


@pytest.mark.group("a million calls")
@pytest.mark.parametrize("way", ["bound", "with out", "without out"])
def test_a_million_hot_calls_take_no_more_memory(way: str, compiled: Compiled, torch: Any) -> None:
    pipe = compiled("float to float")
    x, out = torch.ones(4, 4, device="cuda"), torch.zeros(4, 4, device="cuda")
    run = pipe.bind(x, out=out)
    call = {"bound": run, "with out": lambda: pipe(x, out=out), "without out": lambda: pipe(x)}[way]
    for _ in range(20_000):
        call()
    gc.collect()
    on_device, on_host = device_bytes(torch), resident_bytes()
    for _ in range(1_000_000):
        result = call()
    gc.collect()
    assert device_bytes(torch) <= on_device
    assert resident_bytes() - on_host < 16 * 2**20
    assert torch.equal(result, torch.full_like(out, 3))


@pytest.mark.group("a million calls")
@gpu_only
def test_many_calls_with_many_crops_take_no_more_memory(compiled: Compiled, torch: Any) -> None:
    """Their tables lie in buffers of the stream, which are given back in its order."""
    pipe = compiled("crops of bytes")
    x = torch.zeros(48, 64, 3, dtype=torch.uint8, device="cuda")
    rects = rectangles(5000, 64, 48, 4, 20)
    out = pipe(x, rects=rects)
    for _ in range(500):
        pipe(x, rects=rects, out=out)
    on_device, on_host = device_bytes(torch), resident_bytes()
    for _ in range(5000):
        pipe(x, rects=rects, out=out)
    assert device_bytes(torch) - on_device <= 32 * 2**20
    assert resident_bytes() - on_host < 32 * 2**20


@pytest.mark.group("threads")
def test_eight_threads_share_a_pipeline(
    compiled: Compiled, kind: arrays.Kind, random: np.random.Generator
) -> None:
    pipe = compiled("scaled")
    inputs = [random.uniform(-1, 1, (64, 100 + index)).astype(np.float32) for index in range(8)]
    failures: list[str] = []
    gate = threading.Barrier(8)

    def work(index: int) -> None:
        try:
            x = kind.to_device(inputs[index])
            gate.wait(60)
            for turn in range(200):
                result = kind.to_host(pipe(x, k=float(turn)))
                np.testing.assert_array_equal(result, inputs[index] * np.float32(turn))
        except Exception as error:
            failures.append(f"thread {index}: {error!r}")

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert failures == []


@pytest.mark.group("threads")
@gpu_only
def test_eight_threads_with_a_stream_each_share_a_pipeline(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("crops")
    image = torch.randint(0, 255, (48, 64, 3), dtype=torch.uint8, device="cuda")
    tables = [rectangles(3 + 700 * index, 64, 48, 4, 20, seed=index) for index in range(8)]
    expected = [pipe(image, rects=table) for table in tables]
    torch.cuda.synchronize()
    failures: list[str] = []

    def work(index: int) -> None:
        try:
            with torch.cuda.stream(torch.cuda.Stream()):
                for _ in range(50):
                    if not torch.equal(pipe(image, rects=tables[index]), expected[index]):
                        failures.append(f"thread {index} got other numbers")
        except Exception as error:
            failures.append(f"thread {index}: {error!r}")

    threads = [threading.Thread(target=work, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert failures == []


@pytest.mark.group("threads")
def test_eight_threads_that_come_first_compile_once(compiler: Compiler, kind: arrays.Kind) -> None:
    """A value that no other test uses makes no new kernel; a chain that no other test has does."""
    pipe = compiler.pipeline(BY_NAME["planes to planes"])
    x = kind.to_device(np.ones((3, 5, 6), np.float32))
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(pipe(x))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert len(results) == 8
    for result in results:
        np.testing.assert_array_equal(kind.to_host(result), np.full((3, 5, 6), 2, np.float32))


def answer_of_child(work: Callable[[], str], seconds: float = 60) -> str:
    """What a forked child says, or that it hangs."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = work()
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode()[:4000])
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], seconds)
    text = os.read(reader, 4000).decode() if ready else "hangs"
    if not ready:
        os.kill(child, 9)
    os.waitpid(child, 0)
    os.close(reader)
    return text


@pytest.mark.group("fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore:.*fork.*:RuntimeWarning")  # of jax, where it was imported
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("way", ["call", "bound"])
@gpu_only
def test_a_child_of_a_fork_is_told_that_cuda_does_not_survive_it(
    way: str, compiled: Compiled, torch: Any
) -> None:
    pipe = compiled("float to float")
    x, out = torch.ones(4, 4, device="cuda"), torch.zeros(4, 4, device="cuda")
    run = pipe.bind(x, out=out)
    run()
    torch.cuda.synchronize()

    def work() -> str:
        try:
            run() if way == "bound" else pipe(x, out=out)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return "no error"

    answer = answer_of_child(work)
    assert "fork" in answer
    assert "Error" in answer
    assert torch.equal(pipe(x), torch.full_like(x, 3)), "the parent goes on"


@pytest.mark.group("fork")
def test_a_pipeline_pickles_as_its_recipe(kind: arrays.Kind, compiler: Compiler) -> None:
    compiler.pipeline(BY_NAME["float to float"])  # puts what was built ahead in the cache
    pipe = pickle.loads(pickle.dumps(BY_NAME["float to float"].pipeline()))
    x = kind.to_device(np.ones((3, 4), np.float32))
    np.testing.assert_array_equal(kind.to_host(pipe(x)), np.full((3, 4), 3, np.float32))


@pytest.mark.group("devices")
@gpu_only
def test_the_launch_goes_to_the_arrays_device(compiled: Compiled, torch: Any) -> None:
    count = torch.cuda.device_count()
    if count < 2:
        pytest.skip("one GPU")
    pipe = compiled("float to float")
    for index in (count - 1, 0, 1):
        for current in (0, count - 1):
            with torch.cuda.device(current):
                x = torch.ones(4, 4, device=f"cuda:{index}")
                y = pipe(x)
                assert torch.cuda.current_device() == current
                assert y.device == x.device
                torch.cuda.synchronize(index)
                assert torch.equal(y, torch.full_like(y, 3))


@pytest.mark.group("devices")
@gpu_only
def test_arrays_of_two_devices_are_refused(compiled: Compiled, torch: Any) -> None:
    if torch.cuda.device_count() < 2:
        pytest.skip("one GPU")
    x = torch.ones(4, 4, device="cuda:0")
    with pytest.raises(ValueError, match=r"device"):
        compiled("float to float")(x, out=torch.zeros(4, 4, device="cuda:1"))


@pytest.mark.group("devices")
@gpu_only
def test_a_thread_that_never_touched_cuda_may_call(compiled: Compiled, torch: Any) -> None:
    """A new thread has no current context until somebody makes one so."""
    pipe = compiled("float to float")
    x, out = torch.ones(4, 4, device="cuda"), torch.zeros(4, 4, device="cuda")
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    failures: list[str] = []

    def work() -> None:
        try:
            pipe(x, out=out, stream=stream.cuda_stream)
        except Exception as error:
            failures.append(repr(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    stream.synchronize()
    assert failures == []
    assert torch.equal(out, torch.full_like(out, 3))
