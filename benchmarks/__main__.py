# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks`: every subject in processes of its own, and one table; or `--json`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
import textwrap
from dataclasses import asdict

from benchmarks import child, machine
from benchmarks.figures import Figure, table_text
from benchmarks.rounds import Samples, merged

# Subject, and whether it is measured with all threads beside one.
SUBJECTS = {
    "bench_arithmetic": True,
    "bench_crops": False,
    "bench_letterbox": True,
    "bench_calls": False,
    "bench_startup": False,
}
# A subject's processes come again, one thread and all threads in turns, so that no single
# process's luck with memory pages or a busy moment decides.
TURNS = {"bench_startup": 1}


def measured(subject: str, with_all_threads: bool, cache: str) -> list[Figure]:
    """The figures of one subject."""
    counts = [1, machine.cores()] if with_all_threads and machine.cores() > 1 else [1]
    parts: dict[int, list[Samples]] = {threads: [] for threads in counts}
    for _ in range(TURNS.get(subject, 3)):
        for threads in counts:
            parts[threads].append(child.samples_of(subject, threads, cache))
    found: Samples = {}
    for threads in counts:
        found.update(merged(parts[threads]))
    module = importlib.import_module(f"benchmarks.{subject}")
    result: list[Figure] = module.figures(found)
    return result


def main() -> int:
    """Run and print. The exit status does not tell the verdicts: a busy machine proves little."""
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    options.add_argument("subjects", nargs="*", metavar="subject", help=", ".join(SUBJECTS))
    options.add_argument("--json", action="store_true", help="print JSON instead of the table")
    chosen = options.parse_args()
    unknown = set(chosen.subjects) - set(SUBJECTS)
    if unknown:
        options.error(f"no subject {', '.join(sorted(unknown))}; there are {', '.join(SUBJECTS)}")
    about = machine.description()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="fkl-bench-") as cache:
        for subject in chosen.subjects or SUBJECTS:
            print(f"measuring {subject} ...", file=sys.stderr, flush=True)
            figures += measured(subject, SUBJECTS[subject], cache)
    if chosen.json:
        rows = [{**asdict(figure), "met": figure.is_met} for figure in figures]
        print(json.dumps({"about": about, "figures": rows}, indent=1))
        return 0
    for label, text in about.items():
        print(textwrap.fill(text, 100, initial_indent=f"{label:10}", subsequent_indent=" " * 10))
    print()
    print(table_text(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
