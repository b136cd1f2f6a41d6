# SPDX-License-Identifier: Apache-2.0
"""Makes PTX smaller before it is embedded: long template names are most of a kernel's text."""

from __future__ import annotations

import re

# clang names a parameter <function>_param_<n>; such a name is known inside its function alone.
_PARAMETER = re.compile(rb"\b[\w$]+_param_(\d+)\b")
# What a launch looks up. micro_runtime.c shortens a name in the same way.
_ENTRY = re.compile(rb"\.entry\s+([\w$]+)")
LONG_NAME = 24
_COMMENT = re.compile(rb"[ \t]*//[^\n\"]*$", re.MULTILINE)
_BLANK_LINES = re.compile(rb"\n{2,}")


def short_name(name: bytes) -> bytes:
    """Return what a long kernel name is called in an image: its FNV-1a hash of 64 bits."""
    if len(name) <= LONG_NAME:
        return name
    value = 0xCBF29CE484222325
    for byte in name:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return b"fkl_%016x" % value


def compact(ptx: bytes) -> bytes:
    """Return the same program with short names of kernels and parameters, without comments."""
    text = _PARAMETER.sub(rb"param_\1", ptx)
    for name in sorted(set(_ENTRY.findall(text)), key=len, reverse=True):
        text = re.sub(rb"(?<![\w$])" + re.escape(name) + rb"(?![\w$])", short_name(name), text)
    return _BLANK_LINES.sub(b"\n", _COMMENT.sub(b"", text)).lstrip()
