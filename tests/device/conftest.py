# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the device tests: the compilers of the run, chains compiled by them, kinds of
array; and docs/verified.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.device import arrays, cases, compilers, verified
from tests.device.chains import SEED, Chain
from tests.device.compilers import Compiler

HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "group(name): the line of docs/verified.md that counts this test"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.device)


def group_of(item: pytest.Item) -> str:
    case = getattr(item, "callspec", None) and item.callspec.params.get("case")  # type: ignore[attr-defined]
    if getattr(case, "group", ""):
        return str(case.group)
    marker = item.get_closest_marker("group")
    return str(marker.args[0]) if marker else item.path.stem.removeprefix("test_").replace("_", " ")


@pytest.fixture(scope="session", autouse=True)
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache for the run; FKL_CACHE_DIR, given from outside, keeps one between runs."""
    given = os.environ.get("FKL_CACHE_DIR")
    if given:
        yield Path(given)
        return
    folder = tmp_path_factory.mktemp("fkl-device-cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FKL_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(scope="session")
def host_kernels(request: pytest.FixtureRequest, session_cache: Path) -> None:
    """The CPU side of the comparisons, compiled on all cores."""
    warm(request.session, session_cache, "--cpu", only="test_rows")


@pytest.fixture
def on_the_host(
    host_kernels: None, session_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """From its call on, chains of arrays of the host are compiled as without any setting: a
    compiler of GPU code may be no other, and what was built ahead holds no code for this CPU.
    """

    def settings() -> None:
        monkeypatch.delenv("FKL_COMPILER", raising=False)
        monkeypatch.delenv("FKL_NO_JIT", raising=False)
        monkeypatch.setenv("FKL_CACHE_DIR", str(session_cache))

    return settings


@pytest.fixture(scope="session", params=compilers.NAMES)
def compiler(
    request: pytest.FixtureRequest,
    session_cache: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Compiler]:
    """Each compiler in turn, with every chain that the run needs compiled before its first test."""
    if not arrays.ON_CPU and (reason := arrays.why_no_gpu()):
        pytest.skip(reason)
    found = compilers.find(request.param)
    if isinstance(found, str):
        pytest.skip(found)
    verified.COMPILERS[found.name] = found.text
    with pytest.MonkeyPatch.context() as patch:
        if found.override is not None:
            patch.setenv("FKL_COMPILER", found.override)
        if not found.is_native:
            # only what was built ahead may serve, whatever compiler this machine has
            patch.setenv("FKL_NO_JIT", "1")
            patch.setenv("FKL_CACHE_DIR", str(tmp_path_factory.mktemp(f"ahead-{found.name}")))
        compilers.forget()
        if found.is_native:
            warm(request.session, session_cache, *(["--cpu"] if arrays.ON_CPU else []))
        yield found
        compilers.forget()


def warm(session: pytest.Session, cache: Path, *options: str, only: str = "") -> None:
    """Compile what the collected tests need, on all cores; a single test compiles its own."""
    wanted = set()
    for item in session.items:
        case = getattr(item, "callspec", None) and item.callspec.params.get("case")  # type: ignore[attr-defined]
        if isinstance(case, Chain) and only in item.nodeid:
            wanted.add(case.slug)
    if not only and len(session.items) > len(wanted) + 4:
        wanted |= {chain.slug for chain in cases.BEHAVIOUR}
    if len(wanted) > 4:
        environment = {**os.environ, "FKL_CACHE_DIR": str(cache)}
        if "--cpu" in options:  # a compiler of GPU code may be no other
            environment.pop("FKL_COMPILER", None)
            environment.pop("FKL_NO_JIT", None)
        command = [sys.executable, "-m", "tests.device.warm", *options, *sorted(wanted)]
        subprocess.run(command, check=False, timeout=900, env=environment)


@pytest.fixture
def compiled(compiler: Compiler) -> Callable[[str | Chain], Any]:
    """`compiled("six")`: a chain of the table, by this compiler."""

    def of(chain: str | Chain) -> Any:
        return compiler.pipeline(cases.BY_NAME[chain] if isinstance(chain, str) else chain)

    return of


@pytest.fixture
def kind() -> arrays.Kind:
    """The kind of array that most tests use: torch, or NumPy where there is no GPU to test."""
    return arrays.kind_of("numpy" if arrays.ON_CPU else "torch")


@pytest.fixture
def torch() -> Any:
    """torch with a GPU, for tests that have no meaning elsewhere."""
    found = arrays.kind_of("torch")
    return found.torch  # type: ignore[attr-defined]


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(SEED)


@pytest.fixture(autouse=True)
def healthy_device(request: pytest.FixtureRequest) -> Iterator[None]:
    """A kernel that left the context broken fails every later test: the run ends at the one that
    did it.
    """
    yield
    module = sys.modules.get("torch")
    if arrays.ON_CPU or module is None or not module.cuda.is_initialized():
        return
    try:
        module.cuda.synchronize()
    except Exception as error:
        pytest.exit(f"{request.node.nodeid} left the device in an error: {error}", returncode=3)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    counted = report.when == "call" or (report.when == "setup" and report.outcome != "passed")
    if counted and HERE in item.path.parents:
        params = getattr(getattr(item, "callspec", None), "params", {})
        counts = verified.COUNTS.setdefault((group_of(item), params.get("compiler", "")), Counter())
        counts[report.outcome] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    if verified.COUNTS and not any(counts["passed"] for counts in verified.COUNTS.values()):
        print("\nevery test of the device was skipped, which proves nothing: that is an error")
        session.exitstatus = session.exitstatus or 1
    path = os.environ.get("FKL_WRITE_VERIFIED")
    if path and verified.COUNTS:
        day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
        verified.write(Path(path), day)
