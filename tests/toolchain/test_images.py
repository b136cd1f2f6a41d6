# SPDX-License-Identifier: Apache-2.0
"""The containers that we write ourselves: the fat binary, and the object that carries it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from fkl_toolchain._elf_object import data_object
from fkl_toolchain._fatbinary import MAGIC, Image, pack, unpack
from fkl_toolchain._precompiled import dependencies

from tests.toolchain import elf

PTX = b".version 7.8\n.target sm_90\n"


def test_a_container_gives_back_what_was_packed() -> None:
    images = (Image("elf", 90, b"cubin bytes 1234"), Image("ptx", 80, PTX))
    first, second = unpack(pack(images))
    assert (first.kind, first.arch, first.data) == ("elf", 90, b"cubin bytes 1234")
    assert (second.kind, second.arch, second.data.rstrip(b"\0")) == ("ptx", 80, PTX)


def test_every_image_starts_on_eight_bytes() -> None:
    data = pack((Image("elf", 90, b"123"), Image("elf", 100, b"4567")))
    assert len(data) == 16 + 2 * (64 + 8)


def test_a_container_starts_with_nvidias_magic_and_its_length() -> None:
    data = pack((Image("ptx", 90, PTX),))
    magic, version, header, size = struct.unpack_from("<IHHQ", data)
    assert (magic, version, header, size) == (MAGIC, 1, 16, len(data) - 16)


def test_an_entry_says_kind_architecture_and_the_versions_of_the_ptx() -> None:
    data = pack((Image("ptx", 90, PTX),))
    kind, _, header = struct.unpack_from("<HHI", data, 16)
    minor, major, arch = struct.unpack_from("<HHI", data, 16 + 24)
    assert (kind, header, major, minor, arch) == (1, 80, 7, 8, 90)


def test_ptx_without_a_version_is_refused() -> None:
    with pytest.raises(ValueError, match="names no version"):
        pack((Image("ptx", 90, b"nothing"),))


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_object_holds_its_bytes_in_the_section_that_tools_look_for(machine: str) -> None:
    data = data_object("image", b"hello", machine)
    (section,) = [item for item in elf.sections(data) if item.name == ".nv_fatbin"]
    assert data[section.offset : section.offset + section.size] == b"hello"


def test_dependencies_with_spaces_and_dollars_are_read_as_compilers_write_them(
    tmp_path: Path,
) -> None:
    file = tmp_path / "x.d"
    file.write_text("out.o: /a\\ b/c.h \\\n  /d$$e.h /plain.h\n")
    assert dependencies(file) == ("/a b/c.h", "/d$e.h", "/plain.h")
