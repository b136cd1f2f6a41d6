# SPDX-License-Identifier: Apache-2.0
"""Finds compilers and CUDA toolkits, knows which pairs work and what each needs, and runs them."""

from fkl_toolchain._config import Config, config_from_environ
from fkl_toolchain._cpu import host_level
from fkl_toolchain._errors import BuildError, ToolchainError
from fkl_toolchain._find import find
from fkl_toolchain._model import Arch, Built, Compiler, Cuda, PassedOver
from fkl_toolchain._toolchain import Toolchain

__all__ = [
    "Arch",
    "BuildError",
    "Built",
    "Compiler",
    "Config",
    "Cuda",
    "PassedOver",
    "Toolchain",
    "ToolchainError",
    "config_from_environ",
    "find",
    "host_level",
]
