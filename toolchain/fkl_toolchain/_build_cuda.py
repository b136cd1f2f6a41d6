# SPDX-License-Identifier: Apache-2.0
"""Builds host and device code with clang, in lean and in toolkit mode.

The device pass, ptxas and the packing run beside the host pass; the linker joins the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from fkl_toolchain._build_cpu import cxx_libraries, own_object, run_paths, support_libraries
from fkl_toolchain._cpu import machine
from fkl_toolchain._cuda_argv import LEAN, Passes, device_argv, host_argv, ptxas_argv
from fkl_toolchain._elf_object import data_object
from fkl_toolchain._farm import farm
from fkl_toolchain._fatbinary import Image, pack
from fkl_toolchain._link import link_argv
from fkl_toolchain._model import Arch
from fkl_toolchain._precompiled import precompiled_arguments
from fkl_toolchain._ptx import compact
from fkl_toolchain._workshop import Workshop
from fkl_toolchain.architectures import (
    clang_ptx_cap,
    ptx_for,
    ptxas_ptx_cap,
)

if TYPE_CHECKING:
    from fkl_toolchain._toolchain import Toolchain

IMAGE_SYMBOL = "fkl_fatbin_image"
PRELUDE = LEAN / "prelude.h"


def build_cuda(
    toolchain: Toolchain,
    shop: Workshop,
    source: Path,
    folders: Sequence[str],
    fp: str,
    precompiled: Sequence[str],
) -> Path:
    passes = plan_passes(toolchain, folders, fp, Path(shop.path("toolkit")))
    first = (str(PRELUDE),) if passes.lean else ()
    empty = shop.path("empty.fatbin")
    Path(empty).write_bytes(pack(()))

    def device() -> None:
        argv = device_argv(passes, (), "")[:-2]
        front = precompiled_arguments(toolchain, shop, argv, first, precompiled, "device")
        shop.run(device_argv(passes, (*front, str(source)), shop.path("device.ptx")))
        Path(shop.path("image.o")).write_bytes(
            data_object(IMAGE_SYMBOL, pack(_images(toolchain, shop, passes)), machine())
        )

    def host() -> None:
        # The image's path differs from build to build, and no header looks at it.
        argv = host_argv(passes, (), "", "")[:-2]
        front = precompiled_arguments(toolchain, shop, argv, first, precompiled, "host")
        shop.run(host_argv(passes, (*front, str(source)), empty, shop.path("host.o")))

    _side_by_side(device, host)
    return link_device_library(toolchain, shop, ["host.o", "image.o"])


def plan_passes(toolchain: Toolchain, folders: Sequence[str], fp: str, spare: Path) -> Passes:
    """Return what both passes share, read off the toolchain and the tables."""
    front = toolchain.front
    assert front is not None, "find() refuses what no table row can build"
    lean = toolchain.mode == "lean"
    cuda = toolchain.cuda
    return Passes(
        compiler=toolchain.compiler,
        level=toolchain.level,
        front=front,
        ptx=ptx_for(front) if lean else _toolkit_ptx(toolchain, front),
        toolkit=str(LEAN / "stub")
        if lean or cuda is None
        else farm(cuda, toolchain.cache_dir, spare),
        lean=lean,
        libdevice=cuda.libdevice if cuda else "",
        shims=toolchain.shims,
        include_dirs=tuple(folders),
        fp=fp,
    )


def link_device_library(
    toolchain: Toolchain, shop: Workshop, names: list[str], *, hosted: bool = False
) -> Path:
    """Link with the micro runtime; other runtimes only for what a source calls of them itself."""
    runtime = own_object(toolchain, shop, "micro_runtime.c")
    support = own_object(toolchain, shop, "host_support.c")
    objects = [*(shop.path(name) for name in names), runtime, support]
    cxx = cxx_libraries(toolchain.host) if hosted else ()
    files = (*_runtimes(toolchain), *cxx, *support_libraries(toolchain.host))
    folders = [str(Path(file).parent) for file in files if "libcudart.so" in file]
    folders += run_paths(cxx)
    out = shop.path("out.so")
    shop.run(link_argv(toolchain.host.linker, objects, out, files, folders, hosted=hosted))
    return Path(out)


def _toolkit_ptx(toolchain: Toolchain, front: Arch) -> int:
    # The toolkit's headers hold assembly of the toolkit's own PTX version.
    cap = clang_ptx_cap(toolchain.compiler.version)
    cuda = toolchain.cuda
    return min(cap, ptxas_ptx_cap(cuda.version)) if cuda else ptx_for(front)


def _images(toolchain: Toolchain, shop: Workshop, passes: Passes) -> tuple[Image, ...]:
    text = Path(shop.path("device.ptx"))
    text.write_bytes(compact(text.read_bytes()))
    ptx = Image("ptx", passes.front.number, text.read_bytes())
    arch, cuda = toolchain.arch, toolchain.cuda
    if arch is None or cuda is None or not toolchain.has_sass:
        return (ptx,)
    cubin = shop.path("device.cubin")
    shop.run(ptxas_argv(cuda.ptxas, arch, shop.path("device.ptx"), cubin))
    return Image("elf", arch.number, Path(cubin).read_bytes()), ptx


def _runtimes(toolchain: Toolchain) -> tuple[str, ...]:
    if toolchain.mode == "lean" or toolchain.cuda is None:
        return ()
    found = (
        path
        for folder in toolchain.cuda.library
        for path in sorted(Path(folder).glob("libcudart.so.*"))
    )
    cudart = tuple(str(path) for path in list(found)[:1])
    return (*cudart, toolchain.host.runtime) if toolchain.host.runtime else cudart


def _side_by_side(first: Callable[[], None], second: Callable[[], None]) -> None:
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(first)
        failure: BaseException | None = None
        try:
            second()
        except BaseException as error:
            failure = error
        # A device error says more about a kernel than the same error seen by the host pass.
        other.result()
        if failure is not None:
            raise failure
