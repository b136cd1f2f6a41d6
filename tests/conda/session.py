# SPDX-License-Identifier: Apache-2.0
"""Runs pytest on this folder; __main__ starts it in the environment that it has set up."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    chosen = any(Path(word.split("::")[0]).exists() for word in sys.argv[1:])
    where = [] if chosen else [str(Path(__file__).parent)]
    # The other tests' conftest asks for packages that are not here.  The first test that needs the
    # channel waits for its downloads.
    options = ["--confcutdir", str(Path(__file__).parent), "--timeout=1800"]
    status = pytest.main([*options, *where, *sys.argv[1:]])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # py-rattler's threads can abort the interpreter while it shuts down
