# SPDX-License-Identifier: Apache-2.0
"""The arguments of a call on a GPU: plain values, and rects that lie on the device themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _dlpack
from ._devices import DeviceArray
from ._errors import ArgumentError, DTypeError, LayoutError
from ._frameworks import framework_holding
from ._sizes import DeviceRects

PLAIN = frozenset({list, tuple, int, float, bool, np.ndarray})
RECT_ELEMENTS = ("int32", "int64", "float32", "float64")


def device_args(args: Mapping[str, Any], device: int, stream: int) -> Mapping[str, Any]:
    """The arguments, with arrays on the device as what a kernel reads."""
    found = dict(args)
    for name, value in args.items():
        framework = None if type(value) in PLAIN else framework_holding(value)
        if framework is not None:
            array = framework.view(value, stream)
            found[name] = _rects(name, array, device)
            order_after_producers([array], stream, device)
    return found


def _rects(name: str, array: DeviceArray, device: int) -> DeviceRects:
    dense = tuple(step * array.dtype.size for step in _dlpack.dense_strides(array.shape))
    if array.device != device:
        raise ArgumentError(f"{name} lies on device {array.device}, the input on device {device}")
    if array.ndim != 2 or array.shape[1] != 4 or (array.shape[0] > 1 and array.strides != dense):
        raise LayoutError(
            f"{name} on a device has shape {array.shape}: give a dense N×4 array of rects"
        )
    if array.dtype.name not in RECT_ELEMENTS:
        raise DTypeError(
            f"{name} on a device has dtype {array.dtype.name}: give one of "
            f"{', '.join(RECT_ELEMENTS)}"
        )
    return DeviceRects(array.owner, array.address, array.shape[0], array.dtype)


def form_of(args: Mapping[str, Any]) -> tuple[Any, ...]:
    """Names and types of arguments: what a short way depends on besides the arrays."""
    return (*args, *map(type, args.values()))


def forms_of(args: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(
        (name, value.element.name) for name, value in args.items() if isinstance(value, DeviceRects)
    )


def order_after_producers(arrays: Sequence[DeviceArray], stream: int, device: int) -> None:
    """An array interface names the stream that may still write: ours waits for it."""
    from . import _driver

    for producer in {array.producer for array in arrays if array.producer not in (None, stream)}:
        _driver.order(int(producer or 0), stream, device)
