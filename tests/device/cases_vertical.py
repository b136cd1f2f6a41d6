# SPDX-License-Identifier: Apache-2.0
"""Vertical fusion: maps one after another, from memory to memory, in one kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import fkl
from tests.device.chains import Case, Sample, constant, floats, integers
from tests.device.reference import MEAN, STD, normalised, planar

READ, WRITE, SPLIT = fkl.TensorRead(), fkl.TensorWrite(), fkl.TensorSplit()
NORMALISE = (fkl.Cast("float32"), fkl.Div(255.0), fkl.Sub(MEAN), fkl.Div(STD))
SIX = (fkl.Mul(1.01), fkl.Add(0.5), fkl.Mul(0.99), fkl.Sub(0.25), fkl.Div(1.1), fkl.Add(0.125))


def six(x: Any) -> Any:
    return ((np.asarray(x, np.float64) * 1.01 + 0.5) * 0.99 - 0.25) / 1.1 + 0.125


def six_in_single(x: Any) -> Any:
    """Every step rounded to float32, as fp="strict" promises."""
    f = np.float32
    return ((x * f(1.01) + f(0.5)) * f(0.99) - f(0.25)) / f(1.1) + f(0.125)


def fifty(x: Any) -> Any:
    result = np.asarray(x, np.float64)
    for _ in range(25):
        result = result * 0.99 + 0.01
    return result


def integer_chain(x: Any) -> Any:
    return ((x + np.int32(16777217)) * np.int32(3)) - np.int32(5)


def truncated(x: Any, by: Any) -> Any:
    """Integer division toward zero."""
    wide = x.astype(np.int64)
    quotient = np.abs(wide) // np.abs(by) * np.sign(wide) * np.sign(by)
    return quotient.astype(x.dtype)


def channel_chain(x: Any) -> Any:
    kept = np.asarray(x, np.float64)[..., [2, 1, 0]]
    return kept.sum(-1) + 7


def vertical(
    name: str,
    sample: Sample,
    *operations: fkl.Operation,
    reference: Callable[..., Any],
    dtype: str = "float32",
    **more: Any,
) -> Case:
    return Case(
        name,
        operations,
        sample,
        group="vertical fusion",
        reference=reference,
        dtype=dtype,
        **more,
    )


CASES = [
    vertical(
        "six operations on floats",
        floats("float32", 37, 53),
        READ,
        *SIX,
        WRITE,
        reference=six,
        scale=300,
    ),
    vertical(
        "six operations that round after each step",
        floats("float32", 37, 53),
        READ,
        *SIX,
        WRITE,
        reference=six_in_single,
        exact=True,
        options={"fp": "strict"},
    ),
    vertical(
        "bytes to normalised planes",
        integers("uint8", 31, 45, 3),
        READ,
        *NORMALISE,
        SPLIT,
        reference=lambda x: planar(normalised(x)),
    ),
    vertical(
        "bytes to normalised pixels",
        integers("uint8", 31, 45, 3),
        READ,
        *NORMALISE,
        WRITE,
        reference=normalised,
    ),
    vertical(
        "a batch of bytes to normalised planes",
        integers("uint8", 5, 31, 45, 3),
        READ,
        *NORMALISE,
        SPLIT,
        reference=lambda x: planar(normalised(x)),
    ),
    vertical(
        "bytes wrap around",
        integers("uint8", 29, 41, 3),
        READ,
        fkl.Mul(7),
        fkl.Add(200),
        fkl.Sub(3),
        WRITE,
        reference=lambda x: x * np.uint8(7) + np.uint8(200) - np.uint8(3),
        dtype="uint8",
    ),
    vertical(
        "integers beyond a float's precision stay exact",
        integers("int32", 29, 41),
        READ,
        fkl.Add(16777217),
        fkl.Mul(3),
        fkl.Sub(5),
        WRITE,
        reference=integer_chain,
        dtype="int32",
    ),
    vertical(
        "an integer division cuts toward zero",
        integers("int16", 23, 17, 2),
        READ,
        fkl.Div((3, -7)),
        WRITE,
        reference=lambda x: truncated(x, np.array([3, -7])),
        dtype="int16",
    ),
    vertical(
        "doubles keep their precision",
        floats("float64", 23, 17),
        READ,
        fkl.Mul(0.1),
        fkl.Add(0.2),
        fkl.Div(0.3),
        WRITE,
        reference=lambda x: (x * 0.1 + 0.2) / 0.3,
        dtype="float64",
        scale=300,
    ),
    vertical(
        "fifty operations in one kernel",
        floats("float32", 33, 65),
        READ,
        *(fkl.Mul(0.99), fkl.Add(0.01)) * 25,
        WRITE,
        reference=fifty,
        scale=300,
    ),
    vertical(
        "factors that the call gives",
        floats("float32", 19, 23, 3),
        READ,
        fkl.Mul(fkl.Arg("k")),
        fkl.Add(fkl.Arg("b")),
        WRITE,
        args={"k": 1.5, "b": (1.0, 2.0, 3.0)},
        reference=lambda x, k, b: x.astype(np.float64) * k + b,
        scale=300,
    ),
    vertical(
        "a number for each of four channels",
        floats("float32", 19, 23, 4),
        READ,
        fkl.Mul((1, 2, 3, 4)),
        fkl.Sub(1),
        WRITE,
        reference=lambda x: x.astype(np.float64) * [1, 2, 3, 4] - 1,
        scale=1200,
    ),
    vertical(
        "floats clamped and rounded to bytes",
        floats("float32", 27, 35, 3),
        READ,
        fkl.Mul(2),
        fkl.Max(0),
        fkl.Min(300),
        fkl.SaturateCast("uint8"),
        WRITE,
        reference=lambda x: np.clip(np.round(np.clip(x * 2, 0, 300)), 0, 255).astype(np.uint8),
        dtype="uint8",
    ),
    vertical(
        "channels reordered, dropped, added and summed",
        integers("uint8", 27, 35, 4),
        READ,
        fkl.Cast("float32"),
        fkl.VectorReorder(2, 1, 0, 3),
        fkl.Discard(),
        fkl.AddLast(7),
        fkl.VectorReduce("add"),
        WRITE,
        reference=channel_chain,
    ),
    vertical(
        "grey of a colour, scaled",
        floats("float32", 27, 35, 3, low=0, high=1),
        READ,
        fkl.ColorConversion("RGB2GRAY"),
        fkl.Mul(100),
        WRITE,
        reference=lambda x: (x.astype(np.float64) @ [0.299, 0.587, 0.114]) * 100,
        scale=100,
    ),
    vertical("one axis", floats("float32", 1001), READ, *SIX, WRITE, reference=six, scale=300),
    vertical(
        "five axes", floats("float32", 3, 2, 5, 7, 6), READ, *SIX, WRITE, reference=six, scale=300
    ),
    vertical(
        "planes to pixels",
        floats("float32", 3, 21, 33),
        fkl.TensorPack(),
        fkl.Mul((1, 2, 3)),
        WRITE,
        reference=lambda x: np.moveaxis(x, 0, -1) * [1.0, 2, 3],
        scale=900,
    ),
    vertical(
        "a batch of planes to planes",
        integers("int16", 2, 4, 21, 33, low=-1000, high=1000),
        fkl.TensorPack(),
        fkl.VectorReorder(3, 2, 1, 0),
        SPLIT,
        reference=lambda x: x[:, ::-1],
        dtype="int16",
    ),
    vertical(
        "an image from nothing",
        lambda random: None,
        fkl.ReadSet((1, 2, 3), 37, 11),
        fkl.Mul(0.5),
        WRITE,
        reference=lambda: np.broadcast_to([0.5, 1.0, 1.5], (11, 37, 3)),
    ),
    vertical(
        "a batch from nothing",
        lambda random: None,
        fkl.ReadSet(7, 5, 3, 4, dtype="uint8"),
        fkl.Add(1),
        WRITE,
        reference=lambda: np.full((4, 3, 5), 8, np.uint8),
        dtype="uint8",
    ),
    vertical("one element", constant(2.0, dtype="float32"), READ, *SIX, WRITE, reference=six),
]
