# SPDX-License-Identifier: Apache-2.0
"""Every case of the tables: what comes out is what NumPy says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.device import arrays
from tests.device.cases import CASES
from tests.device.chains import Case, assert_equals_reference

# some cases mean something else on the CPU
RUN = [case for case in CASES if not (case.device_only and arrays.ON_CPU)]


@pytest.mark.parametrize("case", RUN, ids=str)
def test_the_result_is_that_of_numpy(
    case: Case, compiled: Callable[[Any], Any], kind: arrays.Kind
) -> None:
    inputs, host = case.host_inputs(), case.host_args()
    expected = np.asarray(case.reference(*inputs, **host))
    args = kind.args(dict(case.args))
    if not inputs:  # nothing but `out` says where such a chain runs
        args["out"] = kind.to_device(np.zeros(expected.shape, case.dtype))
    result = compiled(case)(*kind.given(inputs), **args)
    assert kind.is_own(result)
    assert_equals_reference(kind.to_host(result), expected, case)
