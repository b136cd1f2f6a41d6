# SPDX-License-Identifier: Apache-2.0
"""The other arrays: `__cuda_array_interface__`, cupy, numba, and fkl.DeviceBuffer where there is
no framework.
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
from tests.device.arrays import InterfaceOnly
from tests.device.cases import BY_NAME, BY_TITLE
from tests.device.chains import Case, assert_equals_reference, rectangles

pytestmark = pytest.mark.skipif(arrays.ON_CPU, reason="arrays of a GPU")
Compiled = Callable[[Any], Any]
SAMPLES = [
    "vertical fusion: six operations on floats",
    "vertical fusion: bytes to normalised planes",
    "vertical fusion: a batch of bytes to normalised planes",
    "vertical fusion: doubles keep their precision",
    "backward vertical fusion: a crop, resized",
    "horizontal fusion: fifty crops",
    "horizontal fusion: rects in the memory of the device",
    "horizontal fusion: images of different sizes",
    "element types: float16 with 3 channels",
    "element types: uint16 with 4 channels",
    "element types: bool with 1 channels",
    "element types: int64 with 2 channels",
]


@pytest.fixture(scope="session")
def cupy() -> Any:
    return arrays.kind_of("cupy").cupy


@pytest.mark.group("cupy")
@pytest.mark.parametrize("title", SAMPLES)
def test_a_cupy_array_gives_a_cupy_array(title: str, compiled: Compiled, cupy: Any) -> None:
    case: Case = BY_TITLE[title]
    kind, inputs, host = arrays.kind_of("cupy"), case.host_inputs(), case.host_args()
    result = compiled(case)(*kind.given(inputs), **kind.args(dict(case.args)))
    assert isinstance(result, cupy.ndarray)
    assert_equals_reference(kind.to_host(result), case.reference(*inputs, **host), case)


@pytest.mark.group("cupy")
def test_cupys_current_stream_is_used(compiled: Compiled, cupy: Any, torch: Any) -> None:
    pipe = compiled("float to float")
    x, out = cupy.zeros((256, 256), "float32"), cupy.zeros((256, 256), "float32")
    cupy.cuda.Device().synchronize()
    with cupy.cuda.Stream(non_blocking=True) as stream:
        with torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)):
            torch.cuda._sleep(200_000_000)
        x.fill(3)
        pipe(x, out=out)
        stream.synchronize()
    assert bool((out == 7).all())


@pytest.mark.group("cupy")
def test_a_cupy_result_comes_from_cupys_pool(compiled: Compiled, cupy: Any) -> None:
    pipe, x = compiled("float to float"), cupy.zeros((512, 512), "float32")
    pipe(x)
    pool = cupy.get_default_memory_pool()
    before = pool.used_bytes()
    y = pipe(x)
    assert pool.used_bytes() - before == 512 * 512 * 4
    del y
    assert pool.used_bytes() == before


@pytest.mark.group("cupy")
@pytest.mark.parametrize(
    "view",
    [lambda x: x.T, lambda x: x[::2], lambda x: x[:, ::-1], lambda x: x[:, :5]],
    ids=["transposed", "every second row", "backwards", "a margin"],
)
def test_a_cupy_view_gives_what_its_copy_gives_or_an_error(
    view: Callable[[Any], Any], compiled: Compiled, cupy: Any
) -> None:
    x = view(cupy.arange(48, dtype="float32").reshape(6, 8))
    try:
        y = compiled("float to float")(x)
    except ValueError:
        return
    np.testing.assert_array_equal(cupy.asnumpy(y), cupy.asnumpy(x) * 2 + 1)


@pytest.mark.group("cupy")
def test_cupy_in_and_torch_out(compiled: Compiled, cupy: Any, torch: Any) -> None:
    x, out = cupy.ones((5, 6), "float32"), torch.zeros(5, 6, device="cuda")
    cupy.cuda.Device().synchronize()
    assert compiled("float to float")(x, out=out) is out
    assert torch.equal(out, torch.full_like(out, 3))


@pytest.mark.group("array interface")
def test_an_array_that_shows_the_interface_alone_is_read_and_written(
    compiled: Compiled, torch: Any
) -> None:
    x, out = torch.rand(9, 11, device="cuda"), torch.zeros(9, 11, device="cuda")
    torch.cuda.synchronize()
    compiled("float to float")(InterfaceOnly(x), out=InterfaceOnly(out))
    torch.cuda.synchronize()
    torch.testing.assert_close(out, x * 2 + 1)


@pytest.mark.group("array interface")
def test_strides_of_the_interface_are_followed(compiled: Compiled, torch: Any) -> None:
    x = torch.randint(0, 255, (9, 40, 3), dtype=torch.uint8, device="cuda")[1:7, 5:30]
    out = torch.zeros(6, 25, 3, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    compiled("bytes to bytes")(InterfaceOnly(x), out=out)
    torch.cuda.synchronize()
    assert torch.equal(out, x + 1)


@pytest.mark.group("array interface")
def test_an_out_that_is_read_only_is_refused(compiled: Compiled, torch: Any) -> None:
    x, out = torch.rand(4, 4, device="cuda"), torch.zeros(4, 4, device="cuda")
    pointer = out.__cuda_array_interface__["data"][0]
    with pytest.raises(fkl.LayoutError, match="read-only"):
        compiled("float to float")(x, out=InterfaceOnly(out, data=(pointer, True)))


@pytest.mark.group("array interface")
def test_a_mask_is_refused(compiled: Compiled, torch: Any) -> None:
    x = torch.rand(4, 4, device="cuda")
    with pytest.raises(fkl.FklError):
        compiled("float to float")(InterfaceOnly(x, mask=InterfaceOnly(x)), out=torch.zeros_like(x))


@pytest.mark.group("array interface")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of numba's own, about NumPy
def test_a_numba_array_is_read_and_written(compiled: Compiled, torch: Any) -> None:
    if importlib.util.find_spec("numba") is None:
        pytest.skip("numba is not installed")
    cuda = importlib.import_module("numba.cuda")
    if not cuda.is_available():
        pytest.skip("numba sees no GPU")
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    x, out = cuda.to_device(host), cuda.device_array((3, 4), np.float32)
    compiled("float to float")(x, out=out)
    torch.cuda.synchronize()
    np.testing.assert_array_equal(out.copy_to_host(), host * 2 + 1)


def buffer_of(host: Any) -> Any:
    return arrays.Buffer().to_device(host)


@pytest.mark.group("DeviceBuffer")
@pytest.mark.parametrize(
    "title", [title for title in SAMPLES if "five axes" not in title and "list" not in title]
)
def test_a_buffer_gives_a_buffer(title: str, compiled: Compiled, torch: Any) -> None:
    case: Case = BY_TITLE[title]
    kind, inputs, host = arrays.Buffer(), case.host_inputs(), case.host_args()
    args = {
        name: arrays.kind_of("torch").to_device(value.host) if hasattr(value, "host") else value
        for name, value in case.args.items()
    }
    result = compiled(case)(*kind.given(inputs), **args)
    assert kind.is_own(result)
    expected = np.asarray(case.reference(*inputs, **host))
    actual = kind.to_host(result).reshape(expected.shape)
    assert_equals_reference(actual, expected, case)


@pytest.mark.group("DeviceBuffer")
def test_a_buffer_brings_back_what_it_was_given(torch: Any, compiler: Any) -> None:
    random = np.random.default_rng(3)
    for shape in ((7,), (5, 7), (5, 7, 3), (2, 5, 7, 4)):
        host = random.integers(0, 255, shape, dtype=np.uint8)
        assert buffer_of(host).to_host().tobytes() == host.tobytes()


@pytest.mark.group("DeviceBuffer")
def test_a_buffer_is_seen_by_frameworks_without_a_copy(torch: Any, compiler: Any) -> None:
    buffer = buffer_of(np.full((3, 4), 2, np.float32))
    by_interface, by_dlpack = torch.as_tensor(buffer, device="cuda"), torch.from_dlpack(buffer)
    assert by_interface.data_ptr() == by_dlpack.data_ptr()
    by_dlpack.fill_(9)
    torch.cuda.synchronize()
    np.testing.assert_array_equal(buffer.to_host().reshape(3, 4), np.full((3, 4), 9, np.float32))


@pytest.mark.group("DeviceBuffer")
def test_a_buffer_gives_its_memory_back(torch: Any, compiler: Any) -> None:
    width = 64 * 2**20
    with fkl.DeviceBuffer(width) as buffer:
        buffer.from_host(np.zeros(width, np.float32))
    torch.cuda.synchronize()
    before = torch.cuda.mem_get_info()[0]
    for _ in range(50):
        with fkl.DeviceBuffer(width) as buffer:
            buffer.from_host(np.zeros(width, np.float32))
        del buffer
        dropped = fkl.DeviceBuffer(width)
        del dropped
    gc.collect()
    torch.cuda.synchronize()
    # a pool may hold a few: twelve gigabytes it may not
    assert before - torch.cuda.mem_get_info()[0] < 2 * 2**30


@pytest.mark.group("DeviceBuffer")
def test_a_buffer_follows_the_stream_that_used_it_last(compiled: Compiled, torch: Any) -> None:
    pipe, stream = compiled("float to float"), torch.cuda.Stream()
    handle = stream.cuda_stream
    for _ in range(5):
        with buffer_of(np.ones((512, 512), np.float32)) as x:
            with torch.cuda.stream(stream):
                torch.cuda._sleep(3_000_000)
            once = pipe(x, stream=handle)
        assert x.stream == once.stream == handle
        other = torch.cuda.Stream()
        twice = pipe(once, stream=other)
        np.testing.assert_array_equal(twice.to_host(), np.full((512, 512), 7, np.float32))
        run = pipe.bind(once, out=twice, stream=handle)
        run()
        assert twice.stream == handle
        np.testing.assert_array_equal(twice.to_host(), np.full((512, 512), 7, np.float32))


def test_a_closed_buffer_is_refused(compiled: Compiled, torch: Any) -> None:
    with fkl.DeviceBuffer(8, 4) as buffer:
        pass
    with pytest.raises((fkl.FklError, ValueError)):
        compiled("float to float")(buffer)


@pytest.mark.group("DeviceBuffer")
def test_a_buffer_refuses_a_host_array_of_another_size(torch: Any, compiler: Any) -> None:
    with fkl.DeviceBuffer(8, 4) as buffer, pytest.raises((fkl.FklError, ValueError)):
        buffer.from_host(np.zeros((4, 9), np.float32))


@pytest.mark.group("DeviceBuffer")
def test_a_buffer_is_written_as_out(compiled: Compiled, torch: Any) -> None:
    chain = BY_NAME["crops"]
    (x,) = chain.host_inputs()
    rects = rectangles(2, 64, 48, 4, 20)
    pipe = compiled("crops")
    expected = pipe(torch.from_numpy(x).cuda(), rects=rects)
    out = torch.zeros_like(expected)
    pipe(buffer_of(x), rects=rects, out=out)
    torch.cuda.synchronize()
    assert torch.equal(out, expected)
