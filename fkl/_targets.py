# SPDX-License-Identifier: Apache-2.0
"""Which ready-made library may serve which machine."""

from __future__ import annotations

CAPABILITIES = (121, 120, 110, 103, 100, 90, 89, 88, 87, 86, 80, 75, 70)
CPU_LEVELS = ("x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64")


def serving(target: str, host_level: str) -> tuple[str, ...]:
    """The targets whose libraries run on `target`, best first.

    Args:
        target: "cpu", "cpu:x86-64-v3", "cuda:sm_90" or "cuda:sm_90a".
        host_level: what "cpu" alone means here.
    """
    kind, _, rest = target.partition(":")
    if kind == "cpu":
        level = rest or host_level
        levels = CPU_LEVELS[CPU_LEVELS.index(level) :] if level in CPU_LEVELS else (level,)
        return tuple(f"cpu:{each}" for each in levels)
    digits = rest.removeprefix("sm_")
    if not digits.isdigit():
        return (target,)
    # machine code serves later minors of its major; the PTX beside it serves everything newer
    own = int(digits)
    older = [each for each in CAPABILITIES if each < own]
    older.sort(key=lambda each: (each // 10 != own // 10, -each))
    return tuple(f"cuda:sm_{each}" for each in (own, *older))


def canonical(target: str, host_level: str) -> str:
    """One spelling of a target: "sm_90" is "cuda:sm_90", "cpu" names its level."""
    if target.startswith("sm_"):
        return f"cuda:{target}"
    return f"cpu:{host_level}" if target == "cpu" else target
