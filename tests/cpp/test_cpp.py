# SPDX-License-Identifier: Apache-2.0
"""The headers as C++ users see them, with every compiler that is here.

Programs that must run, programs that must not compile and say why, each header alone, and the
device side of each header.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "fkl" / "include"
HEADERS = sorted(str(p.relative_to(INCLUDE)) for p in INCLUDE.rglob("*.h"))
STRICT = ("-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}")
PROGRAMS = {
    "batches": ("batches.cpp",),
    "custom": ("custom.cpp",),
    "long_chain": ("long_chain.cpp",),
    "memory": ("memory.cpp",),
    "operations": ("operations.cpp",),
    "pipeline": ("pipeline.cpp",),
    "positions": ("positions.cpp",),
    "threads": ("threads.cpp",),
    "types": ("types.cpp", "types_second_file.cpp"),
}
REJECTED = sorted(p.stem for p in (HERE / "fail").glob("*.cpp"))


@dataclass(frozen=True)
class Done:
    code: int
    output: str


def version_of(program: str) -> tuple[int, ...]:
    text = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", text)
    return tuple(int(n) for n in found.groups()) if found else ()


def clangs() -> list[str]:
    """One clang++ per major version from 16 on, oldest first."""
    found: dict[int, str] = {}
    for name in ("clang++", *(f"clang++-{n}" for n in range(16, 40))):
        path = shutil.which(name)
        version = version_of(path) if path else ()
        if path and version and version[0] >= 16:
            found.setdefault(version[0], path)
    return [found[v] for v in sorted(found)]


CLANGS = clangs()
GXX = shutil.which("g++") or ""
# the oldest and the newest clang: what both take, those between have always taken
COMPILERS = [c for c in dict.fromkeys([GXX, *CLANGS[:1], *CLANGS[-1:]]) if c]
DEVICE = CLANGS[-1] if CLANGS else ""


def run(command: list[str], **more: object) -> Done:
    environment = dict(os.environ, LC_ALL="C", FKL_NUM_THREADS="3")
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        env=environment,
        **more,  # type: ignore[call-overload]
    )
    return Done(done.returncode, done.stdout)


def sentence_of(source: Path) -> str:
    """What the comment below the licence line says."""
    lines = source.read_text().splitlines()[1:]
    comment = itertools.takewhile(lambda line: line.startswith("// "), lines)
    return " ".join(line.removeprefix("// ") for line in comment)


def name_of(compiler: str) -> str:
    return Path(compiler).name


class Jobs:
    """All compilations are queued when the first test asks; a test waits for its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pool = ThreadPoolExecutor(2)
        self.jobs: dict[tuple[str, str, str], Future[Done]] = {}

    def add(self, key: tuple[str, str, str], *arguments: object) -> None:
        kind = {
            "pass": self.passing,
            "fail": self.failing,
            "alone": self.alone,
            "device": self.device,
        }
        self.jobs[key] = self.pool.submit(kind[key[0]], key[1], key[2], *arguments)

    def passing(self, compiler: str, program: str) -> Done:
        out = self.folder / f"{program}_{name_of(compiler)}"
        sources = [str(HERE / "pass" / s) for s in PROGRAMS[program]]
        # the long chain is about what compilers can take, not about fast code
        fast = program != "long_chain" and compiler in (COMPILERS[0], COMPILERS[-1])
        level = "-O1" if fast else "-O0"
        built = run([compiler, *STRICT, level, "-pthread", *sources, "-o", str(out)])
        return built if built.code else run([str(out)])

    def failing(self, compiler: str, program: str) -> Done:
        return run([compiler, *STRICT, "-fsyntax-only", str(HERE / "fail" / f"{program}.cpp")])

    def alone(self, compiler: str, header: str) -> Done:
        command = [compiler, *STRICT, "-fsyntax-only", "-x", "c++", "-"]
        return run(command, input=f"#include <{header}>\n")

    def device(self, compiler: str, header: str) -> Done:
        cuda = ("-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only")
        command = [compiler, *STRICT, "-Wno-unknown-cuda-version", "-fsyntax-only", *cuda, "-"]
        return run(command, input=f"#include <{header}>\n")


@pytest.fixture(scope="session")
def jobs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Jobs:
    jobs = Jobs(tmp_path_factory.mktemp("cpp"))
    for item in request.session.items:
        key = getattr(item, "callspec", None)
        if key and item.path == Path(__file__):
            jobs.add(key.params["key"])
    request.addfinalizer(lambda: jobs.pool.shutdown(cancel_futures=True))
    return jobs


