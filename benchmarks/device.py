# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks.device`: fkl on a GPU beside its peers in one run, as a table of figures,
targets and verdicts.

Results are checked before they are timed, inputs rotate through more than the GPU's cache,
contenders take turns, figures are ratios of medians. A subject that fails is a line that says so;
the others go on.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.device_rows import Row, table_text

SUBJECTS = ("calls", "crop calls", "first call", "crops", "planes 8K", "six 4K", "six 8K")


def subject_of(name: str) -> Callable[[Any], list[Row]]:
    """Imported late: without torch there is a sentence instead of a traceback."""
    from benchmarks import device_calls, device_chain, device_crops

    return {
        "calls": device_calls.rows,
        "crop calls": device_calls.crop_rows,
        "first call": device_calls.first_rows,
        "crops": device_crops.rows,
        "planes 8K": lambda limits: device_chain.planes_rows(limits, "8K"),
        "six 4K": lambda limits: device_chain.six_rows(limits, "4K"),
        "six 8K": lambda limits: device_chain.six_rows(limits, "8K"),
    }[name]


def description() -> dict[str, str]:
    """What the figures were measured on."""
    import numpy
    import torch

    import fkl

    properties = torch.cuda.get_device_properties(0)
    versions = [
        f"fkl {fkl.__version__}",
        f"torch {torch.__version__}",
        f"numpy {numpy.__version__}",
    ]
    try:
        import fkl_toolchain

        compiler = fkl_toolchain.find("cuda").describe()
    except Exception as error:
        compiler = str(error).splitlines()[0]
    return {
        "device": f"{properties.name}, {properties.multi_processor_count} multiprocessors",
        "python": f"{platform.python_version()}, {', '.join(versions)}",
        "compiler": compiler,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def measured(name: str, limits: Any) -> list[Row]:
    """The rows of one subject, or one that says what went wrong."""
    import torch

    print(f"measuring {name} ...", file=sys.stderr, flush=True)
    begin = time.perf_counter()
    try:
        rows = subject_of(name)(limits)
    except Exception as error:
        rows = [
            Row(
                name,
                "the whole subject",
                None,
                detail=f"{type(error).__name__}: {str(error)[:400]}",
            )
        ]
    torch.cuda.empty_cache()
    print(f"  {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.device", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="subject", help=", ".join(SUBJECTS))
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures there too")
    options = parser.parse_args()
    unknown = set(options.subjects) - set(SUBJECTS)
    if unknown:
        parser.error(f"no subject {', '.join(sorted(unknown))}; there are {', '.join(SUBJECTS)}")
    try:
        import torch
    except ImportError:
        raise SystemExit("these benchmarks compare with torch, which is not installed") from None
    if not torch.cuda.is_available():
        raise SystemExit("torch sees no GPU")
    from benchmarks import device_contest

    about = description()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="fkl-bench-") as folder:
        # a cache of its own, unless the caller has one: compiling is no part of any figure
        os.environ.setdefault("FKL_CACHE_DIR", str(Path(folder) / "cache"))
        try:
            limits: Any = device_contest.limits(Path(folder))
        except Exception as error:
            limits = device_contest.NoLimits(error)
        for name in options.subjects or SUBJECTS:
            rows += measured(name, limits)
            if options.json:  # after every subject: a run that is cut short leaves what it had
                content = {"about": about, "figures": [row.as_json() for row in rows]}
                options.json.write_text(json.dumps(content, indent=1) + "\n")
    for label, text in about.items():
        print(f"{label:10}{text}")
    print()
    print(table_text(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
