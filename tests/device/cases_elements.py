# SPDX-License-Identifier: Apache-2.0
"""Every element type with 1 to 4 channels: how it is loaded, computed on and stored; and right
values from elsewhere.

The second table is that of small inputs where others were hurt: values of cv2, Pillow and exact
arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import fkl
from fkl._dtypes import ELEMENTS
from tests.device.cases_vertical import NORMALISE
from tests.device.chains import Case, Sample, constant, of_dtype

READ, WRITE, SPLIT = fkl.TensorRead(), fkl.TensorWrite(), fkl.TensorSplit()
NAMES = tuple(dict.fromkeys((*ELEMENTS, "bfloat16")))
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def numpy_dtype(name: str) -> Any:
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


def of_element(name: str, *shape: int) -> Sample:
    whole = of_dtype("bool" if name == "bool" else "uint8", *shape)
    return lambda random: whole(random).astype(numpy_dtype(name))


def maps(name: str) -> tuple[fkl.Operation, ...]:
    """Small whole numbers stay exact in every type; a bool has no arithmetic."""
    return () if name == "bool" else (fkl.Add(3), fkl.Sub(1))


def written(name: str, channels: int) -> Case:
    step = 0 if name == "bool" else 2
    return Case(
        f"{name} with {channels} channels",
        (READ, *maps(name), WRITE),
        of_element(name, 17, 29, channels),
        group="element types",
        reference=lambda x: x if not step else x + x.dtype.type(step),
        dtype=name,
        exact=True,
    )


def split(name: str, channels: int) -> Case:
    return Case(
        f"{name} with {channels} channels to planes",
        (READ, *maps(name)[:1], SPLIT),
        of_element(name, 17, 29, channels),
        group="element types",
        reference=lambda x: np.moveaxis(x if x.dtype.kind == "b" else x + x.dtype.type(3), -1, 0),
        dtype=name,
        exact=True,
    )


def half_chain(name: str) -> Case:
    """Half types are computed in float and rounded after every operation."""
    return Case(
        f"arithmetic on {name}",
        (READ, fkl.Mul(1.5), fkl.Add(0.25), fkl.Div(3), WRITE),
        of_element(name, 33, 31, 3),
        group="element types",
        reference=lambda x: (x.astype(np.float64) * 1.5 + 0.25) / 3,
        dtype=name,
    )


CASES = [written(name, channels) for name in NAMES for channels in (1, 2, 3, 4)]
CASES += [split(name, 2 + index % 3) for index, name in enumerate(NAMES)]
CASES += [half_chain("float16"), half_chain("bfloat16")]
CASES += [
    Case(
        f"bytes normalised to {name}",
        (READ, *NORMALISE, fkl.Cast(name), WRITE),
        constant([[255, 0, 128]], dtype="uint8"),
        group="right values",
        reference=lambda x: np.array([[[2.24891, -2.03571, 0.42649]]]),
        dtype=name,
    )
    for name in ("float16", "bfloat16", "float32")
    if name in ELEMENTS
]


def right(
    name: str,
    sample: Sample,
    *operations: fkl.Operation,
    values: Any = None,
    reference: Callable[..., Any] | None = None,
    dtype: str = "float32",
    **more: Any,
) -> Case:
    return Case(
        name,
        (READ, *operations, WRITE),
        sample,
        group="right values",
        dtype=dtype,
        reference=reference or (lambda x: np.array(values)),
        **more,
    )


NAN, INF = np.nan, np.inf
ROW = constant([0, 10, 20, 30], dtype="float32")
SQUARE = constant(
    [255, 200, 0, 50], [200, 255, 50, 0], [0, 50, 255, 200], [50, 0, 200, 255], dtype="uint8"
)
HALVES = constant(-0.5, 0.5, 1.5, 2.5, 254.5, 255.5, 300, -7, NAN, INF, -INF, dtype="float32")

HUGE = constant([[1e38, 3.4e38], [-2e38, 0.5], [INF, -INF], [NAN, 0], [7, -1e-3]], dtype="float32")
DIVISORS = ((3.3e38, -1e38), (2e-38, 1e-30), (7.0, 0.0), (INF, 255.0))


def quotients(divisor: Any) -> Callable[..., Any]:
    """NumPy's, in single precision: what is too large is infinite."""

    def reference(x: Any) -> Any:
        with np.errstate(all="ignore"):
            return x / np.array(divisor, x.dtype)

    return reference


