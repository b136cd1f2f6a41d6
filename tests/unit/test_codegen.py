# SPDX-License-Identifier: Apache-2.0
"""Golden sources: a change of plan or generator shows its effect as a diff. `--update-golden`
rewrites them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import Arg
from fkl._codegen import failing_step

GOLDEN = Path(__file__).parent / "golden"
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)

CHAINS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "main_job": (
        fkl.compose(
            fkl.TensorRead(),
            fkl.Crop(Arg("rects")),
            fkl.Resize(224, 224),
            fkl.ColorConversion("BGR2RGB"),
            fkl.Div(255.0),
            fkl.Sub(MEAN),
            fkl.Div(STD),
            fkl.TensorSplit(),
        ),
        np.zeros((480, 640, 3), np.uint8),
        {"rects": [(0, 0, 60, 120)] * 50},
    ),
    "letterbox_list": (
        fkl.compose(
            fkl.PerThreadRead(),
            fkl.Resize(640, 640, aspect_ratio="preserve", background=114),
            fkl.PerThreadWrite(),
        ),
        [np.zeros((480, 640, 3), np.uint8), np.zeros((48, 64, 3), np.uint8)],
        {},
    ),
    "nearest_double_planar": (
        fkl.compose(
            fkl.TensorPack(),
            fkl.Resize(4, 4, interpolation="nearest", coordinates="asymmetric"),
            fkl.Mul(fkl.each([1, 2])),
            fkl.TensorWrite(),
            thread_fusion=False,
        ),
        np.zeros((3, 8, 8), np.float64),
        {},
    ),
    "made_pixels": (
        fkl.compose(
            fkl.ReadSet((1, 2, 3), 8, 4, dtype="float16"),
            fkl.VectorReduce("max"),
            fkl.AddLast(0.5),
            fkl.SaturateCast("uint8"),
            fkl.VectorReorder(1, 0),
            fkl.Discard(),
            fkl.TensorSplit(),
        ),
        None,
        {},
    ),
}


def source_of(name: str) -> str:
    pipe, image, args = CHAINS[name]
    return pipe.source(*([] if image is None else [image]), **args)


@pytest.mark.parametrize("name", CHAINS)
def test_the_emitted_source_is_the_golden_one(name: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.cpp"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(source_of(name))
    assert source_of(name) == path.read_text()


def test_values_extents_and_counts_are_not_in_the_source() -> None:
    pipe, _, _ = CHAINS["main_job"]
    other = fkl.compose(
        fkl.TensorRead(),
        fkl.Crop([(1, 1, 9, 9)]),
        fkl.Resize(7, 9),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Div(3),
        fkl.Sub((1, 2, 3)),
        fkl.Div(4.5),
        fkl.TensorSplit(),
    )
    image = np.zeros((51, 33, 3), np.uint8)[:, 1:]
    assert other.source(image) == source_of("main_job")
    assert pipe.source(np.zeros((2, 9, 9, 3), np.uint8), rects=(0, 0, 9, 9)) == source_of(
        "main_job"
    )


@pytest.mark.parametrize(
    "changed",
    [
        (fkl.TensorRead(), fkl.Mul(2), fkl.TensorSplit()),
        (fkl.TensorRead(), fkl.Add(2), fkl.TensorWrite()),
        (fkl.TensorRead(), fkl.Mul(fkl.each([2])), fkl.TensorWrite()),
    ],
)
def test_types_and_operations_are_in_the_source(changed: Any) -> None:
    image = np.zeros((4, 4, 3), np.float32)
    base = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite())
    assert fkl.compose(*changed).source(image) != base.source(image)
    assert base.source(image.astype(np.float64)) != base.source(image)


def test_a_line_of_a_compilers_log_names_a_step() -> None:
    source = source_of("main_job")
    line = next(
        index for index, text in enumerate(source.splitlines(), 1) if "const auto step4" in text
    )
    assert failing_step(source, f"/tmp/x/kernel.cpp:{line}:9: error: no") == 4
    line = next(index for index, text in enumerate(source.splitlines(), 1) if "fkl: step 5" in text)
    assert failing_step(source, f"kernel.cpp:{line}:1: error: static assertion failed") == 5
    assert failing_step(source, "somewhere else") is None
