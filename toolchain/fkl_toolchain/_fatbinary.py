# SPDX-License-Identifier: Apache-2.0
"""Packs device images into NVIDIA's fat binary container, uncompressed.

A clang and the fatbinary program beside it may differ on its options, and the wheels of CUDA 12
carry none; the format itself has not changed.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Literal

MAGIC = 0xBA55ED50
_PTX, _ELF = 1, 2
# 64-bit, Linux.
_FLAGS = 0x11


@dataclass(frozen=True)
class Image:
    """One device image: a cubin for one architecture, or PTX from an architecture upwards."""

    kind: Literal["elf", "ptx"]
    arch: int
    data: bytes


def pack(images: tuple[Image, ...]) -> bytes:
    body = b"".join(_entry(image) for image in images)
    return struct.pack("<IHHQ", MAGIC, 1, 16, len(body)) + body


def unpack(data: bytes) -> tuple[Image, ...]:
    """Return the images of an uncompressed container; the reverse of pack."""
    magic, _version, header, size = struct.unpack_from("<IHHQ", data)
    if magic != MAGIC:
        raise ValueError("not a fat binary")
    images: list[Image] = []
    place, end = header, header + size
    while place < end:
        kind, _, entry_header, length = struct.unpack_from("<HHIQ", data, place)
        (arch,) = struct.unpack_from("<I", data, place + 28)
        payload = data[place + entry_header : place + entry_header + length]
        images.append(Image("ptx" if kind == _PTX else "elf", arch, payload))
        place += entry_header + length
    return tuple(images)


def _entry(image: Image) -> bytes:
    data = image.data
    if image.kind == "ptx":
        match = re.search(rb"^\.version\s+(\d+)\.(\d+)", data, re.M)
        if not match:
            raise ValueError("this PTX names no version")
        kind, major, minor, header, option = _PTX, int(match[1]), int(match[2]), 80, 64
        data = data.rstrip(b"\0") + b"\0"
    else:
        # The version of the cubin's ABI.
        kind, major, minor, header, option = _ELF, 1, 7, 64, 0
    data += b"\0" * (-len(data) % 8)
    entry = struct.pack(
        "<HHIQIIHHIIIQQQ",
        kind,
        0x101,
        header,
        len(data),
        0,
        option,
        minor,
        major,
        image.arch,
        0,
        0,
        _FLAGS,
        0,
        0,
    )
    if image.kind == "ptx":
        entry += struct.pack("<QQ", 0x48, 0)
    return entry + data
