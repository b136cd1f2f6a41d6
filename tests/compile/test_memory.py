# SPDX-License-Identifier: Apache-2.0
"""Arrays in memory: odd widths, pitches, strides, planes, batches, lists, outputs; the input is
never touched.
"""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fkl

PLAIN = fkl.compose(fkl.TensorRead(), fkl.Mul(3), fkl.Add(1), fkl.TensorWrite())
PLANAR = fkl.compose(fkl.TensorRead(), fkl.Add(1), fkl.TensorSplit())
PACKING = fkl.compose(fkl.TensorPack(), fkl.Add(1), fkl.TensorWrite())


def pitched(x: NDArray[Any], extra: int, offset: int = 0) -> NDArray[Any]:
    """The same image in rows that are `extra` elements further apart, starting `offset` elements
    in.
    """
    height, row = x.shape[0], x[0].size
    memory = np.full((height, row + extra + offset), 77, x.dtype)
    memory[:, offset : offset + row] = x.reshape(height, row)
    view = memory[:, offset : offset + row]
    return np.lib.stride_tricks.as_strided(view, x.shape, (memory.strides[0], *x.strides[1:]))


@pytest.mark.parametrize("name", ["uint8", "float32", "float16", "float64", "uint16"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_every_width_from_1_to_33_dense_and_pitched(
    name: str, channels: int, random: np.random.Generator
) -> None:
    for width in range(1, 34):
        x = random.integers(0, 80, (3, width, channels)).astype(name)
        expected = x * np.array(3, name) + np.array(1, name)
        for given in (x, pitched(x, 5), pitched(x, 1, 3)):
            before = given.copy()
            np.testing.assert_array_equal(PLAIN(given), expected)
            out = pitched(np.zeros_like(x), 7, 1)
            assert PLAIN(given, out=out) is out
            np.testing.assert_array_equal(out, expected)
            np.testing.assert_array_equal(given, before)


def test_memory_around_a_pitched_output_is_untouched() -> None:
    x = np.arange(3 * 13, dtype=np.uint8).reshape(3, 13)
    memory = np.full((3, 32), 77, np.uint8)
    PLAIN(x, out=memory[:, 5:18])
    memory[:, 5:18] = 77
    assert (memory == 77).all()


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("shape", [(5, 19), (2, 5, 19)], ids=["image", "batch"])
def test_planes_are_written_and_read(
    channels: int, shape: Any, random: np.random.Generator
) -> None:
    x = random.uniform(0, 1, (*shape, channels)).astype(np.float32)
    planes = PLANAR(x)
    np.testing.assert_array_equal(planes, np.moveaxis(x, -1, -3) + 1)
    back = PACKING(planes)
    np.testing.assert_array_equal(back.reshape(x.shape), x + 1 + 1)


def test_planes_of_any_distance_are_read_and_written_in_place() -> None:
    memory = np.arange(4 * 9 * 16, dtype=np.float32).reshape(4, 9, 16)
    view = memory[1:, 2:7, 3:14]
    np.testing.assert_array_equal(PACKING(view), np.moveaxis(view, 0, -1) + 1)
    out = np.zeros((5, 9, 16), np.float32)
    PLANAR(np.ascontiguousarray(np.moveaxis(view, 0, -1)), out=out[1:4, 2:7, 3:14])
    np.testing.assert_array_equal(out[1:4, 2:7, 3:14], view + 1)
    out[1:4, 2:7, 3:14] = 0
    assert not out.any()


VIEWS: dict[str, Any] = {
    "reversed columns": lambda: np.arange(12.0).reshape(3, 4)[:, ::-1],
    "reversed rows": lambda: np.arange(12.0).reshape(3, 4)[::-1],
    "every other row": lambda: np.arange(24.0).reshape(6, 4)[::2],
    "every other column": lambda: np.arange(24.0).reshape(3, 8)[:, ::2],
    "transposed": lambda: np.arange(12.0).reshape(3, 4).T,
    "five columns of eight": lambda: np.arange(32.0).reshape(4, 8)[:, :5],
    "channels last of planar": lambda: np.arange(60.0).reshape(3, 4, 5).transpose(1, 2, 0),
    "two of three channels": lambda: np.arange(60.0).reshape(4, 5, 3)[..., :2],
    "reversed channels": lambda: np.arange(60.0).reshape(4, 5, 3)[..., ::-1],
    "one column repeated": lambda: np.broadcast_to(np.arange(4.0)[:, None], (4, 6)),
    "one row repeated": lambda: np.broadcast_to(np.arange(6.0), (4, 6)),
    "every other plane": lambda: np.arange(240.0).reshape(4, 4, 5, 3)[::2],
    "reversed planes": lambda: np.arange(240.0).reshape(4, 4, 5, 3)[::-1],
    "misaligned": lambda: (
        np.frombuffer(bytes(1) + np.arange(12.0).tobytes(), np.uint8)[1:]
        .view(np.float64)
        .reshape(3, 4)
    ),
    "rows an odd number of bytes apart": lambda: np.ndarray(
        (3, 4), np.float64, bytes(200), 0, (37, 8)
    ),
    "read-only": lambda: np.frombuffer(np.arange(12.0).tobytes(), np.float64).reshape(3, 4),
    "0-d": lambda: np.array(5.0),
    "five axes": lambda: np.arange(48.0).reshape(2, 2, 2, 3, 2)[:, ::-1],
    "Fortran order": lambda: np.asfortranarray(np.arange(105.0).reshape(5, 7, 3)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_any_view_gives_what_its_copy_gives(name: str) -> None:
    view = VIEWS[name]()
    for _ in range(2):
        np.testing.assert_array_equal(PLAIN(view), view.copy() * 3 + 1)


def test_the_same_signature_with_an_odd_pointer_is_right() -> None:
    memory = np.zeros(8 * 17, np.uint8)
    for start in (0, 1, 8, 3):
        view = memory[start : start + 128].view(np.float64).reshape(4, 4)
        view[:] = np.arange(16.0).reshape(4, 4)
        np.testing.assert_array_equal(PLAIN(view), np.arange(16.0).reshape(4, 4) * 3 + 1)


def test_an_odd_output_is_refused() -> None:
    x = np.zeros((4, 4))
    PLAIN(x, out=np.zeros((4, 4)))
    with pytest.raises(fkl.LayoutError, match=r"lies at 0x.*aligned"):
        PLAIN(x, out=np.zeros(8 * 17, np.uint8)[1:129].view(np.float64).reshape(4, 4))


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0, 3), (0, 4, 4, 3), (0,), (3, 0)])
def test_nothing_in_gives_nothing_out_and_no_launch(shape: Any, count: Any) -> None:
    result = PLAIN(np.zeros(shape, np.uint8))
    assert (result.shape, result.dtype, count.launches, count.compiles) == (shape, np.uint8, 0, 0)


def test_an_empty_list_of_rects_gives_an_empty_batch(count: Any) -> None:
    pipe = fkl.compose(
        fkl.TensorRead(), fkl.Crop(fkl.Arg("rects")), fkl.Resize(8, 6), fkl.TensorSplit()
    )
    image = np.ones((20, 30, 3), np.uint8)
    for empty in ([], np.zeros((0, 4), np.int32)):
        result = pipe(image, rects=empty)
        assert (result.shape, result.dtype, count.launches) == ((0, 3, 6, 8), np.float32, 0)
    assert pipe(image, rects=[(0, 0, 5, 5)]).shape == (1, 3, 6, 8)


def test_strides_of_axes_of_length_one_say_nothing() -> None:
    memory = np.arange(12, dtype=np.uint8)
    view = np.lib.stride_tricks.as_strided(memory, (1, 4, 1), (-999, 3, 12345))
    np.testing.assert_array_equal(PLAIN(view), view.copy() * 3 + 1)
    view = np.lib.stride_tricks.as_strided(memory, (1, 1, 4, 3), (7, -5, 3, 1))
    np.testing.assert_array_equal(PLAIN(view), view.copy() * 3 + 1)


def test_a_list_of_images_of_different_sizes(random: np.random.Generator) -> None:
    images = [
        random.integers(0, 255, (h, w, 3)).astype(np.uint8) for h, w in ((9, 7), (4, 12), (20, 3))
    ]
    images[1] = pitched(images[1], 5)
    images.append(images[0][:, ::-1])
    single = fkl.compose(fkl.TensorRead(), fkl.Resize(6, 5), fkl.Mul(2), fkl.TensorSplit())
    result = single(images)
    assert result.shape == (4, 3, 5, 6)
    for plane, image in zip(result, images, strict=True):
        np.testing.assert_allclose(plane, single(image), rtol=1e-5, atol=1e-3)
    again = single(images[::-1])
    np.testing.assert_allclose(again, result[::-1], rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("empty", [np.s_[:0], np.s_[:, :0]])
def test_an_image_without_pixels_among_others_is_refused(empty: Any) -> None:
    x = np.ones((3, 4), np.float32)
    for options in ({}, {"aspect_ratio": "preserve", "background": 7}):
        pipe = fkl.compose(fkl.TensorRead(), fkl.Resize(2, 2, **options), fkl.TensorWrite())
        with pytest.raises(fkl.ExtentError, match=r"image 1 of the batch of .* has no pixel"):
            pipe([x, x[empty]])
        with pytest.raises(fkl.ExtentError, match=r"image 1 of the batch of .* has no pixel"):
            pipe.output_spec([x, x[empty]])


def test_a_malformed_interface_is_a_sentence() -> None:
    class Wrong:
        __array_interface__ = {"shape": (3,), "typestr": "zz", "data": (8, False), "version": 3}  # noqa: RUF012

    with pytest.raises(fkl.ArgumentError, match=r"Wrong's __array_interface__: .*zz"):
        PLAIN(Wrong())


def test_an_interface_without_numpy_is_read_in_place() -> None:
    class Holder:
        def __init__(self, array: NDArray[Any]) -> None:
            self.__array_interface__ = array.__array_interface__
            self.array = array

    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(PLAIN(Holder(x)), x * 3 + 1)
    out = np.zeros_like(x)
    holder = Holder(out)
    assert PLAIN(Holder(x), out=holder) is holder
    np.testing.assert_array_equal(out, x * 3 + 1)


def test_dlpack_on_the_cpu_is_read_in_place() -> None:
    class Capsule:
        def __init__(self, array: NDArray[Any]) -> None:
            self.array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(PLAIN(Capsule(x)), x * 3 + 1)


def test_a_pillow_image_is_an_array(random: np.random.Generator) -> None:
    image = pytest.importorskip("PIL.Image")
    x = random.integers(0, 80, (5, 7, 3)).astype(np.uint8)
    np.testing.assert_array_equal(PLAIN(image.fromarray(x)), x * 3 + 1)


def test_one_channel_fits_either_shape_of_out() -> None:
    x = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    pipe = fkl.compose(fkl.TensorRead(), fkl.Discard(1), fkl.TensorWrite())
    flat, axis = np.zeros((4, 5), np.uint8), np.zeros((4, 5, 1), np.uint8)
    pipe(x, out=flat)
    pipe(x, out=axis)
    np.testing.assert_array_equal(flat, x[..., 0])
    np.testing.assert_array_equal(axis[..., 0], x[..., 0])


def test_pixels_from_nothing() -> None:
    pipe = fkl.compose(
        fkl.ReadSet((1, 2, 3), 5, 4, planes=2), fkl.Mul(fkl.Arg("k")), fkl.TensorWrite()
    )
    result = pipe(k=2)
    assert result.shape == (2, 4, 5, 3)
    assert (result == np.array([2, 4, 6], np.float32)).all()


def test_a_result_that_no_array_can_hold_is_refused() -> None:
    side = 2**31 - 1
    grow = fkl.compose(fkl.TensorRead(), fkl.Resize(side, side), fkl.TensorWrite())
    with pytest.raises(fkl.ExtentError, match="no array can be that large"):
        grow(np.zeros((1, 1, 4), np.uint8))


@pytest.mark.slow
def test_indices_beyond_4_gib_are_right() -> None:
    height = 2**32 // 65536 + 3
    x = np.zeros((height, 65536), np.uint8)
    x[-1] = np.arange(65536) % 251
    out = fkl.compose(fkl.TensorRead(), fkl.Crop(5, height - 1, 60000, 1), fkl.TensorWrite())(x)
    np.testing.assert_array_equal(out[0], x[-1, 5:60005])
    rows = np.lib.stride_tricks.as_strided(x, (3, 7), (2**31, 1))
    np.testing.assert_array_equal(PLAIN(rows), rows.copy() * 3 + 1)


def test_a_masked_array_does_not_lose_its_mask() -> None:
    masked = np.ma.masked_array(np.ones((2, 2), np.float32), mask=[[0, 1], [0, 0]])
    with pytest.raises(fkl.ArgumentError, match="mask"):
        fkl.compose(fkl.TensorRead(), fkl.Add(1), fkl.TensorWrite())(masked)


@pytest.mark.parametrize("values", [{}, {"k": 2.0}])
def test_no_array_outlives_its_call(values: dict[str, float]) -> None:
    by = fkl.Arg("k") if values else 2.0
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(by), fkl.TensorWrite())
    x = np.ones((3, 4), np.float32)
    pipe(x, **values)
    memory = np.ones((3, 4), np.float32)
    watched = weakref.ref(memory)
    pipe(memory, **values)
    del memory
    gc.collect()
    assert watched() is None
    first = weakref.ref(x)
    del x
    gc.collect()
    assert first() is None


def test_a_bad_value_shows_its_chain_at_every_call() -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(fkl.Arg("k")), fkl.TensorWrite())
    x = np.ones((3, 4), np.uint8)
    pipe(x, k=2)
    for _ in range(2):
        with pytest.raises(fkl.FklError, match=r">> Mul"):
            pipe(x, k="many")
