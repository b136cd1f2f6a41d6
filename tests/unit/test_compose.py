# SPDX-License-Identifier: Apache-2.0
"""Composing: order, equality, pickling, what a chain says about its result, and the sentences for
what is wrong.

Nothing here compiles; a test would hang on a machine without a compiler if it did.
"""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import Arg

IMAGE = np.zeros((48, 64, 3), np.uint8)
READ, WRITE = fkl.TensorRead(), fkl.TensorWrite()


def spec_of(*operations: Any, image: Any = IMAGE, **args: Any) -> fkl.OutputSpec:
    return fkl.compose(*operations).output_spec(image, **args)


@pytest.mark.parametrize(
    ("operations", "sentence"),
    [
        ((), "no operation"),
        ((fkl.Mul(2), WRITE), "starts with a read"),
        ((READ, fkl.Mul(2)), "ends with a write"),
        ((READ, READ, WRITE), "one read"),
        ((READ, WRITE, fkl.Mul(2)), "one write"),
        ((READ, WRITE, WRITE), "one write"),
        ((READ, 3, WRITE), "no operation"),
        ((READ, fkl.SaturateFloat, WRITE), r"write SaturateFloat\(\.\.\.\)"),
    ],
)
def test_a_wrong_order_is_a_sentence(operations: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(fkl.ComposeError, match=sentence):
        fkl.compose(*operations)


def test_an_error_shows_the_chain_and_marks_the_step() -> None:
    with pytest.raises(fkl.DTypeError) as caught:
        spec_of(READ, fkl.Resize(8, 8), fkl.Mul((2, 2)), WRITE)
    assert str(caught.value) == (
        "step 2, Mul(value=(2, 2)), cannot follow step 1\n"
        "  TensorRead uint8x3 → Resize float32x3 → >> Mul << → TensorWrite\n"
        "  value has 2 numbers; this element has 3 channels: give 1 or 3."
    )


def test_a_fraction_on_an_integer_chain_suggests_cast() -> None:
    with pytest.raises(fkl.DTypeError, match="Cast"):
        spec_of(READ, fkl.Mul(0.5), WRITE)


def test_a_bool_does_not_multiply() -> None:
    with pytest.raises(fkl.DTypeError, match="Mul does not take bool"):
        spec_of(READ, fkl.Mul(1), WRITE, image=np.zeros((4, 4), bool))


def test_equal_recipes_are_equal_and_hash_alike() -> None:
    first = fkl.compose(READ, fkl.Mul([1, 2, 3]), WRITE)
    second = fkl.compose(fkl.TensorRead(), fkl.Mul((1, 2, 3)), fkl.TensorWrite())
    assert first == second
    assert hash(first) == hash(second)
    assert first != fkl.compose(READ, fkl.Mul((1, 2, 4)), WRITE)
    assert first != fkl.compose(READ, fkl.Mul((1, 2, 3)), WRITE, fp="strict")


def test_a_pipeline_pickles_as_its_recipe() -> None:
    pipe = fkl.compose(
        READ,
        fkl.Crop(Arg("rects")),
        fkl.Resize(4, 4, aspect_ratio="preserve"),
        fkl.Mul(fkl.each([1, 2])),
        WRITE,
    )
    assert pickle.loads(pickle.dumps(pipe)) == pipe


@pytest.mark.parametrize(
    "operation",
    [
        fkl.Mul(2),
        fkl.Mul((1, 2.5)),
        fkl.Crop(1, 2, 3, 4),
        fkl.Crop(Arg("r")),
        fkl.Crop([(1, 2, 3, 4), (5, 6, 7, 8)]),
        fkl.Resize(4, 5),
        fkl.Resize(Arg("s")),
        fkl.Resize(4, 5, aspect_ratio="preserve", background=(1, 2, 3)),
        fkl.VectorReorder(2, 1, 0),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Saturate(0, 1),
        fkl.Cast("uint8"),
        fkl.ReadSet((1, 2), 4, 5),
        fkl.Discard(),
        fkl.TensorRead(layout="NHW"),
        fkl.SaturateFloat(),
    ],
    ids=repr,
)
def test_a_repr_is_what_one_would_write(operation: fkl.Operation) -> None:
    assert eval(repr(operation), {**vars(fkl)}) == operation


def test_operations_are_immutable() -> None:
    with pytest.raises(AttributeError):
        fkl.Mul(2).value = 3  # type: ignore[misc]


@pytest.mark.parametrize("options", [{"target": "tpu"}, {"thread_fusion": "yes"}, {"fp": "loose"}])
def test_an_unknown_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(fkl.ComposeError, match=next(iter(options))):
        fkl.compose(READ, WRITE, **options)


@pytest.mark.parametrize(
    ("operations", "shape", "expected"),
    [
        ((READ, WRITE), (16,), ((16,), "W")),
        ((READ, WRITE), (4, 5), ((4, 5), "HW")),
        ((READ, WRITE), (4, 5, 1), ((4, 5, 1), "HWC")),
        ((READ, WRITE), (2, 4, 5, 3), ((2, 4, 5, 3), "NHWC")),
        ((READ, WRITE), (1, 4, 5, 3), ((1, 4, 5, 3), "NHWC")),
        ((fkl.TensorRead(layout="NHW"), WRITE), (7, 4, 5), ((7, 4, 5), "NHW")),
        ((READ, WRITE), (7, 4, 5), ((7, 4, 5), "any shape")),
        ((READ, WRITE), (2, 3, 4, 5, 6), ((2, 3, 4, 5, 6), "any shape")),
        ((READ, WRITE), (), ((), "any shape")),
        ((READ, fkl.TensorSplit()), (4, 5, 3), ((3, 4, 5), "CHW")),
        ((READ, fkl.TensorSplit()), (4, 5), ((1, 4, 5), "CHW")),
        ((READ, fkl.TensorSplit()), (2, 4, 5, 3), ((2, 3, 4, 5), "NCHW")),
        ((fkl.TensorPack(), WRITE), (3, 4, 5), ((4, 5, 3), "HWC")),
        ((fkl.TensorPack(), fkl.TensorSplit()), (2, 3, 4, 5), ((2, 3, 4, 5), "NCHW")),
        ((READ, fkl.ColorConversion("RGB2GRAY"), WRITE), (4, 5, 3), ((4, 5), "HW")),
        ((READ, fkl.AddLast(1), WRITE), (4, 5), ((4, 5, 2), "HWC")),
        ((READ, fkl.Resize(8, 2), WRITE), (4, 5, 3), ((2, 8, 3), "HWC")),
        ((READ, fkl.Resize(8, 1), WRITE), (4,), ((1, 8), "HW")),
        ((READ, fkl.Crop([(0, 0, 2, 3)] * 5), WRITE), (4, 5, 3), ((5, 3, 2, 3), "NHWC")),
        ((READ, fkl.Crop([(0, 0, 2, 3)]), WRITE), (4, 5, 3), ((1, 3, 2, 3), "NHWC")),
        ((READ, fkl.Crop(0, 0, 2, 3), WRITE), (4, 5, 3), ((3, 2, 3), "HWC")),
        ((READ, fkl.Crop(0, 0, 2, 3), WRITE), (6, 4, 5, 3), ((6, 3, 2, 3), "NHWC")),
        ((READ, fkl.Mul(fkl.each([1, 2])), WRITE), (4, 5, 3), ((2, 4, 5, 3), "NHWC")),
        ((READ, WRITE), (0, 4, 3), ((0, 4, 3), "HWC")),
        ((READ, fkl.Crop([]), fkl.Resize(2, 2), WRITE), (4, 5, 3), ((0, 2, 2, 3), "NHWC")),
    ],
)
def test_the_result_has_the_shape_one_expects(operations: Any, shape: Any, expected: Any) -> None:
    found = spec_of(*operations, image=np.zeros(shape, np.uint8))
    assert (found.shape, found.layout) == expected


def test_a_list_of_images_is_a_batch() -> None:
    images = [np.zeros((4, 5, 3), np.uint8), np.zeros((6, 3, 3), np.uint8)]
    assert spec_of(READ, fkl.Resize(2, 2), WRITE, image=images).shape == (2, 2, 2, 3)


def test_images_of_different_sizes_need_a_resize() -> None:
    images = [np.zeros((4, 5, 3), np.uint8), np.zeros((6, 3, 3), np.uint8)]
    with pytest.raises(fkl.ExtentError, match="put a Resize before"):
        spec_of(READ, WRITE, image=images)


def test_crops_of_different_sizes_need_a_resize() -> None:
    with pytest.raises(fkl.ExtentError, match="put a Resize before"):
        spec_of(READ, fkl.Crop([(0, 0, 2, 2), (0, 0, 3, 2)]), WRITE)


def test_images_of_one_list_have_one_type() -> None:
    with pytest.raises(fkl.DTypeError, match="image 1 of the list is float32x3"):
        spec_of(READ, fkl.Resize(2, 2), WRITE, image=[IMAGE, IMAGE.astype(np.float32)])


def test_a_rect_outside_names_its_index_and_the_image() -> None:
    image = np.zeros((100, 100), np.uint8)
    rects = [(0, 0, 100, 50), (50, 0, 50, 100), (99, 0, 2, 1)]
    with pytest.raises(ValueError, match=r"rect 2, .*x=99.*the image is 100×100"):
        spec_of(READ, fkl.Crop(rects), fkl.Resize(2, 2), WRITE, image=image)
    assert spec_of(READ, fkl.Crop(rects[:2]), fkl.Resize(2, 2), WRITE, image=image).shape == (
        2,
        2,
        2,
    )


@pytest.mark.parametrize(
    "rect",
    [(-1, 0, 2, 2), (0, -1, 2, 2), (0, 0, 65, 2), (0, 47, 2, 2), (2**31 - 1, 0, 2**31 - 1, 1)],
)
def test_a_rect_outside_on_any_side_is_found(rect: Any) -> None:
    with pytest.raises(fkl.ExtentError, match="rect 0"):
        spec_of(READ, fkl.Crop(rect), WRITE)


def test_a_rect_of_a_list_is_checked_against_its_own_image() -> None:
    images = [np.zeros((8, 8), np.uint8), np.zeros((4, 4), np.uint8)]
    with pytest.raises(fkl.ExtentError, match=r"rect 1, .*the image is 4×4"):
        spec_of(READ, fkl.Crop([(0, 0, 5, 5), (0, 0, 5, 5)]), WRITE, image=images)


def test_an_empty_rect_is_refused() -> None:
    with pytest.raises(fkl.ExtentError, match="is empty"):
        spec_of(READ, fkl.Crop(0, 0, 0, 3), WRITE)


def test_corners_are_another_way_to_write_rects() -> None:
    assert spec_of(READ, fkl.Crop([(1, 2, 5, 4)], format="xyxy"), WRITE).shape == (1, 2, 4, 3)


def test_planes_and_rects_must_agree() -> None:
    with pytest.raises(fkl.ExtentError, match="3 entries, and the batch has 2 planes"):
        spec_of(READ, fkl.Crop([(0, 0, 1, 1)] * 3), WRITE, image=np.zeros((2, 4, 4, 3), np.uint8))


@pytest.mark.parametrize(
    ("source", "size", "mode", "expected"),
    [
        ((1024, 768), (640, 640), "preserve", (0, 80, 640, 480)),
        ((200, 100), (60, 60), "preserve", (0, 15, 60, 30)),
        ((70, 15), (60, 60), "preserve", (0, 23, 60, 13)),
        ((70, 15), (60, 60), "preserve_even", (0, 24, 60, 12)),
        ((100, 200), (60, 61), "preserve_left", (0, 0, 31, 61)),
        ((1, 1000), (64, 64), "preserve", (31, 0, 1, 64)),
        ((1000, 1), (64, 64), "preserve", (0, 31, 64, 1)),
    ],
)
def test_letterboxing_says_where_the_image_lies(
    source: Any, size: Any, mode: str, expected: Any
) -> None:
    image = np.zeros((source[1], source[0]), np.uint8)
    (place,) = spec_of(READ, fkl.Resize(*size, aspect_ratio=mode), WRITE, image=image).placements
    assert (place.x, place.y, place.width, place.height) == expected
    assert (place.scale_x, place.scale_y) == (place.width / source[0], place.height / source[1])


def test_every_plane_has_its_placement() -> None:
    images = [np.zeros((10, 20), np.uint8), np.zeros((20, 10), np.uint8)]
    places = spec_of(
        READ, fkl.Resize(8, 8, aspect_ratio="preserve"), WRITE, image=images
    ).placements
    assert [(place.width, place.height) for place in places] == [(8, 4), (4, 8)]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [({}, "needs k="), ({"k": 2, "other": 1}, "no Arg 'other'"), ({"k": None}, "give a value")],
)
def test_args_must_match(args: dict[str, Any], sentence: str) -> None:
    with pytest.raises(fkl.ArgumentError, match=sentence):
        spec_of(READ, fkl.Mul(Arg("k")), WRITE, **args)


