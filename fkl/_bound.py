# SPDX-License-Identifier: Apache-2.0
"""`BoundCall`: arrays and values fixed once, so that a run is the bare C call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from . import _arrays, _driver
from ._buffer import DeviceBuffer
from ._build import stats
from ._call import Arrays, Prepared
from ._device_call import note_stream, used_arrays
from ._device_memory import DeviceMemory
from ._devices import Framework


def adopted(given: Any) -> Any:
    """One input as an ndarray, or a list of them."""
    if isinstance(given, (list, tuple)):
        return [_arrays.to_ndarray(image) for image in given]
    return _arrays.to_ndarray(given)


def flattened(inputs: Arrays) -> list[Any]:
    """Every single array of the inputs."""
    return [
        each
        for given in inputs
        for each in (given if isinstance(given, (list, tuple)) else (given,))
    ]


def like_input(result: Any, inputs: Arrays) -> Any:
    """The result in the caller's own kind of array."""
    first = inputs[0] if inputs else None
    if isinstance(first, (list, tuple)):
        first = first[0]
    return _arrays.like_input(result, first)


@dataclass(frozen=True)
class Guard:
    """What every run on a device owes to the arrays' package: order, and life until it is over."""

    framework: Framework
    arrays: list[Any]
    buffers: list[DeviceBuffer]
    stream: Any  # as given, where it is not the package's own
    device: int

    @classmethod
    def of(cls, framework: Framework, arrays: list[Any], stream: Any, device: int) -> Guard | None:
        """None where a run owes nothing."""
        foreign = stream is not None
        if foreign and framework.remembers(stream):
            framework.used_on(arrays, stream, device)
            foreign = False
        buffers = [array for array in arrays if isinstance(array, DeviceBuffer)]
        if not foreign and not buffers:
            return None
        return cls(framework, arrays if foreign else [], buffers, stream, device)

    def before(self, stream: int) -> None:
        """Our own buffers may have been used on another stream since the last run."""
        for last in {buffer.stream for buffer in self.buffers} - {stream}:
            _driver.order(last, stream, self.device)

    def after(self, stream: int) -> None:
        note_stream(self.buffers, stream)
        if self.arrays and stream != self.framework.current_stream(self.device):
            self.framework.used_on(self.arrays, self.stream, self.device)


class BoundCall:
    """Arrays and values fixed by `Pipeline.bind`; calling it runs the chain and returns `out`."""

    def __init__(
        self, pipeline: Any, inputs: Arrays, out: Any, stream: Any, args: Mapping[str, Any]
    ) -> None:
        self._pipeline, self._inputs, self._args = pipeline, inputs, dict(args)
        self.out = out
        self._stream = stream
        self._bind()

    def _bind(self) -> None:
        framework = self._pipeline._framework(self._inputs, self.out)
        if framework is not None:
            self._state = self._bind_device(framework)
            return
        arrays, target = self._pipeline._adopt(self._inputs, self.out, self._stream)
        prepared = Prepared(self._pipeline._chain, arrays, self._args)
        target, params, keep = prepared.packed(arrays, target, self._args, in_place=True)
        if self.out is None:
            self.out = target if arrays is self._inputs else like_input(target, self._inputs)
        kernel = prepared.kernel(params) if params is not None else None
        # One assignment: a run on another thread sees the old state or the new one, never half.
        entry, runtime = (kernel.entry, kernel.runtime) if kernel is not None else (None, 0)
        self._state = (entry, params, runtime, None, None, None, [kernel, keep])

    def _bind_device(self, framework: Framework) -> tuple[Any, ...]:
        """The state of a run on a device: the stream given, else the package's current one at each
        run.
        """
        out = self.out
        prepared, arrays, target, args, handle = self._pipeline._device.prepare(
            framework, self._inputs, self.out, self._stream, self._args
        )
        target, params, keep = prepared.packed(arrays, target, args, stream=handle, in_place=True)
        assert isinstance(prepared.memory, DeviceMemory)
        device = prepared.memory.device
        if self.out is None:
            self.out = framework.give_back(target.owner, self._inputs[0] if self._inputs else None)
        current = None if self._stream is not None else partial(framework.current_stream, device)
        if params is None:
            return None, None, 0, None, None, None, [None, keep]
        arrays_used = used_arrays(self._inputs, target.owner if out is None else out, args)
        kernel, guard = (
            prepared.kernel(params),
            Guard.of(framework, arrays_used, self._stream, device),
        )
        return (
            kernel.entry,
            params,
            kernel.runtime,
            handle,
            current,
            guard,
            [kernel, keep, self._inputs],
        )

    def __call__(self) -> Any:
        """Run once; returns `out`."""
        entry, params, runtime, stream, current, guard, kept = self._state
        if entry is not None:
            if current is not None:
                stream = current()
            if guard is not None:
                guard.before(stream)
            status = entry(params, runtime, stream)
            if status:
                raise kept[0].error(status)
            stats.launches += 1
            if guard is not None:
                guard.after(stream)
        return self.out

    def update(self, *inputs: Any, out: Any = None, **args: Any) -> BoundCall:
        """Replace arrays, `out` or values; what is not given stays. Returns itself.

        Raises:
            The errors of a call, for example when values change the size of the result; the old
            binding then stays.
        """
        before = (self._inputs, self._args, self.out)
        self._inputs = inputs or self._inputs
        self._args = {**self._args, **args}
        self.out = self.out if out is None else out
        try:
            self._bind()
        except Exception:
            self._inputs, self._args, self.out = before
            raise
        return self
