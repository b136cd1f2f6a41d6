# SPDX-License-Identifier: Apache-2.0
"""How many threads a CPU call may use: what the user said, else what affinity and cgroups leave to
this process.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from . import _config

CGROUPS = Path("/sys/fs/cgroup")


def thread_limit() -> int:
    """At least 1."""
    return _config.thread_limit() or max(1, min(len(os.sched_getaffinity(0)), quota(CGROUPS)))


def quota(root: Path, membership: Path = Path("/proc/self/cgroup")) -> int:
    """The whole CPUs that the tightest cgroup limit allows, rounded up; very many where there is no
    limit.
    """
    allowed = 2**31
    for folder in _folders(root, membership):
        with contextlib.suppress(OSError, ValueError, IndexError):
            allowance, period = (folder / "cpu.max").read_text().split()[:2]
            allowed = min(allowed, -(-int(allowance) // int(period)))
        with contextlib.suppress(OSError, ValueError):
            microseconds = int((folder / "cpu.cfs_quota_us").read_text())
            if microseconds > 0:
                allowed = min(
                    allowed, -(-microseconds // int((folder / "cpu.cfs_period_us").read_text()))
                )
    return max(allowed, 1)


def _folders(root: Path, membership: Path) -> list[Path]:
    """This process's cgroups and everything above them: a limit anywhere on the way counts."""
    found = [root, root / "cpu"]
    with contextlib.suppress(OSError):
        for line in membership.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers and "cpu" not in controllers.split(","):
                continue
            folder = (root / "cpu" if controllers else root) / path.lstrip("/")
            found += [folder, *(parent for parent in folder.parents if root in parent.parents)]
    return found
