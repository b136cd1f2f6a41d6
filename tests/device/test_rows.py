# SPDX-License-Identifier: Apache-2.0
"""Every row of the catalogue: its NumPy reference, and the CPU's kernel of the same operation,
agree with the GPU's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.device import arrays, rows
from tests.device.chains import Chain


def is_unrounded(actual: Any, expected: Any) -> bool:
    """Whether an integer result has a reference in floats."""
    return actual.dtype.kind in "iu" and expected.dtype.kind == "f"


@pytest.mark.group("per operation")
@pytest.mark.parametrize("case", rows.CHAINS, ids=lambda chain: chain.name)
def test_an_operation_gives_what_its_row_says(
    case: Chain, compiled: Callable[[Any], Any], kind: arrays.Kind
) -> None:
    (x,) = case.host_inputs()
    actual = kind.to_host(compiled(case)(kind.to_device(x)))
    expected = rows.reference(case.operations[1], x)
    unrounded = is_unrounded(actual, expected)
    rows.assert_agrees(actual.reshape(expected.shape), expected, x, unrounded=unrounded)


@pytest.mark.group("CPU = GPU")
@pytest.mark.skipif(arrays.ON_CPU, reason="compares the CPU with a GPU")
@pytest.mark.parametrize("case", rows.CHAINS, ids=lambda chain: chain.name)
def test_an_operation_gives_the_same_on_the_cpu(
    case: Chain,
    compiled: Callable[[Any], Any],
    kind: arrays.Kind,
    on_the_host: Callable[[], None],
) -> None:
    (x,) = case.host_inputs()
    actual = kind.to_host(compiled(case)(kind.to_device(x)))
    on_the_host()
    expected = case.pipeline()(x)
    assert actual.dtype == expected.dtype
    # a rounded sum of integers that no float holds may differ by the order of the additions
    inexact = x.dtype.itemsize >= 4 and is_unrounded(
        expected, rows.reference(case.operations[1], x)
    )
    rows.assert_agrees(actual, expected, x, unrounded=inexact)
