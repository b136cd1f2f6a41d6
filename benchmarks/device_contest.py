# SPDX-License-Identifier: Apache-2.0
"""Contenders on one GPU take turns: each is checked first, and one that fails does not stop the
others.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from benchmarks.device_rows import Samples

BYTES_BEYOND_CACHE = 640 * 10**6  # inputs rotate through more than this
CALLS = 40  # per timing: what starting a timing costs must not count
Make = Callable[[], Callable[[int], Any]]
Check = Callable[[Any], None]


class Contest:
    """`count` inputs, and contenders that are called with the number of one."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.calls: dict[str, Callable[[int], Any]] = {}
        self.failures: dict[str, str] = {}

    def enter(self, name: str, make: Make, check: Check | None) -> None:
        """Make a contender, compare what it gives for input 0, and warm it up."""
        print(f"  {name} ...", file=sys.stderr, flush=True)
        try:
            call = make()
            result = call(0)
            if check is not None:
                check(result)
            for index in range(self.count):
                call(index)
            torch.cuda.synchronize()
        except Exception as error:
            self.failures[name] = f"{type(error).__name__}: {str(error)[:300]}"
            print(f"  {name}: {self.failures[name]}", file=sys.stderr, flush=True)
            return
        self.calls[name] = call

    def on_device(self, rounds: int, only: tuple[str, ...] = ()) -> Samples:
        """Seconds a call between events on the stream, one entry a round."""
        calls = {name: call for name, call in self.calls.items() if not only or name in only}
        repeat = max(1, -(-CALLS // self.count))
        samples: Samples = {name: [] for name in calls}
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for number in range(rounds):
            for name, call in list(calls.items())[:: -1 if number % 2 else 1]:
                torch.cuda._sleep(100_000)  # type: ignore[no-untyped-call]
                begin.record()
                for _ in range(repeat):
                    for index in range(self.count):
                        call(index)
                end.record()
                end.synchronize()
                samples[name].append(begin.elapsed_time(end) * 1e-3 / (repeat * self.count))
        return samples

    def in_graphs(self, rounds: int, only: tuple[str, ...]) -> Samples:
        """Seconds a call inside a CUDA graph of calls, one entry a round: the kernels' time, with
        no launch by the host in it.
        """
        graphs = {name: self._graph(self.calls[name]) for name in only if name in self.calls}
        samples: Samples = {name: [] for name in graphs}
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for number in range(rounds + 1):
            for name, (graph, calls) in list(graphs.items())[:: -1 if number % 2 else 1]:
                torch.cuda._sleep(100_000)  # type: ignore[no-untyped-call]
                begin.record()
                graph.replay()
                end.record()
                end.synchronize()
                if number:  # the first replay also uploads the graph
                    samples[name].append(begin.elapsed_time(end) * 1e-3 / calls)
        return samples

    def _graph(self, call: Callable[[int], Any]) -> tuple[torch.cuda.CUDAGraph, int]:
        """A graph of as many calls as are timed at once."""
        repeat = max(1, -(-CALLS // self.count))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(repeat):
                for index in range(self.count):
                    call(index)
        return graph, repeat * self.count

    def on_host(self, rounds: int, calls: int) -> Samples:
        """Seconds until a call returns, one entry a round; the device is idle when a round
        begins.
        """
        samples: Samples = {name: [] for name in self.calls}
        for number in range(rounds):
            for name, call in list(self.calls.items())[:: -1 if number % 2 else 1]:
                call(0)
                torch.cuda.synchronize()
                begin = time.perf_counter()
                for _ in range(calls):
                    call(0)
                samples[name].append((time.perf_counter() - begin) / calls)
                torch.cuda.synchronize()
        return samples


def copies(bytes_each: int) -> int:
    """How many inputs of a size are more than the cache can hold."""
    return max(2, -(-BYTES_BEYOND_CACHE // bytes_each))


def close(expected: Any, tolerance: float) -> Check:
    """Compares with a tensor."""

    def check(result: Any) -> None:
        found = result if isinstance(result, torch.Tensor) else torch.as_tensor(result)
        if found.shape != expected.shape:
            raise ValueError(f"gives {tuple(found.shape)}, not {tuple(expected.shape)}")
        error = float((found.double() - expected.double()).abs().max())
        if not error <= tolerance:
            raise ValueError(f"is off by {error:.3g}; the limit is {tolerance:g}")

    return check


POINTER, INT, SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
SIGNATURES = {
    "limit_chain": (POINTER, POINTER, SIZE, POINTER),
    "limit_chain_by_one": (POINTER, POINTER, SIZE, POINTER),
    "limit_planes": (POINTER, POINTER, SIZE, POINTER),
    "limit_crops": (POINTER, INT, POINTER, INT, INT, POINTER, POINTER),
    "limit_empty": (POINTER, POINTER),
    "limit_nothing": (POINTER, POINTER),
}


def limits(folder: Path) -> Any:
    """The kernels written by hand, built by the nvcc on PATH."""
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None:
        raise RuntimeError("nvcc is not on PATH")
    major, minor = torch.cuda.get_device_capability()
    library = folder / "limit.so"
    command = [
        nvcc,
        "-O3",
        "-std=c++17",
        f"-arch=sm_{major}{minor}",
        "-shared",
        "-Xcompiler",
        "-fPIC",
    ]
    source = Path(__file__).with_name("limit.cu")
    built = subprocess.run(
        [*command, "-o", str(library), str(source)], capture_output=True, text=True, timeout=120
    )
    if built.returncode:
        raise RuntimeError(built.stderr[-400:])
    found = ctypes.CDLL(str(library))
    for name, arguments in SIGNATURES.items():
        getattr(found, name).argtypes = arguments
    return found


class NoLimits:
    """Stands for the library where it could not be built: each of its contenders fails with the
    reason.
    """

    def __init__(self, reason: Exception) -> None:
        self.reason = reason

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"limit.cu: {self.reason}")


def current_stream() -> int:
    """By the quickest way that torch has: contenders ask it at each call."""
    return int(torch._C._cuda_getCurrentRawStream(torch.cuda.current_device()))


def checked(status: int) -> None:
    if status:
        raise RuntimeError(f"CUDA status {status}")