CASES += [
    right(
        f"divided by {first:g} and {second:g}",
        HUGE,
        fkl.Div((first, second)),
        reference=quotients((first, second)),
        scale=1e-3,
    )
    for first, second in DIVISORS
]
CASES += [
    right(
        f"{operation} of rows with a NaN",
        HUGE,
        operation,
        reference=lambda x, low=low, high=high: np.where(np.isnan(x), x, np.clip(x, low, high)),
        exact=True,
    )
    for operation, low, high in (
        (fkl.Max(1), 1, INF),
        (fkl.Min(1), -INF, 1),
        (fkl.Saturate(-1, 1), -1, 1),
        (fkl.Max(NAN), -INF, INF),
        (fkl.Min(NAN), -INF, INF),
        (fkl.Saturate(NAN, 1), -INF, 1),
    )
]
CASES += [
    right(
        "a row doubled, half-pixel",
        ROW,
        fkl.Resize(8, 1),
        values=[[0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30]],
        scale=30,
    ),
    right(
        "a row doubled, asymmetric",
        ROW,
        fkl.Resize(8, 1, coordinates="asymmetric"),
        values=[[0, 5, 10, 15, 20, 25, 30, 30]],
        scale=30,
    ),
    right(
        "a row doubled, aligned corners",
        ROW,
        fkl.Resize(8, 1, coordinates="align_corners"),
        reference=lambda x: np.arange(8)[None] * (30 / 7),
        scale=30,
    ),
    right(
        "the first row of a square doubled",
        SQUARE,
        fkl.Resize(8, 8),
        fkl.Crop(0, 0, 8, 1),
        values=[[255, 241.25, 213.75, 150, 50, 12.5, 37.5, 50]],
        scale=255,
    ),
    right(
        "a peak between the samples is not seen",
        constant([0, 0, 0, 255, 0, 0, 0, 0], dtype="uint8"),
        fkl.Resize(2, 1),
        values=[[0, 0]],
        scale=255,
    ),
    right(
        "rounding half to even, and what is no number",
        HALVES,
        fkl.SaturateCast("uint8"),
        values=np.array([0, 0, 2, 2, 254, 255, 255, 0, 0, 255, 0], np.uint8),
        dtype="uint8",
    ),
    right(
        "cutting, and what is no number",
        HALVES,
        fkl.Cast("uint8"),
        values=np.array([0, 0, 1, 2, 254, 255, 255, 0, 0, 255, 0], np.uint8),
        dtype="uint8",
    ),
    right(
        "cutting to signed numbers saturates",
        constant(NAN, INF, -INF, 3e9, -3e9, -1.9, dtype="float32"),
        fkl.Cast("int32"),
        values=np.array([0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), -1], np.int32),
        dtype="int32",
    ),
    right(
        "blue, green, red to grey",
        constant([[10, 20, 30]], dtype="uint8"),
        fkl.ColorConversion("BGR2GRAY"),
        values=np.array([[22]], np.uint8),
        dtype="uint8",
    ),
    right(
        "red, green, blue to grey",
        constant([[10, 20, 30]], dtype="uint8"),
        fkl.ColorConversion("RGB2GRAY"),
        values=np.array([[18]], np.uint8),
        dtype="uint8",
    ),
    right(
        "a number that no float holds",
        constant(16777217, dtype="int32"),
        fkl.Add(1),
        values=np.array([16777218], np.int32),
        dtype="int32",
    ),
    right(
        "a tenth in double precision",
        constant(1.0, dtype="float64"),
        fkl.Mul(0.1),
        values=np.array([0.1]),
        dtype="float64",
        exact=True,
    ),
    right(
        "bytes divided by zero",
        constant(5, 7, dtype="uint8"),
        fkl.Div(0),
        values=np.zeros(2, np.uint8),
        dtype="uint8",
    ),
    right(
        "the smallest int divided by -1",
        constant(-(2**31), dtype="int32"),
        fkl.Div(-1),
        values=np.array([-(2**31)], np.int32),
        dtype="int32",
    ),
    right(
        "the smallest long divided by -1",
        constant(-(2**63), dtype="int64"),
        fkl.Div(-1),
        values=np.array([-(2**63)], np.int64),
        dtype="int64",
    ),
    right(
        "one axis stays one axis",
        lambda random: np.arange(16, dtype=np.float32),
        fkl.Mul(2),
        reference=lambda x: x * 2.0,
    ),
    right(
        "1 x 1000 in a letterbox is one pixel wide",
        lambda random: np.full((1000, 1), 9, np.uint8),
        fkl.Resize(64, 64, aspect_ratio="preserve"),
        reference=lambda x: np.pad(np.full((64, 1), 9.0), ((0, 0), (31, 32))),
        scale=9,
    ),
    right(
        "1024 x 768 in a letterbox has 80 rows above and below",
        lambda random: np.full((768, 1024), 9, np.uint8),
        fkl.Resize(640, 640, aspect_ratio="preserve"),
        reference=lambda x: np.pad(np.full((480, 640), 9.0), ((80, 80), (0, 0))),
        scale=9,
    ),
]