@pytest.mark.parametrize(
    "method",
    [
        fkl.Pipeline.__call__,
        fkl.Pipeline.bind,
        fkl.Pipeline.output_spec,
        fkl.Pipeline.source,
        fkl.BoundCall.update,
    ],
)
def test_an_arg_cannot_have_the_name_of_a_calls_own_parameter(method: Any) -> None:
    for parameter in inspect.signature(method).parameters.values():
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            with pytest.raises(fkl.ArgumentError, match="identifier other than"):
                Arg(parameter.name)


def test_a_side_of_a_crop_that_is_an_array_is_refused() -> None:
    side: Any = np.array([5, 6])
    with pytest.raises(fkl.ExtentError, match="x, y, width, height"):
        fkl.Crop(side, 0, 2, 2)


@pytest.mark.parametrize("width", [float("nan"), float("inf"), 0.5])
def test_a_width_that_is_no_number_of_pixels_marks_its_step(width: float) -> None:
    with pytest.raises(fkl.ExtentError, match=r">> Resize <<[^>]*\n.*whole number of pixels"):
        spec_of(READ, fkl.Resize(Arg("w"), 5), WRITE, w=width)


def test_rects_of_different_sizes_on_an_empty_batch_give_an_empty_batch() -> None:
    empty, rects = np.zeros((0, 8, 8, 3), np.uint8), [(0, 0, 2, 2), (0, 0, 3, 3)]
    assert spec_of(READ, fkl.Crop(rects), WRITE, image=empty).shape == (0, 3, 3, 3)
    assert spec_of(READ, fkl.Crop(rects), fkl.Resize(5, 4), WRITE, image=empty).shape[0] == 0


