# SPDX-License-Identifier: Apache-2.0
"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import fkl_toolchain

PACKAGES = ("numpy", "numba", "opencv-python-headless")


def processor() -> str:
    """The CPU's own name, where Linux tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def cores() -> int:
    return len(os.sched_getaffinity(0))


def description() -> dict[str, str]:
    """Label and text of everything that a reader needs to judge a figure."""
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} (not a package here)")
    load = "/".join(f"{value:.1f}" for value in os.getloadavg())
    return {
        "machine": f"{processor()}, {cores()} cores, load {load}",
        "python": f"{platform.python_version()}, {', '.join(versions)}",
        "compiler": fkl_toolchain.find("cpu").describe(),
    }
