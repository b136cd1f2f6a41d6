# SPDX-License-Identifier: Apache-2.0
"""Writes bytes into a linkable ELF object: one section, one hidden symbol at its start.

The device image gets into the library this way without an assembler, and without the host pass
having to wait for it.
"""

from __future__ import annotations

import struct

_MACHINES = {"x86_64": 62, "aarch64": 183}
_HEADER, _SECTION, _SYMBOL = 64, 64, 24
_PROGBITS, _SYMTAB, _STRTAB = 1, 2, 3
_ALLOC, _GLOBAL_OBJECT, _HIDDEN = 2, 0x11, 2
_ALIGN = 16
_NAMES = b"\0.nv_fatbin\0.symtab\0.strtab\0.note.GNU-stack\0"


def data_object(symbol: str, data: bytes, machine: str) -> bytes:
    """Return a relocatable object that holds data in .nv_fatbin under a symbol name."""
    strings = _NAMES + symbol.encode() + b"\0"
    symbols = bytes(_SYMBOL) + struct.pack(
        "<IBBHQQ", len(_NAMES), _GLOBAL_OBJECT, _HIDDEN, 1, 0, len(data)
    )
    padded = data + bytes(-len(data) % _ALIGN)
    symbols_at = _HEADER + len(padded)
    strings_at = symbols_at + len(symbols)
    tail = bytes(-(strings_at + len(strings)) % 8)
    sections_at = strings_at + len(strings) + len(tail)
    sections = b"".join(
        (
            bytes(_SECTION),
            _section(b".nv_fatbin", _PROGBITS, _HEADER, len(data), flags=_ALLOC, align=_ALIGN),
            # The first symbol that is not local has index 1; the strings are in section 3.
            _section(
                b".symtab",
                _SYMTAB,
                symbols_at,
                len(symbols),
                link=3,
                info=1,
                entry=_SYMBOL,
                align=8,
            ),
            _section(b".strtab", _STRTAB, strings_at, len(strings)),
            # Says that no code here needs an executable stack.
            _section(b".note.GNU-stack", _PROGBITS, strings_at, 0),
        )
    )
    return _elf_header(machine, sections_at) + padded + symbols + strings + tail + sections


def _elf_header(machine: str, sections_at: int) -> bytes:
    identity = b"\x7fELF" + bytes((2, 1, 1)) + bytes(9)
    return identity + struct.pack(
        "<HHIQQQIHHHHHH",
        1,
        _MACHINES[machine],
        1,
        0,
        0,
        sections_at,
        0,
        _HEADER,
        0,
        0,
        _SECTION,
        5,
        3,
    )


def _section(
    name: bytes,
    kind: int,
    offset: int,
    size: int,
    *,
    flags: int = 0,
    link: int = 0,
    info: int = 0,
    entry: int = 0,
    align: int = 1,
) -> bytes:
    at = _NAMES.index(name + b"\0")
    return struct.pack("<IIQQQQIIQQ", at, kind, flags, 0, offset, size, link, info, align, entry)
