# SPDX-License-Identifier: Apache-2.0
"""Calls on GPU arrays: the same preparation as on the host, with the arrays' own package for
memory and streams.

`DeviceSide` is what a pipeline asks. Its short way, for torch and cupy, reads pointers and
launches; every other call describes its arrays anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from . import _config
from ._buffer import DeviceBuffer
from ._build import stats
from ._call import Prepared, signature
from ._chain import Chain
from ._device_args import PLAIN, device_args, form_of, forms_of, order_after_producers
from ._device_memory import DeviceMemory, view_of
from ._devices import DeviceArray, Framework, stream_handle
from ._errors import ArgumentError, LayoutError
from ._fast import Frame, frame_of, has_short_way
from ._frameworks import framework_holding
from ._kernel import OUTSIDE
from ._sizes import DeviceRects

PREPARED_LIMIT = 512


class DeviceSide:
    """The GPU half of a pipeline."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.calls: dict[Any, Callable[..., Any]] = {}
        self.prepared: dict[Any, Prepared] = {}
        self.keys: dict[type, Callable[[Any, Any], Any]] = {}  # of the types that have a short way

    def call(
        self,
        framework: Framework,
        inputs: Sequence[Any],
        out: Any,
        stream: Any,
        args: Mapping[str, Any],
    ) -> Any:
        """Run once, and learn the short way where there is one."""
        if len(inputs) == 1 and not isinstance(inputs[0], (list, tuple)):
            key = framework.key(inputs[0], out)
            plain = all(type(value) in PLAIN for value in args.values())
            if key is not None and plain:
                key = (key, form_of(args)) if args else key
                return self._first_call(framework, key, inputs, out, stream, args)
        return self._long_way(framework, inputs, out, stream, args)[0]

    def prepare(
        self,
        framework: Framework,
        inputs: Sequence[Any],
        out: Any,
        stream: Any,
        args: Mapping[str, Any],
    ) -> tuple[Prepared, Any, Any, Mapping[str, Any], int]:
        """Describe the arrays: (prepared signature, inputs, out, args, stream)."""
        given = None if stream is None else stream_handle(stream)
        if len(inputs) > 1:
            self.chain.check_args(args, len(inputs))
        flat = [_view_on(each, given) for each in _flatten(inputs)]
        target = None if out is None else view_of(out, given)
        known = flat[0] if flat else target
        device = 0 if known is None else known.device
        for array in flat:
            if array.device != device:
                raise ArgumentError(
                    f"the inputs lie on devices {device} and {array.device}: give arrays of "
                    "one device"
                )
        handle = given
        if handle is None:
            handle = framework.current_stream(device)
            producers = [array.producer for array in flat if array.producer is not None]
            handle = producers[0] if producers and handle == 0 else handle
        written = [] if target is None else [target]
        order_after_producers([*flat, *written], handle, device)
        arrays: Any = (flat,) if inputs and isinstance(inputs[0], (list, tuple)) else tuple(flat)
        seen = device_args(args, device, handle)
        key = (
            signature(arrays, target, seen),
            framework.name,
            device,
            forms_of(seen),
            _config.text("FKL_ARCH"),
        )
        prepared = self.prepared.get(key)
        if prepared is None:
            if len(self.prepared) >= PREPARED_LIMIT:
                self.prepared.clear()
            prepared = self.prepared[key] = Prepared(
                self.chain, arrays, seen, DeviceMemory(framework, device)
            )
        return prepared, arrays, target, seen, handle

    def _long_way(
        self,
        framework: Framework,
        inputs: Sequence[Any],
        out: Any,
        stream: Any,
        args: Mapping[str, Any],
    ) -> tuple[Any, Prepared, int]:
        prepared, arrays, target, seen, handle = self.prepare(framework, inputs, out, stream, args)
        result = prepared.run(arrays, target, seen, handle)
        memory = prepared.memory
        assert isinstance(memory, DeviceMemory)
        used = used_arrays(inputs, result.owner if out is None else out, seen)
        note_stream(used, handle)
        if stream is not None and handle != framework.current_stream(memory.device):
            framework.used_on(used, stream, memory.device)
        if out is not None:
            return out, prepared, handle
        first = _first_of(inputs, out)
        return framework.give_back(result.owner, first), prepared, handle

    def _first_call(
        self,
        framework: Framework,
        key: Any,
        inputs: Sequence[Any],
        out: Any,
        stream: Any,
        args: Mapping[str, Any],
    ) -> Any:
        result, prepared, _ = self._long_way(framework, inputs, out, stream, args)
        if has_short_way(prepared) and 0 not in result.shape:
            view = framework.view(inputs[0], None)
            if args:
                # what was prepared serves every value; what is kept starts from these
                prepared = Prepared(self.chain, (view,), args, prepared.memory)
            frame = frame_of(prepared, (view,), None if out is None else view_of(out, None), args)
            if frame is not None:
                if len(self.calls) >= PREPARED_LIMIT:
                    self.calls.clear()
                self.keys[type(inputs[0])] = framework.key
                slow = partial(self._slow, framework) if args else None
                self.calls[key] = _quick_call(framework, prepared, frame, slow)
        return result

    def _slow(
        self, framework: Framework, array: Any, out: Any, stream: Any, args: Mapping[str, Any]
    ) -> Any:
        return self._long_way(framework, (array,), out, stream, args)[0]


