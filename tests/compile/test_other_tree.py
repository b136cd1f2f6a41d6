# SPDX-License-Identifier: Apache-2.0
"""FKL_INCLUDE on the CPU and through nvcc; fkl's own headers stand for another FKL tree.

Every row that has a spelling there gives what it gives otherwise. The default run takes each row
once; those marked slow are every case and element type, with channel counts in turn.
"""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fkl
from fkl import _build, _cache, _kernel
from fkl._call import Prepared
from fkl._dtypes import ELEMENTS
from fkl._errors import ComposeError
from fkl._op import GEOMETRY, MAP, REGISTRY, Operation, Row
from tests.compile.test_ops import construct

RECTS = [(0, 0, 20, 20), (5, 6, 30, 30), (1, 1, 9, 40)]
NAMES = [name for name in ELEMENTS if name not in ("int8", "float16", "bfloat16")]


@pytest.fixture
def other_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FKL_INCLUDE", str(_cache.include_dir()))


def compose(operation: Operation, tree: str | None) -> fkl.Pipeline:
    with pytest.MonkeyPatch.context() as patch:
        if tree is None:
            patch.delenv("FKL_INCLUDE", raising=False)
        else:
            patch.setenv("FKL_INCLUDE", tree)
        return fkl.compose(fkl.TensorRead(), operation, fkl.TensorWrite())


def served(operation: Operation, name: str, channels: int) -> bool:
    """Whether this case of a row exists for this element, here and in such a tree."""
    try:
        image = np.zeros((8, 8, channels), name)
        compose(operation, str(_cache.include_dir())).source(image)
    except ComposeError:
        return False
    return True


def cases() -> Iterator[Any]:
    for row in REGISTRY.values():
        if row.kind in (MAP, GEOMETRY):
            yield from cases_of(row)


def cases_of(row: Row) -> Iterator[Any]:
    marks: list[Any] = []
    for number, case in enumerate(row.cases):
        operation = construct(row, dict(case))
        for turn, name in enumerate(dict.fromkeys(("float32", "uint8", *NAMES))):
            counts = [count for count in (3, 4, 1, 2) if served(operation, name, count)]
            if counts:
                channels = counts[(number + turn) % len(counts)]
                title = f"{operation}-{name}x{channels}"
                yield pytest.param(operation, name, channels, marks=marks, id=title)
                marks = [pytest.mark.slow]


def image_of(random: np.random.Generator, name: str, shape: tuple[int, ...]) -> Any:
    """Numbers for which C++ leaves nothing undefined."""
    kind = ELEMENTS[name].kind
    if kind == "f":
        return random.uniform(0, 120, shape).astype(name)
    return random.integers(0, 2 if kind == "b" else 120, shape).astype(name)


@pytest.mark.parametrize(("operation", "name", "channels"), list(cases()))
def test_a_row_gives_what_it_gives_with_our_own_headers(
    operation: Operation, name: str, channels: int, random: np.random.Generator
) -> None:
    x = image_of(random, name, (8, 19, channels))
    expected = compose(operation, None)(x)
    result = compose(operation, str(_cache.include_dir()))(x)
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=120e-5)


def crops() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Crop(fkl.Arg("rects")),
        fkl.Resize(32, 16, coordinates="asymmetric"),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Sub((1, 2, 3)),
        fkl.TensorSplit(),
    )


@pytest.fixture
def frame(random: np.random.Generator) -> Any:
    return random.integers(0, 256, (48, 64, 3), np.uint8)


def twice(monkeypatch: pytest.MonkeyPatch, make: Any, *inputs: Any, **args: Any) -> None:
    """The same chain with our headers and with another tree gives the same."""
    monkeypatch.delenv("FKL_INCLUDE", raising=False)
    expected = make()(*inputs, **args)
    monkeypatch.setenv("FKL_INCLUDE", str(_cache.include_dir()))
    np.testing.assert_allclose(make()(*inputs, **args), expected, rtol=1e-5, atol=255e-5)


