# SPDX-License-Identifier: Apache-2.0
"""Invariants over the rows of the tables: each holds for a row nobody has written yet."""

from __future__ import annotations

from pathlib import Path

import pytest
from fkl_toolchain._model import Arch
from fkl_toolchain._versions import Range
from fkl_toolchain.architectures import (
    ARCHITECTURES,
    CLANG_PTX,
    Architecture,
    clang_knows,
    clang_ptx_cap,
    front_end_arch,
    ptx_for,
    ptxas_ptx_cap,
)
from fkl_toolchain.pairings import (
    NVCC_HOSTS,
    SHIMS,
    SHIMS_FOLDER,
    SUPPORT,
    Shim,
    shims_for,
    support,
)

from tests.toolchain.__main__ import PAGE, kept_results
from tests.toolchain.pairings_page import table_lines

SHIM_IDS = [row.name for row in SHIMS]


def overlaps(first: Range, second: Range) -> bool:
    low = max(first.low, second.low)
    return all(not bound.high or low[: len(bound.high)] <= bound.high for bound in (first, second))


@pytest.mark.parametrize("row", SHIMS, ids=SHIM_IDS)
def test_a_row_says_why_it_is_there_and_where_to_read_on(row: Shim) -> None:
    assert len(row.because.split()) >= 5
    assert row.upstream.startswith("https://")


@pytest.mark.parametrize("row", SHIMS, ids=SHIM_IDS)
def test_a_row_adds_something(row: Shim) -> None:
    assert row.has_folder or row.flags


@pytest.mark.parametrize("row", SHIMS, ids=SHIM_IDS)
def test_a_row_is_met_by_a_served_compiler_and_toolkit_else_delete_it(row: Shim) -> None:
    compilers = Range.parse(support(row.compiler).versions)
    toolkits = Range.parse(support("cuda").versions)
    assert overlaps(Range.parse(row.versions), compilers), "no served compiler: delete me"
    assert overlaps(Range.parse(row.cuda), toolkits), "no served toolkit: delete me"


@pytest.mark.parametrize("row", SHIMS, ids=SHIM_IDS)
def test_a_row_has_its_folder_exactly_when_it_says_so(row: Shim) -> None:
    files = [path for path in (SHIMS_FOLDER / row.name).rglob("*") if path.is_file()]
    assert bool(files) == row.has_folder


def test_no_shim_folder_is_without_a_row() -> None:
    assert {path.name for path in SHIMS_FOLDER.iterdir()} <= set(SHIM_IDS)


def test_names_of_rows_are_unique_and_begin_with_their_compiler() -> None:
    assert len(set(SHIM_IDS)) == len(SHIM_IDS)
    assert all(row.name.startswith(row.compiler) for row in SHIMS)


def test_each_shim_header_hands_on_to_the_header_it_stands_before() -> None:
    for path in SHIMS_FOLDER.rglob("*"):
        if path.is_file():
            assert "#include_next" in path.read_text(), path


def test_two_rows_that_shadow_one_header_chain_to_each_other() -> None:
    # c++config.h has two rows; both are in force for clang 18 with libstdc++ 16.
    rows = shims_for("clang", (18, 1), (12, 4), (16,), (2, 43))
    names = {row.name for row in rows}
    assert {"clang-libstdcxx15-assert", "clang-libstdcxx16-float128"} <= names


def test_an_unknown_host_library_counts_as_one_that_needs_the_row() -> None:
    names = {row.name for row in shims_for("clang", (18, 1), (12, 4), (), ())}
    assert "clang-glibc242-float128" in names


def test_a_new_clang_with_an_old_libstdcxx_needs_no_library_row() -> None:
    rows = shims_for("clang", (22, 1), (12, 4), (12,), (2, 36))
    assert not [row for row in rows if row.libstdcxx or row.glibc]


@pytest.mark.parametrize("row", ARCHITECTURES, ids=lambda row: f"sm_{row.number}")
def test_an_architecture_is_in_reach_of_every_served_clang(row: Architecture) -> None:
    lowest = support("clang").lowest()
    assert front_end_arch(Arch(row.number), lowest) is not None


@pytest.mark.parametrize("row", ARCHITECTURES, ids=lambda row: f"sm_{row.number}")
def test_the_first_toolkit_of_an_architecture_reads_its_ptx(row: Architecture) -> None:
    first = Range.parse(row.cuda).low
    assert first < (11,) or ptxas_ptx_cap(first) >= row.ptx


def test_architectures_are_in_order_and_unique() -> None:
    numbers = [row.number for row in ARCHITECTURES]
    assert numbers == sorted(set(numbers))


def test_every_served_clang_has_a_row_for_its_ptx() -> None:
    bounds = Range.parse(support("clang").versions)
    for major in range(bounds.low[0], bounds.high[0] + 1):
        assert [row for row in CLANG_PTX if (major,) in Range.parse(row.versions)], major


def test_every_served_nvcc_has_one_row_for_its_hosts() -> None:
    for version in ((12, 0), (12, 3), (12, 5), (12, 9), (13, 0), (13, 3), (13, 5)):
        assert len([row for row in NVCC_HOSTS if version in Range.parse(row.nvcc)]) == 1


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ((11, 8), 78),
        ((12, 0), 80),
        ((12, 4), 84),
        ((12, 8), 87),
        ((12, 9), 88),
        ((13, 0), 90),
        ((13, 5), 95),
    ],
)
def test_ptxas_reads_the_ptx_that_its_release_notes_say(
    version: tuple[int, int], expected: int
) -> None:
    assert ptxas_ptx_cap(version) == expected


def test_an_old_clang_aims_below_a_new_architecture_and_a_suffix_is_out_of_its_reach() -> None:
    assert front_end_arch(Arch(120), (19, 1)) == Arch(90)
    assert front_end_arch(Arch(120, "a"), (19, 1)) is None
    assert front_end_arch(Arch(90, "a"), (19, 1)) == Arch(90, "a")


def test_a_toolkit_that_reads_little_ptx_pulls_the_front_end_down() -> None:
    assert front_end_arch(Arch(120), (22, 1), ptxas_ptx_cap((12, 4))) == Arch(90)


def test_the_ptx_to_write_is_never_above_what_the_clang_writes() -> None:
    for row in ARCHITECTURES:
        for major in range(16, 24):
            if clang_knows(Arch(row.number), (major,)):
                assert ptx_for(Arch(row.number)) <= clang_ptx_cap((major,))


def test_families_are_served_once() -> None:
    assert len({row.family for row in SUPPORT}) == len(SUPPORT)


def test_the_page_in_docs_is_what_the_rows_render() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    assert lines == [*table_lines(), *kept_results()], "run: python -m tests.toolchain --tables"


def test_ranges_compare_as_deep_as_they_are_written() -> None:
    assert (22, 1, 8) in Range.parse("16..22")
    assert (12, 9, 86) in Range.parse("..12.9")
    assert (13, 0) not in Range.parse("13.2..")
    with pytest.raises(ValueError, match="empty"):
        Range.parse("5..3")


def test_the_shims_folder_travels_with_the_package() -> None:
    assert (Path(SHIMS_FOLDER).parent / "__init__.py").is_file()
