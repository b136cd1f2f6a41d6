# SPDX-License-Identifier: Apache-2.0
"""Run inside a prefix:  python build_cuda.py MODE ARCH OUT

Builds kernel.cu, says as JSON what did it, and calls it: without a driver that is an error code,
not a crash.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

from fkl_toolchain import Config, find


def main(mode: str, arch: str, out: Path) -> None:
    tools = find(arch, config=Config(mode=mode))
    tools.build(Path(__file__).parent / "kernel.cu", out, include_dirs=[])
    library = ctypes.CDLL(str(out))
    status = library.scale(None, 0, ctypes.c_float(2), None)
    print(
        json.dumps(
            {
                "mode": tools.mode,
                "compiler": tools.compiler.path,
                "host": tools.host.path,
                "cuda": tools.cuda.root if tools.cuda else None,
                "found_via": tools.cuda.found_via if tools.cuda else None,
                "status": status,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
