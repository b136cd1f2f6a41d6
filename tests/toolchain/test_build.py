# SPDX-License-Identifier: Apache-2.0
"""Real builds with the compilers of this machine, in friendly and in hostile places."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fkl_toolchain import BuildError, Config, Toolchain, ToolchainError, find

from tests.toolchain import elf
from tests.toolchain.cells import PROBES
from tests.toolchain.test_run import POISON

COMPILERS = ("g++", "ziglang", "clang++-16", "clang++-19", "clang++-22")


def config(compiler: str, cache: Path, **changes: object) -> Config:
    return Config(compiler=compiler, cache_dir=cache, **changes)  # type: ignore[arg-type]


def found(target: str, settings: Config) -> Toolchain:
    try:
        return find(target, config=settings)
    except ToolchainError as error:
        pytest.skip(str(error).splitlines()[1])


@pytest.fixture(params=COMPILERS)
def cpu(request: pytest.FixtureRequest, session_cache: Path) -> Toolchain:
    return found("cpu", config(request.param, session_cache))


@pytest.fixture(params=("ziglang", "clang++-16", "clang++-19", "clang++-22"))
def lean(request: pytest.FixtureRequest, session_cache: Path, tmp_path: Path) -> Toolchain:
    # No toolkit at all: what lean mode must do with.
    empty = tmp_path / "no-cuda"
    return found("sm_90", config(request.param, session_cache, cuda_home=str(empty)))


def test_a_chain_computes_and_needs_only_the_c_library(cpu: Toolchain, tmp_path: Path) -> None:
    out = tmp_path / "chain.so"
    cpu.build(PROBES / "chain.cpp", out)
    x = (ctypes.c_float * 5)(0, 1, 2, 3, 4)
    y = (ctypes.c_float * 5)()
    ctypes.CDLL(str(out)).chain(y, x, ctypes.c_long(5))
    assert list(y) == [3.0, 9.0, 15.0, 21.0, 27.0]
    assert {name.split(".")[0] for name in elf.needed_libraries(out)} <= {"libc", "libm"}


@pytest.mark.parametrize("level", ["x86-64-v2", "x86-64-v3"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_halves_round_the_same_with_and_without_the_instruction(
    compiler: str, level: str, session_cache: Path, tmp_path: Path
) -> None:
    toolchain = found(f"cpu:{level}", config(compiler, session_cache))
    toolchain.build(PROBES / "chain.cpp", tmp_path / "half.so")
    half_trip = ctypes.CDLL(str(tmp_path / "half.so")).half_trip
    half_trip.restype, half_trip.argtypes = ctypes.c_float, (ctypes.c_float,)
    ties = {2049.0: 2048.0, 2051.0: 2052.0, 65519.0: 65504.0, 65520.0: float("inf")}
    small = {2.0**-24: 2.0**-24, 2.0**-25: 0.0, 3 * 2.0**-25: 2.0**-23, 1e-3: 0.0010004043579101562}
    for value, expected in (ties | small).items():
        assert half_trip(value) == expected
        assert half_trip(-value) == -expected


def test_a_c_file_with_threads_and_fork_handlers_builds_and_runs(
    cpu: Toolchain, tmp_path: Path
) -> None:
    out = tmp_path / "threads.so"
    cpu.build_c(PROBES / "threads.c", out)
    assert ctypes.CDLL(str(out)).run_threads(3) == 3


def test_gpu_code_builds_without_any_cuda_and_its_launch_says_what_is_missing(
    lean: Toolchain, tmp_path: Path
) -> None:
    out = tmp_path / "axpb.so"
    lean.build(PROBES / "axpb.cu", out)
    code = elf.device_code(out)
    assert (code.sass, code.ptx) == ({}, (("7.8", "sm_90"),))
    if _has_driver():
        pytest.skip("this machine has a driver")
    library = ctypes.CDLL(str(out))
    assert library.launch_axpb(None, None, ctypes.c_float(), ctypes.c_float(), 5, None) == 35


def test_the_error_of_a_machine_without_a_driver_has_a_text(
    lean: Toolchain, tmp_path: Path
) -> None:
    source = tmp_path / "text.cu"
    source.write_text(
        'extern "C" __attribute__((visibility("default"))) const char* text(int status) '
        "{ return cudaGetErrorString(status); }\n__global__ void nothing() {}\n"
    )
    lean.build(source, tmp_path / "text.so")
    text = ctypes.CDLL(str(tmp_path / "text.so")).text
    text.restype = ctypes.c_char_p
    assert b"no usable NVIDIA driver" in text(35)
    assert text(0) == b"no error"


def test_a_function_that_needs_libdevice_says_so_when_there_is_none(
    lean: Toolchain, tmp_path: Path
) -> None:
    with pytest.raises(BuildError, match=r"needs libdevice\.10\.bc"):
        lean.build(PROBES / "math.cu", tmp_path / "math.so")


def test_strict_arithmetic_fuses_nothing(lean: Toolchain, tmp_path: Path) -> None:
    fused = {}
    for fp in ("fast", "strict"):
        lean.build(PROBES / "axpb.cu", tmp_path / f"{fp}.so", fp=fp)
        fused[fp] = b"fma.rn.f32" in (tmp_path / f"{fp}.so").read_bytes()
    assert fused == {"fast": True, "strict": False}


def test_a_source_that_does_not_compile_gives_its_line_and_leaves_nothing(
    cpu: Toolchain, tmp_path: Path
) -> None:
    source = tmp_path / "bad.cpp"
    source.write_text("int f() {\n  return nonsense;\n}\n")
    with pytest.raises(BuildError) as caught:
        cpu.build(source, tmp_path / "out/bad.so")
    assert "bad.cpp:2" in caught.value.first_error
    assert caught.value.command[0] == cpu.compiler.path
    assert not (tmp_path / "out").exists()


def test_an_undefined_function_fails_at_the_link_and_not_at_load(
    cpu: Toolchain, tmp_path: Path
) -> None:
    source = tmp_path / "bad.cpp"
    source.write_text(
        'extern "C" int missing();\n'
        'extern "C" __attribute__((visibility("default"))) int f() { return missing(); }\n'
    )
    with pytest.raises(BuildError, match="missing"):
        cpu.build(source, tmp_path / "bad.so")


def test_only_what_a_source_shows_is_visible(cpu: Toolchain, tmp_path: Path) -> None:
    cpu.build(PROBES / "chain.cpp", tmp_path / "chain.so")
    library = ctypes.CDLL(str(tmp_path / "chain.so"))
    assert not hasattr(library, "pthread_atfork_") and hasattr(library, "chain")
    names = subprocess.run(
        ("nm", "-D", "--defined-only", tmp_path / "chain.so"), capture_output=True
    )
    assert {line.split()[-1] for line in names.stdout.decode().splitlines()} == {
        "chain",
        "half_trip",
    }


@pytest.mark.parametrize("compiler", ["clang++-22", "g++", "ziglang"])
@pytest.mark.parametrize("target", ["cpu", "sm_90"])
def test_a_hostile_environment_and_hostile_names_give_the_same_bytes(
    compiler: str, target: str, tmp_path: Path
) -> None:
    found(target, config(compiler, tmp_path / "cache", mode=None))
    plain = _built_elsewhere(compiler, target, tmp_path / "plain", {})
    nasty = _built_elsewhere(
        compiler, target, tmp_path / "spaced näme $x", POISON | {"HOME": "/gone"}
    )
    assert plain == nasty


def _built_elsewhere(compiler: str, target: str, folder: Path, extra: dict[str, str]) -> bytes:
    """Build in another process, in an environment of a test's choice, and return the code."""
    folder.mkdir()
    suffix = "cpp" if target == "cpu" else "cu"
    source = folder / f"source.{suffix}"
    shutil.copy(PROBES / f"{'chain' if target == 'cpu' else 'axpb'}.{suffix}", source)
    script = (
        "import sys; from pathlib import Path; from fkl_toolchain import Config, find\n"
        "compiler, target, source, out, cache = sys.argv[1:]\n"
        "found = find(target, config=Config(compiler=compiler, cache_dir=Path(cache)))\n"
        "found.build(Path(source), Path(out))\n"
    )
    out = folder / "out.so"
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONHOME": "",
    }
    arguments = (compiler, target, str(source), str(out), str(folder / "cache"))
    subprocess.run((sys.executable, "-c", script, *arguments), env=environment | extra, check=True)
    data = out.read_bytes()
    wanted = (".text", ".rodata", ".nv_fatbin", ".data.rel.ro")
    parts = [section for section in elf.sections(data) if section.name in wanted]
    return b"".join(data[section.offset : section.offset + section.size] for section in parts)


