# SPDX-License-Identifier: Apache-2.0
"""The search for compilers and toolkits, on fake trees: what is found, via what, in which order."""

from __future__ import annotations

from pathlib import Path

import pytest
from fkl_toolchain import Compiler, ToolchainError, find
from fkl_toolchain._cuda_pieces import pieces
from fkl_toolchain._cuda_search import STEPS, cuda_places
from fkl_toolchain._cuda_search import USUAL as USUAL_PLACES
from fkl_toolchain._host_search import host_candidates
from fkl_toolchain._identify import classify, identify
from fkl_toolchain._model import Candidate

from tests.toolchain import fakes


@pytest.fixture(autouse=True)
def no_usual_places(monkeypatch: pytest.MonkeyPatch) -> None:
    # This machine's own toolkits must not show up in a test about fake ones.
    assert STEPS[-1].__name__ == "usual_places"
    assert "/usr/local/cuda" in USUAL_PLACES
    monkeypatch.setattr("fkl_toolchain._cuda_search.STEPS", STEPS[:-1])


def test_the_interpreters_conda_prefix_goes_before_path(tmp_path: Path) -> None:
    (tmp_path / "env/conda-meta").mkdir(parents=True)
    inside = fakes.clang(tmp_path / "env/bin/clang++", "20.1.0")
    fakes.clang(tmp_path / "path/clang++", "22.1.0")
    config = fakes.config(
        tmp_path, prefix=str(tmp_path / "env"), search_path=str(tmp_path / "path")
    )
    first = host_candidates(config)[0]
    assert first == Candidate(str(inside), "the interpreter's conda prefix")


def test_a_prefix_without_conda_meta_is_not_searched(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "env/bin/clang++", "20.1.0")
    assert host_candidates(fakes.config(tmp_path, prefix=str(tmp_path / "env"))) == ()


def test_on_path_clang_goes_before_gcc_and_newer_before_older(tmp_path: Path) -> None:
    for name in ("g++", "clang++-16", "clang++-19", "clang-format", "g++-12.real"):
        fakes.program(tmp_path / "path" / name, "#!/bin/sh\n")
    found = host_candidates(fakes.config(tmp_path, search_path=str(tmp_path / "path")))
    assert [Path(item.path).name for item in found] == ["clang++-19", "clang++-16", "g++"]


def test_the_name_of_a_wheel_that_is_not_there_names_the_wheel(tmp_path: Path) -> None:
    config = fakes.config(tmp_path, compiler="ziglang")
    with pytest.raises(ToolchainError, match=r"ziglang.*not found on PATH.*pip install ziglang"):
        find("cpu", config=config)


def test_an_override_allows_nothing_else(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.0")
    config = fakes.config(
        tmp_path, compiler=str(tmp_path / "gone"), search_path=str(tmp_path / "path")
    )
    assert [item.path for item in host_candidates(config)] == [str(tmp_path / "gone")]


def test_relative_entries_of_path_are_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.clang(tmp_path / "here/clang++", "22.1.0")
    monkeypatch.chdir(tmp_path)
    assert host_candidates(fakes.config(tmp_path, search_path="here:.:")) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Debian clang version 16.0.6 (15~deb12u1)\nTarget: x86_64", ("clang", (16, 0, 6))),
        ("clang version 22.1.8 (https://x/llvm 3ab)", ("clang", (22, 1, 8))),
        (
            "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright Free Software Foundation",
            ("gcc", (12, 2, 0)),
        ),
        (
            "x86_64-conda-linux-gnu-g++ (conda-forge 14.2.0-1) 14.2.0\nFree Software Foundation",
            ("gcc", (14, 2, 0)),
        ),
        ("Cuda compilation tools, release 13.0, V13.0.88", ("nvcc", (13, 0, 88))),
        (
            "g++-12 (GCC) 12.2.1 20230101 (Red Hat 12.2.1-7)\nFree Software Foundation",
            ("gcc", (12, 2, 1)),
        ),
        ("true (GNU coreutils) 9.1\nFree Software Foundation", ("", ())),
        ("Intel(R) C++ Compiler", ("", ())),
    ],
)
def test_a_compiler_is_known_by_what_it_prints(text: str, expected: tuple[str, object]) -> None:
    assert classify(text) == expected


def test_a_renamed_compiler_is_known_for_what_it_is(tmp_path: Path) -> None:
    path = fakes.clang(tmp_path / "cc-wrapper", "19.1.7")
    answer = identify(Candidate(str(path), "a test"), tmp_path / "cache")
    assert isinstance(answer, Compiler)
    assert (answer.kind, answer.version, answer.nvptx) == ("clang", (19, 1, 7), True)


