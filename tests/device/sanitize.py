# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's compute-sanitizer over the chains of the device tests, at their small sizes.

    python -m tests.device.sanitize [--tool memcheck] [--compiler clang] [--every 1]

Every tool and compiler where none is named. Every array is an allocation of its own, so that an
access beside it is seen. Uses the compilers and chains as the tests do (FKL_COMPILER,
FKL_TEST_AHEAD). Ends with an error if a tool found anything, or a result was wrong.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.device import arrays, cases, compilers, rows
from tests.device.chains import Case, Chain, assert_equals_reference

TOOLS = {"memcheck": ["--leak-check", "no"], "racecheck": []}
FAULT = 9


def program() -> str:
    """compute-sanitizer on PATH, or beside nvcc."""
    found = shutil.which("compute-sanitizer")
    nvcc = shutil.which("nvcc")
    if found is None and nvcc is not None:
        beside = Path(nvcc).resolve().parent / "compute-sanitizer"
        found = str(beside) if beside.is_file() else None
    if found is None:
        raise SystemExit("compute-sanitizer is not on PATH and not beside nvcc")
    return found


def chosen(every: int) -> Iterator[Chain]:
    for chain in cases.ALL[::every]:
        if not getattr(chain, "heavy", False) and chain.options.get("target") != "cpu":
            yield chain


def check(chain: Chain, pipe: Any, kind: arrays.Kind) -> None:
    """One call, and its numbers where the tables have them."""
    inputs, host = chain.host_inputs(), chain.host_args()
    if not inputs:
        return
    result = kind.to_host(pipe(*kind.given(inputs), **kind.args(dict(chain.args))))
    if isinstance(chain, Case):
        assert_equals_reference(result, chain.reference(*inputs, **host), chain)
    elif chain in rows.CHAINS:
        expected = rows.reference(chain.operations[1], inputs[0])
        unrounded = result.dtype.kind in "iu" and expected.dtype.kind == "f"
        rows.assert_agrees(result.reshape(expected.shape), expected, inputs[0], unrounded=unrounded)


def run_chains(names: list[str], every: int) -> int:
    """What runs under the tool."""
    kind = arrays.Torch()
    failures = count = 0
    for name in names:
        compiler = compilers.find(name)
        if isinstance(compiler, str):
            print(f"{name}: skipped: {compiler}", flush=True)
            continue
        if compiler.override is not None:
            os.environ["FKL_COMPILER"] = compiler.override
        compilers.forget()
        for chain in chosen(every):
            try:
                check(chain, compiler.pipeline(chain), kind)
                count += 1
            except Exception as error:
                failures += 1
                print(f"{name}: {chain.name}: {str(error)[:400]}", flush=True)
        os.environ.pop("FKL_COMPILER", None)
    print(f"{count} chains ran, {failures} failed", flush=True)
    return 1 if failures or not count else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", action="append", choices=tuple(TOOLS), help="both if not given")
    parser.add_argument("--compiler", action="append", choices=compilers.NAMES)
    parser.add_argument("--every", type=int, default=1, help="only every n-th chain")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.compiler or list(compilers.NAMES)
    if options.child:
        return run_chains(names, options.every)
    environment = {**os.environ, "PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
    child = [
        sys.executable,
        "-m",
        "tests.device.sanitize",
        "--child",
        "--every",
        str(options.every),
        *(word for name in names for word in ("--compiler", name)),
    ]
    worst = 0
    for tool in options.tool or TOOLS:
        command = [program(), "--tool", tool, *TOOLS[tool], "--error-exitcode", str(FAULT), *child]
        code = subprocess.run(command, check=False, env=environment).returncode
        verdict = {0: "clean", FAULT: "the tool found errors"}.get(code, f"failed with {code}")
        print(f"{tool}: {verdict}", flush=True)
        worst = worst or code
    return worst


if __name__ == "__main__":
    raise SystemExit(main())
