# SPDX-License-Identifier: Apache-2.0
"""Nothing is timed before its result has been compared."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_close(name: str, result: Any, expected: Any, tolerance: float) -> None:
    """Raises if a contender computes something else."""
    if result.shape != expected.shape:
        raise SystemExit(f"{name} gives {result.shape}, not {expected.shape}")
    error = float(np.abs(result.astype(np.float64) - expected).max())
    if not error <= tolerance:
        raise SystemExit(f"{name} is off by {error:.3g}; the limit is {tolerance:g}")