def test_crops_of_one_image_and_of_a_batch(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = np.stack([frame, frame[::-1], frame[:, ::-1]])
    twice(monkeypatch, crops, frame, rects=RECTS)
    twice(monkeypatch, crops, batch, rects=RECTS)
    twice(monkeypatch, crops, batch, rects=RECTS[1])


def test_another_count_compiles_again_and_other_rects_do_not(
    frame: Any, count: Any, other_tree: None
) -> None:
    pipe = crops()
    run = pipe.bind(frame, rects=RECTS)
    three = run().copy()
    before = count.compiles
    moved = run.update(rects=[RECTS[2], RECTS[1], RECTS[0]])().copy()
    np.testing.assert_array_equal(moved, three[::-1])
    assert count.compiles == before
    np.testing.assert_array_equal(pipe(frame, rects=RECTS[:2]), three[:2])
    assert count.compiles == before + 1
    np.testing.assert_array_equal(pipe(frame, rects=RECTS), three)
    assert count.compiles == before + 1


def test_images_of_different_sizes_and_planar_batches(
    frame: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def letterboxed() -> fkl.Pipeline:
        resize = fkl.Resize(
            20, 20, coordinates="asymmetric", aspect_ratio="preserve", background=(9, 8, 7)
        )
        return fkl.compose(fkl.TensorRead(), resize, fkl.TensorWrite())

    def planar() -> fkl.Pipeline:
        resize = fkl.Resize(9, 7, coordinates="asymmetric")
        return fkl.compose(fkl.TensorPack(), fkl.Max(9), resize, fkl.Mul(2), fkl.TensorSplit())

    twice(monkeypatch, letterboxed, [frame, frame[:20], frame[5:25, 3:30]])
    twice(
        monkeypatch,
        planar,
        np.ascontiguousarray(np.stack([frame, 255 - frame]).transpose(0, 3, 1, 2)),
    )


def test_made_pixels_strided_views_and_planes_without_geometry(
    frame: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made() -> fkl.Pipeline:
        return fkl.compose(fkl.ReadSet((1, 2), 8, 4, 3, dtype="int32"), fkl.TensorSplit())

    def wide() -> fkl.Pipeline:
        return fkl.compose(fkl.PerThreadRead(), fkl.Cast("float64"), fkl.TensorSplit())

    twice(monkeypatch, made)
    twice(monkeypatch, wide, np.stack([frame] * 3)[:, ::2, 5:40])


def test_pixels_between_two_of_them_are_refused_at_run_time(other_tree: None) -> None:
    pipe = fkl.compose(fkl.TensorRead(), fkl.Mul(2), fkl.TensorWrite())
    memory = np.zeros(4 * 4 * 8 + 1, np.float32)
    with pytest.raises(fkl.LaunchError, match="give an aligned copy"):
        pipe(memory[1 if memory.ctypes.data % 16 == 0 else 0 :][: 4 * 4 * 8].reshape(4, 8, 4))


def test_an_edited_header_is_compiled_again(
    tmp_path: Path, count: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(_cache.include_dir(), tree)
    monkeypatch.setenv("FKL_INCLUDE", str(tree))

    def run() -> Any:
        _kernel._kernels.clear()
        pipe = fkl.compose(fkl.TensorRead(), fkl.Add(1), fkl.TensorWrite())
        return pipe(np.ones((3, 5), np.float32)).sum()

    assert (run(), count.compiles) == (30.0, 1)
    assert (run(), count.compiles) == (30.0, 1)
    with (tree / "fused_kernel/algorithms/algorithms.h").open("a") as file:
        file.write("// edited\n")
    assert (run(), count.compiles) == (30.0, 2)


def test_a_broken_tree_gives_its_first_error_and_the_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fused_kernel.h", "algorithms/algorithms.h"):
        path = tmp_path / "fused_kernel" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#pragma once\n#error this is no FKL\n")
    monkeypatch.setenv("FKL_INCLUDE", str(tmp_path))
    pipe = fkl.compose(fkl.TensorRead(), fkl.Add(1), fkl.TensorWrite())
    with pytest.raises(fkl.CompileError, match="this is no FKL"):
        pipe(np.ones((3, 5), np.float32))


def test_a_compiler_without_a_cxx_library_is_refused(
    other_tree: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ziglang")
    monkeypatch.setenv("FKL_COMPILER", "ziglang")
    pipe = fkl.compose(fkl.TensorRead(), fkl.Sub(1), fkl.TensorWrite())
    with pytest.raises(fkl.ToolchainError, match=r"FKL_INCLUDE .* has no C\+\+ library"):
        pipe(np.ones((3, 5), np.float32))


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_the_cuda_emission_compiles_with_nvcc_and_loads(
    compiler: str, frame: Any, other_tree: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing := [name for name in ("nvcc", compiler) if shutil.which(name) is None]:
        pytest.skip(f"no {missing[0]} on PATH")
    monkeypatch.setenv("FKL_COMPILER", compiler)
    prepared = Prepared(crops().chain_for("GPU_NVIDIA"), (frame,), {"rects": RECTS})
    source = prepared.packed((frame,), None, {"rects": RECTS}, dry=True)[1]
    text = _kernel.source_of(prepared.plan, prepared.counts(source))
    tree = _cache.include_dir()
    made = _build.build_against(tree, text, fp="fast", target="cuda:sm_90", what="the crops")
    assert "in nvcc mode" in made.toolchain
    assert ctypes.CDLL(str(made.library)).fkl_entry
