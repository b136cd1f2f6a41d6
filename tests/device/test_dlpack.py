# SPDX-License-Identifier: Apache-2.0
"""DLPack: arrays that show this protocol alone, versioned or not, with streams; and results
handed on.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fkl
from tests.device import arrays
from tests.device.arrays import DlpackOnly, OldDlpack

pytestmark = [
    pytest.mark.group("DLPack"),
    pytest.mark.skipif(arrays.ON_CPU, reason="DLPack of a GPU"),
]
Compiled = Callable[[str], Any]


def out_for(torch: Any, *shape: int) -> Any:
    return torch.full(shape, -1.0, device="cuda")


@pytest.mark.parametrize("producer", [DlpackOnly, OldDlpack])
def test_an_array_that_shows_dlpack_alone_is_read_in_place(
    producer: Any, compiled: Compiled, torch: Any
) -> None:
    x = torch.rand(33, 45, device="cuda")
    carrier, out = producer(x), out_for(torch, 33, 45)
    assert compiled("float to float")(carrier, out=out) is out
    torch.testing.assert_close(out, x * 2 + 1)
    assert carrier.asked


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("byte to byte", "uint8"),
        ("half to half", "float16"),
        ("float to float", "float32"),
        ("float64x1 plus one", "float64"),
    ],
)
def test_the_element_type_travels(name: str, dtype: str, compiled: Compiled, torch: Any) -> None:
    x = (torch.arange(60, device="cuda") % 50).reshape(6, 10).to(getattr(torch, dtype))
    x = x[..., None] if "x1" in name else x
    out = torch.zeros_like(x)
    compiled(name)(DlpackOnly(x), out=out)
    expected = x * 2 if "half" in name else x * 2 + 1 if name.startswith("float to") else x + 1
    assert torch.equal(out, expected)


def test_strides_travel(compiled: Compiled, torch: Any) -> None:
    x = torch.randint(0, 255, (9, 40, 3), dtype=torch.uint8, device="cuda")
    view, out = x[1:7, 5:30], torch.zeros(6, 25, 3, dtype=torch.uint8, device="cuda")
    compiled("bytes to bytes")(DlpackOnly(view), out=out)
    assert torch.equal(out, view + 1)


def test_the_producer_is_told_the_stream_of_the_launch(compiled: Compiled, torch: Any) -> None:
    stream = torch.cuda.Stream()
    carrier = DlpackOnly(torch.rand(8, 8, device="cuda"))
    out = out_for(torch, 8, 8)
    compiled("float to float")(carrier, out=out, stream=stream)
    stream.synchronize()
    assert any(asked.get("stream") == stream.cuda_stream for asked in carrier.asked)


def test_the_producers_stream_is_waited_for(compiled: Compiled, torch: Any) -> None:
    producer, consumer = torch.cuda.Stream(), torch.cuda.Stream()
    out = out_for(torch, 512, 512)
    torch.cuda.synchronize()
    with torch.cuda.stream(producer):
        x = torch.zeros(512, 512, device="cuda")
        torch.cuda._sleep(20_000_000)
        x.fill_(3)
        compiled("float to float")(DlpackOnly(x), out=out, stream=consumer)
    consumer.synchronize()
    assert torch.equal(out, torch.full_like(out, 7))


def test_the_memory_is_given_back_after_the_call(compiled: Compiled, torch: Any) -> None:
    pipe, out = compiled("float to float"), out_for(torch, 1024, 1024)
    pipe(DlpackOnly(torch.rand(1024, 1024, device="cuda")), out=out)
    torch.cuda.synchronize()
    gc.collect()
    before = torch.cuda.memory_allocated()
    for _ in range(20):
        pipe(DlpackOnly(torch.rand(1024, 1024, device="cuda")), out=out)
    torch.cuda.synchronize()
    pipe(DlpackOnly(torch.rand(4, 4, device="cuda")), out=out[:4, :4])  # what was kept may go now
    torch.cuda.synchronize()
    gc.collect()
    assert torch.cuda.memory_allocated() - before <= 2 * 1024 * 1024 * 4


def test_an_out_that_shows_dlpack_alone_is_written(compiled: Compiled, torch: Any) -> None:
    x, out = torch.rand(7, 9, device="cuda"), out_for(torch, 7, 9)
    compiled("float to float")(x, out=DlpackOnly(out))
    torch.testing.assert_close(out, x * 2 + 1)


def test_a_result_goes_on_by_dlpack(compiled: Compiled, torch: Any) -> None:
    buffer = fkl.DeviceBuffer(9, 7)
    buffer.from_host(np.full((7, 9), 4, np.float32))
    result = compiled("float to float")(buffer)
    shared = torch.from_dlpack(result)
    assert shared.is_cuda
    assert torch.equal(shared.reshape(7, 9), torch.full((7, 9), 9.0, device="cuda"))


def test_an_empty_array_travels(compiled: Compiled, torch: Any) -> None:
    out = torch.zeros(0, 4, device="cuda")
    assert compiled("float to float")(DlpackOnly(torch.zeros(0, 4, device="cuda")), out=out) is out


def test_an_array_of_the_host_is_refused_where_the_out_is_on_the_device(
    compiled: Compiled, torch: Any
) -> None:
    with pytest.raises(fkl.FklError):
        compiled("float to float")(DlpackOnly(torch.zeros(4, 4)), out=out_for(torch, 4, 4))


def test_a_type_that_nobody_serves_is_refused(compiled: Compiled, torch: Any) -> None:
    with pytest.raises(fkl.DTypeError):
        compiled("float to float")(
            DlpackOnly(torch.zeros(4, 4, dtype=torch.complex64, device="cuda"))
        )


def test_an_array_of_jax_is_read(
    compiled: Compiled, torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec("jax") is None:
        pytest.skip("jax is not installed")
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = importlib.import_module("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("jax sees no GPU")
    x, out = jax.numpy.arange(12.0).reshape(3, 4), out_for(torch, 3, 4)
    compiled("float to float")(x, out=out)
    expected = torch.arange(12.0, device="cuda").reshape(3, 4) * 2 + 1
    torch.testing.assert_close(out, expected)