def keys(kind: str, compilers: list[str], names: list[str]) -> pytest.MarkDecorator:
    every = [(kind, c, n) for n in names for c in compilers]
    return pytest.mark.parametrize("key", every, ids=[f"{n}-{name_of(c)}" for _, c, n in every])


def test_a_compiler_is_here() -> None:
    assert COMPILERS, "neither g++ nor clang++ >= 16 is on PATH"


@keys("pass", COMPILERS, list(PROGRAMS))
def test_program_compiles_without_a_warning_and_every_check_in_it_holds(
    jobs: Jobs, key: tuple[str, str, str]
) -> None:
    done = jobs.jobs[key].result()
    assert done.code == 0, done.output


@keys("fail", COMPILERS[:2], REJECTED)
def test_wrong_program_is_refused_with_its_sentence_first(
    jobs: Jobs, key: tuple[str, str, str]
) -> None:
    sentence = sentence_of(HERE / "fail" / f"{key[2]}.cpp")
    assert sentence.startswith("fkl: ")
    done = jobs.jobs[key].result()
    errors = [line for line in done.output.splitlines() if "error:" in line]
    assert done.code != 0, "it compiled"
    assert sentence in errors[0], "\n".join(errors[:3])


@keys("alone", COMPILERS[:1], HEADERS)
def test_header_compiles_alone(jobs: Jobs, key: tuple[str, str, str]) -> None:
    done = jobs.jobs[key].result()
    assert done.code == 0, done.output


@pytest.mark.skipif(not DEVICE, reason="no clang++ here")
@keys("device", [DEVICE], HEADERS)
def test_header_compiles_for_the_device(jobs: Jobs, key: tuple[str, str, str]) -> None:
    done = jobs.jobs[key].result()
    assert done.code == 0, done.output


def test_the_lean_core_includes_no_header_of_the_standard_library() -> None:
    lean = [
        "core/lean.h",
        "algorithms/basic_ops/memory_operations.h",
        "algorithms/basic_ops/arithmetic.h",
    ]
    lean += [
        f"algorithms/basic_ops/{n}.h"
        for n in ("bitwise", "cast", "logical", "math", "set", "vector_ops")
    ]
    lean += [
        f"algorithms/image_processing/{n}.h"
        for n in ("color_conversion", "crop", "resize", "saturate")
    ]
    source = "".join(f"#include <fused_kernel/{n}>\n" for n in lean)
    done = run([COMPILERS[0], *STRICT, "-M", "-x", "c++", "-"], input=source)
    assert done.code == 0, done.output
    files = {w for w in done.output.split() if w.endswith(".h") or "/c++/" in w}
    assert {f for f in files if str(INCLUDE) not in f and not f.endswith("stdc-predef.h")} == set()


def test_no_header_is_longer_than_a_person_reads_at_once() -> None:
    long = [h for h in HEADERS if len((INCLUDE / h).read_text().splitlines()) > 300]
    assert long == []


def nvcc() -> str:
    home = os.environ.get("FKL_CUDA_HOME") or os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    return shutil.which("nvcc") or shutil.which("nvcc", path=f"{home}/bin") or ""


@pytest.mark.device
@pytest.mark.skipif(not nvcc(), reason="no nvcc here")
def test_gpu_program_built_by_nvcc_runs_and_every_check_in_it_holds(tmp_path: Path) -> None:
    out = tmp_path / "gpu"
    source = HERE / "device" / "gpu.cu"
    built = run([nvcc(), "-std=c++20", "-arch=native", f"-I{INCLUDE}", str(source), "-o", str(out)])
    assert built.code == 0, built.output
    done = run([str(out)])
    assert done.code == 0, done.output


@pytest.mark.skipif(not nvcc(), reason="no nvcc here")
def test_umbrella_headers_compile_under_nvcc_without_a_warning(tmp_path: Path) -> None:
    source = HERE / "device" / "gpu.cu"
    command = [nvcc(), "-std=c++20", "-arch=sm_90", "-Werror", "all-warnings", f"-I{INCLUDE}"]
    done = run([*command, "-c", str(source), "-o", str(tmp_path / "gpu.o")])
    assert done.code == 0, done.output
