# SPDX-License-Identifier: Apache-2.0
"""Conversions between colour models, under OpenCV's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from fkl._dtypes import DType
from fkl._errors import DTypeError
from fkl._op import MAP, Operation, Static, choice, op

__all__ = ["ColorConversion"]

MODELS = ("RGB", "BGR", "RGBA", "BGRA")
CODES = {
    f"{source}2{target}": f"fk::ColorConversionCodes::COLOR_{source}2{target}"
    for source in MODELS
    for target in (*MODELS, "GRAY")
    if source != target
}
GRAY = np.array([0.299, 0.587, 0.114])


def converted(flow: DType, operation: Any) -> DType:
    source, _, target = operation.code.partition("2")
    if flow.channels != len(source):
        raise DTypeError(
            f"{operation.code} takes {len(source)} channels; this element has {flow.channels}."
        )
    if target == "GRAY" and flow.element.kind in "ui" and flow.element.size > 2:
        # Luma is a float32 sum, which cannot hold such integers.
        raise DTypeError(
            f'gray of {flow.element.name} would lose digits; put Cast("float64") before it.'
        )
    return flow.with_channels(1 if target == "GRAY" else len(target))


def converted_reference(x: Any, code: str) -> Any:
    """Gray comes unrounded: an integer result is a nearest one, either of two at a tie."""
    source, _, target = code.partition("2")
    if target == "GRAY":
        rgb = x[..., [source.index(c) for c in "RGB"]].astype(np.float64)
        return (rgb @ GRAY)[..., None]
    opaque = np.array(1 if x.dtype.kind == "f" else 255).astype(x.dtype)
    alpha = np.full((*x.shape[:-1], 1), opaque, x.dtype)
    order = [source.index(c) if c in source else len(source) for c in target]
    return np.concatenate([x, alpha], -1)[..., order]


def with_depth(flow: DType) -> str:
    """A float's full channel is 1, an integer's 255; FKL's own default is 255 for both."""
    depth = ", fk::ColorDepth::fn8bit" if flow.element.kind == "f" else ""
    return f"fk::ColorConversion<{{code}}, {{in}}, {{out}}{depth}>"


def in_fkl(flow: DType, operation: Any) -> str:
    """FKL has a float's alpha under names that differ between its branches, and rounds its gray."""
    source, _, target = operation.code.partition("2")
    if flow.element.kind == "f" and target == "GRAY":
        raise DTypeError("gray of a float is rounded there: multiply and add the channels.")
    if flow.element.kind == "f" and len(target) > len(source):
        raise DTypeError("a float has no alpha there: use AddLast(1.0), then VectorReorder.")
    return "fk::ColorConversion<{code}, {in}, {out}>"


@op(
    kind=MAP,
    header="algorithms/image_processing/color_conversion.h",
    template=with_depth,
    fkl=in_fkl,
    dtype=converted,
    elements="uif",
    channels=(3, 4),
    reference=converted_reference,
    cases=[{"code": code} for code in CODES],
)
class ColorConversion(Operation):
    """Convert between RGB, BGR, RGBA, BGRA and GRAY, as in `ColorConversion("BGR2RGB")`.

    A new alpha is 255, or 1.0 for floats. Gray of an integer is rounded, of a float it is not.
    """

    code: Static[str] = choice(CODES)
