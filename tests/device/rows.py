# SPDX-License-Identifier: Apache-2.0
"""Every row of the catalogue with its own cases, as chains: an operation that is added joins by
itself.

Each (row, case) meets float32, where it takes floats, and two other element types in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fkl
from fkl._dtypes import ELEMENTS, DType
from fkl._errors import ComposeError
from fkl._op import GEOMETRY, MAP, REGISTRY, Operation, Row
from tests.device.chains import Chain, assert_close

SHAPE = (7, 19)
OTHERS = tuple(name for name in ELEMENTS if name != "float32")


def constructed(row: Row, case: dict[str, Any]) -> Operation:
    return row.operation(*case["order"]) if "order" in case else row.operation(**case)


def fits(operation: Operation, dtype: DType) -> bool:
    """Whether the operation can follow a read of this element."""
    try:
        image = np.zeros((8, 8, dtype.channels), dtype.numpy)
        fkl.compose(fkl.TensorRead(), operation, fkl.TensorWrite()).output_spec(image)
    except ComposeError:
        return False
    return True


def samples(random: np.random.Generator, name: str, channels: int) -> NDArray[Any]:
    """The whole range of integers; ordinary floats and the ones at which rounding turns."""
    shape = (*SHAPE, channels)
    element = ELEMENTS[name]
    if element.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if element.kind in "ui":
        low, high = element.limits
        found = random.integers(low, high, shape, dtype=name, endpoint=True)
        found.ravel()[:4] = [low, high, 0, 1]
        return found
    numbers = random.uniform(-300, 300, shape)
    numbers.ravel()[:8] = [0.5, 1.5, -0.5, 254.5, 255.5, 0.0, -0.0, 1.0]
    return numbers.astype(DType(element).numpy)


def without_ties(x: NDArray[Any], operation: Operation) -> NDArray[Any]:
    """Grey of integers whose exact value ends in .5 may be rounded either way: such pixels become
    0.
    """
    if "GRAY" not in str(getattr(operation, "code", "")) or x.dtype.kind not in "iu":
        return x
    red_first = np.array([299, 587, 114, 0][: x.shape[-1]])
    for weights in (red_first, np.array([114, 587, 299, 0][: x.shape[-1]])):
        rest = (x.astype(object) * weights).sum(-1) % 1000
        x[np.abs(rest.astype(np.int64) - 500) < 2] = 0
    return x


def row_chain(row: Row, operation: Operation, name: str, channels: int, number: int) -> Chain:
    return Chain(
        f"{row.name} {number} on {name}x{channels}: {operation}",
        (fkl.TensorRead(), operation, fkl.TensorWrite()),
        lambda random: without_ties(samples(random, name, channels), operation),
    )


def chains() -> Iterator[Chain]:
    turn = 0
    for row in REGISTRY.values():
        if row.kind not in (MAP, GEOMETRY):
            continue
        for number, case in enumerate(row.cases):
            operation = constructed(row, dict(case))
            found = {
                name: [c for c in (3, 1, 4, 2) if fits(operation, DType(ELEMENTS[name], c))]
                for name in ELEMENTS
            }
            served = [name for name in OTHERS if found[name]]
            turn += 1
            chosen = [served[(2 * turn + k) % len(served)] for k in range(min(2, len(served)))]
            if found["float32"]:
                chosen.insert(0, "float32")
            for name in dict.fromkeys(chosen):
                counts = found[name]
                yield row_chain(row, operation, name, counts[turn % len(counts)], number)


CHAINS = list(chains())


def reference(operation: Operation, x: NDArray[Any]) -> NDArray[Any]:
    """The row's reference, in float64 for floats and in the element's own type for integers."""
    row = operation.row
    assert row.reference is not None
    wide = x.astype(np.float64) if ELEMENTS[x.dtype.name].kind == "f" else x
    arguments: dict[str, Any] = {}
    for field in row.fields:
        value = getattr(operation, field.name)
        numeric = not field.is_static and row.kind is MAP
        arguments[field.name] = np.asarray(value, wide.dtype) if numeric else value
    arguments.pop("format", None)
    with np.errstate(all="ignore"):
        return np.asarray(row.reference(wide, **arguments))


def assert_agrees(
    actual: NDArray[Any], expected: NDArray[Any], x: NDArray[Any], *, unrounded: bool
) -> None:
    """Floats within the tolerance of the largest input; integers equal, or nearest to an unrounded
    reference, which beyond 24 bits is as near as a float can be.
    """
    scale = max(float(np.abs(x.astype(np.float64)).max()), 1.0)
    if unrounded:
        limit = max(0.51, scale * 3e-7)
        np.testing.assert_allclose(
            actual.astype(np.float64), expected.astype(np.float64), rtol=0, atol=limit
        )
        return
    with np.errstate(over="ignore"):
        assert_close(actual, expected.astype(actual.dtype), scale=scale)
