# SPDX-License-Identifier: Apache-2.0
"""Run the conda tests:  python tests/conda [pytest's arguments]"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if Path(word.split("::")[0]).exists()]
    where = [] if chosen else [str(Path(__file__).parent)]
    status = pytest.main(["-p", "no:cacheprovider", *where, *sys.argv[1:]])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # py-rattler's threads can abort the interpreter while it shuts down
