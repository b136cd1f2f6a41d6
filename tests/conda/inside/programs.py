# SPDX-License-Identifier: Apache-2.0
"""Run inside a prefix: lists every executable file of the root that is not the prefix's."""

import os
import sys
from pathlib import Path

SHARED = {"proc", "dev", "sys", "tmp", "input", "output"}

for top in Path("/").iterdir():
    for folder, _, names in os.walk(top if top.name not in SHARED else os.devnull):
        for file in (Path(folder, name) for name in names):
            if not file.is_relative_to(sys.prefix) and os.access(file, os.X_OK):
                print(file)
