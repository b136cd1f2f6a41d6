# SPDX-License-Identifier: Apache-2.0
"""Times jobs in turns, so that a disturbance of the machine meets all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

Samples = dict[str, list[float]]
Job = Callable[[], Any]


def take_turns(jobs: Mapping[str, Job], rounds: int, calls: int = 1, warmup: int = 3) -> Samples:
    """Seconds a call, one entry a round. The order turns around every round, and a turn begins with
    a call that is not timed: what counts is what the job itself left in the caches.

    Args:
        calls: calls per entry, for jobs that are too short for the clock.
    """
    for job in jobs.values():
        for _ in range(warmup):
            job()
    samples: Samples = {name: [] for name in jobs}
    for number in range(rounds):
        for name, job in list(jobs.items())[:: -1 if number % 2 else 1]:
            job()
            begin = time.perf_counter()
            for _ in range(calls):
                job()
            samples[name].append((time.perf_counter() - begin) / calls)
    return samples


def merged(parts: list[Samples]) -> Samples:
    """The samples of several processes that ran the same subject."""
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}


def best(samples: Samples, names: list[str]) -> str:
    """The fastest of several ways to do the same."""
    return min(names, key=lambda name: min(samples[name]))


def ratios(over: list[float], under: list[float]) -> tuple[float, float]:
    """By the shortest times, and by the medians."""
    return min(over) / min(under), median(over) / median(under)
