# SPDX-License-Identifier: Apache-2.0
"""Every row against its NumPy reference: each element type, channel counts, odd widths, strided
views.

No operation is named here but those that read and write; odd behaviour becomes another case of its
row. The default run covers every row, case and element type, with channel counts in turn; those
marked slow are the rest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fkl
from fkl._dtypes import ELEMENTS, DType
from fkl._errors import ComposeError
from fkl._op import GEOMETRY, MAP, REGISTRY, Operation, Row
from tests.device.rows import reference

TOLERANCE = {"bfloat16": 2e-2, "float16": 2e-3, "float32": 1e-5, "float64": 1e-12}
SHAPE = (6, 19)


def construct(row: Row, case: dict[str, Any]) -> Operation:
    return row.operation(*case["order"]) if "order" in case else row.operation(**case)


def fits(operation: Operation, dtype: DType) -> bool:
    """Whether this case of the row makes sense for this element."""
    try:
        image = np.zeros((8, 8, dtype.channels), dtype.numpy)
        fkl.compose(fkl.TensorRead(), operation, fkl.TensorWrite()).output_spec(image)
    except ComposeError:
        return False
    return True


SHARE = 6  # of a row with many cases, one (case, element) pair in this many runs by default


def cases() -> Iterator[Any]:
    turn = 0
    for row in REGISTRY.values():
        if row.kind not in (MAP, GEOMETRY):
            continue
        share = min(SHARE, len(row.cases))
        for number, case in enumerate(row.cases):
            operation = construct(row, dict(case))
            for position, name in enumerate(ELEMENTS):
                counts = [c for c in (1, 2, 3, 4) if fits(operation, DType(ELEMENTS[name], c))]
                turn += 1
                for index, channels in enumerate(counts):
                    chosen = index == turn % len(counts) and (number + position) % share == 0
                    yield pytest.param(
                        operation,
                        name,
                        channels,
                        marks=[] if chosen else [pytest.mark.slow],
                        id=f"{operation}-{name}x{channels}",
                    )


def samples(random: np.random.Generator, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Numbers of the whole range for integers; ordinary ones and the special ones for floats."""
    element = ELEMENTS[name]
    if element.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if element.kind in "ui":
        low, high = element.limits
        found = random.integers(low, high, shape, dtype=name, endpoint=True)
        found.ravel()[:4] = [low, high, 0, 1]
        return found
    found = random.uniform(-300, 300, shape).astype(name)
    special = [0.5, 1.5, -0.5, 254.5, 255.5, 0.0, -0.0, 1.0]
    found.ravel()[: len(special)] = special
    return found


def assert_close(
    actual: NDArray[Any], expected: NDArray[Any], tolerance: float, scale: float
) -> None:
    """Integers exactly, or nearest to an unrounded reference; floats within the tolerance of
    `scale`.
    """
    if ELEMENTS[actual.dtype.name].kind != "f":
        if expected.dtype.kind == "f":
            np.testing.assert_allclose(actual, expected, rtol=0, atol=0.51)
        else:
            np.testing.assert_array_equal(actual, expected)
        return
    with np.errstate(over="ignore"):
        # bfloat16 is no type of NumPy's own: both sides are compared as float64
        expected = expected.astype(actual.dtype).astype(np.float64)
        actual = actual.astype(np.float64)
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance * max(scale, 1))


def run(operation: Operation, x: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(fkl.compose(fkl.TensorRead(), operation, fkl.TensorWrite())(x))


@pytest.fixture(scope="module", autouse=True)
def compiled_ahead(request: pytest.FixtureRequest) -> None:
    """Compiles what was selected on both of a small machine's cores; errors are for the tests to
    show.
    """

    def warm(item: pytest.Item) -> None:
        parameters = getattr(item, "callspec", None)
        if parameters is not None and {"operation", "name", "channels"} <= set(parameters.params):
            operation, name, channels = (
                parameters.params[key] for key in ("operation", "name", "channels")
            )
            with contextlib.suppress(fkl.FklError):
                run(operation, np.zeros((*SHAPE, channels), name))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(warm, request.session.items))


@pytest.mark.parametrize(("operation", "name", "channels"), list(cases()))
def test_a_row_equals_its_reference(
    operation: Operation, name: str, channels: int, random: np.random.Generator
) -> None:
    x = samples(random, name, (*SHAPE, channels))
    result = run(operation, x)
    expected = reference(operation, x)
    tolerance = TOLERANCE.get(result.dtype.name, 0)
    scale = 0.0
    if not operation.row.elementwise:
        # A sum's error is one of its largest term, not of the result.
        scale = float(np.abs(x.astype(np.float64)).max())
    if operation.row.kind is GEOMETRY:
        # Positions and weights are float32 whatever the element is.
        tolerance = max(tolerance, TOLERANCE["float32"])
    assert_close(result.reshape(expected.shape), expected, tolerance, scale)
