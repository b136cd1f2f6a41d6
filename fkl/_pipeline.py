# SPDX-License-Identifier: Apache-2.0
"""`compose()` and `Pipeline`. `Pipeline.__call__` is the map of the program: adopt, prepare once,
call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from . import _arrays
from ._bound import BoundCall, adopted, flattened, like_input
from ._call import Args, Arrays, Call, Prepared, signature
from ._chain import Chain, make_chain
from ._device_args import form_of
from ._device_call import DeviceSide
from ._devices import Framework
from ._errors import ArgumentError, ComposeError
from ._extents import Placement
from ._fast import shortest
from ._frameworks import framework_holding, own_framework
from ._kernel import source_of
from ._op import Operation
from ._tree import chosen_tree

# Signatures kept per pipeline: image sizes that never come back must not pile up.
PREPARED_LIMIT = 512


@dataclass(frozen=True)
class OutputSpec:
    """What a call would give.

    Attributes: `shape`, `dtype` (NumPy's), `layout` (such as "NCHW"), and `placements`: where the
    last resize puts its source, one entry, or one per plane where the planes differ; empty without
    a resize.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    layout: str
    placements: tuple[Placement, ...]


def compose(
    *operations: Operation,
    target: Literal["cpu", "cuda"] | None = None,
    thread_fusion: bool | Literal["auto"] = "auto",
    fp: Literal["fast", "strict"] = "fast",
) -> Pipeline:
    """Make one fused kernel of a chain of operations.

    Args:
        operations: one read, then geometry and maps in any order, then one write.
        target: None follows the input; "cpu" or "cuda" refuses arrays of the other kind.
        thread_fusion: whether a thread may handle several elements; "auto" does where it pays.
        fp: "strict" keeps every rounding; "fast" may contract a multiplication and an addition.

    Returns:
        A `Pipeline`. Nothing is compiled before its first call.

    Raises:
        ComposeError: no operations, a wrong order, or an unknown option.
    """
    return Pipeline(operations, target=target, thread_fusion=thread_fusion, fp=fp)


class Pipeline:
    """A composed chain: immutable, hashable, pickles as its recipe, callable from any thread."""

    def __init__(
        self,
        operations: Sequence[Operation],
        *,
        target: str | None = None,
        thread_fusion: bool | str = "auto",
        fp: str = "fast",
    ) -> None:
        if target not in (None, "cpu", "cuda"):
            raise ComposeError(
                f'target={target!r}: give "cpu", "cuda", or None to follow the input'
            )
        if thread_fusion not in (True, False, "auto"):
            raise ComposeError(f'thread_fusion={thread_fusion!r}: give True, False or "auto"')
        if fp not in ("fast", "strict"):
            raise ComposeError(f'fp={fp!r}: give "fast" or "strict"')
        self._chain = make_chain(
            operations,
            parallel="CPU",
            thread_fusion=bool(thread_fusion),
            fp=fp,
            tree=chosen_tree(),
        )
        self._target = target
        self._recipe = (tuple(operations), target, thread_fusion, fp)
        self._calls: dict[Any, Call] = {}
        self._device = DeviceSide(
            replace(self._chain, spec=replace(self._chain.spec, parallel="GPU_NVIDIA"))
        )
        self._keys, self._quick = self._device.keys, self._device.calls

    def chain_for(self, parallel: str) -> Chain:
        """The checked chain for "CPU" or "GPU_NVIDIA"."""
        return self._chain if parallel == "CPU" else self._device.chain

    @property
    def fp(self) -> str:
        """ "fast" or "strict", as composed."""
        return self._chain.spec.fp

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations, as composed."""
        return self._chain.operations

    def __call__(self, *inputs: Any, out: Any = None, stream: Any = None, **args: Any) -> Any:
        """Run the chain once.

        Args:
            inputs: one array (NumPy, `__array_interface__`, or DLPack on the CPU), or a list of
                images of different sizes; none if the chain makes its pixels itself. Rows at any
                positive distance are read in place, other strides by a copy.
            out: where to write: of the shape, dtype and layout that `output_spec` gives, apart from
                the input.
            stream: for device arrays; None on the CPU.
            args: a value for every `Arg`.

        Returns:
            `out`, or a new array of the input's kind.

        Raises:
            ArgumentError, DTypeError, ExtentError, LayoutError: before anything runs.
            ToolchainError, CompileError: at the first call of a chain with an element type.
            LaunchError: the kernel reported a failure.
        """
        if not inputs or type(inputs[0]) is not np.ndarray:
            if len(inputs) == 1:
                first = inputs[0]
                key = self._keys.get(type(first))
                if key is not None:
                    known = key(first, out)
                    quick = self._quick.get((known, form_of(args)) if args else known)
                    if quick is not None:
                        return quick(first, out, stream, args)
            framework = self._framework(inputs, out)
            if framework is not None:
                return self._device.call(framework, inputs, out, stream, args)
        arrays, target = self._adopt(inputs, out, stream)
        call = self._calls.get(signature(arrays, target, args))
        result = (call or self._prepare(arrays, target, args))(arrays, target, args)
        if out is not None:
            return out
        return result if arrays is inputs else like_input(result, inputs)

    def _adopt(self, inputs: Arrays, out: Any, stream: Any) -> tuple[Arrays, Any]:
        """ndarrays over the callers' memory; the same objects where they are ndarrays already."""
        if stream is not None:
            raise ArgumentError(f"stream={stream!r}: a call on CPU arrays has no stream")
        if self._target == "cuda":
            raise ArgumentError(
                'the chain has target="cuda", and the input is no array on a device'
            )
        if len(inputs) != 1 or type(inputs[0]) is not np.ndarray:
            inputs = tuple(adopted(given) for given in inputs)
        return inputs, out if out is None or type(out) is np.ndarray else _arrays.to_ndarray(out)

    def _framework(self, inputs: Arrays, out: Any) -> Framework | None:
        """The package of the device arrays given; None: the call runs on the CPU."""
        first = next(iter(flattened(inputs)), out)
        framework = None if first is None else framework_holding(first)
        if framework is not None and self._target == "cpu":
            raise ArgumentError(
                f'the chain has target="cpu", and {type(first).__name__} lies on a device'
            )
        if first is None and self._target == "cuda":
            return own_framework()
        return framework

    def _prepare(self, inputs: Arrays, out: Any, args: Args) -> Call:
        """Work out what the signature decides, compile if nobody has yet, and remember."""
        prepared = Prepared(self._chain, inputs, args)
        call = shortest(prepared, inputs, out, args)
        if args and prepared.measured.extent.is_empty:
            return call  # the next call may have something to do, and then a shorter way
        if len(self._calls) >= PREPARED_LIMIT:
            self._calls.clear()
        self._calls[signature(inputs, out, args)] = call
        return call

    def bind(self, *inputs: Any, out: Any = None, stream: Any = None, **args: Any) -> BoundCall:
        """Fix arrays and values: `run = pipe.bind(x, out=y)`, then `run()` is the bare C call.

        Arrays are held alive and read in place at every run; without `out` one is allocated. The
        arguments and errors are those of a call; a LayoutError also says that an input would need a
        copy.
        """
        return BoundCall(self, inputs, out, stream, args)

    def output_spec(self, *inputs: Any, **args: Any) -> OutputSpec:
        """Shape, dtype, layout and placements of the result, without compiling or running."""
        prepared, _, _ = self._prepared(inputs, args)
        return OutputSpec(
            prepared.shape, prepared.dtype, prepared.layout, prepared.placements(args)
        )

    def source(self, *inputs: Any, **args: Any) -> str:
        """The C++ that is compiled for these inputs."""
        prepared, arrays, given = self._prepared(inputs, args)
        plan = prepared.plan
        params = prepared.packed(arrays, None, given, dry=True)[1] if plan.tree else None
        return source_of(plan, prepared.counts(params))

    def _prepared(self, inputs: Arrays, args: Args) -> tuple[Prepared, Arrays, Args]:
        framework = self._framework(inputs, None)
        if framework is not None:
            found = self._device.prepare(framework, inputs, None, None, args)
            return found[0], found[1], found[3]
        arrays, _ = self._adopt(inputs, None, None)
        return Prepared(self._chain, arrays, args), arrays, args

    def __repr__(self) -> str:
        return f"compose({', '.join(map(repr, self.operations))})"

    def __eq__(self, other: object) -> bool:
        return self._recipe == other._recipe if isinstance(other, Pipeline) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._recipe)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_recipe, self._recipe


def _from_recipe(
    operations: Sequence[Operation], target: str | None, thread_fusion: bool | str, fp: str
) -> Pipeline:
    return Pipeline(operations, target=target, thread_fusion=thread_fusion, fp=fp)
