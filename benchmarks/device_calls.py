# SPDX-License-Identifier: Apache-2.0
"""What a call costs the host when there is next to nothing to compute; and the first call of a
process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median
from typing import Any

import numpy as np
import torch

from benchmarks.device_chain import six, six_chain
from benchmarks.device_contest import Contest, close, current_stream
from benchmarks.device_crops import chain as crop_chain
from benchmarks.device_rows import Row, added, micros

SUBJECT = "host time of a call, 16x16 float32"
CROPS = "host time with crops, 64x64 uint8x3"
FIRST = "first call of a process, chain on disk"
ROUNDS, CALLS = 25, 400

CHILD = """
import time
import torch
x = torch.ones(64, 64, device="cuda")
torch.cuda.synchronize()
from benchmarks.device_chain import six_chain
from fkl._build import stats
begin = time.perf_counter()
y = six_chain()(x)
seconds = time.perf_counter() - begin
torch.cuda.synchronize()
assert stats.compiles == 0, "the chain was not on disk"
print(seconds)
"""


def rows(limits: Any) -> list[Row]:
    """Every way to call, beside the cheapest launch that ctypes can make."""
    x = torch.rand(16, 16, device="cuda")
    out = torch.empty_like(x)
    pipe, stream, address = six_chain(), current_stream(), out.data_ptr()
    check = close(six(x.double()), 1e-5)
    contest = Contest(1)

    def nothing() -> Any:
        function = limits.limit_nothing
        return lambda _: function(address, stream)

    def launch() -> Any:
        function = limits.limit_empty
        return lambda _: function(address, stream)

    def bound() -> Any:
        run = pipe.bind(x, out=out)
        return lambda _: run()

    contest.enter("ctypes, no launch", nothing, None)
    contest.enter("ctypes, empty kernel", launch, None)
    contest.enter("bound", bound, check)
    contest.enter("out=", lambda: lambda _: pipe(x, out=out), check)
    contest.enter("new result", lambda: lambda _: pipe(x), check)
    contest.enter("torch.add", lambda: lambda _: torch.add(x, 1), None)
    samples = contest.on_host(ROUNDS, CALLS)

    def row(name: str, contender: str, target: float) -> Row:
        return added(
            SUBJECT, name, contender, "ctypes, empty kernel", samples, contest.failures, target
        )

    found = [
        row("bound, beyond a bare launch", "bound", 1),
        row("pipe(x, out=out), beyond a bare launch", "out=", 3),
        row("pipe(x), beyond a bare launch", "new result", 7),
    ]
    for name in ("ctypes, no launch", "torch.add"):
        if name in samples:
            value = median(samples[name]) * 1e6
            found.append(Row(SUBJECT, name, value, "us", detail=micros(samples[name])))
    return found


def crop_rows(_: Any) -> list[Row]:
    """A thousand rectangles beside one."""
    x = torch.randint(0, 256, (64, 64, 3), dtype=torch.uint8, device="cuda")
    many = np.tile(np.array([[3, 4, 20, 30]], np.int32), (1000, 1))
    pipe, contest = crop_chain(), Contest(1)
    for name, rects in (("one", many[:1]), ("a thousand", many)):
        out = pipe(x, rects=rects)

        def called(rects: Any = rects, out: Any = out) -> Any:
            return lambda _: pipe(x, rects=rects, out=out)

        def bound(rects: Any = rects, out: Any = out) -> Any:
            run = pipe.bind(x, rects=rects, out=out)
            return lambda _: run()

        contest.enter(f"{name}, array", called, None)
        contest.enter(f"{name}, bound", bound, None)
    samples = contest.on_host(ROUNDS, 50)
    return [
        added(
            CROPS,
            f"1000 crops beyond one, {way}",
            f"a thousand, {way}",
            f"one, {way}",
            samples,
            contest.failures,
            10,
        )
        for way in ("array", "bound")
    ]


def first_rows(_: Any) -> list[Row]:
    """Compose, find on disk, load, launch, in a fresh process that has a context."""
    six_chain()(torch.ones(64, 64, device="cuda"))
    times = []
    for _round in range(3):
        child = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", CHILD],
            env=dict(os.environ),
            capture_output=True,
            text=True,
            timeout=120,
        )
        if child.returncode:
            raise RuntimeError(child.stderr[-300:])
        times.append(float(child.stdout))
    shown = ", ".join(f"{seconds * 1e3:.1f}" for seconds in times)
    return [
        Row(
            FIRST,
            "compose, load and launch",
            median(times) * 1e3,
            "ms",
            15,
            at_most=True,
            detail=f"{shown} ms",
        )
    ]
