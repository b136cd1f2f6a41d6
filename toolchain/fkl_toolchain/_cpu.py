# SPDX-License-Identifier: Apache-2.0
"""Names the host CPU's level explicitly (x86-64-v3, armv8-a): never the word "native"."""

from __future__ import annotations

import platform
from pathlib import Path

# The micro-architecture levels of the x86-64 psABI, in the kernel's spelling of the flags.
X86_LEVELS = (
    ("x86-64-v2", frozenset({"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"})),
    (
        "x86-64-v3",
        frozenset({"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"}),
    ),
    ("x86-64-v4", frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})),
)
LEVELS = ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8-a", "armv8.2-a")


def cpu_flags(cpuinfo: str) -> frozenset[str]:
    """Return the feature list of the first processor in a /proc/cpuinfo text."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return frozenset(value.split())
    return frozenset()


def x86_level(flags: frozenset[str]) -> str:
    level = "x86-64"
    for name, needed in X86_LEVELS:
        if not needed <= flags:
            break
        level = name
    return level


def arm_level(flags: frozenset[str]) -> str:
    # asimdhp is half arithmetic, atomics the large-system extension: together armv8.2-a.
    return "armv8.2-a+fp16" if {"asimdhp", "fphp", "atomics"} <= flags else "armv8-a"


def host_level() -> str:
    try:
        flags = cpu_flags(Path("/proc/cpuinfo").read_text("utf-8", "replace"))
    except OSError:
        flags = frozenset()
    return arm_level(flags) if machine() == "aarch64" else x86_level(flags)


def baseline() -> str:
    """Return the level that every CPU of this kind has."""
    return "armv8-a" if machine() == "aarch64" else "x86-64"


def machine() -> str:
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)
