# SPDX-License-Identifier: Apache-2.0
"""Changes of element type, and clamping."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from fkl._dtypes import ELEMENTS, DType, as_element
from fkl._errors import DTypeError
from fkl._op import MAP, Operation, Static, op
from fkl._values import Bounds

__all__ = ["Cast", "Saturate", "SaturateCast", "SaturateFloat"]

SATURATE = "algorithms/image_processing/saturate.h"


def to_named(flow: DType, operation: Any) -> DType:
    """The element that the operation names, with the same channels."""
    return flow.with_element(operation.dtype)


def clamped(x: Any, dtype: np.dtype[Any], rounded: Any) -> Any:
    """Numbers to the nearest one that `dtype` holds, NaN to 0, exactly: in Python's integers."""
    low, high = ELEMENTS[dtype.name].limits
    flat = [
        (high if v > 0 else low)
        if np.isinf(v)
        else 0
        if np.isnan(v)
        else min(max(int(rounded(v)), low), high)
        for v in x.ravel().tolist()
    ]
    return np.array(flat, dtype).reshape(x.shape)


def cast_reference(x: Any, dtype: str) -> Any:
    target = np.dtype(dtype)
    if x.dtype.kind == "f" and target.kind in "ui":
        return clamped(x, target, np.trunc)
    with np.errstate(all="ignore"):
        return x.astype(target)


def saturate_cast_reference(x: Any, dtype: str) -> Any:
    target = np.dtype(dtype)
    if target.kind in "ui" and x.dtype.kind != "b":
        return clamped(x, target, np.round if x.dtype.kind == "f" else int)
    if target.kind == "f" and x.dtype.kind == "f" and target.itemsize < x.dtype.itemsize:
        largest = float(np.finfo(target).max)
        x = np.clip(x, -largest, largest)
    return x.astype(target)


def numbers_alone(flow: DType, operation: Any) -> str:
    if "bool" in (flow.element.name, operation.dtype):
        raise DTypeError("there is no bool in a SaturateCast there: use Cast.")
    return "fk::SaturateCast<{in}, {out}>"


def one_channel(flow: DType, operation: Any) -> str:
    del operation
    if flow.channels > 1:
        raise DTypeError("it takes one channel there: use Max and Min.")
    return "fk::Saturate<{in}>"


class _ToDType(Operation):
    """The constructor that both casts share."""

    dtype: Static[str]

    def __init__(self, dtype: Any) -> None:
        self._assign(dtype=as_element(dtype).name)

    def __repr__(self) -> str:
        return f"{self.row.name}({self.dtype!r})"


CASES = [{"dtype": name} for name in ELEMENTS]


@op(
    kind=MAP,
    header="algorithms/basic_ops/cast.h",
    template="fk::Cast<{in}, {out}>",
    fkl="fk::Cast<{in}, {out}>",
    dtype=to_named,
    elementwise=True,
    reference=cast_reference,
    cases=CASES,
)
class Cast(_ToDType):
    """Convert to `dtype`: a float to an integer truncates and saturates (NaN gives 0), integers
    wrap.
    """

    dtype: Static[str]

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)


@op(
    kind=MAP,
    header=SATURATE,
    template="fk::SaturateCast<{in}, {out}>",
    fkl=numbers_alone,
    dtype=to_named,
    elementwise=True,
    reference=saturate_cast_reference,
    cases=CASES,
)
class SaturateCast(_ToDType):
    """Convert to `dtype`, clamped to its range; floats round half to even, NaN gives 0."""

    dtype: Static[str]

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype)


@op(
    kind=MAP,
    header=SATURATE,
    elements="uif",
    fkl=one_channel,
    elementwise=True,
    reference=lambda x, bounds: np.clip(x, bounds[0], bounds[1]),
    cases=[{"low": 10, "high": 100}],
)
class Saturate(Operation):
    """Clamp every channel to the range from `low` to `high`; a NaN pixel stays NaN, a NaN bound is
    ignored.
    """

    bounds: Bounds

    def __init__(self, low: Any, high: Any) -> None:
        self._assign(bounds=(low, high))

    def __repr__(self) -> str:
        low, high = cast("tuple[Any, Any]", self.bounds)
        return f"Saturate({low!r}, {high!r})"


@op(
    kind=MAP,
    header=SATURATE,
    elements="f",
    fkl="fk::SaturateFloat<{in}>",
    elementwise=True,
    reference=lambda x: np.clip(np.nan_to_num(x), 0, 1),
)
class SaturateFloat(Operation):
    """Clamp every channel to the range from 0 to 1; NaN gives 0."""
