# SPDX-License-Identifier: Apache-2.0
"""Every row of the catalogue: its NumPy reference, and the CPU's kernel of the same operation,
agree with the GPU's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.device import arrays, rows
from tests.device.chains import Chain, assert_close
from tests.device.compilers import Compiler


def scale_of(x: np.ndarray[Any, Any]) -> float:
    """Interpolation weighs its neighbours: its error is one of the largest of them, not of the
    result.
    """
    return max(float(np.abs(x.astype(np.float64)).max()), 1.0)


@pytest.mark.group("per operation")
@pytest.mark.parametrize("case", rows.CHAINS, ids=lambda chain: chain.name)
def test_an_operation_gives_what_its_row_says(
    case: Chain, compiled: Callable[[Any], Any], kind: arrays.Kind
) -> None:
    (x,) = case.host_inputs()
    actual = kind.to_host(compiled(case)(kind.to_device(x)))
    expected = rows.reference(case, x)
    with np.errstate(over="ignore"):
        expected = expected.astype(actual.dtype)
    assert_close(actual.reshape(expected.shape), expected, scale=scale_of(x))


@pytest.mark.group("CPU = GPU")
@pytest.mark.skipif(arrays.ON_CPU, reason="compares the CPU with a GPU")
@pytest.mark.parametrize("case", rows.CHAINS, ids=lambda chain: chain.name)
def test_an_operation_gives_the_same_on_the_cpu(
    case: Chain,
    compiled: Callable[[Any], Any],
    kind: arrays.Kind,
    compiler: Compiler,
    host_kernels: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (x,) = case.host_inputs()
    actual = kind.to_host(compiled(case)(kind.to_device(x)))
    monkeypatch.delenv("FKL_COMPILER", raising=False)  # a compiler of GPU code may be no other
    expected = case.pipeline()(x)
    assert actual.dtype == expected.dtype
    assert_close(actual, expected, scale=scale_of(x))
