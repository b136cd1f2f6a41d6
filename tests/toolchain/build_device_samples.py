# SPDX-License-Identifier: Apache-2.0
"""Build the libraries that test_device_samples.py runs.

They are built on a machine that need not have a GPU and run on one that need not have a compiler.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from fkl_toolchain import Config, ToolchainError, find

from tests.toolchain.cells import PROBES
from tests.toolchain.wheels import default_folder, toolkit

DEFAULT = Path(__file__).parents[2] / "out" / "device-samples"


@dataclass(frozen=True)
class Sample:
    """One way to build; PTX alone is what a machine without ptxas makes."""

    name: str
    compiler: str
    mode: str
    ptx_only: bool = False


SAMPLES = (
    Sample("clang19-lean", "clang++-19", "lean"),
    Sample("clang22-lean", "clang++-22", "lean"),
    Sample("zig-lean", "ziglang", "lean"),
    Sample("clang22-lean-ptx", "clang++-22", "lean", ptx_only=True),
    Sample("clang19-toolkit", "clang++-19", "toolkit"),
    Sample("clang22-toolkit", "clang++-22", "toolkit"),
    Sample("gcc-nvcc", "g++", "nvcc"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=DEFAULT)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--cuda", default="13.0", help="version of the CUDA wheels to build with")
    parser.add_argument("--wheels", type=Path, default=default_folder())
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    place = toolkit(chosen.cuda, chosen.wheels)
    if isinstance(place, str):
        print(place)
        return 1
    failed = [sample for sample in SAMPLES if not build(sample, chosen.arch, place, chosen.folder)]
    return 1 if failed else 0


def build(sample: Sample, arch: str, cuda: Path, folder: Path) -> bool:
    config = Config(compiler=sample.compiler, cuda_home=str(cuda), mode=sample.mode)
    try:
        # Host code for any x86-64 of the last ten years: the other machine's CPU is unknown.
        toolchain = replace(find(arch, config=config), level="x86-64-v2")
    except ToolchainError as error:
        print(f"{sample.name}: {error}")
        return False
    if sample.ptx_only:
        assert toolchain.cuda is not None
        toolchain = replace(toolchain, cuda=replace(toolchain.cuda, ptxas=""))
    for probe in ("axpb", "math"):
        built = toolchain.build(PROBES / f"{probe}.cu", folder / f"{sample.name}.{probe}.so")
        print(f"{built.path.name}: {built.path.stat().st_size} bytes, {built.seconds:.2f} s")
    return True


if __name__ == "__main__":
    sys.exit(main())