def test_a_renamed_gcc_is_known_for_what_it_is(tmp_path: Path) -> None:
    text = (
        '#!/bin/sh\n[ "$1" = -v ] && echo "gcc version 12.2.0 (Debian)" && exit\n'
        'echo "cxx-wrapper (Debian 12.2.0-14) 12.2.0"; echo "Free Software Foundation"\n'
    )
    path = fakes.program(tmp_path / "cxx-wrapper", text)
    answer = identify(Candidate(str(path), "a test"), tmp_path / "cache")
    assert isinstance(answer, Compiler)
    assert (answer.kind, answer.version) == ("gcc", (12, 2, 0))


def test_what_is_no_compiler_is_told_what_it_said(tmp_path: Path) -> None:
    text = "#!/bin/sh\necho 'true (GNU coreutils) 9.1'; echo 'Free Software Foundation'\n"
    path = fakes.program(tmp_path / "true", text)
    answer = identify(Candidate(str(path), "a test"), tmp_path / "cache")
    assert answer == (
        "it is no C++ compiler that fkl knows: its --version says true (GNU coreutils) 9.1"
    )
    silent = fakes.program(tmp_path / "false", "#!/bin/sh\nexit 1\n")
    answer = identify(Candidate(str(silent), "a test"), tmp_path / "cache")
    assert answer == "it is no C++ compiler that fkl knows: its --version failed"
    answer = identify(Candidate(str(tmp_path), "a test"), tmp_path / "cache")
    assert answer == "it is a directory, and not a compiler's file"


def test_nvptx_is_asked_of_the_compiler_and_not_guessed_from_its_version(tmp_path: Path) -> None:
    path = fakes.clang(tmp_path / "clang++", "23.1.0", nvptx=False)
    answer = identify(Candidate(str(path), "a test"), tmp_path / "cache")
    assert isinstance(answer, Compiler)
    assert not answer.nvptx


