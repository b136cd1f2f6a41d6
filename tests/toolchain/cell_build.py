# SPDX-License-Identifier: Apache-2.0
"""Builds one cell and checks the library by what is in it: SASS and PTX as the tables promise."""

from __future__ import annotations

import ctypes
import os
import re
from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain import BuildError, Config, Toolchain, ToolchainError, find

from tests.toolchain import elf
from tests.toolchain.cells import PROBES, Cell

KERNELS = {"axpb": "axpb", "math": "math", "rich": "rich", "texture": "sample"}


@dataclass(frozen=True)
class Outcome:
    cell: Cell
    ok: bool
    words: str
    seconds: float


def build_cell(cell: Cell, toolkit: Path | None, cache: Path, folder: Path) -> Outcome:
    """Build a cell; an outcome that is not ok says in words what is wrong."""
    config = Config(
        compiler=cell.compiler,
        cuda_home=str(toolkit) if toolkit else None,
        cache_dir=cache,
        mode=None if cell.mode == "cpu" else cell.mode,
    )
    suffix = "cpp" if cell.mode == "cpu" else "cu"
    out = folder / f"{cell}.so"
    try:
        toolchain = find(cell.arch or "cpu", config=config)
        built = toolchain.build(PROBES / f"{cell.probe}.{suffix}", out)
        problem = "" if cell.mode == "cpu" else wrong_device_code(toolchain, cell.probe, out)
        problem = problem or wrong_libraries(cell, out)
        ctypes.CDLL(str(out), os.RTLD_NOW)
    except ToolchainError as error:
        return Outcome(cell, False, f"refused: {error}", 0.0)
    except BuildError as error:
        return Outcome(cell, False, f"{error.first_error}\n{error.log}", 0.0)
    if problem or "warning" in built.log:
        return Outcome(cell, False, problem or built.log, built.seconds)
    return Outcome(cell, True, "SASS and PTX" if toolchain.has_sass else "PTX", built.seconds)


def wrong_device_code(toolchain: Toolchain, probe: str, out: Path) -> str:
    """Return what is wrong with the device code of a library, "" when nothing is."""
    code = elf.device_code(out)
    assert toolchain.arch is not None
    expected = {toolchain.arch.number} if toolchain.has_sass else set()
    if set(code.sass) != expected:
        return f"SASS for {sorted(code.sass)} instead of {sorted(expected)}"
    for arch, kernels in code.sass.items():
        # the hash stands for a name that is too long to keep
        if not any(
            KERNELS[probe] in name or re.fullmatch("fkl_[0-9a-f]{16}", name) for name in kernels
        ):
            return f"the cubin for {arch} holds {kernels}"
    targets = [target for _, target in code.ptx]
    return "" if targets == [str(toolchain.front)] else f"PTX for {targets}"


def wrong_libraries(cell: Cell, out: Path) -> str:
    """Return which libraries are needed that must not be: a CUDA runtime, a C++ one."""
    user_code = cell.probe == "rich"
    banned = ["libcudart", "libcuda."] + ([] if user_code else ["libstdc++", "libc++"])
    needed = elf.needed_libraries(out)
    bad = [name for name in needed if any(part in name for part in banned)]
    return f"it needs {', '.join(bad)}" if bad else ""
