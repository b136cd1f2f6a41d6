# SPDX-License-Identifier: Apache-2.0
"""Rules for the package as a whole: imports, doors to the outside, sizes."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import fkl_toolchain
import pytest
from fkl_toolchain import Config, config_from_environ

PACKAGE = Path(fkl_toolchain.__file__).parent
MODULES = sorted(PACKAGE.glob("*.py"))
OPTIONAL = {"rich"}


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    names = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_imports_the_standard_library_and_its_own_package_alone(path: Path) -> None:
    allowed = set(sys.stdlib_module_names) | {"fkl_toolchain", "__future__"}
    assert imports(path) <= allowed


@pytest.mark.parametrize(
    ("module", "door"),
    [("subprocess", "_run.py"), ("ctypes", "_driver.py"), ("signal", "_run.py")],
)
def test_processes_and_foreign_libraries_have_one_door(module: str, door: str) -> None:
    assert [path.name for path in MODULES if module in imports(path)] == [door]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_stays_within_three_hundred_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 300


def test_every_source_names_its_licence_first() -> None:
    files = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".c", ".h")]
    without = [path.name for path in files if "SPDX" not in path.read_text("utf-8").split("\n")[0]]
    assert without == []


def test_importing_the_package_starts_and_opens_nothing() -> None:
    script = (
        "import sys\n"
        "def hook(event, arguments):\n"
        "    assert event not in ('subprocess.Popen', 'os.system', 'ctypes.dlopen'), event\n"
        "import ctypes, subprocess\n"
        "sys.addaudithook(hook)\n"
        "import fkl_toolchain\n"
    )
    done = subprocess.run((sys.executable, "-c", script), env={"PYTHONPATH": str(PACKAGE.parent)})
    assert done.returncode == 0


def test_the_command_line_reads_its_variables_in_one_place() -> None:
    given = {
        "FKL_COMPILER": "clang++",
        "FKL_CUDA_HOME": "/cuda",
        "FKL_CACHE_DIR": "/c",
        "PATH": "/p",
    }
    config = config_from_environ(given | {"CUDA_PATH": "/late"})
    assert (config.compiler, config.cuda_home, config.cache_dir) == ("clang++", "/cuda", Path("/c"))
    assert (config.search_path, config.cuda_environ) == ("/p", "/late")


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert config_from_environ({"FKL_COMPILER": ""}).compiler is None


def test_a_configuration_can_be_compared_and_cannot_be_changed() -> None:
    assert Config(compiler="x", search_path="") == Config(compiler="x", search_path="")
    with pytest.raises(AttributeError):
        Config().compiler = "y"  # type: ignore[misc]
