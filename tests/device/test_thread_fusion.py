# SPDX-License-Identifier: Apache-2.0
"""Wide loads and stores: any alignment, any width, any pitch; nothing beside the result is touched.

Arrays are sliced and reshaped, which is a view in NumPy and in torch alike.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.device import arrays
from tests.device.cases import BY_NAME
from tests.device.cases_vertical import six

pytestmark = pytest.mark.group("thread fusion")
Compiled = Callable[[str], Any]
WIDTHS = (1, 2, 3, 4, 5, 7, 8, 13, 15, 16, 17, 31, 32, 33, 63, 65, 127, 129, 640, 641)
OFFSETS = (0, 1, 2, 3, 4, 5, 7, 8, 15)
PLUS_ONE = [name for name in BY_NAME if name.endswith("plus one")]
TO_PLANES = [name for name in BY_NAME if name.endswith("to planes") and name.startswith("uint8x")]
MARK = 77  # fills what must stay as it is


def type_of(name: str) -> tuple[Any, int]:
    """The element type and the channels in the name of a chain."""
    element, channels = name.partition(" ")[0].rsplit("x", 1)
    return np.dtype(element), int(channels)


def view(flat: Any, offset: int, *shape: int) -> Any:
    """An array of this shape that begins `offset` elements into the memory of `flat`."""
    return flat[offset : offset + prod(shape)].reshape(shape)


def small(random: np.random.Generator, dtype: Any, *shape: int) -> NDArray[Any]:
    return random.integers(0, 100, shape).astype(dtype)


@pytest.mark.parametrize("name", PLUS_ONE)
def test_any_alignment_and_width_of_dense_arrays(
    name: str, compiled: Compiled, kind: arrays.Kind, random: np.random.Generator
) -> None:
    pipe = compiled(name)
    dtype, channels = type_of(name)
    count = 3 * max(WIDTHS) * channels + 32
    host = small(random, dtype, count)
    x = kind.to_device(host)
    for index, width in enumerate(WIDTHS):
        for offset in OFFSETS:
            into = OFFSETS[(OFFSETS.index(offset) + index) % len(OFFSETS)]
            out = kind.to_device(np.full(count, MARK, dtype))
            shape = (3, width, channels)
            pipe(view(x, offset, *shape), out=view(out, into, *shape))
            expected = np.full(count, MARK, dtype)
            view(expected, into, *shape)[:] = view(host, offset, *shape) + dtype.type(1)
            np.testing.assert_array_equal(
                kind.to_host(out), expected, err_msg=f"{width=} {offset=} {into=}"
            )


@pytest.mark.parametrize("name", PLUS_ONE)
def test_any_alignment_and_width_of_rows_apart(
    name: str, compiled: Compiled, kind: arrays.Kind, random: np.random.Generator
) -> None:
    pipe = compiled(name)
    dtype, channels = type_of(name)
    for width in (1, 3, 8, 13, 33, 64, 129):
        for left in (0, 1, 2, 3):
            host = small(random, dtype, 4, width + left + 5, channels)
            out = kind.to_device(np.full((4, width + 7, channels), MARK, dtype))
            pipe(kind.to_device(host)[:, left : left + width], out=out[:, left : left + width])
            expected = np.full((4, width + 7, channels), MARK, dtype)
            expected[:, left : left + width] = host[:, left : left + width] + dtype.type(1)
            np.testing.assert_array_equal(kind.to_host(out), expected, err_msg=f"{width=} {left=}")


@pytest.mark.parametrize("name", TO_PLANES)
def test_any_alignment_and_width_of_planes(
    name: str, compiled: Compiled, kind: arrays.Kind, random: np.random.Generator
) -> None:
    pipe = compiled(name)
    dtype, channels = type_of(name)
    for width in WIDTHS:
        for offset in (0, 1, 2, 3, 5):
            host = small(random, dtype, 3 * width * channels + offset)
            out = kind.to_device(np.full(3 * width * channels + offset + 9, MARK, np.float32))
            shape = (3, width, channels)
            pipe(
                view(kind.to_device(host), offset, *shape),
                out=view(out, offset, channels, 3, width),
            )
            expected = np.full(3 * width * channels + offset + 9, MARK, np.float32)
            planes = np.moveaxis(view(host, offset, *shape), -1, 0) * np.float32(2)
            view(expected, offset, channels, 3, width)[:] = planes
            np.testing.assert_array_equal(
                kind.to_host(out), expected, err_msg=f"{width=} {offset=}"
            )


@pytest.mark.parametrize(
    "name", ["six", "a thread for each element", "a thread for several elements"]
)
@pytest.mark.parametrize("width", [1, 2, 5, 64, 67, 1031])
def test_a_thread_for_one_or_several_elements_is_the_same(
    name: str, width: int, compiled: Compiled, kind: arrays.Kind, random: np.random.Generator
) -> None:
    host = random.uniform(-9, 9, (5, width)).astype(np.float32)
    result = kind.to_host(compiled(name)(kind.to_device(host)))
    np.testing.assert_allclose(result, six(host), rtol=1e-5, atol=1e-5)


def test_only_the_input_is_read(compiled: Compiled, kind: arrays.Kind) -> None:
    """A sum over what lies around the view would not be 1 everywhere."""
    memory = kind.to_device(np.full(4096, np.nan, np.float32))
    inner = view(memory, 3, 7, 13)
    inner[:] = 0
    out = kind.to_host(compiled("float to float")(inner))
    np.testing.assert_array_equal(out, np.ones((7, 13), np.float32))


@pytest.mark.skipif(arrays.ON_CPU, reason="needs the memory of a GPU")
@pytest.mark.parametrize("count", [2**31 + 17, 2**32 + 3])
@pytest.mark.parametrize("axes", [1, 2])
def test_more_elements_than_32_bits_count(
    count: int, axes: int, compiled: Compiled, torch: Any
) -> None:
    free, _ = torch.cuda.mem_get_info()
    if free < 5 * count:
        pytest.skip(f"{free / 2**30:.0f} GiB of GPU memory are too few")
    x = torch.empty(count, dtype=torch.uint8, device="cuda")
    for start in range(0, count, 2**30):
        x[start : start + 2**30] = (start >> 30) + 1
    shape = (count,) if axes == 1 else (count // 3, 3)
    x = x[: prod(shape)].reshape(shape)
    y = compiled("byte to byte")(x)
    y -= 1
    assert torch.equal(x, y)
    del x, y
    torch.cuda.empty_cache()
