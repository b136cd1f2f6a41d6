# SPDX-License-Identifier: Apache-2.0
"""Sources that use exceptions and the C++ library, which a build does on request."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from fkl_toolchain import Config, Toolchain, ToolchainError, find

SOURCE = """
#include <stdexcept>
#include <string>
#include <vector>
static int parse(const std::string& text) {
  static const std::vector<int> table(3, static_cast<int>(text.size()));
  if (text.size() > 3) throw std::invalid_argument("too long: " + text);
  return table.at(text.size());
}
extern "C" __attribute__((visibility("default"))) int caught(const char* text) {
  try { return parse(text); }
  catch (const std::out_of_range&) { return -1; }
  catch (const std::exception& error) {
    return -static_cast<int>(std::string(error.what()).size());
  }
}
"""
CUDA = "#include <cuda_runtime.h>\n__global__ void one(int* x) { *x = 1; }\n" + SOURCE.replace(
    "  if (text", "  one<<<1, 1>>>(nullptr);\n  if (text"
)


def found(target: str, cache: Path, **changes: str) -> Toolchain:
    try:
        return find(target, config=Config(cache_dir=cache, **changes))  # type: ignore[arg-type]
    except ToolchainError as error:
        pytest.skip(str(error).splitlines()[1])


@pytest.mark.parametrize("compiler", ["g++", "clang++-16", "clang++-19", "clang++-22"])
def test_an_exception_is_caught_where_the_source_catches_it(
    compiler: str, session_cache: Path, tmp_path: Path
) -> None:
    source, out = tmp_path / "hosted.cpp", tmp_path / "hosted.so"
    source.write_text(SOURCE)
    found("cpu", session_cache, compiler=compiler).build(source, out, hosted=True)
    caught = ctypes.CDLL(str(out)).caught
    assert [caught(text) for text in (b"aa", b"aaa", b"aaaa")] == [2, -1, -len("too long: aaaa")]


def test_nvcc_builds_such_a_source_and_it_loads(session_cache: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "hosted.cu", tmp_path / "hosted.so"
    source.write_text(CUDA)
    toolchain = found("sm_90", session_cache, mode="nvcc", compiler="g++")
    toolchain.build(source, out, hosted=True)
    assert ctypes.CDLL(str(out)).caught(b"aaaa") == -len("too long: aaaa")


def test_lean_mode_refuses_before_compiling(session_cache: Path, tmp_path: Path) -> None:
    toolchain = found("sm_90", session_cache, compiler="clang++-22")
    with pytest.raises(ToolchainError, match="lean mode builds no source that uses"):
        toolchain.build(tmp_path / "any.cu", tmp_path / "any.so", hosted=True)
