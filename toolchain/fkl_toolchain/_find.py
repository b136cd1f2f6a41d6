# SPDX-License-Identifier: Apache-2.0
"""find(): from the name of a target to a Toolchain, or to an error that lists every candidate."""

from __future__ import annotations

from dataclasses import replace

from fkl_toolchain._config import Config
from fkl_toolchain._cpu import LEVELS, baseline, host_level
from fkl_toolchain._driver import driver
from fkl_toolchain._errors import ToolchainError
from fkl_toolchain._find_cuda import find_cuda
from fkl_toolchain._model import Arch
from fkl_toolchain._select import choose, cpu_refusal, refusal_text
from fkl_toolchain._toolchain import Toolchain


def find(target: str = "cpu", *, config: Config | None = None) -> Toolchain:
    """Find what can build for a target.

    Args:
        target: "cpu" for this machine's own level, "cpu:x86-64-v3" for a named one,
            "cuda:sm_90" or "sm_90" for a GPU, "cuda" for the first GPU of this machine.
        config: overrides; None takes the defaults.

    Raises:
        ToolchainError: nothing suitable; lists every candidate with the reason against it.
    """
    settings = Config() if config is None else config
    kind, _, rest = target.partition(":")
    if target == "cuda":
        rest = _first_gpu()
    if kind == "cpu":
        return _find_cpu(settings, rest or host_level())
    try:
        arch = Arch.parse(rest if kind == "cuda" else target)
    except ValueError:
        raise ToolchainError(
            f"no such target as {target!r}: say 'cpu', 'cpu:x86-64-v3', 'cuda', 'cuda:sm_90'"
        ) from None
    # host code of a GPU library only launches: it must run beside any GPU of that kind
    return find_cuda(settings, arch, baseline())


def _first_gpu() -> str:
    answer = driver()
    if not answer.gpus:
        reason = answer.reason or "the driver lists no GPU"
        raise ToolchainError(f"{reason}; name the architecture to build for: 'cuda:sm_90'")
    return str(answer.gpus[0].arch)


def _find_cpu(config: Config, level: str) -> Toolchain:
    if level.partition("+")[0] not in LEVELS:
        raise ToolchainError(f"{level!r} is no CPU level: say one of {', '.join(LEVELS)}")
    searched = replace(config, compiler=None) if config.names_nvcc else config
    choice = choose(searched, cpu_refusal)
    if choice.compiler is None:
        raise ToolchainError(refusal_text(searched, "the CPU", choice.passed_over))
    return Toolchain(
        target=f"cpu:{level}",
        mode="cpu",
        level=level,
        compiler=choice.compiler,
        host=choice.compiler,
        cache_dir=config.resolved_cache_dir(),
        passed_over=choice.passed_over,
    )
