# SPDX-License-Identifier: Apache-2.0
"""A producer on one stream, the consumer on another, and nothing between them but the protocols:
1000 times each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.device import arrays
from tests.device.arrays import DlpackOnly, InterfaceOnly

pytestmark = [
    pytest.mark.group("streams"),
    pytest.mark.skipif(arrays.ON_CPU, reason="the CPU has no streams"),
]
Compiled = Callable[[str], Any]
TIMES = 1000
COUNT = 64 * 2**20  # float32: 256 MB


@pytest.mark.parametrize("protocol", ["interface", "dlpack", "torch"])
def test_a_consumer_on_another_stream_sees_what_the_producer_wrote(
    protocol: str, compiled: Compiled, torch: Any
) -> None:
    if torch.cuda.mem_get_info()[0] < 8 * 4 * COUNT:
        pytest.skip("needs 2 GB of GPU memory")
    pipe = compiled("float to float")
    producer, consumer = torch.cuda.Stream(), torch.cuda.Stream()
    out = torch.zeros(COUNT // 1024, 1024, device="cuda")
    wrong = torch.zeros((), dtype=torch.int64, device="cuda")
    torch.cuda.synchronize()
    for turn in range(TIMES):
        with torch.cuda.stream(producer):
            x = torch.empty(COUNT // 1024, 1024, device="cuda")
            torch.cuda._sleep(200_000)
            x.fill_(turn)
            if protocol == "interface":
                given: Any = InterfaceOnly(x, stream=producer.cuda_stream)
            elif protocol == "dlpack":
                given = DlpackOnly(x)
            else:  # torch's own rule: the streams are the caller's business, the memory is not
                consumer.wait_stream(producer)
                given = x
            pipe(given, out=out, stream=consumer)
            del x, given
            trash = torch.full((COUNT // 1024, 1024), -1.0, device="cuda")
        with torch.cuda.stream(consumer):
            wrong += (out != 2 * turn + 1).any()
        del trash
    torch.cuda.synchronize()
    assert int(wrong) == 0
    del out
    torch.cuda.empty_cache()


def test_the_stream_of_the_interface_is_waited_for(compiled: Compiled, torch: Any) -> None:
    producer, consumer = torch.cuda.Stream(), torch.cuda.Stream()
    x, out = torch.zeros(512, 512, device="cuda"), torch.zeros(512, 512, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(producer):
        torch.cuda._sleep(100_000_000)
        x.fill_(3)
    compiled("float to float")(
        InterfaceOnly(x, stream=producer.cuda_stream), out=out, stream=consumer
    )
    consumer.synchronize()
    assert bool((out == 7).all())


@pytest.mark.parametrize("stream", [1, 2, None])
def test_the_numbers_that_stand_for_default_streams_are_understood(
    stream: int | None, compiled: Compiled, torch: Any
) -> None:
    x, out = torch.ones(8, 8, device="cuda"), torch.zeros(8, 8, device="cuda")
    torch.cuda.synchronize()
    compiled("float to float")(InterfaceOnly(x, stream=stream), out=out)
    torch.cuda.synchronize()
    assert bool((out == 3).all())


def test_calls_on_one_stream_keep_their_order(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("float to float")
    for stream in (torch.cuda.Stream(), torch.cuda.Stream()):
        x = torch.zeros(64, 64, device="cuda")
        y = torch.zeros(64, 64, device="cuda")
        torch.cuda.synchronize()
        expected = 0.0
        for _ in range(10):
            pipe(x, out=y, stream=stream)
            pipe(y, out=x, stream=stream)
            expected = 4 * expected + 3
        stream.synchronize()
        assert torch.equal(x, torch.full_like(x, expected))


def test_a_bound_call_stays_on_the_stream_it_was_bound_to(compiled: Compiled, torch: Any) -> None:
    stream = torch.cuda.Stream()
    x, out = torch.zeros(64, 64, device="cuda"), torch.zeros(64, 64, device="cuda")
    run = compiled("float to float").bind(x, out=out, stream=stream)
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(100_000_000)
        x.fill_(3)
    run()
    stream.synchronize()
    assert torch.equal(out, torch.full_like(out, 7))
