# SPDX-License-Identifier: Apache-2.0
"""Chains of maps: six float32 operations, and bytes to normalised planes, beside copies, torch
and kernels by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

import fkl
from benchmarks.device_contest import Contest, checked, close, copies, current_stream
from benchmarks.device_rows import Row, compared

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
SIZES = {"4K": (2160, 3840), "8K": (4320, 7680)}
ROUNDS = 15


def six(x: Any) -> Any:
    return ((x * 1.01 + 0.5) * 0.99 - 0.25) / 1.1 + 0.125


def six_chain() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Mul(1.01),
        fkl.Add(0.5),
        fkl.Mul(0.99),
        fkl.Sub(0.25),
        fkl.Div(1.1),
        fkl.Add(0.125),
        fkl.TensorWrite(),
    )


def planes_chain() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Cast("float32"),
        fkl.Div(255.0),
        fkl.Sub(MEAN),
        fkl.Div(STD),
        fkl.TensorSplit(),
    )


def to_planes() -> Callable[[Any], Any]:
    """H×W×3 bytes to 3×H×W, as torch code has it, its constants made once."""
    mean, std = (torch.tensor(values, device="cuda") for values in (MEAN, STD))
    return lambda x: ((x.float() / 255.0 - mean) / std).permute(2, 0, 1).contiguous()


def compiled(function: Callable[[Any], Any], inputs: list[Any]) -> Callable[[int], Any]:
    fused = torch.compile(function, dynamic=False)
    return lambda i: fused(inputs[i])


def by_copy(inputs: list[Any], outputs: list[Any]) -> Callable[[int], Any]:
    return lambda i: outputs[i].copy_(inputs[i])


def by_fkl(pipe: fkl.Pipeline, inputs: list[Any], outputs: list[Any]) -> Callable[[int], Any]:
    return lambda i: pipe(inputs[i], out=outputs[i])


def by_hand(
    function: Callable[..., int], inputs: list[Any], outputs: list[Any], count: int
) -> Callable[[int], Any]:
    stream = current_stream()
    addresses = [(x.data_ptr(), y.data_ptr()) for x, y in zip(inputs, outputs, strict=True)]

    def call(i: int) -> Any:
        checked(function(*addresses[i], count, stream))
        return outputs[i]

    return call


def by_cupy(inputs: list[Any]) -> Callable[[int], Any]:
    import cupy

    @cupy.fuse()  # type: ignore[untyped-decorator]
    def fused(x: Any) -> Any:
        # cupy names its kernel after the function: a lambda's name is no C++
        return ((x * 1.01 + 0.5) * 0.99 - 0.25) / 1.1 + 0.125

    arrays = [cupy.asarray(x) for x in inputs]
    with cupy.cuda.ExternalStream(current_stream()):
        fused(arrays[0])

    def call(i: int) -> Any:
        with cupy.cuda.ExternalStream(current_stream()):
            return fused(arrays[i])

    return call


def six_rows(limits: Any, size: str) -> list[Row]:
    """The chain of six at one size."""
    height, width = SIZES[size]
    subject = f"6 float32 operations, {width}x{height}"
    count = copies(height * width * 4)
    inputs = [torch.rand(height, width, device="cuda") for _ in range(count)]
    outputs = [torch.empty_like(x) for x in inputs]
    check = close(six(inputs[0].double()), 1e-5)
    contest = Contest(count)
    contest.enter("copy", lambda: by_copy(inputs, outputs), close(inputs[0], 0))
    contest.enter("fkl", lambda: by_fkl(six_chain(), inputs, outputs), check)
    contest.enter(
        "by hand", lambda: by_hand(limits.limit_chain, inputs, outputs, height * width), check
    )
    contest.enter(
        "by hand, a float a thread",
        lambda: by_hand(limits.limit_chain_by_one, inputs, outputs, height * width),
        check,
    )
    contest.enter("torch.compile", lambda: compiled(six, inputs), check)
    contest.enter("torch eager", lambda: lambda i: six(inputs[i]), check)
    contest.enter("cupy.fuse", lambda: by_cupy(inputs), check)
    samples = contest.on_device(ROUNDS)

    def row(name: str, over: str, target: float | None = None) -> Row:
        return compared(subject, name, over, "fkl", samples, contest.failures, target)

    return [
        row("of the speed of a copy", "copy", 0.97),
        row("faster than torch.compile", "torch.compile", 1.1),
        row("of the speed by hand", "by hand"),
        row("faster than by hand, a float a thread", "by hand, a float a thread"),
        row("faster than torch eager", "torch eager"),
        row("faster than cupy.fuse", "cupy.fuse"),
    ]


def planes_rows(limits: Any, size: str) -> list[Row]:
    """Bytes to normalised planes at one size; a copy moves the same number of bytes."""
    height, width = SIZES[size]
    subject = f"uint8x3 to normalised planes, {width}x{height}"
    count = copies(height * width * 3)
    inputs = [
        torch.randint(0, 256, (height, width, 3), dtype=torch.uint8, device="cuda")
        for _ in range(count)
    ]
    outputs = [torch.empty(3, height, width, device="cuda") for _ in range(min(count, 6))] * 5
    outputs = outputs[:count]
    moved = height * width * 15 // 2
    sources = [torch.empty(moved, dtype=torch.uint8, device="cuda") for _ in range(6)]
    by_torch = to_planes()
    check = close(by_torch(inputs[0]), 1e-5)
    contest = Contest(count)
    contest.enter("copy", lambda: lambda i: sources[(i + 3) % 6].copy_(sources[i % 6]), None)
    contest.enter("fkl", lambda: by_fkl(planes_chain(), inputs, outputs), check)
    contest.enter(
        "by hand", lambda: by_hand(limits.limit_planes, inputs, outputs, height * width), check
    )
    contest.enter("torch.compile", lambda: compiled(by_torch, inputs), check)
    contest.enter("torch eager", lambda: lambda i: by_torch(inputs[i]), check)
    samples = contest.on_device(ROUNDS)

    def row(name: str, over: str, target: float | None = None) -> Row:
        return compared(subject, name, over, "fkl", samples, contest.failures, target)

    return [
        row("of the speed of a copy", "copy", 0.93),
        row("faster than torch.compile", "torch.compile", 1.25),
        row("of the speed by hand", "by hand"),
        row("faster than torch eager", "torch eager"),
    ]
