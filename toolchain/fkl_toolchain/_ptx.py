# SPDX-License-Identifier: Apache-2.0
"""Makes PTX smaller before it is embedded: long template names are most of a kernel's text."""

from __future__ import annotations

import re

# clang names a parameter <function>_param_<n>; such a name is known inside its function alone.
_PARAMETER = re.compile(rb"\b[\w$]+_param_(\d+)\b")
_COMMENT = re.compile(rb"[ \t]*//[^\n\"]*$", re.MULTILINE)
_BLANK_LINES = re.compile(rb"\n{2,}")


def compact(ptx: bytes) -> bytes:
    """Return the same program with short parameter names and without comments."""
    return _BLANK_LINES.sub(b"\n", _COMMENT.sub(b"", _PARAMETER.sub(rb"param_\1", ptx))).lstrip()
