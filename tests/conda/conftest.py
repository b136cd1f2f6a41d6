# SPDX-License-Identifier: Apache-2.0
"""What the conda tests share: the channels, fkl's packages, and fresh prefixes with them installed.

They run by `python -m tests.conda`, which sets up py-rattler and its companions; elsewhere none of
them is collected.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

if importlib.util.find_spec("rattler") is None or importlib.util.find_spec("rattler_build") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    # the harness's modules, the recipe's scripts, and the table of pairings
    root = Path(__file__).parents[2]
    sys.path[:0] = [str(root / folder) for folder in ("tests/conda", "recipe", "toolchain")]

CUDA, CLANG = "13.5", "22"  # the pair whose bytes are to be had here
GLIBC = "2.39"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--conda-work", help="keep channels and prefixes in this folder")


@pytest.fixture(scope="session")
def work(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    kept = request.config.getoption("--conda-work")
    folder = Path(kept).resolve() if kept else tmp_path_factory.mktemp("conda")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["RATTLER_CACHE_DIR"] = str(folder / "cache")
    yield folder
    if not kept:
        shutil.rmtree(folder, ignore_errors=True)  # gigabytes, which pytest would keep three times


@pytest.fixture(scope="session")
def standin(work: Path) -> Path:
    """The channel of stand-in packages; built once, or found in the folder that is kept."""
    import project
    from standin.__main__ import build, default_cache
    from standin.channel import Channel

    done = work / "standin" / "done"
    if not done.exists():
        channel = Channel(work / "standin", default_cache() / "downloads")
        build(channel, clang_major=CLANG, cuda_minor=CUDA, pure=project.pure_dependencies())
        for folder in ("deb", "stage"):
            shutil.rmtree(work / "standin" / folder, ignore_errors=True)
        done.touch()
    return work / "standin" / "channel"


@pytest.fixture(scope="session")
def names(work: Path) -> Path:
    """The channel of names alone, with every CUDA minor of the recipe's variants."""
    import project
    from standin.names_only import write_channel

    return write_channel(work / "names", [cuda for cuda, _ in project.variants() if cuda != "None"])


@pytest.fixture(scope="session")
def packages(work: Path, standin: Path) -> dict[tuple[str, str], object]:
    """fkl's own packages, built from the recipe: (name, flavour of the build) to package."""
    import builder
    import project

    shutil.rmtree(work / "fkl", ignore_errors=True)
    shutil.rmtree(work / "cache", ignore_errors=True)  # may hold a build of the same name
    (work / "fkl" / "noarch").mkdir(parents=True)
    return {
        (output.name, project.flavour(output.build)): builder.build(output, work / "fkl", [standin])
        for output in builder.render()
    }


@pytest.fixture(scope="session")
def channels(work: Path, standin: Path, packages: object) -> list[Path]:
    """What a user would name as channels: fkl's own before conda-forge's."""
    return [work / "fkl", standin]


@pytest.fixture(scope="session")
def make_prefix(work: Path, channels: list[Path]) -> Callable[..., Path]:
    """Solve and install, as `conda create` would on a machine with that driver."""
    import lock
    import prefixes

    def make(name: str, *specs: str, cuda: str | None = None) -> Path:
        folder = work / "prefixes" / name
        shutil.rmtree(folder, ignore_errors=True)
        addresses = [c.as_uri() for c in channels]
        records = lock.solve(addresses, specs, cuda=cuda, glibc=GLIBC)
        return prefixes.install(records, folder, work / "cache")

    return make


@pytest.fixture(scope="session")
def cpu_prefix(make_prefix: Callable[..., Path]) -> Path:
    return make_prefix("cpu", "fkl")


@pytest.fixture(scope="session")
def cuda_prefix(make_prefix: Callable[..., Path]) -> Path:
    return make_prefix("cuda", "fkl-cuda", cuda=CUDA)
