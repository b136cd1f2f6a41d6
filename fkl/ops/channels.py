# SPDX-License-Identifier: Apache-2.0
"""Operations on the channels of a pixel: their order, their number, a sum over them."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from fkl._dtypes import DType
from fkl._errors import ComposeError, DTypeError
from fkl._op import MAP, Operation, Static, choice, op
from fkl._values import Channel

__all__ = ["AddLast", "Discard", "VectorReduce", "VectorReorder"]

HEADER = "algorithms/basic_ops/vector_ops.h"


def reordered(flow: DType, operation: Any) -> DType:
    if len(operation.order) != flow.channels:
        raise DTypeError(
            f"the order names {len(operation.order)} channels; this element has {flow.channels}."
        )
    return flow


@op(
    kind=MAP,
    header=HEADER,
    template="fk::VectorReorder<{in}, {order}>",
    fkl="fk::VectorReorder<{in}, {order}>",
    dtype=reordered,
    channels=(2, 3, 4),
    reference=lambda x, order: x[..., list(order)],
    cases=[{"order": (1, 0)}, {"order": (2, 1, 0)}, {"order": (2, 1, 0, 3)}, {"order": (0, 0, 0)}],
)
class VectorReorder(Operation):
    """Channel k of the result is channel `order[k]`, as in `VectorReorder(2, 1, 0)`."""

    order: Static[tuple[int, ...]]

    def __init__(self, *order: int) -> None:
        if not 2 <= len(order) <= 4 or any(
            isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(order)
            for index in order
        ):
            raise ComposeError(
                f"VectorReorder{order}: give 2 to 4 channel numbers, each from 0 to their count - 1"
            )
        self._assign(order=order)

    def __repr__(self) -> str:
        return f"VectorReorder({', '.join(map(str, self.order))})"


def kept(flow: DType, operation: Any) -> DType:
    count = flow.channels - 1 if operation.channels is None else operation.channels
    if not isinstance(count, int) or not 1 <= count < flow.channels:
        raise DTypeError(
            f"cannot keep {count} of {flow.channels} channels: keep at least 1 and drop at least 1."
        )
    return flow.with_channels(count)


def kept_reference(x: Any, channels: int | None) -> Any:
    return x[..., : x.shape[-1] - 1 if channels is None else channels]


@op(
    kind=MAP,
    header=HEADER,
    template="fk::Discard<{in}, {out}>",
    fkl="fk::Discard<{in}, {out}>",
    dtype=kept,
    channels=(2, 3, 4),
    reference=kept_reference,
    cases=[{}, {"channels": 1}, {"channels": 2}, {"channels": 3}],
)
class Discard(Operation):
    """Keep the first `channels` channels; without a number, drop the last one."""

    channels: Static[int | None] = None


@op(
    kind=MAP,
    header=HEADER,
    template="fk::AddLast<{in}, {out}>",
    fkl="fk::AddLast<{in}, {out}>",
    dtype=lambda flow, _: flow.with_channels(flow.channels + 1),
    channels=(1, 2, 3),
    reference=lambda x, value: np.concatenate(
        [x, np.broadcast_to(value, (*x.shape[:-1], 1)).astype(x.dtype)], -1
    ),
    cases=[{"value": 1}, {"value": 0}],
)
class AddLast(Operation):
    """Append a channel that is `value` everywhere."""

    value: Channel


REDUCTIONS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def reduced(x: Any, operation: str) -> Any:
    parts = np.moveaxis(x, -1, 0)
    return reduce(lambda a, b: REDUCTIONS[operation](a, b, dtype=x.dtype), parts)[..., None]


@op(
    kind=MAP,
    header=(HEADER, "algorithms/basic_ops/arithmetic.h"),
    template="fk::VectorReduce<{in}, {operation}<{base}, {base}, {base}, fk::UnaryType>>",
    fkl="fk::VectorReduce<{in}, {operation}<{base}>>",
    dtype=lambda flow, _: flow.with_channels(1),
    elements="uif",
    channels=(2, 3, 4),
    reference=reduced,
    cases=[{"operation": name} for name in REDUCTIONS],
)
class VectorReduce(Operation):
    """Reduce the channels of a pixel to one by "add", "mul", "max" or "min", from the first to the
    last.
    """

    operation: Static[str] = choice({name: f"fk::{name.title()}" for name in REDUCTIONS})
