# SPDX-License-Identifier: Apache-2.0
"""What find() chooses and refuses, with fakes that fail when they are asked to compile."""

from __future__ import annotations

from pathlib import Path

import pytest
from fkl_toolchain import Arch, Config, ToolchainError, find
from fkl_toolchain._cpu import arm_level, cpu_flags, host_level, x86_level
from fkl_toolchain._cuda_search import STEPS

from tests.toolchain import fakes


@pytest.fixture(autouse=True)
def no_usual_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fkl_toolchain._cuda_search.STEPS", STEPS[:-1])


def machine(tmp_path: Path, **changes: object) -> Config:
    return fakes.config(tmp_path, **({"search_path": str(tmp_path / "path")} | changes))


def refusal(target: str, config: Config) -> str:
    with pytest.raises(ToolchainError) as caught:
        find(target, config=config)
    return str(caught.value)


def test_a_bare_machine_is_told_what_to_install(tmp_path: Path) -> None:
    text = refusal("cpu", machine(tmp_path))
    assert "conda install" in text and "pip install ziglang" in text and "apt-get" in text


@pytest.mark.parametrize("target", ["cpu", "sm_90"])
@pytest.mark.parametrize("name", ["/nope", "nope", "/"])
def test_a_named_compiler_that_is_none_is_to_be_corrected_and_not_installed(
    tmp_path: Path, target: str, name: str
) -> None:
    text = refusal(target, machine(tmp_path, compiler=name))
    assert f"{name} alone: correct it, or unset it" in text
    assert "pip install ziglang" not in text


def test_every_candidate_is_listed_with_the_reason_against_it(tmp_path: Path) -> None:
    old = fakes.clang(tmp_path / "path/clang++", "14.0.6")
    fakes.gcc(tmp_path / "path/g++", "11.4.0")
    text = refusal("cpu", machine(tmp_path))
    assert f"{old} (PATH): clang 14.0.6 is older than 16" in text
    assert "gcc 11.4.0 is older than 12" in text


def test_gcc_serves_the_cpu_and_not_a_gpu(tmp_path: Path) -> None:
    fakes.gcc(tmp_path / "path/g++", "12.2.0")
    config = machine(tmp_path)
    assert find("cpu:x86-64-v3", config=config).compiler.kind == "gcc"
    assert "gcc makes no PTX" in refusal("sm_90", config)


