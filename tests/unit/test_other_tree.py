# SPDX-License-Identifier: Apache-2.0
"""FKL_INCLUDE: what is emitted for another FKL tree, and what is refused before compiling.

fkl's own headers stand for such a tree: they have FKL's user-level API.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import _cache, _tree
from fkl._errors import ComposeError
from fkl._op import MAP, REGISTRY

GOLDEN = Path(__file__).parent / "golden"
IMAGE = np.zeros((48, 64, 3), np.uint8)
RECTS = [(0, 0, 20, 20), (5, 6, 30, 30), (1, 1, 9, 40)]


@pytest.fixture(autouse=True)
def other_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FKL_INCLUDE", str(_cache.include_dir()))


def resize(**options: Any) -> Any:
    return fkl.Resize(32, 16, **{"coordinates": "asymmetric", **options})


def crops() -> Any:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Crop(fkl.Arg("rects")),
        resize(aspect_ratio="preserve", background=(1, 2, 3)),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Div(255.0),
        fkl.TensorSplit(),
    )


def body_of(source: str) -> str:
    """Without the support text, which is the same for every chain."""
    return source[source.index("struct fkl_params") :]


CHAINS: dict[str, Any] = {
    "tree_crops": lambda: crops().source(IMAGE, rects=RECTS),
    "tree_batch": lambda: fkl.compose(
        fkl.TensorPack(), fkl.Mul(2), resize(), fkl.TensorWrite()
    ).source(np.zeros((4, 3, 8, 8), np.float32)),
    "tree_made": lambda: fkl.compose(
        fkl.ReadSet((1, 2), 8, 4, 3, dtype="int32"), fkl.AddLast(7), fkl.TensorWrite()
    ).source(),
    "tree_list": lambda: fkl.compose(fkl.TensorRead(), resize(), fkl.TensorWrite()).source(
        [IMAGE, IMAGE[:20]]
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_the_emitted_source_is_the_golden_one(name: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.cpp"
    source = body_of(CHAINS[name]())
    if request.config.getoption("--update-golden"):
        path.write_text(source)
    assert source == path.read_text()


def test_only_the_users_api_of_fkl_is_named() -> None:
    names = {name for make in CHAINS.values() for name in re.findall(r"fk::(?:ND::)?(\w+)", make())}
    assert names <= {
        *("ActiveThreads", "AddLast", "AspectRatio", "ColorConversion", "ColorConversionCodes"),
        *("Crop", "Div", "InterpolationType", "Mul", "ND", "ParArch", "PerThreadRead", "RawPtr"),
        *("ReadSet", "Rect", "Resize", "Size", "Stream_", "T3D", "TensorRead", "TensorTPack"),
        *("TensorTSplit", "TensorWrite", "TransformDPP", "executeOperations", "_2D", "_3D"),
    }


def test_numbers_are_not_in_the_source_and_counts_are() -> None:
    moved = [(1, 2, 7, 7), (9, 9, 9, 9), (3, 3, 3, 3)]
    assert crops().source(IMAGE, rects=moved) == crops().source(IMAGE[:45], rects=RECTS)
    assert crops().source(IMAGE, rects=moved[:2]) != crops().source(IMAGE, rects=moved)
    pointwise = fkl.compose(fkl.TensorRead(), fkl.Cast("float32"), fkl.TensorWrite())
    assert pointwise.source(IMAGE[None]) == pointwise.source(np.stack([IMAGE] * 9))


def test_a_chain_keeps_the_tree_that_it_was_composed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = crops()
    before = pipe.source(IMAGE, rects=RECTS)
    monkeypatch.delenv("FKL_INCLUDE")
    assert pipe.source(IMAGE, rects=RECTS) == before
    assert "fkl_table" not in crops().source(IMAGE, rects=RECTS)


def test_every_row_has_a_spelling() -> None:
    assert [row.name for row in REGISTRY.values() if row.fkl is None] == []


U8, F32, F64 = "uint8", "float32", "float64"
REFUSED: list[tuple[Any, str, str]] = [
    ([fkl.Resize(4, 4)], U8, r'no half_pixel coordinates there: say coordinates="asymmetric"'),
    ([resize(interpolation="nearest")], U8, 'no nearest there: use "linear"'),
    ([fkl.Cast(F64), resize()], U8, r'Resize: it takes no float64 there: put Cast\("float32"\)'),
    ([fkl.Mul(2)], U8, r'uint8x3 becomes int32x3 there: put Cast\("int32"\)'),
    ([fkl.Cast("int32"), fkl.Div(2)], U8, "division of integers is undefined there"),
    ([fkl.Add(fkl.each([1, 2]))], F32, "value is one for all planes there"),
    ([fkl.Cast("float16")], F32, "float16 is no element there"),
    ([fkl.Max(1)], "int8", "int8 is no element there: convert the array before the call"),
    ([fkl.SaturateCast("bool")], F32, "no bool in a SaturateCast there"),
    ([fkl.Saturate(0, 1)], F32, "Saturate: it takes one channel there: use Max and Min"),
    ([fkl.ColorConversion("RGB2GRAY")], F32, "gray of a float is rounded there"),
    ([fkl.ColorConversion("RGB2BGRA")], F32, r"no alpha there: use AddLast\(1.0\)"),
    ([fkl.Add(1)], F64, "pixels of three float64 are laid out differently there"),
]


@pytest.mark.parametrize(("operations", "dtype", "text"), REFUSED)
def test_what_such_a_tree_lacks_is_said_before_compiling(
    operations: list[Any], dtype: str, text: str
) -> None:
    pipe = fkl.compose(fkl.TensorRead(), *operations, fkl.TensorWrite())
    with pytest.raises(ComposeError, match=text) as caught:
        pipe.source(np.zeros((8, 8, 3), dtype))
    assert "FKL_INCLUDE (experimental): " in str(caught.value)
    assert re.search(r"^step \d, .*\n  .*>> \w+ <<", str(caught.value))


def test_an_operation_without_a_spelling_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in REGISTRY.values() if row.kind is MAP)
    object.__setattr__(row, "fkl", None)
    monkeypatch.setattr(row.operation, "row", row)
    try:
        pipe = fkl.compose(fkl.TensorRead(), row.operation(**row.cases[0]), fkl.TensorWrite())
        with pytest.raises(ComposeError, match="no such operation: unset FKL_INCLUDE"):
            pipe.source(np.zeros((8, 8), np.float32))
    finally:
        object.__setattr__(row, "fkl", f"fk::{row.name}<{{in}}>")


def test_sizes_beyond_32_bits_and_too_many_planes_name_their_step() -> None:
    apart = np.lib.stride_tricks.as_strided(np.zeros(64, np.uint8), (3, 64), (2**31, 1))
    pipe = fkl.compose(fkl.TensorRead(), resize(), fkl.TensorWrite())
    with pytest.raises(fkl.ExtentError, match=r"step 0, (?s:.*)6442450944 bytes is beyond the 32"):
        pipe.source(apart)
    with pytest.raises(fkl.ExtentError, match=r"step 1, (?s:.*)1025 are more than 1024"):
        crops().source(IMAGE, rects=RECTS[:1] * 1025)
    made = fkl.compose(fkl.ReadSet(1, 8, 8, 2), resize(), fkl.TensorWrite())
    with pytest.raises(fkl.ExtentError, match=r"step 0, (?s:.*)make one plane"):
        made.source()


def test_a_folder_without_fkl_is_said_and_the_right_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FKL_INCLUDE", str(tmp_path))
    with pytest.raises(fkl.ToolchainError, match=r"has no fused_kernel/fused_kernel\.h$"):
        crops()
    (tmp_path / "include").symlink_to(_cache.include_dir())
    with pytest.raises(fkl.ToolchainError, match=r"fused_kernel\.h: say .*/include$"):
        crops()


def test_a_chain_for_such_a_tree_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(fkl.ArgumentError, match="a chain for another FKL tree is not saved"):
        fkl.save(crops(), tmp_path / "x.fkl", inputs=["uint8x3"], targets=["cpu"])


def test_the_digest_is_one_of_contents_and_names(tmp_path: Path) -> None:
    folder = tmp_path / "fused_kernel"
    folder.mkdir()
    (folder / "a.h").write_text("1")
    seen = [_tree.tree_digest(tmp_path)]
    (folder / "a.h").write_text("2")
    seen.append(_tree.tree_digest(tmp_path))
    (folder / "a.h").rename(folder / "b.h")
    seen.append(_tree.tree_digest(tmp_path))
    (folder / "notes.md").write_text("no header")
    assert len({*seen, _tree.tree_digest(tmp_path)}) == 3