def test_a_read_only_cache_still_builds(session_cache: Path, tmp_path: Path) -> None:
    toolchain = found("sm_90", Config(cache_dir=Path("/proc/no-cache")))
    toolchain.build(PROBES / "axpb.cu", tmp_path / "axpb.so")
    assert elf.device_code(tmp_path / "axpb.so").ptx


def test_a_precompiled_header_changes_the_time_and_not_the_code(
    lean: Toolchain, tmp_path: Path
) -> None:
    # The first build makes the header and uses it, one without a cache compiles plainly.
    lean.build(PROBES / "axpb.cu", tmp_path / "with.so")
    plain = find("sm_90", config=config(lean.compiler.path, Path("/proc/no-cache"), cuda_home="/x"))
    plain.build(PROBES / "axpb.cu", tmp_path / "without.so")
    assert elf.device_code(tmp_path / "with.so") == elf.device_code(tmp_path / "without.so")
    text = (tmp_path / "with.so").read_bytes()
    start = text.index(b".version")
    assert text[start : start + 500] in (tmp_path / "without.so").read_bytes()


def test_a_changed_header_is_noticed_by_its_content(tmp_path: Path) -> None:
    toolchain = found("cpu", Config(cache_dir=tmp_path / "cache"))
    header, source = tmp_path / "inc/number.h", tmp_path / "use.cpp"
    header.parent.mkdir()
    source.write_text(
        '#include <number.h>\nextern "C" __attribute__((visibility("default"))) '
        "int number() { return NUMBER; }\n"
    )
    numbers = []
    for text in ("1", "2", "2"):
        header.write_text(f"#pragma once\n#define NUMBER {text}\n")
        out = tmp_path / f"{len(numbers)}.so"
        built = toolchain.build(source, out, include_dirs=[header.parent], precompiled=["number.h"])
        numbers.append(ctypes.CDLL(str(out)).number())
    assert numbers == [1, 2, 2]
    assert len(built.commands) >= 2


