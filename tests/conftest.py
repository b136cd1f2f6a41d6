# SPDX-License-Identifier: Apache-2.0
"""Fixtures for every folder of tests: a cache of their own, seeded numbers, `--update-golden`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture(scope="session", autouse=True)
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One cache for the run: tests share compiled chains with each other, never with the user."""
    folder = tmp_path_factory.mktemp("fkl-cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FKL_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(20260101)
