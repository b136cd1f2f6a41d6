# SPDX-License-Identifier: Apache-2.0
"""Runs code in fresh processes: thread counts and first calls cannot be measured twice in one."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from typing import Any

THREAD_VARIABLES = ("FKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS")
# OPENBLAS_*: set on some machines for the sake of virtual CPUs; they slow numpy, a peer, down.
# PYTHONDONTWRITEBYTECODE: every process would compile every module, which no user's does.
DISTURBING = (
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
    "PYTHONDONTWRITEBYTECODE",
    "FKL_NO_JIT",
    "FKL_KEEP",
)


def environment(threads: int, cache: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in DISTURBING}
    kept.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
    return {**kept, "FKL_CACHE_DIR": cache}


def python(argv: list[str], environ: dict[str, str]) -> Any:
    """What a fresh interpreter prints, as JSON; its errors go where ours go."""
    done = subprocess.run(
        [sys.executable, *argv], env=environ, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)


def samples_of(subject: str, threads: int, cache: str) -> Any:
    """A subject's samples from a process with this many threads."""
    return python(["-m", "benchmarks.child", subject, str(threads)], environment(threads, cache))


if __name__ == "__main__":
    module = importlib.import_module(f"benchmarks.{sys.argv[1]}")
    print(json.dumps(module.samples(int(sys.argv[2]))))