@pytest.mark.parametrize("shape", [(2, 2, 2, 2, 2), (2, 2, 7), (0, 2, 7)])
def test_an_array_without_planes_takes_no_value_per_plane(shape: tuple[int, ...]) -> None:
    image = np.zeros(shape, np.uint8)
    with pytest.raises(fkl.LayoutError, match="N×H×W×C"):
        spec_of(READ, fkl.Mul(fkl.each([5, 6])), WRITE, image=image)
    with pytest.raises(fkl.LayoutError, match="N×H×W×C"):
        spec_of(READ, fkl.Mul(Arg("k")), WRITE, image=image, k=fkl.each([5, 6]))
    assert spec_of(READ, fkl.Mul(fkl.each([5])), WRITE, image=image).shape == shape


def test_an_arg_cannot_stand_for_what_is_compiled() -> None:
    with pytest.raises(fkl.ComposeError, match="compile time"):
        fkl.TensorRead(layout=Arg("layout"))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, 2])
def test_a_chain_takes_one_input(count: int) -> None:
    with pytest.raises(fkl.ArgumentError, match="takes 1 input"):
        fkl.compose(READ, WRITE)(*[IMAGE] * count)


@pytest.mark.parametrize("value", [3, "image", None, object()])
def test_what_is_no_array_is_refused(value: Any) -> None:
    with pytest.raises(fkl.ArgumentError, match="is no array"):
        fkl.compose(READ, WRITE)(value)


