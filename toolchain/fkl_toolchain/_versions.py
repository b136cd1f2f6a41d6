# SPDX-License-Identifier: Apache-2.0
"""Version numbers as tuples, and the ranges that table rows are written with ("16..22", "13..")."""

from __future__ import annotations

import re
from dataclasses import dataclass

Version = tuple[int, ...]


def parse_version(text: str) -> Version:
    """Return the first dotted number in a text as a tuple, () when there is none."""
    match = re.search(r"\d+(?:\.\d+)*", text)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def version_text(version: Version) -> str:
    return ".".join(str(part) for part in version)


@dataclass(frozen=True)
class Range:
    """Versions from low to high, both included and compared only as deep as they are written."""

    low: Version
    high: Version

    @classmethod
    def parse(cls, text: str) -> Range:
        low, dots, high = text.partition("..")
        if not dots:
            return cls(parse_version(text), parse_version(text))
        bounds = cls(parse_version(low), parse_version(high))
        if bounds.low and bounds.high and bounds.low > bounds.high[: len(bounds.low)]:
            raise ValueError(f"the range {text!r} is empty")
        return bounds

    def __contains__(self, version: Version) -> bool:
        above = not self.low or version[: len(self.low)] >= self.low
        return above and (not self.high or version[: len(self.high)] <= self.high)