def test_the_host_half_of_a_gpu_library_runs_on_every_cpu_of_its_kind(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    assert find("cuda:sm_90", config=machine(tmp_path)).level in ("x86-64", "armv8-a")
    assert find("cpu", config=machine(tmp_path)).level == host_level()


def test_clang_alone_serves_a_gpu_and_says_what_it_lacks(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    toolchain = find("cuda:sm_90", config=machine(tmp_path))
    assert (toolchain.mode, toolchain.cuda, toolchain.has_sass) == ("lean", None, False)
    assert "PTX alone" in toolchain.describe()
    assert "Without libdevice" in toolchain.describe()


def test_a_clang_without_nvptx_is_passed_over_for_one_that_has_it(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++-23", "23.1.0", nvptx=False)
    fakes.clang(tmp_path / "path/clang++-19", "19.1.0")
    toolchain = find("sm_90", config=machine(tmp_path))
    assert toolchain.compiler.version == (19, 1, 0)
    assert "without the NVPTX back-end" in str(toolchain.passed_over[0])


def test_nvcc_steps_in_where_no_clang_makes_ptx(tmp_path: Path) -> None:
    fakes.gcc(tmp_path / "path/g++", "12.2.0")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    toolchain = find("sm_90", config=machine(tmp_path, cuda_environ=str(root)))
    assert (toolchain.mode, toolchain.host.kind) == ("nvcc", "gcc")


def test_nvcc_asked_for_by_name_builds_for_gpus_and_leaves_the_cpu_to_others(
    tmp_path: Path,
) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    for named in ("nvcc", str(root / "bin/nvcc")):
        config = machine(tmp_path, cuda_environ=str(root), compiler=named)
        assert find("sm_90", config=config).mode == "nvcc"
        assert find("cpu:x86-64-v3", config=config).compiler.kind == "clang"


def test_a_suffix_that_this_clang_does_not_know_goes_to_nvcc(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    assert find("sm_120f", config=machine(tmp_path, cuda_environ=str(root))).mode == "nvcc"
    text = refusal("sm_120f", machine(tmp_path))
    assert "nvcc, or plain sm_120 would do" in text


def test_an_old_clang_retargets_and_says_so(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "19.1.0")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    toolchain = find("sm_120", config=machine(tmp_path, cuda_environ=str(root)))
    assert toolchain.front == Arch(90)
    assert toolchain.has_sass
    assert "compiles for sm_90" in toolchain.describe()


def test_a_ptxas_that_dropped_the_architecture_leaves_ptx_alone(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    toolchain = find("sm_70", config=machine(tmp_path, cuda_environ=str(root)))
    assert not toolchain.has_sass


def test_lean_takes_the_first_toolkit_with_both_pieces_and_says_why_not_the_other(
    tmp_path: Path,
) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    site = fakes.split_wheels(tmp_path / "site", "12.4")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    config = machine(tmp_path, site_packages=(str(site),), cuda_environ=str(root))
    ada = find("sm_89", config=config)
    blackwell = find("sm_120", config=config)
    assert ada.cuda is not None and ada.cuda.version == (12, 4)
    assert blackwell.cuda is not None and blackwell.cuda.version == (13, 0)
    assert "its ptxas 12.4 does not know sm_120" in str(blackwell.passed_over[-1])


def test_toolkit_mode_refuses_pieces_of_two_versions(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    site = fakes.split_wheels(tmp_path / "site", "12.9", headers_version="12.4")
    config = machine(tmp_path, site_packages=(str(site),), mode="toolkit")
    assert "headers of 12.4 beside ptxas 12.9" in refusal("sm_90", config)


def test_toolkit_mode_names_the_missing_file_and_its_package(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    (root / "include/nv/target").unlink()
    config = machine(tmp_path, cuda_environ=str(root), mode="toolkit")
    assert "include/nv/target is missing: pip nvidia-cuda-cccl" in refusal("sm_90", config)


def test_toolkit_mode_takes_the_rows_of_its_pair(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "19.1.0")
    root = fakes.classic_tree(tmp_path / "cuda", "13.2")
    toolchain = find("sm_90", config=machine(tmp_path, cuda_environ=str(root), mode="toolkit"))
    names = {row.name for row in toolchain.shims}
    assert {"clang-cuda13-texture-header", "clang-cuda132-rsqrt-macro"} <= names


def test_lean_mode_takes_no_header_of_a_toolkit(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "19.1.0")
    root = fakes.classic_tree(tmp_path / "cuda", "13.2")
    toolchain = find("sm_90", config=machine(tmp_path, cuda_environ=str(root)))
    assert not [row for row in toolchain.shims if row.has_folder]


def test_nvcc_of_a_dropped_architecture_names_what_would_work(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    text = refusal("sm_70", machine(tmp_path, cuda_environ=str(root), mode="nvcc"))
    assert "CUDA 9.0..12.9 does; lean mode with a clang makes PTX for it" in text


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("gpu", "no such target"),
        ("cuda:sm_9x", "no such target"),
        ("cpu:native", "no CPU level"),
        ("sm_99", "in no row of the table"),
    ],
)
def test_a_target_that_is_none_is_refused_with_the_ones_there_are(
    tmp_path: Path, target: str, expected: str
) -> None:
    assert expected in refusal(target, machine(tmp_path))


def test_a_mode_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "say one of lean, toolkit, nvcc" in refusal("sm_90", machine(tmp_path, mode="fast"))


def test_the_fingerprint_tells_apart_what_makes_other_code(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    config = machine(tmp_path, cuda_environ=str(root))
    targets = ("cpu:x86-64-v2", "cpu:x86-64-v3", "sm_80", "sm_90", "sm_90a")
    prints = [find(target, config=config).fingerprint() for target in targets]
    prints.append(find("sm_90", config=machine(tmp_path)).fingerprint())
    assert len(set(prints)) == len(prints)


def test_the_fingerprint_changes_with_the_toolkits_ptxas(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.8")
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    config = machine(tmp_path, cuda_environ=str(root))
    before = find("sm_90", config=config).fingerprint()
    fakes.program(root / "bin/ptxas", fakes.NVIDIA.format(version="13.0") + "# another build\n")
    assert find("sm_90", config=config).fingerprint() != before


@pytest.mark.parametrize(
    ("flags", "level"),
    [
        ("sse sse2", "x86-64"),
        ("cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3", "x86-64-v2"),
        (
            "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3 abm avx avx2 bmi1 bmi2 f16c fma movbe xsave",
            "x86-64-v3",
        ),
        ("avx512f avx512bw avx512cd avx512dq avx512vl", "x86-64"),
    ],
)
def test_the_cpu_level_follows_from_the_whole_feature_list(flags: str, level: str) -> None:
    assert x86_level(cpu_flags(f"processor\t: 0\nflags\t\t: {flags}\n")) == level


def test_the_level_of_an_arm_cpu_is_named_too() -> None:
    assert arm_level(cpu_flags("Features\t: fp asimd\n")) == "armv8-a"


def test_the_host_level_is_never_the_word_native() -> None:
    assert host_level().startswith(("x86-64", "armv8"))
