# SPDX-License-Identifier: Apache-2.0
"""How a row is spelled in another FKL tree (FKL_INCLUDE), and the sentence for what it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._dtypes import DType
from ._errors import ComposeError, DTypeError
from ._op import READ, WRITE, Row
from ._sizes import ON_DEVICE
from ._tree import PREFIX
from ._values import PER_PLANE

LACKING = ("int8", "float16", "bfloat16")


def spelling_of(
    row: Row, statics: Any, flow: DType, result: DType, forms: Mapping[str, str], parallel: str
) -> str:
    """The template of a row's C++ type in another tree.

    Raises:
        ComposeError, DTypeError: a short fact: what such a tree lacks, and what to do.
    """
    try:
        for dtype in (flow, result):
            if dtype.element.name in LACKING:
                raise DTypeError(
                    f"{dtype.element.name} is no element there: "
                    "convert the array before the call, or unset FKL_INCLUDE."
                )
        _check_memory(row, flow, parallel)
        for name, form in forms.items():
            if form == PER_PLANE:
                raise ComposeError(
                    f"{name} is one for all planes there: give one value instead of each([...])."
                )
            if form.startswith(ON_DEVICE):
                raise ComposeError(
                    f"{name} must be numbers of the host there: give a list or a NumPy array."
                )
        if row.fkl is None:
            raise ComposeError("it has no such operation: unset FKL_INCLUDE for this chain.")
        return row.fkl if isinstance(row.fkl, str) else row.fkl(flow, statics)
    except ComposeError as error:
        raise type(error)(f"{PREFIX}: {row.name}: {error}") from None


def _check_memory(row: Row, dtype: DType, parallel: str) -> None:
    """On the CPU FKL keeps three doubles in the room of four."""
    packed = row.kind in (READ, WRITE) and row.memory == "packed"
    if packed and dtype.name == "float64x3" and parallel == "CPU":
        raise DTypeError(
            "pixels of three float64 are laid out differently there: "
            "read and write planes (TensorPack, TensorSplit), or use float32."
        )
