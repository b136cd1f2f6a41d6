# SPDX-License-Identifier: Apache-2.0
"""What cannot work is an error that says why, before anything runs; and the device is well
afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fkl
from fkl._build import stats
from tests.device import arrays
from tests.device.arrays import InterfaceOnly
from tests.device.compilers import Compiler

pytestmark = [
    pytest.mark.group("bad inputs"),
    pytest.mark.skipif(arrays.ON_CPU, reason="mistakes with a GPU's arrays"),
]
Compiled = Callable[[str], Any]


def zeros(torch: Any, *shape: int, dtype: str = "float32", device: str = "cuda") -> Any:
    return torch.zeros(shape, dtype=getattr(torch, dtype), device=device)


@pytest.fixture(autouse=True)
def nothing_is_launched() -> Any:
    before = stats.launches
    yield
    assert stats.launches == before


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda torch: zeros(torch, 4, 4, dtype="float64"), fkl.DTypeError),
        (lambda torch: zeros(torch, 4, 5), fkl.LayoutError),
        (lambda torch: zeros(torch, 4, 4, 1, 1), fkl.LayoutError),
        (lambda torch: zeros(torch, 8, 4).t()[:4, ::2], fkl.LayoutError),
        (lambda torch: zeros(torch, 1, 4).expand(4, 4), fkl.LayoutError),
        (lambda torch: zeros(torch, 4, 4, device="cpu"), fkl.FklError),
        (lambda torch: np.zeros((4, 4), np.float32), fkl.FklError),
        (lambda torch: "an array", fkl.FklError),
    ],
    ids=[
        "type",
        "shape",
        "axes",
        "columns apart",
        "rows of one memory",
        "a tensor of the host",
        "an ndarray",
        "a text",
    ],
)
def test_an_out_that_will_not_do(
    make: Callable[[Any], Any], error: type[Exception], compiled: Compiled, torch: Any
) -> None:
    with pytest.raises(error):
        compiled("float to float")(zeros(torch, 4, 4), out=make(torch))


def test_an_out_over_the_input(compiled: Compiled, torch: Any) -> None:
    memory = zeros(torch, 6, 4)
    with pytest.raises(fkl.LayoutError, match="overlap"):
        compiled("float to float")(memory[:4], out=memory[1:5])


def test_an_array_of_the_host_with_a_stream(compiler: Compiler, torch: Any) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite())
    with pytest.raises(fkl.ArgumentError, match="stream"):
        pipe(np.zeros((4, 4), np.float32), stream=torch.cuda.Stream())


@pytest.mark.parametrize("stream", ["a text", 1.5, object()], ids=["text", "float", "object"])
def test_what_is_no_stream(stream: Any, compiled: Compiled, torch: Any) -> None:
    with pytest.raises(fkl.ArgumentError, match="stream"):
        compiled("float to float")(zeros(torch, 4, 4), stream=stream)


def test_a_chain_for_the_cpu_refuses_a_device_array(compiler: Compiler, torch: Any) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite(), target="cpu")
    with pytest.raises(fkl.FklError, match="cpu"):
        pipe(zeros(torch, 4, 4))


def test_a_chain_for_cuda_refuses_a_host_array(compiler: Compiler, torch: Any) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite(), target="cuda")
    with pytest.raises(fkl.FklError, match="cuda"):
        pipe(np.zeros((4, 4), np.float32))


def test_a_list_of_arrays_of_both_kinds(compiled: Compiled, torch: Any) -> None:
    images = [zeros(torch, 4, 4, 3, dtype="uint8"), np.zeros((4, 4, 3), np.uint8)]
    with pytest.raises(fkl.FklError):
        compiled("list resized")(images)


def test_a_rect_of_the_host_that_lies_outside_is_named(compiled: Compiled, torch: Any) -> None:
    image = zeros(torch, 100, 100, 3, dtype="uint8")
    with pytest.raises(ValueError, match=r"rect 1, .*the image is 100×100"):
        compiled("crops")(image, rects=[(0, 0, 100, 50), (99, 0, 2, 1)])


@pytest.mark.parametrize(
    "make",
    [
        lambda torch: zeros(torch, 5, 3, dtype="int32"),
        lambda torch: zeros(torch, 20, dtype="int32")[:-1],
        lambda torch: zeros(torch, 5, 4, dtype="bool"),
        lambda torch: zeros(torch, 5, 8, dtype="int32")[:, ::2],
    ],
    ids=["three numbers", "one axis", "bools", "columns apart"],
)
def test_rects_of_the_device_that_are_none(
    make: Callable[[Any], Any], compiled: Compiled, torch: Any
) -> None:
    with pytest.raises(fkl.FklError):
        compiled("crops by the device")(zeros(torch, 48, 64, 3, dtype="uint8"), rects=make(torch))


def test_rects_of_the_device_for_an_image_of_the_host(compiler: Compiler, torch: Any) -> None:
    pipe = fkl.compose(
        fkl.TensorRead(), fkl.Crop(fkl.Arg("rects")), fkl.Resize(4, 4), fkl.TensorWrite()
    )
    rects = torch.tensor([[0, 0, 4, 4]], dtype=torch.int32, device="cuda")
    with pytest.raises(fkl.FklError):
        pipe(np.zeros((8, 8, 3), np.uint8), rects=rects)


def test_device_values_where_numbers_belong(compiled: Compiled, torch: Any) -> None:
    with pytest.raises(fkl.FklError):
        compiled("scaled")(zeros(torch, 4, 4), k=zeros(torch, 1))


@pytest.mark.parametrize("dtype", ["complex64", "float8_e4m3fn"])
def test_an_element_type_that_nobody_serves(dtype: str, compiled: Compiled, torch: Any) -> None:
    with pytest.raises(fkl.DTypeError):
        compiled("float to float")(zeros(torch, 4, 4, dtype=dtype))


def test_five_channels(compiled: Compiled, torch: Any) -> None:
    with pytest.raises(fkl.LayoutError, match="5 channels"):
        compiled("resized")(zeros(torch, 4, 4, 5, dtype="uint8"))


def test_a_sparse_tensor(compiled: Compiled, torch: Any) -> None:
    with pytest.raises(fkl.FklError):
        compiled("float to float")(zeros(torch, 4, 4).to_sparse())


def test_a_fraction_on_bytes_suggests_a_cast(compiler: Compiler, torch: Any) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(0.5), fkl.TensorWrite())
    with pytest.raises(fkl.DTypeError, match="Cast"):
        pipe(zeros(torch, 4, 4, dtype="uint8"))


def test_an_interface_with_a_null_pointer(compiled: Compiled, torch: Any) -> None:
    x = InterfaceOnly(zeros(torch, 4, 4), data=(0, False))
    with pytest.raises(fkl.FklError):
        compiled("float to float")(x, out=zeros(torch, 4, 4))


def test_a_missing_argument_is_named(compiled: Compiled, torch: Any) -> None:
    with pytest.raises(fkl.ArgumentError, match="k="):
        compiled("scaled")(zeros(torch, 4, 4))


def test_a_bound_call_keeps_its_binding_when_an_update_fails(
    compiled: Compiled, torch: Any
) -> None:
    run = compiled("scaled").bind(zeros(torch, 4, 4), k=2.0)
    with pytest.raises(fkl.FklError):
        run.update(zeros(torch, 5, 5))  # the result would have another size than the bound one
    with pytest.raises(fkl.FklError):
        run.update(out=zeros(torch, 4, 4, dtype="float64"))
    assert run.out.shape == (4, 4)
