# SPDX-License-Identifier: Apache-2.0
"""Say what can build on this machine, for people or as JSON; exit with 1 when nothing can."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys

from fkl_toolchain._config import config_from_environ
from fkl_toolchain.doctor import Report, examine, report_lines

_STYLES = {"heading": "bold", "good": "green", "bad": "red", "plain": ""}
_MARKS = {"heading": "", "good": "  + ", "bad": "  - ", "plain": "    "}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fkl_toolchain", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    chosen = parser.parse_args(arguments)
    report = examine(config_from_environ())
    try:
        if chosen.json:
            print(json.dumps(report, indent=2, ensure_ascii=False))
        else:
            show(report)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone, as `| head` does: no traceback, and nothing left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0 if report["ok"] else 1


def show(report: Report) -> None:
    """Print a report: with colours where rich is installed, plainly elsewhere."""
    try:
        console = importlib.import_module("rich.console").Console(soft_wrap=True, highlight=False)
        text = importlib.import_module("rich.text").Text
    except ImportError:
        for style, line in report_lines(report):
            print(_MARKS[style] + line)
        return
    for style, line in report_lines(report):
        console.print(text(_MARKS[style] + line, style=_STYLES[style]))


if __name__ == "__main__":
    sys.exit(main())
