# SPDX-License-Identifier: Apache-2.0
"""Brings CUDA toolkits as wheels into a folder outside the tree, once, with pip."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SPLIT = ("nvidia-cuda-nvcc-cu12", "nvidia-cuda-runtime-cu12", "nvidia-cuda-cccl-cu12")
UNIFIED = (
    "nvidia-cuda-nvcc",
    "nvidia-nvvm",
    "nvidia-cuda-crt",
    "nvidia-cuda-runtime",
)
# What CI builds against, and what the full matrix adds.
COVERING = ("12.4", "12.9", "13.0", "13")
FULL = ("12.4", "12.6", "12.8", "12.9", "13.0", "13.1", "13.2", "13.3", "13.4", "13")


def default_folder() -> Path:
    """Return where wheels are kept: FKL_TEST_WHEELS, else the user's cache folder."""
    if given := os.environ.get("FKL_TEST_WHEELS"):
        return Path(given)
    return Path("~/.cache").expanduser() / "fkl-test-wheels"


def toolkit(version: str, folder: Path) -> Path | str:
    """Return the nvidia folder of a CUDA version's wheels, or why it cannot be had."""
    place = folder / f"cuda-{version}"
    if (place / "nvidia").is_dir():
        return place / "nvidia"
    folder.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder, prefix=".new-"))
    names = SPLIT if version.startswith("12") else UNIFIED
    done = subprocess.run(
        (
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--only-binary=:all:", "--no-compile", "--target", str(draft)),
            *(f"{name}=={version}.*" for name in names),
            # Numbered on its own, and not brought out for every toolkit: the newest serves all.
            *(("nvidia-cuda-cccl==13.*",) if names == UNIFIED else ()),
        ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        shutil.rmtree(draft, ignore_errors=True)
        return f"pip cannot bring CUDA {version}: {done.stderr.strip().splitlines()[-1:]}"
    with contextlib.suppress(OSError):
        draft.rename(place)
    shutil.rmtree(draft, ignore_errors=True)
    return place / "nvidia"
