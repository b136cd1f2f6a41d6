# SPDX-License-Identifier: Apache-2.0
"""Which libstdc++ headers and glibc a compiler's host pass meets: an axis of the pairing table."""

from __future__ import annotations

import glob
import os
import re

from fkl_toolchain._model import Compiler, HostLibraries
from fkl_toolchain._system import glibc_version
from fkl_toolchain._versions import parse_version

_VERSIONED = re.compile(r"\d+(?:\.\d+)*")


def host_libraries(compiler: Compiler) -> HostLibraries:
    """Return the newest libstdc++ in sight of a compiler, as its driver would choose.

    Read off the folders alone; what cannot be seen stays unknown, and an unknown library counts
    as one that needs every row.
    """
    roots = [os.path.dirname(os.path.dirname(compiler.path)), "/usr"]
    installs = [
        path
        for root in roots
        for path in glob.glob(os.path.join(glob.escape(root), "lib", "gcc", "*", "*"))
        if _VERSIONED.fullmatch(os.path.basename(path))
    ]
    versions = [parse_version(os.path.basename(path)) for path in installs]
    newest = max(versions, default=())
    return HostLibraries(libstdcxx=newest, glibc=glibc_version())
