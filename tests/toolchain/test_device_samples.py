# SPDX-License-Identifier: Apache-2.0
"""Runs the libraries of build_device_samples.py on a GPU: alone, beside torch, in a CUDA graph.

FKL_DEVICE_SAMPLES names their folder; no compiler and no CUDA toolkit is needed here.
"""

from __future__ import annotations

import ctypes
import math
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.toolchain.build_device_samples import DEFAULT, SAMPLES

pytestmark = pytest.mark.device

FOLDER = Path(os.environ.get("FKL_DEVICE_SAMPLES", str(DEFAULT)))
NAMES = [sample.name for sample in SAMPLES]
COUNT = 1000
BYTES = ctypes.c_size_t(4 * COUNT)
FLOATS = ctypes.c_float * COUNT


class Gpu:
    """The first GPU through the driver alone, with its primary context current."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.check(self.cuda.cuInit(0))
        self.check(self.cuda.cuDeviceGet(ctypes.byref(self.device), 0))
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self.context), self.device))
        self.check(self.cuda.cuCtxSetCurrent(self.context))

    def check(self, status: int) -> None:
        assert status == 0, f"the driver returned {status}"

    def array(self, values: list[float]) -> ctypes.c_uint64:
        place = ctypes.c_uint64()
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(place), BYTES))
        self.check(self.cuda.cuMemcpyHtoD_v2(place, FLOATS(*values), BYTES))
        return place

    def values(self, place: ctypes.c_uint64) -> list[float]:
        out = FLOATS()
        self.check(self.cuda.cuCtxSynchronize())
        self.check(self.cuda.cuMemcpyDtoH_v2(out, place, BYTES))
        return list(out)


@pytest.fixture(scope="module")
def gpu() -> Iterator[Gpu]:
    try:
        yield Gpu()
    except OSError as error:
        pytest.skip(str(error))


@pytest.fixture(params=NAMES)
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """A copy of a library, loaded afresh: its first launch is still to come."""
    name: str = request.param

    @cache  # a second copy would be written over the file of the first, which is mapped
    def load(probe: str) -> ctypes.CDLL:
        built = FOLDER / f"{name}.{probe}.so"
        if not built.is_file():
            pytest.skip(f"{built} was not built: python -m tests.toolchain.build_device_samples")
        copy = tmp_path / built.name
        shutil.copy(built, copy)
        return ctypes.CDLL(str(copy))

    return load


def axpb(library: ctypes.CDLL, y: int, x: int, stream: int | None = None) -> int:
    call = library.launch_axpb
    call.argtypes = (
        *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_float, ctypes.c_float),
        *(ctypes.c_int, ctypes.c_void_p),
    )
    return int(call(y, x, 2.0, 1.0, COUNT, stream))


def numbers() -> list[float]:
    return [float(index % 97) for index in range(COUNT)]


def expected() -> list[float]:
    return [2.0 * value + 1.0 for value in numbers()]


def test_a_kernel_gives_exact_numbers(gpu: Gpu, sample: Any) -> None:
    x, y = gpu.array(numbers()), gpu.array([0.0] * COUNT)
    assert axpb(sample("axpb"), y.value, x.value) == 0
    assert gpu.values(y) == expected()


def test_libdevice_math_is_right_to_float_precision(gpu: Gpu, sample: Any) -> None:
    given = [0.01 * index + 0.5 for index in range(COUNT)]
    x, y = gpu.array(given), gpu.array([0.0] * COUNT)
    call = sample("math").launch_math
    call.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    assert call(y.value, x.value, COUNT, None) == 0
    for got, value in zip(gpu.values(y), FLOATS(*given), strict=True):
        want = math.sin(value) + value**1.5 + math.sqrt(value) + 2 * value + 1 + math.exp(-value)
        assert got == pytest.approx(want, rel=1e-6)


def test_another_context_gets_a_module_of_its_own(gpu: Gpu, sample: Any) -> None:
    library = sample("axpb")
    other = ctypes.c_void_p()
    for context in ("primary", "new", "primary", "new again"):
        if context.startswith("new"):
            status = gpu.cuda.cuCtxCreate_v2(ctypes.byref(other), 0, gpu.device)
            gpu.check(status)
        x, y = gpu.array(numbers()), gpu.array([0.0] * COUNT)
        assert axpb(library, y.value, x.value) == 0, context
        assert gpu.values(y) == expected()
        if context.startswith("new"):
            gpu.check(gpu.cuda.cuCtxDestroy_v2(other))
            gpu.check(gpu.cuda.cuCtxSetCurrent(gpu.context))


def test_a_launch_that_is_wrong_is_reported_and_the_next_one_works(gpu: Gpu, sample: Any) -> None:
    # A grid of no blocks: the launch itself is wrong, the context stays usable.
    call = sample("axpb").launch_axpb
    assert call(None, None, ctypes.c_float(), ctypes.c_float(), 0, None) != 0
    x, y = gpu.array(numbers()), gpu.array([0.0] * COUNT)
    assert axpb(sample("axpb"), y.value, x.value) == 0
    assert gpu.values(y) == expected()


def test_beside_torch_it_runs_on_torchs_memory_and_stream(sample: Any) -> None:
    torch = pytest.importorskip("torch")
    library = sample("axpb")
    x = torch.tensor(numbers(), device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        y = torch.zeros_like(x)
        assert axpb(library, y.data_ptr(), x.data_ptr(), stream.cuda_stream) == 0
        z = y + 1
    stream.synchronize()
    assert torch.equal(z.cpu(), torch.tensor(expected()) + 1)


def test_a_first_launch_inside_a_graph_is_captured_and_replays(sample: Any) -> None:
    torch = pytest.importorskip("torch")
    library = sample("axpb")
    x = torch.zeros(COUNT, device="cuda")
    y = torch.zeros(COUNT, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        status = axpb(library, y.data_ptr(), x.data_ptr(), torch.cuda.current_stream().cuda_stream)
    assert status == 0
    for factor in (1.0, 3.0):
        x.copy_(torch.tensor(numbers()) * factor)
        graph.replay()
        torch.cuda.synchronize()
        assert torch.equal(y.cpu(), torch.tensor(numbers()) * factor * 2 + 1)
