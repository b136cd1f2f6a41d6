# SPDX-License-Identifier: Apache-2.0
"""Golden files for every command that is rendered: a refactoring shows its effect as a diff."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fkl_toolchain
import pytest
from fkl_toolchain._argv import c_argv, host_argv
from fkl_toolchain._build_cuda import plan_passes
from fkl_toolchain._cuda_argv import device_argv, nvcc_argv, precompile_argv, ptxas_argv
from fkl_toolchain._cuda_argv import host_argv as cuda_host_argv
from fkl_toolchain._link import link_argv
from fkl_toolchain._model import Arch, Compiler, Cuda
from fkl_toolchain._toolchain import Toolchain
from fkl_toolchain.pairings import shims_for

PACKAGE = Path(fkl_toolchain.__file__).parent
GOLDEN = Path(__file__).parent / "golden"
CUDA = Cuda(
    root="/cuda",
    found_via="a test",
    version=(13, 2),
    ptxas="/cuda/bin/ptxas",
    ptxas_version=(13, 2, 1),
    libdevice="/cuda/libdevice.10.bc",
    nvcc="/cuda/bin/nvcc",
    nvcc_version=(13, 2, 1),
    include=("/cuda/include",),
)
COMPILERS = {
    "clang16": Compiler("/bin/clang++-16", "clang", (16, 0, 6), "16", "a test", nvptx=True),
    "clang19": Compiler("/bin/clang++-19", "clang", (19, 1, 7), "19", "a test", nvptx=True),
    "clang22": Compiler("/bin/clang++-22", "clang", (22, 1, 8), "22", "a test", nvptx=True),
    "zig22": Compiler(
        "/wheel/zig", "zig", (22, 1, 8), "22", "a test", nvptx=True, extra=("-nostdinc",)
    ),
    "gcc12": Compiler("/bin/g++", "gcc", (12, 2, 0), "12", "a test"),
}
SOURCE, OUT, INCLUDE = "/source/k.cu", "/tmp/out", ("/project/include",)


def device_cases() -> Iterator[tuple[str, str, str]]:
    for name, compiler in COMPILERS.items():
        modes = {"clang": ("lean", "toolkit"), "zig": ("lean",)}.get(compiler.kind, ())
        for mode in modes:
            yield from ((name, mode, arch) for arch in ("sm_80", "sm_120"))


@pytest.mark.parametrize(("name", "mode", "arch"), list(device_cases()))
def test_the_passes_of_a_gpu_build_are_rendered_as_ever(
    name: str,
    mode: str,
    arch: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiler = COMPILERS[name]
    version = CUDA.version if mode == "toolkit" else ()
    toolchain = Toolchain(
        target=f"cuda:{arch}",
        mode=mode,  # type: ignore[arg-type]
        level="x86-64-v3",
        compiler=compiler,
        host=compiler,
        cache_dir=tmp_path,
        arch=Arch.parse(arch),
        cuda=CUDA,
        shims=shims_for(compiler.family, compiler.version, version, (12,), (2, 36)),
    )
    monkeypatch.setattr("fkl_toolchain._build_cuda.farm", lambda *_arguments: "/farm")
    passes = plan_passes(toolchain, INCLUDE, "fast", tmp_path)
    front = device_argv(passes, (), "")[:-2]
    commands = (
        precompile_argv(front, "/tmp/all.h", "/tmp/all.pch"),
        device_argv(passes, (SOURCE,), "/tmp/k.ptx"),
        ptxas_argv(CUDA.ptxas, Arch.parse(arch), "/tmp/k.ptx", "/tmp/k.cubin"),
        cuda_host_argv(passes, (SOURCE,), "/tmp/empty.fatbin", "/tmp/k.o"),
    )
    compare(f"{name}-{mode}-{arch}", commands, tmp_path, request)


@pytest.mark.parametrize("fp", ["fast", "strict"])
def test_a_build_by_nvcc_is_rendered_as_ever(
    fp: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    rows = shims_for("nvcc", CUDA.nvcc_version, CUDA.version, (12,), (2, 36))
    arguments = (CUDA, COMPILERS["gcc12"], Arch(90), "x86-64-v3", fp, rows, INCLUDE, SOURCE, OUT)
    command = nvcc_argv(*arguments, sass=True, allow_host=False)
    compare(f"nvcc-{fp}", (command,), tmp_path, request)


@pytest.mark.parametrize("name", COMPILERS)
def test_a_build_for_the_cpu_is_rendered_as_ever(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    compiler = COMPILERS[name]
    commands = (
        host_argv(compiler, "x86-64-v3", "fast", INCLUDE, ("/source/k.cpp",), OUT),
        c_argv(compiler, "/source/pool.c", OUT),
        link_argv(("/bin/ld",), ["/tmp/k.o"], "/tmp/k.so", ["/lib/libc.so.6"]),
    )
    compare(f"{name}-cpu", commands, tmp_path, request)


def test_no_command_mentions_the_word_native() -> None:
    assert not [path for path in GOLDEN.iterdir() if "native" in path.read_text("utf-8")]


def compare(
    name: str,
    commands: tuple[tuple[str, ...], ...],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    lines = [" ".join(command) for command in commands]
    text = "\n".join(lines) + "\n"
    text = text.replace(str(PACKAGE), "{package}").replace(str(tmp_path), "{cache}")
    file = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden", default=False):
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), "see the diff; --update-golden takes it over"
