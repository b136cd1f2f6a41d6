# SPDX-License-Identifier: Apache-2.0
"""torch: no copies, its allocator, its streams, its graphs; and what a tensor can be that an
array cannot.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fkl
from tests.device import arrays
from tests.device.cases import BY_TITLE
from tests.device.chains import rectangles

pytestmark = [
    pytest.mark.group("torch integration"),
    pytest.mark.skipif(arrays.ON_CPU, reason="torch on a GPU"),
]
Compiled = Callable[[str], Any]
LONG = 400_000_000  # cycles: a fifth of a second, in which every wrong order shows


def test_a_tensor_gives_a_tensor_of_the_same_device(compiled: Compiled, torch: Any) -> None:
    x = torch.rand(5, 7, device="cuda")
    y = compiled("float to float")(x)
    assert type(y) is torch.Tensor
    assert (y.device, y.dtype, y.shape) == (x.device, torch.float32, x.shape)
    assert y.is_contiguous()
    torch.testing.assert_close(y, x * 2 + 1)


def test_input_and_out_are_used_in_place(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("float to float")
    x, out = torch.rand(512, 512, device="cuda"), torch.empty(512, 512, device="cuda")
    pipe(x, out=out)
    kept, address = x.clone(), out.data_ptr()
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    assert pipe(x, out=out) is out
    assert out.data_ptr() == address
    assert torch.cuda.max_memory_allocated() == before
    torch.testing.assert_close(out, kept * 2 + 1)
    assert torch.equal(x, kept)


def test_a_result_comes_from_torchs_allocator(compiled: Compiled, torch: Any) -> None:
    pipe, x = compiled("float to float"), torch.rand(512, 512, device="cuda")
    pipe(x)
    before = torch.cuda.memory_allocated()
    y = pipe(x)
    assert torch.cuda.memory_allocated() - before == 512 * 512 * 4
    del y
    assert torch.cuda.memory_allocated() == before


def test_a_new_result_never_shares_memory_with_an_older_one(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("scaled")
    x = torch.ones(64, 64, device="cuda")
    results = [pipe(x, k=float(k)) for k in range(20)]
    for k, result in enumerate(results):
        assert torch.equal(result, torch.full_like(x, k))


def test_the_current_stream_is_the_one_that_is_used(compiled: Compiled, torch: Any) -> None:
    pipe, stream = compiled("float to float"), torch.cuda.Stream()
    x, out = torch.zeros(256, 256, device="cuda"), torch.zeros(256, 256, device="cuda")
    pipe(x, out=out)
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(LONG)
        x.fill_(3)
        pipe(x, out=out)
    stream.synchronize()
    assert torch.equal(out, torch.full_like(out, 7))


@pytest.mark.parametrize("form", ["torch", "int", "protocol"])
def test_a_stream_given_to_the_call_is_the_one_that_is_used(
    form: str, compiled: Compiled, torch: Any
) -> None:
    pipe, stream = compiled("float to float"), torch.cuda.Stream()
    given = {
        "torch": stream,
        "int": stream.cuda_stream,
        "protocol": arrays.StreamOnly(stream.cuda_stream),
    }[form]
    x, out = torch.zeros(256, 256, device="cuda"), torch.zeros(256, 256, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(LONG)
        x.fill_(3)
    pipe(x, out=out, stream=given)
    stream.synchronize()
    assert torch.equal(out, torch.full_like(out, 7))


def test_a_stream_of_another_library_is_used(compiled: Compiled, torch: Any) -> None:
    cupy = arrays.kind_of("cupy").cupy  # type: ignore[attr-defined]
    stream = cupy.cuda.Stream(non_blocking=True)
    x, out = torch.zeros(256, 256, device="cuda"), torch.zeros(256, 256, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)):
        torch.cuda._sleep(LONG)
        x.fill_(3)
    compiled("float to float")(x, out=out, stream=stream)
    stream.synchronize()
    assert torch.equal(out, torch.full_like(out, 7))


def test_a_call_returns_before_the_stream_comes_to_it(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("float to float")
    x, out = torch.rand(64, 64, device="cuda"), torch.zeros(64, 64, device="cuda")
    run = pipe.bind(x, out=out)
    for call in (lambda: pipe(x, out=out), lambda: pipe(x), run):
        call()
        torch.cuda.synchronize()
        done = torch.cuda.Event()
        torch.cuda._sleep(2 * LONG)
        call()
        done.record()
        assert not done.query(), "the call has waited for the stream"
        torch.cuda.synchronize()


def test_many_crops_do_not_wait_for_the_stream_either(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("crops")
    x = torch.zeros(48, 64, 3, dtype=torch.uint8, device="cuda")
    rects = rectangles(5000, 64, 48, 4, 20)
    pipe(x, rects=rects)
    torch.cuda.synchronize()
    done = torch.cuda.Event()
    torch.cuda._sleep(2 * LONG)
    pipe(x, rects=rects)
    done.record()
    assert not done.query(), "the call has waited for the stream"
    torch.cuda.synchronize()


def test_calls_are_captured_and_replayed(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("float to float")
    x, out = torch.zeros(64, 64, device="cuda"), torch.zeros(64, 64, device="cuda")
    run = pipe.bind(x, out=out)
    pipe(x)
    run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = pipe(x)
        pipe(y, out=out)
    for value in (1.0, 5.0, -3.0):
        x.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        assert torch.equal(y, torch.full_like(y, 2 * value + 1))
        assert torch.equal(out, torch.full_like(y, 4 * value + 3))
    bound = torch.cuda.CUDAGraph()
    stream = torch.cuda.Stream()
    with torch.cuda.graph(bound, stream=stream):
        pipe.bind(x, out=out)()
    x.fill_(10)
    bound.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, torch.full_like(out, 21))


def test_crops_of_a_capture_follow_the_rects_of_the_device(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("crops by the device")
    x = torch.arange(48 * 64 * 3, device="cuda").reshape(48, 64, 3).to(torch.uint8)
    rects = torch.tensor(rectangles(5000, 64, 48, 8, 8), device="cuda")
    out = pipe(x, rects=rects)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        pipe(x, rects=rects, out=out)
    rects[:, :2] = torch.tensor([3, 5], device="cuda", dtype=torch.int32)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, x[5:13, 3:11].expand(5000, 8, 8, 3))


def test_more_host_rects_than_fit_a_capture_are_refused_with_the_limit(
    compiled: Compiled, torch: Any
) -> None:
    pipe = compiled("crops of bytes")
    x = torch.zeros(48, 64, 3, dtype=torch.uint8, device="cuda")
    rects = rectangles(5000, 64, 48, 4, 20)
    out = pipe(x, rects=rects)
    few = pipe(x, rects=rects[:50])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        pipe(x, rects=rects[:50], out=few)
        with pytest.raises(fkl.FklError, match=r"captur"):
            pipe(x, rects=rects, out=out)
    graph.replay()
    torch.cuda.synchronize()


@pytest.mark.parametrize("way", ["stream of a number", "buffer", "many crops"])
def test_a_graph_that_another_thread_captures_survives(
    way: str, compiled: Compiled, torch: Any
) -> None:
    """torch captures in the mode in which no thread may allocate or ask about events."""
    pipe, crops = compiled("float to float"), compiled("crops of bytes")
    x = torch.ones(64, 64, device="cuda")
    image = torch.zeros(48, 64, 3, dtype=torch.uint8, device="cuda")
    rects, number = rectangles(5000, 64, 48, 4, 20), torch.cuda.Stream().cuda_stream
    y, small, buffer = pipe(x), crops(image, rects=rects), fkl.DeviceBuffer(64, 64)
    buffer.from_host(np.ones((64, 64), np.float32))

    def work() -> Any:
        if way == "buffer":
            return pipe(buffer)
        if way == "many crops":
            return crops(image, rects=rects, out=small)
        return pipe(x, out=y, stream=number)

    for _ in range(3):
        work()
    torch.cuda.synchronize()
    began, over, graph = threading.Event(), threading.Event(), torch.cuda.CUDAGraph()
    result, failures = torch.zeros_like(x), []

    def capture() -> None:
        try:
            with torch.cuda.graph(graph):
                result.copy_(x)
                began.set()
                over.wait(30)
                result.add_(1)
        except Exception as error:
            failures.append(error)
        began.set()

    thread = threading.Thread(target=capture)
    thread.start()
    began.wait()
    try:
        for _ in range(3):
            work()
    finally:
        over.set()
        thread.join()
    assert not failures
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(result, x + 1)


def test_what_a_check_of_tensors_does_not_see_is_asked(compiled: Compiled, torch: Any) -> None:
    """The same memory with gradients, of another size, in place changed, in inference mode."""
    pipe = compiled("float to float")
    x, out = torch.ones(8, 8, device="cuda"), torch.zeros(8, 8, device="cuda")
    for _ in range(3):
        assert torch.equal(pipe(x, out=out), torch.full_like(x, 3))
        assert torch.equal(pipe(x), torch.full_like(x, 3))
    x.requires_grad_()
    for _ in range(2):
        with pytest.raises(fkl.ArgumentError, match="gradient"):
            pipe(x)
        with pytest.raises(fkl.ArgumentError, match="gradient"):
            pipe(x, out=out)
        with torch.no_grad():
            assert torch.equal(pipe(x), torch.full_like(out, 3))
    x.requires_grad_(False)
    assert pipe(x[:5, :3]).shape == (5, 3)
    with pytest.raises(fkl.LayoutError, match="out has shape"):
        pipe(x[:5], out=out)
    with torch.inference_mode():
        assert torch.equal(pipe(x, out=out), torch.full_like(x, 3))
        assert torch.equal(pipe(torch.ones(8, 8, device="cuda")), torch.full_like(x, 3))
    x.resize_(4, 4)
    assert pipe(x).shape == (4, 4)
    with pytest.raises(fkl.LayoutError, match="out has shape"):
        pipe(x, out=out)


def test_a_tensor_of_negatives_is_refused(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("float to float")
    for _ in range(2):
        given = torch.view_as_real(torch.ones(8, 8, dtype=torch.complex64, device="cuda"))[..., 0]
        pipe(given.contiguous())
        negatives = torch.ones(8, 8, device="cuda")._neg_view()
        with pytest.raises(fkl.ArgumentError, match="resolve_neg"):
            pipe(negatives)


@pytest.mark.parametrize("given", ["torch's", "a number"])
@pytest.mark.parametrize("way", ["call", "bind"])
def test_memory_used_on_another_stream_is_not_reused_too_early(
    way: str, given: str, compiled: Compiled, torch: Any
) -> None:
    """The input belongs to the current stream, the kernel runs late on another; then the input is
    dropped.
    """
    pipe, other = compiled("float to float"), torch.cuda.Stream()
    out = torch.zeros(1024, 1024, device="cuda")
    for turn in range(20):
        x = torch.full((1024, 1024), float(turn), device="cuda")
        other.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(other):
            torch.cuda._sleep(3_000_000)
        stream = other if given == "torch's" else other.cuda_stream
        if way == "call":
            pipe(x, out=out, stream=stream)
        else:
            run = pipe.bind(x, out=out, stream=stream)
            run()
            del run
        del x
        trash = torch.full(
            (1024, 1024), -1.0, device="cuda"
        )  # takes the memory that was freed last
        other.synchronize()
        assert torch.equal(out, torch.full_like(out, 2 * turn + 1))
        del trash


@pytest.mark.parametrize("given", ["torch's", "a number"])
def test_a_result_on_another_stream_takes_no_memory_that_is_still_written(
    given: str, compiled: Compiled, torch: Any
) -> None:
    """The current stream frees memory that its own late work still writes; the other may not have
    it.
    """
    pipe, other = compiled("float to float"), torch.cuda.Stream()
    x = torch.ones(1024, 1024, device="cuda")
    pipe(x)
    torch.cuda.synchronize()
    for _ in range(10):
        trash = torch.empty(1024, 1024, device="cuda")
        torch.cuda._sleep(3_000_000)
        trash.fill_(-1)
        del trash
        found = pipe(x, stream=other if given == "torch's" else other.cuda_stream)
        torch.cuda.synchronize()
        assert torch.equal(found, torch.full_like(found, 3))


def test_a_tuple_of_images_is_a_list_of_them(compiled: Compiled, torch: Any) -> None:
    case = BY_TITLE["horizontal fusion: images of different sizes"]
    images = [torch.as_tensor(image, device="cuda") for image in case.host_inputs()[0]]
    pipe = compiled(case)
    assert torch.equal(pipe(tuple(images)), pipe(images))
    with pytest.raises(fkl.FklError):
        pipe(images[:2], images[2])


def test_a_result_made_on_a_stream_may_be_dropped_at_once(compiled: Compiled, torch: Any) -> None:
    pipe, stream = compiled("float to float"), torch.cuda.Stream()
    x = torch.ones(512, 512, device="cuda")
    torch.cuda.synchronize()
    for _ in range(50):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(1_000_000)
            pipe(x)
            y = torch.full((512, 512), 5.0, device="cuda")
        stream.synchronize()
        assert torch.equal(y, torch.full_like(y, 5))


def test_a_tensor_that_needs_a_gradient_is_refused_or_detached(
    compiled: Compiled, torch: Any
) -> None:
    x = torch.ones(4, 4, device="cuda", requires_grad=True)
    try:
        y = compiled("float to float")(x)
    except fkl.FklError as error:
        assert "detach" in str(error) or "grad" in str(error)
        return
    assert not y.requires_grad
    assert torch.equal(y, torch.full_like(y, 3))


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.t(),
        lambda x: x[::2],
        lambda x: x[:, ::2],
        lambda x: x[1:, 3:],
        lambda x: x[:, :5],
        lambda x: x[:1].expand(6, 8),
    ],
    ids=[
        "transposed",
        "every second row",
        "every second column",
        "a corner",
        "a margin",
        "one row repeated",
    ],
)
def test_a_view_gives_what_its_copy_gives_or_an_error(
    view: Callable[[Any], Any], compiled: Compiled, torch: Any
) -> None:
    pipe = compiled("float to float")
    x = view(torch.rand(6, 8, device="cuda"))
    try:
        y = pipe(x)
    except ValueError:
        return
    torch.testing.assert_close(y, x.contiguous() * 2 + 1)


def test_channels_last_planes_give_what_their_copy_gives_or_an_error(
    compiled: Compiled, torch: Any
) -> None:
    x = torch.rand(1, 3, 6, 8, device="cuda").to(memory_format=torch.channels_last)[0]
    try:
        y = compiled("planes to planes")(x)
    except ValueError:
        return
    torch.testing.assert_close(y, x.contiguous() * 2)


def test_strides_of_axes_of_one_element_say_nothing(compiled: Compiled, torch: Any) -> None:
    x = torch.rand(1, 8, device="cuda").as_strided((1, 8), (12345, 1))
    torch.testing.assert_close(compiled("float to float")(x), x * 2 + 1)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0,)])
def test_an_empty_tensor_gives_an_empty_one_and_no_launch(
    shape: tuple[int, ...], compiled: Compiled, torch: Any
) -> None:
    launches = fkl._build.stats.launches
    y = compiled("float to float")(torch.zeros(shape, device="cuda"))
    assert (tuple(y.shape), y.dtype, y.is_cuda) == (shape, torch.float32, True)
    assert fkl._build.stats.launches == launches


def test_no_rects_give_an_empty_batch(compiled: Compiled, torch: Any) -> None:
    x = torch.zeros(48, 64, 3, dtype=torch.uint8, device="cuda")
    assert compiled("crops")(x, rects=[]).shape == (0, 3, 6, 8)
    none = torch.zeros(0, 4, dtype=torch.int32, device="cuda")
    assert compiled("crops by the device")(x, rects=none).shape == (0, 8, 8, 3)


def test_a_parameter_and_a_subclass_are_tensors(compiled: Compiled, torch: Any) -> None:
    x = torch.nn.Parameter(torch.ones(4, 4, device="cuda"), requires_grad=False)
    assert torch.equal(compiled("float to float")(x), torch.full((4, 4), 3.0, device="cuda"))


def test_rects_of_the_device_may_lie_outside(compiled: Compiled, torch: Any) -> None:
    """No error can come from the device: what lies inside is right, and nothing else is read."""
    pipe = compiled("crops by the device")
    x = torch.randint(1, 255, (48, 64, 3), dtype=torch.uint8, device="cuda")
    corners = [(60, 44), (-4, -4), (1000, 1000), (-1000, -1000), (2, 3)]
    rects = torch.tensor([(*corner, 8, 8) for corner in corners], dtype=torch.int32, device="cuda")
    out = pipe(x, rects=rects)
    assert torch.equal(out[4], x[3:11, 2:10])
    assert torch.equal(out[0, :4, :4], x[44:48, 60:64])
    assert torch.equal(out[1, 4:, 4:], x[:4, :4])


def test_a_bound_call_takes_other_arrays_and_values(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("scaled")
    x, y = torch.ones(4, 4, device="cuda"), torch.full((4, 4), 2.0, device="cuda")
    run = pipe.bind(x, k=3.0)
    assert torch.equal(run(), x * 3)
    run.update(k=5.0)
    assert torch.equal(run(), x * 5)
    run.update(y)
    assert torch.equal(run(), y * 5)
    out = torch.zeros(4, 4, device="cuda")
    run.update(out=out)
    assert run() is out
    assert torch.equal(out, y * 5)


def test_a_bound_call_takes_other_rects_of_the_device(compiled: Compiled, torch: Any) -> None:
    pipe = compiled("crops by the device")
    x = torch.randint(0, 255, (48, 64, 3), dtype=torch.uint8, device="cuda")
    rects = torch.tensor([(0, 0, 8, 8), (5, 6, 8, 8)], dtype=torch.int32, device="cuda")
    run = pipe.bind(x, rects=rects)
    assert torch.equal(run()[1], x[6:14, 5:13])
    rects[1, 0] = 9  # the table is the caller's own memory
    assert torch.equal(run()[1], x[6:14, 9:17])


def test_under_inference_mode_and_no_grad(compiled: Compiled, torch: Any) -> None:
    for mode in (torch.inference_mode, torch.no_grad):
        with mode():
            x = torch.ones(4, 4, device="cuda")
            assert torch.equal(compiled("float to float")(x), x * 3)
