# SPDX-License-Identifier: Apache-2.0
"""A GPU figure with its target and verdict, and the table of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Row:
    """One line: a ratio or a time by the medians of one run, and what it is made of.

    A row without a value says in `detail` why it has none; a row without a target only informs.
    """

    subject: str
    name: str
    value: float | None
    unit: str = "x"
    target: float | None = None
    at_most: bool = False
    detail: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "FAILED"
        if self.target is None:
            return ""
        met = self.value <= self.target if self.at_most else self.value >= self.target
        return "met" if met else "MISSED"

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": self.verdict}


Samples = dict[str, list[float]]


def micros(seconds: list[float]) -> str:
    """The median, for people."""
    return f"{median(seconds) * 1e6:.1f} us"


def compared(
    subject: str,
    name: str,
    over: str,
    under: str,
    samples: Samples,
    failures: dict[str, str],
    target: float | None = None,
    at_most: bool = False,
    scale: float = 1.0,
) -> Row:
    """The ratio of two contenders' times, or the reason why there is none."""
    for contender in (over, under):
        if contender not in samples:
            reason = failures.get(contender, "was not measured")
            return Row(subject, name, None, "x", target, at_most, f"{contender}: {reason}")
    value = median(samples[over]) / median(samples[under]) * scale
    detail = f"{over} {micros(samples[over])}, {under} {micros(samples[under])}"
    return Row(subject, name, value, "x", target, at_most, detail)


def added(
    subject: str,
    name: str,
    longer: str,
    shorter: str,
    samples: Samples,
    failures: dict[str, str],
    target: float,
) -> Row:
    """The microseconds that one contender takes beyond another."""
    for contender in (longer, shorter):
        if contender not in samples:
            reason = failures.get(contender, "was not measured")
            return Row(subject, name, None, "us", target, True, f"{contender}: {reason}")
    value = (median(samples[longer]) - median(samples[shorter])) * 1e6
    detail = f"{longer} {micros(samples[longer])}, {shorter} {micros(samples[shorter])}"
    return Row(subject, name, value, "us", target, True, detail)


def table_text(rows: Sequence[Row]) -> str:
    """Columns for people; subjects as headings."""
    lines = [f"{'':52}{'value':>10}   {'target':12}{'':8}"]
    subject = None
    for row in rows:
        if row.subject != subject:
            subject = row.subject
            lines += ["", subject]
        value = "" if row.value is None else f"{row.value:.2f} {row.unit}"
        sign = "<=" if row.at_most else ">="
        limit = "" if row.target is None else f"{sign} {row.target:g} {row.unit}"
        lines.append(f"  {row.name:50}{value:>10}   {limit:12}{row.verdict:8}{row.detail}".rstrip())
    return "\n".join(lines)
