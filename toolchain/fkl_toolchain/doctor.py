# SPDX-License-Identifier: Apache-2.0
"""Says what can build on this machine, with what, found how, and what to install when nothing can.

examine() gathers a report as plain data; report_lines() turns it into lines for people.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from fkl_toolchain._config import Config
from fkl_toolchain._cuda_pieces import pieces
from fkl_toolchain._cuda_search import cuda_places
from fkl_toolchain._driver import Driver, driver
from fkl_toolchain._errors import ToolchainError
from fkl_toolchain._find import find
from fkl_toolchain._host_search import host_candidates
from fkl_toolchain._identify import identify
from fkl_toolchain._kept import write_atomically
from fkl_toolchain._model import Candidate, Cuda
from fkl_toolchain._select import advice, cpu_refusal, lean_refusal
from fkl_toolchain._toolchain import Toolchain
from fkl_toolchain._versions import version_text
from fkl_toolchain.pairings import support

# Without a GPU the report shows what would be built for this one.
SHOWN_WITHOUT_GPU = "sm_80"
INSTALL_CUDA = (
    "conda install -c conda-forge cuda-nvcc-tools cuda-nvvm-tools",
    "pip install nvidia-cuda-nvcc nvidia-nvvm",
    "apt-get install nvidia-cuda-toolkit",
)


class Target(TypedDict):
    target: str
    works: bool
    mode: str
    description: str
    shims: list[str]
    fingerprint: str
    passed_over: list[str]


class Report(TypedDict):
    ok: bool
    targets: list[Target]
    compilers: list[str]
    cuda: list[str]
    driver: str
    gpus: list[str]
    cache: str
    advice: list[str]


def examine(config: Config) -> Report:
    """Look at everything and return what was found; raises nothing for a bare machine."""
    answer = driver()
    arches = dict.fromkeys(str(gpu.arch) for gpu in answer.gpus)
    targets = [_target("cpu", config)]
    targets += [_target(f"cuda:{arch}", config) for arch in arches or [SHOWN_WITHOUT_GPU]]
    return Report(
        ok=any(target["works"] for target in targets),
        targets=targets,
        compilers=[_compiler_line(item, config) for item in host_candidates(config)],
        cuda=[
            _cuda_line(pieces(place, config.resolved_cache_dir())) for place in cuda_places(config)
        ],
        driver=_driver_line(answer),
        gpus=[f"{gpu.name} ({gpu.arch})" for gpu in answer.gpus],
        cache=_cache_line(config),
        advice=list(_advice(targets, config)),
    )


def report_lines(report: Report) -> Iterator[tuple[str, str]]:
    """Yield (style, text) pairs: a heading, a good line, a bad line, or plain text."""
    yield "heading", "What can be built"
    for target in report["targets"]:
        yield ("good" if target["works"] else "bad"), target["description"]
        if target["works"]:
            yield from (("plain", f"passed over: {line}") for line in target["passed_over"])
    sections = (
        ("Compilers, in the order of the search", report["compilers"]),
        ("CUDA toolkits, in the order of the search", report["cuda"]),
        ("Driver and GPUs", [report["driver"], *report["gpus"]]),
        ("Cache", [report["cache"]]),
        ("To install", report["advice"]),
    )
    for heading, lines in sections:
        if lines or heading != "To install":
            yield "heading", heading
            yield from (("plain", line) for line in lines or ["none found"])


def _target(name: str, config: Config) -> Target:
    try:
        found = find(name, config=config)
    except ToolchainError as error:
        return Target(
            target=name,
            works=False,
            mode="",
            description=f"{name}: {error}",
            shims=[],
            fingerprint="",
            passed_over=[],
        )
    return Target(
        target=found.target,
        works=True,
        mode=found.mode,
        description=found.describe() + _untested(found),
        shims=[f"{shim.name}: {shim.because} ({shim.upstream})" for shim in found.shims],
        fingerprint=found.fingerprint(),
        passed_over=[str(passed) for passed in found.passed_over],
    )


def _untested(found: Toolchain) -> str:
    compiler = found.compiler
    row = support(compiler.family)
    if row.tested(compiler.version):
        return ""
    return f" {compiler.family} {version_text(compiler.version)} is newer than what was tested."


def _compiler_line(candidate: Candidate, config: Config) -> str:
    answer = identify(candidate, config.resolved_cache_dir())
    if isinstance(answer, str):
        return f"{candidate.path} ({candidate.found_via}): {answer}"
    if refusal := cpu_refusal(answer):
        return f"{answer}: {refusal}"
    refusal = lean_refusal(answer)
    return f"{answer}: serves the CPU" + (f"; {refusal}" if refusal else " and GPUs")


def _cuda_line(cuda: Cuda) -> str:
    held = [
        name
        for name, there in (
            ("ptxas", cuda.ptxas),
            ("libdevice", cuda.libdevice),
            ("headers", cuda.has_headers),
            ("nvcc", cuda.nvcc),
        )
        if there
    ]
    text = f"CUDA {version_text(cuda.version) or '?'} at {cuda.root} ({cuda.found_via}): "
    text += ", ".join(held) or "nothing of use"
    return text + "".join(f"; {sentence}" for sentence in cuda.lacking)


def _driver_line(answer: Driver) -> str:
    if answer.reason:
        return answer.reason
    return f"NVIDIA driver for CUDA {version_text(answer.cuda)}"


def _cache_line(config: Config) -> str:
    folder = config.resolved_cache_dir()
    if not write_atomically(folder / "doctor", b"was here\n"):
        return f"{folder} (cannot be written: nothing is remembered, builds take longer)"
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return f"{folder} ({sum(path.stat().st_size for path in files) / 1e6:.1f} MB)"


def _advice(targets: list[Target], config: Config) -> Iterator[str]:
    if not targets[0]["works"]:
        yield advice(config, "a compiler: ")
    elif not all(target["works"] for target in targets):
        yield advice(config, "a clang that makes code for GPUs: ")
    found = [pieces(place, config.resolved_cache_dir()) for place in cuda_places(config)]
    if not any(cuda.libdevice and cuda.ptxas for cuda in found):
        yield (
            "for GPUs, libdevice (transcendental functions) and ptxas (no compilation by the "
            "driver): " + " · ".join(INSTALL_CUDA)
        )
