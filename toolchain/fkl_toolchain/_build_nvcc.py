# SPDX-License-Identifier: Apache-2.0
"""Builds with nvcc: one command for both sides, then our own link."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fkl_toolchain._build_cuda import link_device_library
from fkl_toolchain._cuda_argv import nvcc_argv
from fkl_toolchain._workshop import Workshop
from fkl_toolchain.pairings import host_limit

if TYPE_CHECKING:
    from fkl_toolchain._toolchain import Toolchain


def build_nvcc(
    toolchain: Toolchain,
    shop: Workshop,
    source: Path,
    folders: Sequence[str],
    fp: str,
    hosted: bool,
) -> Path:
    cuda, arch, host = toolchain.cuda, toolchain.arch, toolchain.host
    assert cuda is not None and arch is not None
    limit = host_limit(cuda.nvcc_version)
    newest = {"gcc": limit.gcc, "clang": limit.clang}.get(host.family, 0) if limit else 0
    # A linked source has its folder as an include folder, for what it includes by its side.
    linked = shop.without_shell_characters(str(source))
    beside = () if linked == str(source) else (str(source.parent),)
    safe = [shop.without_shell_characters(folder) for folder in (*beside, *folders)]
    shop.run(
        nvcc_argv(
            cuda,
            host,
            arch,
            toolchain.level,
            fp,
            toolchain.shims,
            safe,
            linked,
            shop.path("host.o"),
            sass=toolchain.has_sass,
            allow_host=host.version[:1] > (newest,),
            hosted=hosted,
        )
    )
    return link_device_library(toolchain, shop, ["host.o"], hosted=hosted)
