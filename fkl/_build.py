# SPDX-License-Identifier: Apache-2.0
"""Source × Toolchain → a library on disk, from the cache or by compiling. The only caller of
fkl_toolchain.

Writes the source into a private folder, lets fkl_toolchain compile it there and publishes the
result. On a warm start nothing is compiled and no process is started.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _cache, _config, _tree, _warm
from ._compiling import compile_error, progress, unwritable
from ._errors import ToolchainError
from ._targets import canonical, serving

if TYPE_CHECKING:
    from fkl_toolchain import Toolchain

SAVE_IT = "save it with fkl.save(..., inputs=[...]), an example of each kind of input"
RUNTIME_SOURCE = Path("fused_kernel/core/runtime/cpu_pool.c")


@dataclass
class Stats:
    """What happened in this process; tests read it, nothing else does."""

    compiles: int = 0
    runtime_builds: int = 0
    cache_hits: int = 0
    loads: int = 0
    launches: int = 0
    allocations: int = 0


stats = Stats()


@dataclass(frozen=True)
class Artifact:
    """A verified library on disk, and how it came to be."""

    library: Path
    toolchain: str
    seconds: float
    was_cached: bool


def toolchain_for(target: str, mode: str | None = None) -> Toolchain:
    """The toolchain that builds for a target, as fkl's variables have it.

    Args:
        mode: of CUDA; None takes the best one.

    Raises:
        ToolchainError: none; the text lists every candidate and its reason.
    """
    return _toolchain_for(
        target,
        _config.text("FKL_COMPILER"),
        _config.text("FKL_CUDA_HOME"),
        _config.cache_directory(),
        mode,
    )


@lru_cache(maxsize=8)
def _toolchain_for(
    target: str, compiler: str | None, cuda_home: str | None, cache: Path, mode: str | None
) -> Toolchain:
    import fkl_toolchain  # here, so that `import fkl` stays cheap

    config = fkl_toolchain.Config(
        compiler=compiler, cuda_home=cuda_home, cache_dir=cache, mode=mode
    )
    try:
        return fkl_toolchain.find(target, config=config)
    except fkl_toolchain.ToolchainError as error:
        raise ToolchainError(str(error)) from error


@lru_cache(maxsize=8)
def _fingerprint(toolchain: Toolchain) -> str:
    return toolchain.fingerprint()


def build(
    source: str, *, fp: str = "fast", target: str = "cpu", what: str = "the chain"
) -> Artifact:
    """The library of a generated source.

    Raises:
        ToolchainError: no compiler, or FKL_NO_JIT forbids using it.
        CompileError: the compiler refused; carries command, log and the kept folder.
    """
    asked = _warm.question("kernel", source, fp, target)
    known = _known(asked, "kernel.so")
    if known is not None:
        return known
    name = identity("kernel", source, fp)
    toolchain = _toolchain_unless_made(target, name, "kernel.so", what)
    if isinstance(toolchain, Artifact):
        return toolchain
    key = _cache.key_of("kernel", source, fp, _cache.headers_digest(), _fingerprint(toolchain))

    def compile_in(folder: Path) -> Any:
        path = folder / "kernel.cpp"
        path.write_text(source)
        stats.compiles += 1
        include = [_cache.include_dir()]
        return toolchain.build(path, folder / "kernel.so", include_dirs=include, fp=fp)

    found = _obtain(key, "kernel.so", toolchain, compile_in, what, source, name)
    _warm.remember(asked, key, tools_of(toolchain))
    return found


def _known(asked: str, library: str) -> Artifact | None:
    """The library that answered this question before, still there and still whole."""
    key = _warm.ask(asked)
    hit = None if key is None else _cache.find(key, library)
    if hit is None:
        return None
    stats.cache_hits += 1
    path, manifest = hit
    seconds = float(manifest.get("seconds", 0))
    return Artifact(path, str(manifest.get("toolchain", "")), seconds, True)


def tools_of(toolchain: Toolchain) -> list[str]:
    """The files that a toolchain runs or reads: another one of them is another toolchain."""
    cuda = toolchain.cuda
    found = [toolchain.compiler.path, toolchain.host.path, *toolchain.host.linker]
    return [*found, *((cuda.nvcc, cuda.ptxas, cuda.libdevice) if cuda else ())]


def build_against(tree: Path, source: str, *, fp: str, target: str, what: str) -> Artifact:
    """The library of a source for another FKL tree (FKL_INCLUDE), whose headers it includes.

    Raises:
        ToolchainError, CompileError: as `build`; also for a compiler without a C++ library.
    """
    toolchain = toolchain_for(target, None if target.startswith("cpu") else "nvcc")
    if not toolchain.host.runtime:
        raise ToolchainError(
            f"{_tree.PREFIX}: {toolchain.host} has no C++ library, which such a tree uses: "
            "set FKL_COMPILER to a g++, or to a clang beside one"
        )
    digest = _tree.tree_digest(tree)
    name = _cache.key_of("tree", source, fp, digest)
    key = _cache.key_of("tree", source, fp, digest, _fingerprint(toolchain))

    def compile_in(folder: Path) -> Any:
        path = folder / "kernel.cpp"
        path.write_text(source)
        stats.compiles += 1
        out = folder / "kernel.so"
        return toolchain.build(path, out, include_dirs=[tree], fp=fp, hosted=True)

    return _obtain(key, "kernel.so", toolchain, compile_in, what, source, name)


def identity(kind: str, source: str, fp: str) -> str:
    """What a library is, whoever built it: its source, its headers, its arithmetic."""
    return _cache.key_of(kind, source, fp, _cache.headers_digest())


def _toolchain_unless_made(target: str, name: str, library: str, what: str) -> Toolchain | Artifact:
    """A library that was brought along, where no toolchain is to be had; else the toolchain."""
    try:
        return toolchain_for(target)
    except ToolchainError as error:
        made = ready_made(name, target, library)
        if made is None:
            raise ToolchainError(
                f"{what} for {target} is in no loaded file and not in the cache {_cache.root()}, "
                f"and nothing here can compile it: {SAVE_IT}, or install a compiler.\n{error}"
            ) from error
        return made


def ready_made(name: str, target: str, library: str) -> Artifact | None:
    """A library that was imported for this machine or an older one of its kind."""
    import fkl_toolchain

    for served in serving(target, fkl_toolchain.host_level()):
        hit = _cache.find(_cache.key_of("imported", name, served), library)
        if hit is not None:
            stats.cache_hits += 1
            path, manifest = hit
            return Artifact(path, str(manifest.get("toolchain", "")), 0.0, True)
    return None


def canonical_target(target: str) -> str:
    """One spelling of a target: "sm_90" is "cuda:sm_90", and "cpu" names its level."""
    import fkl_toolchain

    return canonical(target, fkl_toolchain.host_level())


def runtime_source() -> str:
    """The C source of the worker pool."""
    return (_cache.include_dir() / RUNTIME_SOURCE).read_text()


def build_runtime(target: str = "cpu") -> Artifact:
    """The library of the worker pool that CPU kernels are handed."""
    asked = _warm.question("runtime", target)
    known = _known(asked, "runtime.so")
    if known is not None:
        return known
    source = runtime_source()
    name = identity("runtime", source, "")
    toolchain = _toolchain_unless_made(target, name, "runtime.so", "the worker pool")
    if isinstance(toolchain, Artifact):
        return toolchain
    key = _cache.key_of("runtime", source, _cache.headers_digest(), _fingerprint(toolchain))

    def compile_in(folder: Path) -> Any:
        stats.runtime_builds += 1
        return toolchain.build_c(_cache.include_dir() / RUNTIME_SOURCE, folder / "runtime.so")

    found = _obtain(key, "runtime.so", toolchain, compile_in, "the worker pool", "", name)
    _warm.remember(asked, key, tools_of(toolchain))
    return found


def _obtain(
    key: str,
    library: str,
    toolchain: Toolchain,
    compile_in: Callable[[Path], Any],
    what: str,
    source: str,
    name: str,
) -> Artifact:
    hit = _cache.find(key, library)
    if hit is not None:
        stats.cache_hits += 1
        path, manifest = hit
        return Artifact(
            path, str(manifest.get("toolchain", "")), float(manifest.get("seconds", 0)), True
        )
    made = ready_made(name, toolchain.target, library)
    if made is not None:
        return made
    if _config.is_on("FKL_NO_JIT"):
        raise ToolchainError(
            f"FKL_NO_JIT is set, and {what} for {toolchain.target} is not in the cache "
            f"{_cache.root()} (key {key[:16]}): "
            f"run it once without FKL_NO_JIT, copy a cache that has it, or {SAVE_IT}"
        )
    import fkl_toolchain

    try:
        folder = _cache.private_folder()
    except OSError as error:
        raise unwritable(error, what) from error
    try:
        with progress(f"compiling {what} with {toolchain.compiler} (the first time only)"):
            built = compile_in(folder)
    except fkl_toolchain.BuildError as error:
        raise compile_error(error, folder, source, what, toolchain.describe()) from error
    except OSError as error:
        _cache.forget(folder, at_exit=False)
        raise unwritable(error, what) from error
    manifest = {
        "identity": name,
        "target": toolchain.target,
        "commands": [list(command) for command in built.commands],
        "seconds": built.seconds,
        "toolchain": toolchain.describe(),
        "log": built.log,
    }
    entry = _cache.publish(key, folder, manifest)
    _cache.forget(folder, at_exit=entry == folder)
    return Artifact(entry / library, toolchain.describe(), built.seconds, False)
