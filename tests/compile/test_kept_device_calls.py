# SPDX-License-Identifier: Apache-2.0
"""What a GPU's side of a pipeline keeps between calls, with a package whose device is this
machine's memory and kernels that are the CPU's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import Arg, _device_args, _device_call, _device_memory
from fkl._devices import DeviceArray, Framework
from fkl._dtypes import DType, as_element

GUARD = 4096  # bytes behind every result, which nobody may write


class Array:
    """What this package hands out: nothing but fkl's own side knows that it is an ndarray."""

    def __init__(self, host: Any, behind: Any = None, device: int = 0) -> None:
        self.host, self.behind, self.shape, self.device = host, behind, host.shape, device


class Package(Framework):
    name = "package"

    def view(self, array: Any, stream: int | None) -> DeviceArray:
        host = array.host
        element = as_element(host.dtype)
        address = self.address(array)
        return DeviceArray(host.shape, host.strides, element, address, array.device, array)

    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        size = int(np.prod(shape)) * dtype.element.size
        memory = np.full(size + GUARD, 9, np.uint8)
        return Array(memory[:size].view(dtype.element.name).reshape(shape), memory[size:], device)

    def give_back(self, result: Any, like: Any) -> Any:
        return result

    def key(self, array: Any, out: Any) -> Any:
        mine = array.shape, array.host.strides, array.host.dtype, array.device
        return (*mine, None if out is None else (out.shape, out.device))

    def address(self, array: Any) -> int:
        return int(array.host.ctypes.data)

    def current_stream(self, device: int) -> int:
        return 0


@pytest.fixture
def side(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    package = Package()
    for module in (_device_args, _device_call, _device_memory):
        monkeypatch.setattr(
            module, "framework_holding", lambda x: package if isinstance(x, Array) else None
        )

    class OnHost(_device_memory.DeviceMemory):
        def __init__(self, framework: Framework, device: int) -> None:
            self.framework, self.device, self.target, self.runtime = framework, device, "cpu", None

    monkeypatch.setattr(_device_call, "DeviceMemory", OnHost)

    def of(*operations: Any) -> Any:
        pipe = fkl.compose(fkl.TensorRead(), *operations, fkl.TensorWrite())
        device_side = _device_call.DeviceSide(pipe._chain)

        def call(x: Any, out: Any = None, **args: Any) -> tuple[Any, bool]:
            """The result, and whether a kept call gave it."""
            known = None if isinstance(x, list) else package.key(x, out)
            kept = device_side.calls.get((known, _device_args.form_of(args)))
            if kept is not None:
                result = kept(x, out, None, args)
            else:
                result = device_side.call(package, (x,), out, None, args)
            assert (result.behind == 9).all(), "written beyond the result"
            return result.host, kept is not None

        return call

    return of


@pytest.fixture
def image(random: np.random.Generator) -> Any:
    return random.integers(0, 255, (48, 64, 3)).astype(np.uint8)


def cut(image: Any, number: int, side: int) -> tuple[Any, Any]:
    """As many rects of one size, and what they show."""
    rects = np.array([(3 * k % 20, 5 * k % 7, side, side) for k in range(number)], np.int32)
    shown = [image[y : y + side, x : x + side] for x, y, _, _ in rects]
    return rects, np.array(shown).reshape(number, side, side, 3)


@pytest.mark.parametrize("resized", [False, True])
def test_a_kept_call_starts_from_its_own_values(
    resized: bool, side: Callable[..., Any], image: Any
) -> None:
    resize = (fkl.Resize(4, 4, "nearest"),) if resized else ()
    call, x = side(fkl.Crop(Arg("rects")), *resize), Array(image)
    for number, length in ((2, 4), (5, 40), (2, 4), (7, 4), (1, 4)):
        rects, shown = cut(image, number, length)
        for given in (rects, rects.tolist(), tuple(map(tuple, rects.tolist()))):
            for _ in range(2):
                found, _ = call(x, rects=given)
                if length == 4 or not resized:
                    np.testing.assert_array_equal(found, shown)
    assert call(x, rects=cut(image, 1, 4)[0])[1]


def test_one_rect_and_then_a_list_and_then_none(side: Callable[..., Any], image: Any) -> None:
    call, x = side(fkl.Crop(Arg("rects")), fkl.Resize(4, 4, "nearest")), Array(image)
    rects, shown = cut(image, 3, 4)
    assert call(x, rects=rects[:0])[0].shape == (0, 4, 4, 3)
    np.testing.assert_array_equal(call(x, rects=tuple(rects[0].tolist()))[0], shown[0])
    np.testing.assert_array_equal(call(x, rects=rects.tolist())[0], shown)
    np.testing.assert_array_equal(call(x, rects=rects)[0], shown)
    found, kept = call(x, rects=rects)
    np.testing.assert_array_equal(found, shown)
    assert kept
    assert call(x, rects=rects[:0])[0].shape == (0, 4, 4, 3)
    with pytest.raises(fkl.ExtentError, match=r"rect 2, .*the image is 64×48"):
        call(x, rects=np.where(np.arange(3)[:, None] == 2, 1000, rects).astype(np.int32))


def test_arrays_of_two_devices_are_refused(side: Callable[..., Any], image: Any) -> None:
    call, rects = side(fkl.Crop(Arg("rects")), fkl.Resize(4, 4, "nearest")), cut(image, 2, 4)[0]
    here, there = Array(image), Array(image, device=1)
    with pytest.raises(fkl.ArgumentError, match="devices 0 and 1: give arrays of one device"):
        call([here, there], rects=rects)
    with pytest.raises(fkl.LayoutError, match="out lies on device 1, the input on device 0"):
        call(here, Array(np.zeros((2, 4, 4, 3), np.uint8), device=1), rects=rects)
    with pytest.raises(fkl.ArgumentError, match="rects lies on device 1, the input on device 0"):
        call(here, rects=Array(rects, device=1))


def test_each_device_has_a_call_and_a_result_of_its_own(
    side: Callable[..., Any], image: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, (rects, shown) = side(fkl.Crop(Arg("rects"))), cut(image, 2, 4)
    made: list[int] = []
    empty = Package.empty

    def noted(self: Package, shape: Any, dtype: DType, device: int, stream: int) -> Any:
        made.append(device)
        return empty(self, shape, dtype, device, stream)

    monkeypatch.setattr(Package, "empty", noted)
    for device in (0, 1, 1, 0, 1, 0):
        found, _ = call(Array(image, device=device), rects=rects)
        np.testing.assert_array_equal(found, shown)
    assert made == [0, 1, 1, 0, 1, 0]
