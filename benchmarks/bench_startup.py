# SPDX-License-Identifier: Apache-2.0
"""What is paid once: the import, the first call from a warm cache, the compile. In fresh processes.

Run as a module it is such a process: `python -m benchmarks.bench_startup` prints one measurement.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from benchmarks import child
from benchmarks.figures import Figure, time_of
from benchmarks.rounds import Samples

SUBJECT = "start, fresh processes"
PROCESSES, COMPILES = 12, 5
IMPORT = """
import time, json, numpy
begin = time.perf_counter(); import fkl; print(json.dumps(time.perf_counter() - begin))
"""


def first_call() -> dict[str, float]:
    """A new process's first call, and the calls after it."""
    import numpy as np

    from benchmarks.bench_arithmetic import chain

    image = np.ones((16, 16), np.float32)
    out = np.empty_like(image)
    pipe = chain()
    times = []
    for _ in range(200):
        begin = time.perf_counter()
        pipe(image, out=out)
        times.append(time.perf_counter() - begin)
    return {"first": times[0], "hot": min(times)}


def samples(threads: int) -> Samples:
    found: Samples = {"import": [], "over hot": [], "compile": [], "empty cache": []}
    argv = ["-m", "benchmarks.bench_startup"]
    for _ in range(COMPILES):
        with tempfile.TemporaryDirectory(prefix="fkl-bench-") as cache:
            cold = child.python(argv, child.environment(threads, cache))
            (kernel,) = Path(cache).rglob("kernel.so")
            manifest = json.loads(kernel.with_name("build.json").read_text())
        found["empty cache"].append(cold["first"])
        found["compile"].append(manifest["seconds"])
    with tempfile.TemporaryDirectory(prefix="fkl-bench-") as cache:
        environ = child.environment(threads, cache)
        child.python(argv, environ)
        for _ in range(PROCESSES):
            warm = child.python(argv, environ)
            found["over hot"].append(warm["first"] - warm["hot"])
            found["import"].append(child.python(["-c", IMPORT], environ))
    return found


def figures(found: Samples) -> list[Figure]:
    return [
        time_of(SUBJECT, "import fkl, after numpy", found["import"], 1e3, "ms", 100),
        time_of(
            SUBJECT, "first call, warm cache, over a hot one", found["over hot"], 1e3, "ms", 10
        ),
        time_of(SUBJECT, "compile of 6 operations, cold", found["compile"], 1, "s", 0.4),
    ]


if __name__ == "__main__":
    print(json.dumps(first_call()))
