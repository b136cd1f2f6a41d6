# SPDX-License-Identifier: Apache-2.0
"""A figure with its target and verdict, and the table of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.rounds import Samples, ratios


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes:
        value: by the shortest times; the verdict is about this one.
        middle: the same by the medians, to show how noisy the run was.
        detail: the times that the figure is made of.
    """

    subject: str
    name: str
    value: float
    middle: float
    unit: str
    target: float
    at_most: bool
    detail: str

    @property
    def is_met(self) -> bool:
        return self.value <= self.target if self.at_most else self.value >= self.target


def faster(
    subject: str, samples: Samples, fkl: str, peer: str, target: float, name: str = ""
) -> Figure:
    """How many times faster than a peer."""
    value, middle = ratios(samples[peer], samples[fkl])
    detail = f"{duration(samples[fkl])}, {peer} {duration(samples[peer])}"
    return Figure(subject, name or f"faster than {peer}", value, middle, "x", target, False, detail)


def slower(subject: str, samples: Samples, fkl: str, peer: str, target: float) -> Figure:
    """The time as a multiple of a peer's, which is a floor rather than a rival."""
    value, middle = ratios(samples[fkl], samples[peer])
    detail = f"{duration(samples[fkl])}, {peer} {duration(samples[peer])}"
    return Figure(subject, f"time over {peer}", value, middle, "x", target, True, detail)


def time_of(
    subject: str, name: str, seconds: list[float], scale: float, unit: str, target: float
) -> Figure:
    """A time with a limit of its own."""
    low, middle = min(seconds) * scale, median(seconds) * scale
    detail = f"{len(seconds)} samples, longest {max(seconds) * scale:.3g} {unit}"
    return Figure(subject, name, low, middle, unit, target, True, detail)


def duration(seconds: list[float]) -> str:
    low = min(seconds)
    return f"{low * 1e3:.3g} ms" if low >= 1e-4 else f"{low * 1e6:.3g} us"


def table_text(figures: Sequence[Figure]) -> str:
    """Columns for people; subjects as headings."""
    lines = [f"{'':50}{'best':>9}{'median':>9}   {'target':12}{'':8}"]
    subject = None
    for figure in figures:
        if figure.subject != subject:
            subject = figure.subject
            lines += ["", subject]
        limit = f"{'<=' if figure.at_most else '>='} {figure.target:g} {figure.unit}"
        verdict = "met" if figure.is_met else "MISSED"
        lines.append(
            f"  {figure.name:48}{figure.value:9.2f}{figure.middle:9.2f}   {limit:12}{verdict:8}"
            f"{figure.detail}"
        )
    return "\n".join(lines)
