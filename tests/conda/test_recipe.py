# SPDX-License-Identifier: Apache-2.0
"""The recipe says what it should, agrees with the project, and builds the same twice."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import builder
import project
import pytest
from fkl_toolchain import pairings
from fkl_toolchain._versions import Range, parse_version
from rattler_build import Package
from standin.names import fill, rows

Packages = dict[tuple[str, str], Package]
VIRTUAL = {"__cuda", "__linux"}


def flavours() -> list[str]:
    return [
        "cpu" if cuda == "None" else f"cuda{cuda.replace('.', '')}"
        for cuda, _ in project.variants()
    ]


def payload(package: Package) -> set[str]:
    return {str(path) for path in package.files}


def name_of(spec: str) -> str:
    return spec.split()[0]


def test_the_outputs_are_one_toolchain_and_one_selector_a_pair(packages: Packages) -> None:
    pairs = {("fkl-toolchain", f) for f in flavours()}
    selectors = {("fkl-cuda" if f.startswith("cuda") else "fkl-cpu", f) for f in flavours()}
    assert set(packages) == {("fkl", ""), ("fkl-headers", "")} | pairs | selectors


def test_every_cuda_build_outranks_the_cpu_build(packages: Packages) -> None:
    numbers = {f: packages["fkl-toolchain", f].build_number for f in flavours()}
    assert all(n > numbers["cpu"] for f, n in numbers.items() if f != "cpu"), numbers


@pytest.mark.parametrize(("cuda", "clang"), [v for v in project.variants() if v[0] != "None"])
def test_a_pair_is_the_newest_clang_that_its_nvcc_takes(cuda: str, clang: str) -> None:
    """So that one clang serves as CUDA compiler and as nvcc's host compiler."""
    limit = pairings.host_limit(parse_version(cuda))
    assert limit is not None
    assert int(clang) == limit.clang


def test_every_clang_of_the_variants_is_one_that_is_tested() -> None:
    for _, clang in project.variants():
        assert pairings.support("clang").tested(parse_version(clang))


def test_the_newest_toolkit_of_the_table_is_among_the_pairs() -> None:
    newest = Range.parse(pairings.support("nvcc").versions).high
    assert ".".join(map(str, newest)) in {cuda for cuda, _ in project.variants()}


def test_the_python_package_pins_its_headers_exactly_and_its_toolchain_by_version(
    packages: Packages,
) -> None:
    fkl = packages["fkl", ""]
    headers = packages["fkl-headers", ""]
    assert f"fkl-headers =={headers.version} {headers.build_string}" in fkl.depends
    assert f"fkl-toolchain =={fkl.version}" in fkl.depends
    assert fkl.noarch == "python"


def test_the_recipe_has_the_projects_version(packages: Packages) -> None:
    assert {p.version for p in packages.values()} == {project.version()}


def test_the_recipe_has_the_wheels_dependencies(packages: Packages) -> None:
    own = {"python", "__linux", "fkl-headers", "fkl-toolchain"}
    assert {name_of(d) for d in packages["fkl", ""].depends} - own == project.dependencies()


def test_a_cpu_toolchain_names_no_cuda_package(packages: Packages) -> None:
    cpu = packages["fkl-toolchain", "cpu"]
    assert not [d for d in (*cpu.depends, *cpu.constrains) if "cuda" in d]


@pytest.mark.parametrize("flavour", [f for f in flavours() if f != "cpu"])
def test_a_cuda_toolchain_pins_the_toolkit_and_asks_for_a_driver(
    packages: Packages, flavour: str
) -> None:
    package = packages["fkl-toolchain", flavour]
    cuda = next(c for c, _ in project.variants() if c.replace(".", "") == flavour[4:])
    depends = set(package.depends)
    assert {"__cuda", f"cuda-version {cuda}.*", "cuda-python", "cuda-nvcc-impl"} <= depends
    assert f"cuda-nvcc {cuda}.*" in package.constrains