def test_a_warm_search_runs_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.0")
    fakes.classic_tree(tmp_path / "cuda", "13.0")
    config = fakes.config(
        tmp_path, search_path=str(tmp_path / "path"), cuda_environ=str(tmp_path / "cuda")
    )
    cold = find("sm_90", config=config)

    def refuse(*_args: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("fkl_toolchain._identify.run", refuse)
    assert find("sm_90", config=config) == cold


@pytest.mark.parametrize("question", ["--version", "-print-prog-name=ld", "--print-targets"])
def test_a_compiler_that_failed_once_is_asked_again(question: str, tmp_path: Path) -> None:
    good = fakes.CLANG.format(version="22.1.0", targets="nvptx64", linker="/bin/sh")
    trouble = f'[ "$1" = {question} ] && [ -e {tmp_path}/trouble ] && kill -KILL $$\n'
    path = fakes.program(tmp_path / "path/clang++", good.replace("\n", f"\n{trouble}", 1))
    (tmp_path / "trouble").touch()
    identify(Candidate(str(path), "a test"), tmp_path / "cache")
    (tmp_path / "trouble").unlink()
    answer = identify(Candidate(str(path), "a test"), tmp_path / "cache")
    assert isinstance(answer, Compiler)
    assert (answer.nvptx, answer.linker) == (True, ("/bin/sh",))


def test_a_ptxas_that_failed_once_is_asked_again(tmp_path: Path) -> None:
    root = fakes.classic_tree(tmp_path / "cuda", "12.9", nvcc=False)
    text = fakes.NVIDIA.format(version="12.9")
    trouble = f"[ -e {tmp_path}/trouble ] && exit 1\n"
    fakes.program(root / "bin/ptxas", text.replace("\n", f"\n{trouble}", 1))
    (place,) = cuda_places(fakes.config(tmp_path, cuda_environ=str(root)))
    (tmp_path / "trouble").touch()
    assert pieces(place, tmp_path / "cache").ptxas_version == ()
    (tmp_path / "trouble").unlink()
    assert pieces(place, tmp_path / "cache").ptxas_version == (12, 9, 1)


def test_a_compiler_whose_linker_has_gone_is_asked_again(tmp_path: Path) -> None:
    linker = fakes.program(tmp_path / "old/ld", "#!/bin/sh\n")
    asked = f"cat {tmp_path}/linker"
    script = fakes.CLANG.format(version="22.1.0", targets="x", linker=f"$({asked})")
    path = fakes.program(tmp_path / "path/clang++", script)
    (tmp_path / "linker").write_text(str(linker))
    before = identify(Candidate(str(path), "a test"), tmp_path / "cache")
    linker.unlink()
    moved = fakes.program(tmp_path / "new/ld", "#!/bin/sh\n")
    (tmp_path / "linker").write_text(str(moved))
    after = identify(Candidate(str(path), "a test"), tmp_path / "cache")
    assert isinstance(before, Compiler) and isinstance(after, Compiler)
    assert (before.linker, after.linker) == ((str(linker),), (str(moved),))


def test_a_replaced_compiler_is_asked_again(tmp_path: Path) -> None:
    path = fakes.clang(tmp_path / "path/clang++", "19.1.0")
    config = fakes.config(tmp_path, search_path=str(tmp_path / "path"))
    before = find("cpu", config=config)
    path.unlink()
    fakes.clang(path, "22.10.0")
    after = find("cpu", config=config)
    assert (before.compiler.version, after.compiler.version) == ((19, 1, 0), (22, 10, 0))
    assert before.fingerprint() != after.fingerprint()


def test_a_cache_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    fakes.clang(tmp_path / "path/clang++", "22.1.0")
    config = fakes.config(
        tmp_path, search_path=str(tmp_path / "path"), cache_dir=Path("/proc/no-cache")
    )
    assert find("cpu", config=config).compiler.version == (22, 1, 0)


def test_a_classic_tree_is_found_with_all_its_pieces(tmp_path: Path) -> None:
    root = fakes.classic_tree(tmp_path / "cuda", "12.9")
    config = fakes.config(tmp_path, cuda_environ=str(root))
    (place,) = cuda_places(config)
    cuda = pieces(place, tmp_path / "cache")
    assert (cuda.version, cuda.ptxas_version) == ((12, 9), (12, 9, 1))
    assert cuda.has_headers and cuda.libdevice and cuda.nvcc
    assert cuda.lacking == ()
    assert cuda.found_via == "CUDA_HOME"


def test_the_split_wheels_are_one_toolkit(tmp_path: Path) -> None:
    site = fakes.split_wheels(tmp_path / "site-packages", "12.4")
    (place,) = cuda_places(fakes.config(tmp_path, site_packages=(str(site),)))
    cuda = pieces(place, tmp_path / "cache")
    assert cuda.has_headers and cuda.ptxas and cuda.libdevice and not cuda.nvcc
    assert cuda.found_via == "NVIDIA wheels"


def test_of_two_unified_wheel_roots_the_newer_goes_first(tmp_path: Path) -> None:
    for name in ("cu13", "cu14"):
        fakes.classic_tree(tmp_path / "site-packages/nvidia" / name, f"{name[2:]}.0")
    places = cuda_places(fakes.config(tmp_path, site_packages=(str(tmp_path / "site-packages"),)))
    assert [Path(place.root).name for place in places] == ["cu14", "cu13"]


def test_the_wheels_of_a_folder_serve_as_an_override(tmp_path: Path) -> None:
    site = fakes.split_wheels(tmp_path / "site-packages", "12.4")
    (place,) = cuda_places(fakes.config(tmp_path, cuda_home=str(site / "nvidia")))
    assert place.found_via == "the override"


def test_a_conda_prefix_keeps_its_headers_under_targets(tmp_path: Path) -> None:
    prefix = tmp_path / "env"
    (prefix / "conda-meta").mkdir(parents=True)
    (prefix / "include").mkdir()
    (prefix / "include/zlib.h").write_text("")
    fakes.headers(prefix / "targets/x86_64-linux/include", "12.8")
    fakes.program(prefix / "bin/ptxas", fakes.NVIDIA.format(version="12.8"))
    (place,) = cuda_places(fakes.config(tmp_path, prefix=str(prefix)))
    cuda = pieces(place, tmp_path / "cache")
    assert cuda.include == (str(prefix / "targets/x86_64-linux/include"),)
    assert cuda.found_via == "the interpreter's conda prefix"


@pytest.mark.parametrize(
    ("piece", "package"),
    [
        ("bin/ptxas", "nvidia-cuda-nvcc"),
        ("nvvm/libdevice/libdevice.10.bc", "nvidia-nvvm"),
        ("include/nv/target", "nvidia-cuda-cccl"),
        ("include/crt/host_defines.h", "nvidia-cuda-crt"),
        ("nvvm/bin/cicc", "nvidia-nvvm"),
    ],
)
def test_a_missing_piece_is_named_with_the_package_that_brings_it(
    tmp_path: Path, piece: str, package: str
) -> None:
    root = fakes.classic_tree(tmp_path / "cuda", "13.0")
    (root / piece).unlink()
    (place,) = cuda_places(fakes.config(tmp_path, cuda_environ=str(root)))
    (sentence,) = pieces(place, tmp_path / "cache").lacking
    assert sentence.startswith(piece) and package in sentence


def test_headers_and_ptxas_of_two_versions_are_called_out(tmp_path: Path) -> None:
    site = fakes.split_wheels(tmp_path / "site-packages", "12.9", headers_version="12.4")
    (place,) = cuda_places(fakes.config(tmp_path, site_packages=(str(site),)))
    (sentence,) = pieces(place, tmp_path / "cache").lacking
    assert sentence.startswith("headers of 12.4 beside ptxas 12.9")
