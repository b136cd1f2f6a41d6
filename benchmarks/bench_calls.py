# SPDX-License-Identifier: Apache-2.0
"""What a call costs when there is nothing to compute: 16x16 pixels through six operations."""

from __future__ import annotations

import numpy as np

from benchmarks.bench_arithmetic import chain, with_numpy
from benchmarks.checks import check_close
from benchmarks.figures import Figure, time_of
from benchmarks.rounds import Samples, take_turns

SUBJECT = "hot call, 16x16 float32"
ROUNDS, CALLS = 60, 1000


def samples(threads: int) -> Samples:
    del threads
    image = np.random.default_rng(4).random((16, 16), np.float32)
    out = np.empty_like(image)
    pipe = chain()
    check_close("fkl", pipe(image, out=out), with_numpy(image), 1e-5)
    run = pipe.bind(image, out=out)
    out[:] = 0
    check_close("bound", run(), with_numpy(image), 1e-5)
    jobs = {"out=": lambda: pipe(image, out=out), "bound": run}
    return take_turns(jobs, ROUNDS, CALLS)


def figures(found: Samples) -> list[Figure]:
    return [
        time_of(SUBJECT, "with out=", found["out="], 1e6, "us", 6),
        time_of(SUBJECT, "bound", found["bound"], 1e6, "us", 3),
    ]
