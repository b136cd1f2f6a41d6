# SPDX-License-Identifier: Apache-2.0
"""Compile every chain of the device tests for a GPU, on a machine that needs none.

    python -m tests.device.build_ahead OUT_DIR [--target sm_90] [--compiler clang]

Writes OUT_DIR/<compiler>/<chain>.fkl. On the GPU machine, FKL_TEST_AHEAD=OUT_DIR makes the tests
use them.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fkl
from tests.device import cases
from tests.device.chains import Chain, OnDevice
from tests.device.compilers import ABOUT, SUFFIX, overrides


def example_args(chain: Chain) -> dict[str, Any]:
    """The arguments of a call; an array of the device is told by its type, as no memory is here."""
    return {
        name: f"{value.host.dtype.name} on the device" if isinstance(value, OnDevice) else value
        for name, value in chain.args.items()
    }


def saved(chain: Chain, folder: Path, target: str) -> str | None:
    """Writes the file of one chain; returns what went wrong."""
    inputs, args = chain.host_inputs(), example_args(chain)
    try:
        fkl.save(  # type: ignore[attr-defined]
            chain.pipeline(),
            folder / f"{chain.slug}{SUFFIX}",
            inputs=inputs,
            targets=[target],
            **args,
        )
    except Exception as error:
        return f"{chain.slug}: {str(error).splitlines()[0][:300]}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--compiler", default="clang", choices=("clang", "nvcc"))
    options = parser.parse_args()
    toolchain = importlib.import_module("fkl_toolchain")
    for override in overrides(options.compiler):
        try:
            found = toolchain.find(options.target, config=toolchain.Config(compiler=override))
        except toolchain.ToolchainError:
            continue
        if (found.mode == "nvcc") == (options.compiler == "nvcc"):
            break
    else:
        raise SystemExit(f"no {options.compiler} that builds for {options.target} was found")
    if override is not None:
        os.environ["FKL_COMPILER"] = override
    folder = options.out / options.compiler
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [
            text
            for text in pool.map(lambda chain: saved(chain, folder, options.target), cases.ALL)
            if text
        ]
    # written last: a folder without it is unfinished
    (folder / ABOUT).write_text(
        f"{found.compiler}, {found.mode} mode, built ahead for {options.target}\n"
    )
    print(*failures, sep="\n", file=sys.stderr)
    size = sum(path.stat().st_size for path in folder.iterdir())
    done = len(cases.ALL) - len(failures)
    print(f"{done} of {len(cases.ALL)} chains in {folder}, {size / 1e6:.1f} MB")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