def used_arrays(inputs: Sequence[Any], out: Any, args: Mapping[str, Any]) -> list[Any]:
    """The callers' arrays that a launch reads or writes."""
    rects = [value.owner for value in args.values() if isinstance(value, DeviceRects)]
    return [*_flatten(inputs), out, *rects]


def note_stream(arrays: Sequence[Any], stream: int) -> None:
    """Buffers of our own are read, copied and freed in the order of the stream that used them
    last.
    """
    for array in arrays:
        if isinstance(array, DeviceBuffer):
            array.stream = stream


def _quick_call(
    framework: Framework, prepared: Prepared, frame: Frame, slow: Callable[..., Any] | None
) -> Callable[..., Any]:
    """A closure: pointers, the current stream, one C call. `slow`, of a chain with Args, serves
    values that change the size of the result.
    """
    kernel, memory = frame.kernel, prepared.memory
    assert isinstance(memory, DeviceMemory)
    entry, runtime, device = kernel.entry, kernel.runtime, memory.device
    shape, result = prepared.shape, prepared.plan.result
    address, current = framework.address, framework.current_stream
    empty, empty_on = framework.empty, framework.empty_on
    pack, middle, tail, write_span = frame.pack, frame.middle, frame.tail, frame.span
    refill, read_span = frame.refill, prepared.inputs.described[0].span
    odd, odd_out = prepared.inputs.source.dtype.element.size - 1, result.element.size - 1

    def call(array: Any, out: Any, stream: Any, args: Any, _tables: Any = frame.tables) -> Any:
        handle = current(device)
        if stream is not None:
            wanted = stream_handle(stream)
            foreign, handle = wanted != handle, wanted
        else:
            foreign = False
        buffer, sizes = None, shape
        if slow is not None:
            keep: list[Any] = []  # lives until the launch has copied it
            found = refill.values(args, keep)
            if found is None or (out is not None and found[1] is not shape):
                return slow(array, out, stream, args)
            buffer, sizes = found
        source = address(array)
        if out is None:
            try:
                out = (empty_on if foreign else empty)(sizes, result, device, handle)
            except Exception:
                if slow is None:
                    raise
                return slow(array, out, stream, args)  # the values may be to blame
            stats.allocations += 1
            target = address(out)
        else:
            target = address(out)
            if not (source >= target + write_span or target >= source + read_span):
                raise LayoutError("out overlaps the input: give memory of its own")
        if source & odd or target & odd_out:
            raise LayoutError(
                "an array starts between two elements of its type: give an aligned copy"
            )
        if buffer is None:
            params = pack(source, middle, target, tail)
        else:
            params = refill.params_of(buffer, source, target)
        status = entry(params, runtime, handle)
        if status == OUTSIDE and slow is not None:
            return slow(array, out, stream, args)  # says which rect, and why
        if status:
            raise kernel.error(status)
        stats.launches += 1
        if foreign:
            framework.used_on([array, out], stream, device)
        return out

    return call


def _view_on(array: Any, stream: int | None) -> DeviceArray:
    own = framework_holding(array)
    if own is None:
        raise ArgumentError(
            f"{type(array).__name__} lies on the host, and another input on a device"
        )
    return own.view(array, stream)


def _flatten(inputs: Sequence[Any]) -> list[Any]:
    return [
        each
        for given in inputs
        for each in (given if isinstance(given, (list, tuple)) else (given,))
    ]


def _first_of(inputs: Sequence[Any], out: Any) -> Any:
    flat = _flatten(inputs)
    return flat[0] if flat else out
