# SPDX-License-Identifier: Apache-2.0
"""Which device code a library carries, read out of the file: an exit status shows none of it."""

from __future__ import annotations

import struct
from pathlib import Path

from fkl_toolchain._fatbinary import MAGIC, Image, unpack

CUDA_MACHINE = 190  # ELF's e_machine of a cubin


def device_images(library: Path) -> list[Image]:
    return images_in(library.read_bytes())


def images_in(data: bytes) -> list[Image]:
    """Every image of every fat binary in a library."""
    found: list[Image] = []
    magic = struct.pack("<IHH", MAGIC, 1, 16)
    place = data.find(magic)
    while place >= 0:
        found += unpack(data[place:])
        place = data.find(magic, place + 1)
    return found


def kernels(cubin: bytes) -> dict[str, int]:
    """Kernel names of a cubin and the size of each one's machine code."""
    machine = struct.unpack_from("<H", cubin, 18)[0]
    if cubin[:4] != b"\x7fELF" or machine != CUDA_MACHINE:
        raise ValueError("not a cubin")
    at, size, count, names_index = (
        struct.unpack_from("<Q", cubin, 40)[0],
        *struct.unpack_from("<HHH", cubin, 58),
    )
    sections = [struct.unpack_from("<IIQQQQ", cubin, at + i * size) for i in range(count)]
    names_at = sections[names_index][4]
    sizes = {}
    for name_offset, _, _, _, _, length in sections:
        start = names_at + name_offset
        name = cubin[start : cubin.index(b"\0", start)].decode()
        if name.startswith(".text."):
            sizes[name.removeprefix(".text.")] = length
    return sizes
