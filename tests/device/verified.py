# SPDX-License-Identifier: Apache-2.0
"""docs/verified.md, as a run of the device tests writes it: machine, compilers, counts. Only what
ran is in it.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import platform
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import fkl
from tests.device import arrays

COUNTS: dict[tuple[str, str], Counter[str]] = {}  # (group, compiler) → outcomes
COMPILERS: dict[str, str] = {}  # name → text


def write(path: Path, day: str) -> None:
    """The page, and the counts beside it: a run of one compiler leaves another's as they are."""
    kept = path.with_suffix(".json")
    earlier = json.loads(kept.read_text()) if kept.is_file() else {"compilers": {}, "counts": []}
    for group, compiler, counts in earlier["counts"]:
        COUNTS.setdefault((group, compiler), Counter(counts))
    for name, text in earlier["compilers"].items():
        COMPILERS.setdefault(name, text)
    rows = [[group, compiler, counts] for (group, compiler), counts in sorted(COUNTS.items())]
    kept.write_text(json.dumps({"compilers": COMPILERS, "counts": rows}, indent=1) + "\n")
    path.write_text(markdown(day), encoding="utf-8")


def driver_version() -> str:
    """Of the kernel's driver, as the CUDA library says it."""
    if importlib.util.find_spec("cuda") is None:
        return "unknown"
    driver = importlib.import_module("cuda.bindings.driver")
    _, version = driver.cuDriverGetVersion()
    return f"CUDA {version // 1000}.{version % 1000 // 10}"


def device_lines() -> list[str]:
    if arrays.ON_CPU:
        return ["- device: none (FKL_TEST_ON=cpu)"]
    if arrays.why_no_gpu():
        return [f"- device: none ({arrays.why_no_gpu()})"]
    cuda = importlib.import_module("torch").cuda
    properties = cuda.get_device_properties(0)
    return [
        f"- device: {properties.name}, sm_{properties.major}{properties.minor}, "
        f"{properties.multi_processor_count} multiprocessors, "
        f"{properties.total_memory / 2**30:.0f} GiB",
        f"- driver: {driver_version()}",
    ]


def packages() -> str:
    found = [f"Python {platform.python_version()}", f"numpy {np.__version__}"]
    for name in ("torch", "cupy", "numba"):
        module: Any = sys.modules.get(name)
        if module is not None:
            found.append(f"{name} {module.__version__}")
    return ", ".join(found)


def cell(counts: Counter[str]) -> str:
    shown = [str(counts["passed"])]
    shown += [f"{counts[what]} {what}" for what in ("failed", "skipped") if counts[what]]
    return ", ".join(shown)


def markdown(day: str) -> str:
    columns = [
        name for name in ("nvcc", "clang", "cpu", "") if any(key[1] == name for key in COUNTS)
    ]
    groups = list(dict.fromkeys(group for group, _ in COUNTS))
    total: dict[str, Counter[str]] = {name: Counter() for name in columns}
    lines = [
        "# Verified on a GPU",
        "",
        "Written by `make test-device`: tests that passed, and those that failed or were skipped,",
        "by group and compiler.",
        "",
        f"- date: {day}",
        f"- fkl {fkl.__version__}",
        *device_lines(),
        *[f"- {name}: {text}" for name, text in COMPILERS.items()],
        f"- {packages()}",
        "",
        f"| group | {' | '.join(name or 'any' for name in columns)} |",
        f"|---|{'---|' * len(columns)}",
    ]
    for group in groups:
        row = []
        for name in columns:
            counts = COUNTS.get((group, name), Counter())
            total[name] += counts
            row.append(cell(counts) if counts else "")
        lines.append(f"| {group} | {' | '.join(row)} |")
    lines.append(f"| **all** | {' | '.join(cell(total[name]) for name in columns)} |")
    return "\n".join(lines) + "\n"
