# SPDX-License-Identifier: Apache-2.0
"""Arithmetic with one run-time number, or one per channel. Same type in and out; integers wrap as
in NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fkl._dtypes import DType
from fkl._errors import DTypeError
from fkl._op import MAP, Operation, Spelling, op
from fkl._values import Element

__all__ = ["Add", "Div", "Max", "Min", "Mul", "Sub"]

HEADER = "algorithms/basic_ops/arithmetic.h"
NUMBERS = "uif"


def unpromoted(spelling: str, *, integers: bool = True) -> Spelling:
    """FKL computes as C++ does: a vector of small integers becomes one of int and stays one."""

    def spelled(flow: DType, operation: Any) -> str:
        del operation
        if flow.element.is_integer and not integers:
            raise DTypeError(
                "a division of integers is undefined there where the divisor is 0: "
                'put Cast("float32") before it.'
            )
        if flow.element.is_integer and flow.element.size < 4 and flow.channels > 1:
            raise DTypeError(
                f"{flow.name} becomes int32x{flow.channels} there: "
                'put Cast("int32") or Cast("float32") before it.'
            )
        return spelling

    return spelled


@op(
    kind=MAP,
    header=HEADER,
    fkl=unpromoted("fk::Add<{in}>"),
    elements=NUMBERS,
    elementwise=True,
    reference=lambda x, value: x + value,
    cases=[{"value": 3}, {"value": (1, 2, 3)}, {"value": 100}],
)
class Add(Operation):
    """Add `value` to every channel."""

    value: Element


@op(
    kind=MAP,
    header=HEADER,
    fkl=unpromoted("fk::Sub<{in}>"),
    elements=NUMBERS,
    elementwise=True,
    reference=lambda x, value: x - value,
    cases=[{"value": 3}, {"value": (1, 2, 3)}, {"value": 100}],
)
class Sub(Operation):
    """Subtract `value` from every channel."""

    value: Element


@op(
    kind=MAP,
    header=HEADER,
    fkl=unpromoted("fk::Mul<{in}>"),
    elements=NUMBERS,
    elementwise=True,
    reference=lambda x, value: x * value,
    cases=[{"value": 2}, {"value": (1, 2, 3)}, {"value": 100}],
)
class Mul(Operation):
    """Multiply every channel by `value`."""

    value: Element


def divided(x: Any, value: Any) -> Any:
    """Integers truncate toward zero, x/0 is 0, and the one overflow keeps the smallest number."""
    if x.dtype.kind == "f":
        with np.errstate(all="ignore"):
            return x / value
    numerator, denominator = np.broadcast_arrays(x, value)
    result = np.zeros_like(numerator)
    flat = zip(numerator.ravel().tolist(), denominator.ravel().tolist(), strict=True)
    quotients = [
        0 if d == 0 else abs(n) // abs(d) * (1 if (n < 0) == (d < 0) else -1) for n, d in flat
    ]
    bits = 8 * x.dtype.itemsize
    wrapped = [
        q - 2**bits if x.dtype.kind == "i" and q >= 2 ** (bits - 1) else q for q in quotients
    ]
    result.ravel()[:] = wrapped
    return result


@op(
    kind=MAP,
    header=HEADER,
    fkl=unpromoted("fk::Div<{in}>", integers=False),
    elements=NUMBERS,
    elementwise=True,
    reference=divided,
    cases=[{"value": 2}, {"value": (1, 2, 3)}, {"value": 7}, {"value": 0}],
)
class Div(Operation):
    """Divide every channel by `value`; integers truncate toward zero, and x/0 is 0."""

    value: Element


@op(
    kind=MAP,
    header=HEADER,
    fkl="fk::Max<{in}>",
    elements=NUMBERS,
    elementwise=True,
    reference=lambda x, value: np.maximum(x, value),
    cases=[{"value": 50}, {"value": (1, 20, 90)}],
)
class Max(Operation):
    """The larger of every channel and `value`; a NaN pixel stays NaN, a NaN `value` is ignored."""

    value: Element


@op(
    kind=MAP,
    header=HEADER,
    fkl="fk::Min<{in}>",
    elements=NUMBERS,
    elementwise=True,
    reference=lambda x, value: np.minimum(x, value),
    cases=[{"value": 50}, {"value": (1, 20, 90)}],
)
class Min(Operation):
    """The smaller of every channel and `value`; a NaN pixel stays NaN, a NaN `value` is ignored."""

    value: Element