@pytest.mark.parametrize("dtype", [">f4", "complex64", "S3", "datetime64[s]", object, "longdouble"])
def test_an_element_type_that_nobody_serves_is_refused(dtype: Any) -> None:
    with pytest.raises(fkl.DTypeError):
        spec_of(READ, WRITE, image=np.zeros((4, 4), dtype))


def test_five_channels_are_no_pixel() -> None:
    with pytest.raises(fkl.LayoutError, match=r"5 channels.*NHW"):
        spec_of(READ, fkl.Resize(2, 2), WRITE, image=np.zeros((4, 4, 5), np.uint8))


@pytest.mark.parametrize(
    ("out", "error", "sentence"),
    [
        (np.zeros((48, 64, 3), np.float64), fkl.DTypeError, "out has dtype float64"),
        (np.zeros((64, 48, 3), np.uint8), fkl.LayoutError, r"out has shape \(64, 48, 3\)"),
        (np.zeros((3, 48, 64), np.uint8), fkl.LayoutError, "out has shape"),
        (np.zeros((48, 64, 6), np.uint8)[:, :, ::2], fkl.LayoutError, "cannot write"),
        (np.zeros((48, 64, 3), np.uint8)[::-1], fkl.LayoutError, "cannot write"),
        (
            np.broadcast_to(np.zeros((1, 64, 3), np.uint8), (48, 64, 3)),
            fkl.LayoutError,
            "cannot write",
        ),
    ],
)
def test_an_out_that_will_not_do_is_refused_before_anything_is_compiled(
    out: Any, error: Any, sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        fkl.compose(READ, WRITE)(IMAGE, out=out)


def test_an_out_over_the_input_is_refused() -> None:
    memory = np.zeros((50, 64, 3), np.uint8)
    with pytest.raises(fkl.LayoutError, match="overlaps"):
        fkl.compose(READ, WRITE)(memory[:48], out=memory[2:])


def test_a_read_only_out_is_refused() -> None:
    out = np.zeros_like(IMAGE)
    out.flags.writeable = False
    with pytest.raises(fkl.LayoutError, match="read-only"):
        fkl.compose(READ, WRITE)(IMAGE, out=out)


def test_a_stream_has_no_meaning_on_the_cpu() -> None:
    with pytest.raises(fkl.ArgumentError, match="stream"):
        fkl.compose(READ, WRITE)(IMAGE, stream=1)


def test_errors_are_also_the_builtin_ones_that_users_catch() -> None:
    assert issubclass(fkl.ExtentError, ValueError)
    assert issubclass(fkl.LayoutError, ValueError)
    assert issubclass(fkl.DTypeError, TypeError)
    assert issubclass(fkl.ArgumentError, TypeError)


def test_an_error_in_a_long_chain_shows_what_is_near() -> None:
    steps = [fkl.Add(1) for _ in range(1000)]
    pipe = fkl.compose(fkl.TensorRead(), *steps, fkl.Crop(0, 0, 9, 9), fkl.TensorWrite())
    with pytest.raises(fkl.ExtentError) as caught:
        pipe.output_spec(np.ones((3, 3), np.float32))
    text = str(caught.value)
    assert len(text) < 500
    assert "TensorRead float32 → … → Add" in text
    assert ">> Crop << → TensorWrite" in text