def test_every_name_in_the_recipe_is_one_that_conda_forge_has(packages: Packages) -> None:
    own = {name for name, _ in packages}
    known = {row.name for row in rows().values()} | own | VIRTUAL
    named = {name_of(d) for p in packages.values() for d in (*p.depends, *p.constrains)}
    assert named <= known, named - known


def test_every_edge_of_the_table_leads_to_a_row_of_it() -> None:
    table = rows().values()
    known = (
        {row.name for row in table}
        | {f"clang-{m}" for m in (19, 20, 21, 22)}
        | {"__glibc", "__cuda"}
    )
    for row in table:
        assert re.fullmatch(r"[\w-]+-feedstock", row.feedstock), row
        edges = [fill(d, "22.1.8", "13.5") for d in (*row.depends, *row.constrains)]
        assert {name_of(edge) for edge in edges} <= known, row


def test_the_table_has_no_row_that_nothing_leads_to(packages: Packages) -> None:
    tools = {"pip", "hatchling"}
    table = {row.name: row for row in rows().values()}
    waiting = {name_of(d) for p in packages.values() for d in (*p.depends, *p.constrains)} | tools
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        reached.add(name)
        row = table.get(name) or (table["clang-{major}"] if name.startswith("clang-") else None)
        edges = (*row.depends, *row.constrains) if row else ()
        waiting |= {name_of(fill(d, "22.1.8", "13.5")) for d in edges} - reached
    unreached = {name for name in table if fill(name, "22.1.8") not in reached}
    assert not unreached


def test_the_headers_are_in_one_package_alone(packages: Packages) -> None:
    with_headers = {
        name for (name, _), p in packages.items() if any("fused_kernel/" in f for f in payload(p))
    }
    assert with_headers == {"fkl-headers"}


def test_the_manifest_of_the_headers_is_the_source_tree(cpu_prefix: Path) -> None:
    tree = project.ROOT / "fkl" / "include"
    files = sorted(f for f in (tree / "fused_kernel").rglob("*") if f.is_file())
    expected = {str(f.relative_to(tree)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}
    manifest = (cpu_prefix / "share" / "fkl" / "headers.sha256").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in manifest)}
    assert listed == expected
    installed = cpu_prefix / "include" / "fkl"
    assert {str(f.relative_to(installed)) for f in installed.rglob("*") if f.is_file()} == set(
        expected
    )


def test_the_toolchain_says_which_pair_it_is_for(cuda_prefix: Path, cpu_prefix: Path) -> None:
    pair = json.loads((cuda_prefix / "share" / "fkl" / "toolchain.json").read_text())
    assert (pair["flavour"], pair["clang"], pair["cuda"]) == ("cuda135", "22", "13.5")
    assert json.loads((cpu_prefix / "share" / "fkl" / "toolchain.json").read_text())["cuda"] is None


def test_no_package_brings_an_activation_script(packages: Packages) -> None:
    assert not [f for p in packages.values() for f in payload(p) if "activate.d" in f]


@pytest.mark.parametrize(
    "key", [("fkl-headers", ""), ("fkl-toolchain", "cuda135")], ids=lambda key: key[0]
)
def test_a_rebuild_gives_the_same_archive(
    packages: Packages, key: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONDA_OVERRIDE_CUDA", "13.5")
    result = packages[key].rebuild(test="skip", output_dir=tmp_path)
    assert result.is_identical


@pytest.mark.parametrize(
    "key",
    [
        ("fkl-headers", ""),
        ("fkl-toolchain", "cpu"),
        ("fkl-toolchain", "cuda135"),
        ("fkl", ""),
        ("fkl-cuda", "cuda135"),
    ],
    ids=lambda key: "-".join(filter(None, key)),
)
def test_the_recipes_own_tests_pass(
    packages: Packages,
    channels: list[Path],
    key: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if key[1].startswith("cuda"):
        # the environment of the test could not be solved without a driver
        monkeypatch.setenv("CONDA_OVERRIDE_CUDA", "13.5")
    assert packages[key].test_count
    assert builder.run_tests(packages[key], channels) == []
