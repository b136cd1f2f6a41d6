# SPDX-License-Identifier: Apache-2.0
"""What the device tests run: named chains, and cases (a chain, its input, its reference).

Tests and `build_ahead` walk the same tables, so that every kernel of the suite can be compiled on
a machine that has the compiler, and run on one that has the GPU.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fkl

Sample = Callable[[np.random.Generator], Any]
SEED = 20260101


def slug_of(text: str) -> str:
    """A file name: long texts end in a digest of themselves."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return plain if len(plain) < 90 else f"{plain[:80]}-{zlib.crc32(text.encode()):08x}"


@dataclass(frozen=True)
class OnDevice:
    """An argument that is given as an array in the memory of the device."""

    host: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Chain:
    """One pipeline with an input of the type that it is compiled for.

    `sample` makes an array, a list of images, or None for a chain that takes no input.
    """

    name: str
    operations: tuple[fkl.Operation, ...]
    sample: Sample
    args: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    device_only: bool = False  # means something else, or nothing, for arrays of the host

    @property
    def slug(self) -> str:
        """A file name."""
        return slug_of(self.name)

    def pipeline(self) -> fkl.Pipeline:
        return fkl.compose(*self.operations, **self.options)

    def host_inputs(self) -> tuple[Any, ...]:
        """The sample, as the arguments of a call."""
        given = self.sample(np.random.default_rng(SEED))
        return () if given is None else (given,)

    def host_args(self) -> dict[str, Any]:
        return {
            name: value.host if isinstance(value, OnDevice) else value
            for name, value in self.args.items()
        }


@dataclass(frozen=True, eq=False)
class Case(Chain):
    """A chain with the numbers that must come out.

    `reference` is given the sample and the arguments, and computes in float64 where the chain
    does in floats. `dtype` is the result's; integers must be equal, floats within its tolerance,
    relative, or times `scale` near zero.
    """

    group: str = ""
    reference: Callable[..., Any] = lambda x: x
    dtype: str = "float32"
    scale: float = 1.0
    exact: bool = False
    heavy: bool = False  # too long under a sanitizer

    def __str__(self) -> str:
        return f"{self.group}: {self.name}"

    @property
    def slug(self) -> str:
        return slug_of(str(self))


TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "float64": 1e-12}


def assert_equals_reference(actual: NDArray[Any], expected: Any, case: Case) -> None:
    """Shape, type and numbers of a result."""
    expected = np.asarray(expected)
    assert actual.shape == expected.shape
    assert actual.dtype.name == case.dtype
    assert_close(actual, expected, scale=case.scale, exact=case.exact)


def assert_close(
    actual: NDArray[Any], expected: NDArray[Any], *, scale: float = 1.0, exact: bool = False
) -> None:
    """Integers equal; floats within the tolerance of the actual type."""
    tolerance = TOLERANCE.get(actual.dtype.name)
    if tolerance is None or exact:
        np.testing.assert_array_equal(actual, expected)
        return
    np.testing.assert_allclose(
        actual.astype(np.float64),
        np.asarray(expected, np.float64),
        rtol=tolerance,
        atol=tolerance * scale,
    )


def integers(dtype: str, *shape: int, low: int | None = None, high: int | None = None) -> Sample:
    """Numbers of the whole range of an integer type, or from low to high, both included."""
    limits = np.iinfo(dtype)
    first, last = limits.min if low is None else low, limits.max if high is None else high
    return lambda random: random.integers(first, last, shape, dtype=dtype, endpoint=True)


def floats(dtype: str, *shape: int, low: float = -300.0, high: float = 300.0) -> Sample:
    return lambda random: random.uniform(low, high, shape).astype(dtype)


def constant(*rows: Any, dtype: str) -> Sample:
    """The same array each time."""
    return lambda random: np.array(rows, dtype)


def of_dtype(dtype: str, *shape: int) -> Sample:
    """Numbers that every element type holds exactly: 0 and 1 for bool, else 0 to 100."""
    high = 1 if dtype == "bool" else 100
    return lambda random: random.integers(0, high, shape, endpoint=True).astype(dtype)


def rectangles(
    count: int, width: int, height: int, least: int, most: int, seed: int = 7
) -> NDArray[np.int32]:
    """N×4 rectangles (x, y, width, height) inside an image, with sides from `least` to `most`."""
    random = np.random.default_rng(seed)
    sides = random.integers(least, most, (count, 2), endpoint=True)
    corners = random.integers(0, np.array([width, height]) - sides, endpoint=True)
    return np.concatenate([corners, sides], 1).astype(np.int32)
