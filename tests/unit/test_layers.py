# SPDX-License-Identifier: Apache-2.0
"""What a machine enforces: imports go one way, files are small, doors are shut, import is pure."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fkl

PACKAGE = Path(fkl.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
ORDER = [
    "_errors",
    "_config",
    "_tree",
    "_driver",
    "_dlpack",
    "_dtypes",
    "_extents",
    "_values",
    "_sizes",
    "_op",
    "ops",
    "_arrays",
    "_devices",
    "_buffer",
    "_torch",
    "_frameworks",
    "_tree_rules",
    "_plan",
    "_chain",
    "_binding",
    "_codegen",
    "_tree_support",
    "_tree_codegen",
    "_cache",
    "_warm",
    "_compiling",
    "_targets",
    "_build",
    "_threads",
    "_kernel",
    "_measure",
    "_call",
    "_fast",
    "_device_memory",
    "_device_args",
    "_device_call",
    "_bound",
    "_pipeline",
    "_archive",
    "_vendor",
    "__init__",
    "__main__",
]
DOORS = {
    "subprocess": set(),
    "ctypes": {"_kernel.py", "_arrays.py", "_dlpack.py", "_driver.py"},
    "fkl_toolchain": {"_build.py", "__main__.py"},
    "environ": {"_config.py"},
    "getenv": set(),
}


def imported(path: Path) -> set[str]:
    """The modules of fkl that a file imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (
            node.level or (node.module or "").startswith("fkl")
        ):
            module = (node.module or "").removeprefix("fkl").strip(".")
            found |= {module.split(".")[0]} if module else {alias.name for alias in node.names}
    return {name for name in found if (PACKAGE / f"{name}.py").exists() or name == "ops"}


def layer(path: Path) -> str:
    return "ops" if path.parent.name == "ops" else path.stem


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_import_only_goes_left(path: Path) -> None:
    own = layer(path)
    allowed = set(ORDER[: ORDER.index(own)]) | ({"ops"} if own == "ops" else set())
    assert imported(path) <= allowed


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_short_and_licensed(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= 300
    assert lines[0] == "# SPDX-License-Identifier: Apache-2.0"


def test_no_module_is_named_for_nothing() -> None:
    assert not {path.stem.strip("_") for path in FILES} & {
        "utils",
        "helpers",
        "common",
        "manager",
        "base",
    }


@pytest.mark.parametrize("door", DOORS)
def test_only_the_door_is_used(door: str) -> None:
    users = set()
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = (
                {alias.name.split(".")[0] for alias in node.names}
                if isinstance(node, ast.Import)
                else set()
            )
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
            if isinstance(node, ast.Attribute):
                names.add(node.attr if node.attr in ("environ", "getenv") else "")
            if door in names:
                users.add(path.name)
    assert users <= DOORS[door]


AUDIT = """
import sys
import numpy
started = []
forbidden = {"subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn"}
modules = (".py", ".pyc", ".so", "/", ".pth", ".dist-info")
def hook(event, args):
    if event in forbidden or (event == "ctypes.dlopen" and args[0] is not None):
        started.append(f"{event} {args}")
    if event == "open" and isinstance(args[0], str) and not args[0].endswith(modules):
        if "pyc." not in args[0]:
            started.append(f"{event} {args[0]}")
sys.addaudithook(hook)
import fkl
print(started)
print(sorted({name.split(".")[0] for name in sys.modules} & {"fkl_toolchain", "cuda", "torch"}))
"""


def test_importing_starts_nothing_and_opens_nothing_but_modules() -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run(
        [sys.executable, "-c", AUDIT],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=60,
    )
    opened, modules = result.stdout.splitlines()
    assert (opened, modules) == ("[]", "[]")
