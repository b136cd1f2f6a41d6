# SPDX-License-Identifier: Apache-2.0
"""What `conda install` chooses on each kind of machine, asked of conda's own solver.

The packages are names with conda-forge's dependency edges (names.toml): these tests hold as far as
the edges do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import lock
import pytest
import rattler
from conftest import GLIBC

Solve = Callable[..., dict[str, rattler.RepoDataRecord]]


@pytest.fixture(scope="session")
def solve(work: Path, names: Path, packages: object) -> Solve:
    def by_name(
        *specs: str, driver: str | None = None, glibc: str = GLIBC
    ) -> dict[str, rattler.RepoDataRecord]:
        channels = [(work / "fkl").as_uri(), names.as_uri()]
        records = lock.solve(channels, specs, cuda=driver, glibc=glibc)
        return {record.name.normalized: record for record in records}

    return by_name


def pair(records: dict[str, rattler.RepoDataRecord]) -> tuple[str, str]:
    """(flavour, clang major) of a solution."""
    build, clang = str(records["fkl-toolchain"].build), str(records["clangxx"].version)
    return build.split("_")[0], clang.split(".")[0]


@pytest.mark.parametrize(
    ("specs", "driver", "expected"),
    [
        (["fkl"], None, ("cpu", "22")),
        (["fkl"], "12.9", ("cuda129", "19")),
        (["fkl"], "13.0", ("cuda135", "22")),
        (["fkl"], "13.5", ("cuda135", "22")),
        (["fkl", "cuda-version=13.0"], "13.5", ("cuda130", "20")),
        (["fkl", "cuda-version=12.9"], "13.5", ("cuda129", "19")),
        (["fkl", "clangxx=21"], "13.5", ("cuda133", "21")),
        (["fkl-cpu"], "13.5", ("cpu", "22")),
        (["fkl-cuda"], "13.5", ("cuda135", "22")),
        (["fkl-cuda", "cuda-version=13.0"], "13.0", ("cuda130", "20")),
        (["fkl-cuda"], "12.9", ("cuda129", "19")),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else str(value),
)
def test_the_solver_chooses_the_pair(
    solve: Solve, specs: list[str], driver: str | None, expected: tuple[str, str]
) -> None:
    assert pair(solve(*specs, driver=driver)) == expected


def test_a_machine_without_a_driver_gets_no_cuda_package(solve: Solve) -> None:
    assert not [name for name in solve("fkl") if name.startswith(("cuda", "libnv"))]


def test_a_cpu_toolchain_leaves_cuda_to_the_packages_that_want_it(solve: Solve) -> None:
    records = solve("fkl-cpu", "cuda-nvcc-impl", driver="13.5")
    assert pair(records)[0] == "cpu"
    assert "cuda-nvcc-impl" in records


def test_every_cuda_build_brings_the_bindings_and_the_lean_parts_alone(solve: Solve) -> None:
    records = solve("fkl", driver="13.5")
    assert {"cuda-python", "cuda-nvcc-impl", "cuda-cudart-dev"} <= set(records)
    # its activation script and the whole of gcc come with this one only
    assert "cuda-nvcc" not in records
    assert "gcc_impl_linux-64" not in records


def test_fkl_cuda_brings_both_compilers(solve: Solve) -> None:
    records = solve("fkl-cuda", driver="13.5")
    assert {"cuda-nvcc", "clangxx"} <= set(records)
    assert str(records["cuda-nvcc"].version).startswith("13.5.")


@pytest.mark.parametrize("cuda", ["12.9", "13.0", "13.3", "13.5"])
def test_every_part_of_the_toolkit_is_of_one_minor(solve: Solve, cuda: str) -> None:
    records = solve("fkl-cuda", f"cuda-version={cuda}", driver="13.5")
    parts = {n: str(r.version) for n, r in records.items() if n.startswith(("cuda-nv", "cuda-cu"))}
    assert parts
    assert all(version.startswith(f"{cuda}.") for version in parts.values()), parts


def test_fkl_cuda_without_a_driver_is_an_error_that_names_it(solve: Solve) -> None:
    with pytest.raises(Exception, match="__cuda"):
        solve("fkl-cuda")


def test_a_driver_that_is_too_old_for_every_pair_gets_the_cpu_build(solve: Solve) -> None:
    assert pair(solve("fkl", driver="11.8")) == ("cpu", "22")


def test_a_clang_that_fits_no_pair_is_an_error_that_lists_the_ones_that_do(solve: Solve) -> None:
    with pytest.raises(Exception) as caught:
        solve("fkl", "clangxx=18", driver="13.5")
    message = str(caught.value)
    assert "clangxx" in message
    assert "18" in message


def test_a_clang_of_another_pair_is_refused_for_a_toolkit(solve: Solve) -> None:
    with pytest.raises(Exception) as caught:
        solve("fkl-cuda", "cuda-version=13.5", "clangxx=19", driver="13.5")
    assert "clangxx" in str(caught.value)


def test_an_old_cluster_gets_an_old_sysroot(solve: Solve) -> None:
    records = solve("fkl", glibc="2.28")
    assert str(records["sysroot_linux-64"].version) == "2.28"
