# SPDX-License-Identifier: Apache-2.0
"""Run inside a prefix:  python save.py FILE TARGET...     saves the main job for those targets."""

import sys

import check_install

import fkl

if __name__ == "__main__":
    fkl.save(check_install.pipeline(), sys.argv[1], inputs=["uint8x3"], targets=sys.argv[2:])
