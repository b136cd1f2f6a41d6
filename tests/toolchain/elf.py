# SPDX-License-Identifier: Apache-2.0
"""Reads what a built library holds for the GPU: cubins by architecture, PTX by target."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain._fatbinary import MAGIC, Image, unpack

_EM_CUDA = 190
_CUDA_ABI_8 = 8


@dataclass(frozen=True)
class Section:
    name: str
    offset: int
    size: int


@dataclass(frozen=True)
class DeviceCode:
    """Kernels with machine code by architecture number, and (version, target) of each PTX text."""

    sass: dict[int, tuple[str, ...]]
    ptx: tuple[tuple[str, str], ...]


def sections(data: bytes) -> tuple[Section, ...]:
    assert data[:4] == b"\x7fELF", "no ELF file"
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names_at = struct.unpack_from("<HHH", data, 58)
    raw = [struct.unpack_from("<IIQQQQ", data, table + size * index) for index in range(count)]
    names = raw[names_at][4]
    return tuple(
        Section(_text(data, names + name), offset, length)
        for name, _kind, _flags, _address, offset, length in raw
    )


def device_code(library: Path) -> DeviceCode:
    """Return the device code in a library's .nv_fatbin section; compressed images are not read."""
    data = library.read_bytes()
    found = [section for section in sections(data) if section.name == ".nv_fatbin"]
    images: list[Image] = []
    for section in found:
        for container in containers(data[section.offset : section.offset + section.size]):
            images += unpack(container)
    sass = {cubin_arch(image.data): kernels(image.data) for image in images if image.kind == "elf"}
    texts = [image.data for image in images if image.kind == "ptx"]
    return DeviceCode(sass, tuple(_ptx_header(text) for text in texts))


def containers(data: bytes) -> Iterator[bytes]:
    """Yield each fat binary in a section; the host pass leaves an empty one of its own."""
    place = data.find(struct.pack("<I", MAGIC))
    while place >= 0:
        (size,) = struct.unpack_from("<Q", data, place + 8)
        yield data[place : place + 16 + size]
        place = data.find(struct.pack("<I", MAGIC), place + 16 + size)


def kernels(cubin: bytes) -> tuple[str, ...]:
    """Return the kernels of a cubin that have machine code: .text.<kernel> sections with bytes."""
    (machine,) = struct.unpack_from("<H", cubin, 18)
    assert machine == _EM_CUDA, f"machine {machine} is not CUDA"
    return tuple(
        section.name.removeprefix(".text.")
        for section in sections(cubin)
        if section.name.startswith(".text.") and section.size > 0
    )


def cubin_arch(cubin: bytes) -> int:
    """Return the architecture number in a cubin's own header; newer toolkits moved it up a byte."""
    (flags,) = struct.unpack_from("<I", cubin, 48)
    return (flags >> 8) & 0xFF if cubin[8] >= _CUDA_ABI_8 else flags & 0xFF


def needed_libraries(library: Path) -> tuple[str, ...]:
    """Return the DT_NEEDED names of a library."""
    data = library.read_bytes()
    table = {section.name: section for section in sections(data)}
    dynamic, strings = table[".dynamic"], table[".dynstr"]
    entries = struct.iter_unpack("<QQ", data[dynamic.offset : dynamic.offset + dynamic.size])
    return tuple(_text(data, strings.offset + value) for tag, value in entries if tag == 1)


def _ptx_header(text: bytes) -> tuple[str, str]:
    version = re.search(rb"^\.version\s+(\S+)", text, re.M)
    target = re.search(rb"^\.target\s+(\w+)", text, re.M)
    assert version and target, "no PTX header"
    return version[1].decode(), target[1].decode()


def _text(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode()
