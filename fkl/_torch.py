# SPDX-License-Identifier: Apache-2.0
"""PyTorch's tensors. Nothing here imports torch: a tensor exists only where it is imported."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

from . import _driver
from ._devices import DeviceArray, Framework, Held, stream_handle
from ._dlpack import dense_strides
from ._dtypes import ELEMENTS, DType
from ._errors import ArgumentError, DTypeError

KNOWN_LIMIT = 512
RECENT = 3  # checks that a call may go through before it asks the tensors themselves

dense = lru_cache(maxsize=1024)(dense_strides)


def has_passed(event: Any) -> bool:
    """Whether one of torch's events has happened; one that a graph captured never does."""
    try:
        return bool(event.query())
    except RuntimeError:
        return False


class Torch(Framework):
    """PyTorch: its caching allocator, its current stream, `record_stream` for any other."""

    name = "torch"

    def __init__(self) -> None:
        torch = sys.modules["torch"]
        self.torch = torch
        self.elements = {
            getattr(torch, name): row for name, row in ELEMENTS.items() if hasattr(torch, name)
        }
        self.dtypes = {row.name: dtype for dtype, row in self.elements.items()}
        raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        if raw_stream is not None:
            # what torch's own generated code calls: a hundredth of torch.cuda.current_stream()
            vars(self)["current_stream"] = raw_stream
        # what torch's own generated code allocates with: half of torch.empty's time
        self.guards: Any = getattr(getattr(torch._C, "_dynamo", None), "guards", None)
        self.quick_empty = getattr(self.guards, "_empty_strided_cuda", None)
        # of lately seen tensors, and of pairs of input and output: (check, what stands for them)
        self.recent: tuple[Any, ...] = ()
        self.recent_pairs: tuple[Any, ...] = ()
        # several checks: autocast and a tensor's class are seen by them, and of no concern here
        self.known: dict[Any, tuple[list[Any], object]] = {}
        self.current_device = getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device)
        self.held = Held(has_passed, lambda _: None)
        vars(self)["address"] = torch.Tensor.data_ptr  # one Python call less on the short way

    def holds(self, array: Any) -> bool:
        return array.is_cuda  # type: ignore[no-any-return]

    def view(self, array: Any, stream: int | None) -> DeviceArray:
        del stream
        if array.requires_grad and self.torch.is_grad_enabled():
            raise ArgumentError(
                "this tensor requires a gradient, which fkl would lose: give x.detach(), or "
                "use torch.no_grad()"
            )
        if array.layout is not self.torch.strided:
            raise ArgumentError(
                f"a tensor of layout {array.layout} is not served: give x.to_dense()"
            )
        if array.is_neg():
            raise ArgumentError(
                "this tensor's memory holds the negatives of its values: give x.resolve_neg()"
            )
        element = self.elements.get(array.dtype)
        if element is None:
            raise DTypeError(f"{array.dtype} is not served; fkl serves {', '.join(ELEMENTS)}")
        strides = tuple(step * element.size for step in array.stride())
        return DeviceArray(
            tuple(array.shape), strides, element, array.data_ptr(), array.get_device(), array
        )

    def empty(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        del stream
        if self.quick_empty is not None and self.current_device() == device:
            return self.quick_empty(shape, dense(shape), self.dtypes[dtype.element.name])
        return self.torch.empty(
            shape, dtype=self.dtypes[dtype.element.name], device=self.torch.device("cuda", device)
        )

    def empty_on(self, shape: tuple[int, ...], dtype: DType, device: int, stream: int) -> Any:
        with self.torch.cuda.stream(self._external(stream, device)):
            return self.empty(shape, dtype, device, stream)

    def _external(self, stream: int, device: int) -> Any:
        return self.torch.cuda.ExternalStream(stream, device=device)

    def give_back(self, result: Any, like: Any) -> Any:
        del like
        return result

    def key(self, array: Any, out: Any) -> Any:
        """One object for all tensors that are alike, found by what torch's own compiled code checks
        its inputs with: a fifth of the time of asking each for shape, strides and type.
        """
        if out is None:
            for check, known in self.recent:
                if check(array):
                    return known
            return self._known(array)
        for check, known in self.recent_pairs:
            if check(array, out):
                return known
        if type(out) is not type(array) or out.requires_grad:
            return None
        return self._known(array, out)

    def _known(self, *tensors: Any) -> Any:
        tracked = tensors[0].requires_grad
        alike = (
            tracked and self.torch.is_grad_enabled(),
            self.torch.is_inference_mode_enabled(),
            *((each.shape, each.stride(), each.dtype, each.get_device()) for each in tensors),
            *(each.is_neg() for each in tensors),
        )
        found = self.known.get(alike)
        if found is None:
            if len(self.known) >= KNOWN_LIMIT:
                self.known.clear()
            found = self.known[alike] = ([], object())
        checks, known = found
        check = next((each for each in checks if each(*tensors)), None)
        # whether gradients are tracked may change between two calls, which no check sees
        if check is None and not tracked and len(checks) < RECENT:
            check = self._check_of(tensors)
            if check is not None:
                checks.append(check)
        if check is not None:
            name = "recent" if len(tensors) == 1 else "recent_pairs"
            others = [each for each in getattr(self, name) if each[0] is not check]
            setattr(self, name, ((check, known), *others[: RECENT - 1]))
        return known

    def _check_of(self, tensors: tuple[Any, ...]) -> Any:
        """None in a torch that has no such check, or makes it otherwise."""
        try:
            made = self.guards.TensorGuards(
                *tensors, dynamic_dims_sizes=None, dynamic_dims_strides=None
            )
            check = made.check
            return check if check(*tensors) else None
        except Exception:
            return None

    def address(self, array: Any) -> int:
        return array.data_ptr()  # type: ignore[no-any-return]

    def current_stream(self, device: int) -> int:
        return int(self.torch.cuda.current_stream(device).cuda_stream)

    def used_on(self, arrays: list[Any], stream: Any, device: int) -> None:
        if self.remembers(stream):
            for array in arrays:
                if isinstance(array, self.torch.Tensor):
                    array.record_stream(stream)
            arrays = [each for each in arrays if not isinstance(each, self.torch.Tensor)]
            if not arrays:
                return
        # record_stream would ask this stream when the memory is given back, and by then another
        # package may have destroyed it: the arrays are held until it has passed instead
        with _driver.beside_captures():
            event = self.torch.cuda.Event()
            event.record(self._external(stream_handle(stream), device))
            self.held.hold(event, arrays)

    def remembers(self, stream: Any) -> bool:
        return type(stream) is self.torch.cuda.Stream

    def capability(self, device: int) -> tuple[int, int]:
        major, minor = self.torch.cuda.get_device_capability(device)
        return int(major), int(minor)
