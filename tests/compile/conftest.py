# SPDX-License-Identifier: Apache-2.0
"""Tests that need a host C++ compiler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fkl._build import stats


class Counter:
    """What happened since it was made."""

    def __init__(self) -> None:
        self.start = replace(stats)

    def __getattr__(self, name: str) -> int:
        return int(getattr(stats, name)) - int(getattr(self.start, name))


@pytest.fixture
def count() -> Iterator[Counter]:
    yield Counter()
