# SPDX-License-Identifier: Apache-2.0
"""The compilers that a run can test, and how a chain is had from each.

A compiler is native (found on this machine) or ahead: its chains were saved by `python -m
tests.device.build_ahead` on a machine that has it, and `FKL_TEST_AHEAD` names the folder. So a
GPU machine with nvcc alone tests both.
"""

from __future__ import annotations

import importlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fkl
from fkl import _kernel
from tests.device.arrays import ON_CPU
from tests.device.chains import Chain

AHEAD = "FKL_TEST_AHEAD"
SUFFIX = ".fkl"
ABOUT = "compiler.txt"
NAMES = ("cpu",) if ON_CPU else ("nvcc", "clang")
CLANGS = ("clang++", *(f"clang++-{major}" for major in range(25, 15, -1)))


@dataclass(frozen=True)
class Compiler:
    """One compiler of the run."""

    name: str
    text: str  # for people
    override: str | None = None  # what FKL_COMPILER must be for it
    folder: Path | None = None  # chains saved by it on another machine

    @property
    def is_native(self) -> bool:
        return self.folder is None

    def pipeline(self, chain: Chain) -> Any:
        """The chain, compiled by this compiler."""
        if self.folder is None:
            return chain.pipeline()
        return fkl.load(self.folder / f"{chain.slug}{SUFFIX}")  # type: ignore[attr-defined]


def find(name: str) -> Compiler | str:
    """A compiler, or the reason why this run cannot test it."""
    toolchain = importlib.import_module("fkl_toolchain")
    if name == "cpu":
        return Compiler("cpu", str(toolchain.find("cpu").compiler))
    ahead = os.environ.get(AHEAD)
    folder = Path(ahead).absolute() / name if ahead else None
    if folder is not None and (folder / ABOUT).is_file():
        return Compiler(name, (folder / ABOUT).read_text().strip(), folder=folder)
    reasons = []
    for override in overrides(name):
        try:
            found = toolchain.find("cuda", config=toolchain.Config(compiler=override))
        except toolchain.ToolchainError as error:
            reasons.append(str(error))
            continue
        if (found.mode == "nvcc") == (name == "nvcc"):
            return Compiler(name, f"{found.compiler}, {found.mode} mode", override)
    why = reasons[0] if reasons else "it is not on PATH"
    return f"no {name} here, and {AHEAD} names no chains of it: {why}"


def overrides(name: str) -> list[str | None]:
    """None first: what fkl would take by itself."""
    programs = ("nvcc",) if name == "nvcc" else CLANGS
    return [None, *(program for program in programs if shutil.which(program))]


def forget() -> None:
    """Kernels are kept per process whatever compiled them: the next compiler must not be given
    these.
    """
    _kernel._kernels.clear()