def test_zig_never_builds_its_c_library(session_cache: Path, tmp_path: Path) -> None:
    toolchain = found("cpu", config("ziglang", tmp_path / "cache"))
    built = toolchain.build(PROBES / "chain.cpp", tmp_path / "chain.so")
    verbs = {command[1] for command in built.commands}
    assert verbs == {"clang", "ld.lld"}
    assert any(part == "-nostdinc" for part in built.commands[0])


@pytest.mark.parametrize("round_", range(3))
def test_processes_that_race_for_one_cache_all_succeed_and_leave_it_usable(
    round_: int, tmp_path: Path
) -> None:
    settings = Config(cache_dir=tmp_path / "cache")
    toolchain = found("sm_90", settings)
    script = (
        "import sys; from pathlib import Path; from fkl_toolchain import Config, find\n"
        "found = find('sm_90', config=Config(cache_dir=Path(sys.argv[3])))\n"
        "found.build(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    arguments = (str(PROBES / "axpb.cu"), str(tmp_path / "one.so"), str(tmp_path / "cache"))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    racing = [
        subprocess.Popen((sys.executable, "-c", script, *arguments), env=environment)
        for _ in range(4)
    ]
    assert [process.wait(120) for process in racing] == [0, 0, 0, 0]
    built = toolchain.build(PROBES / "axpb.cu", tmp_path / "after.so")
    assert not [command for command in built.commands if "-emit-pch" in command]


def test_a_touched_header_is_compiled_again_and_not_stumbled_over(tmp_path: Path) -> None:
    toolchain = found("sm_90", Config(cache_dir=tmp_path / "cache"))
    toolchain.build(PROBES / "axpb.cu", tmp_path / "one.so")
    for header in (tmp_path / "cache/precompiled").glob("*.h"):
        header.touch()
    toolchain.build(PROBES / "axpb.cu", tmp_path / "two.so")
    assert elf.device_code(tmp_path / "two.so") == elf.device_code(tmp_path / "one.so")


def _has_driver() -> bool:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True
