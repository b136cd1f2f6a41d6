# SPDX-License-Identifier: Apache-2.0
"""A library on disk → a callable kernel: dlopen, the C call, its status as an exception.

Kernels are memoised per process by (spec, source, forms); the first caller builds, the others wait
for it. The call itself takes no lock: every call has its parameters in an object of its own, and
ctypes releases the GIL.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ._build import Artifact, build, build_against, build_runtime, stats
from ._codegen import emit
from ._errors import LaunchError
from ._plan import Plan, Source, Spec
from ._threads import thread_limit
from ._tree_codegen import Counts, emit_for_tree

OUTSIDE = 3  # LaunchStatus of the headers: a rect does not lie inside its image; nothing has run
Forms = tuple[tuple[tuple[str, str], ...], ...]
Key = tuple[Spec, Source, Forms]


@dataclass(frozen=True, eq=False)
class Kernel:
    """A loaded chain."""

    entry: Callable[..., int]  # (params, runtime, stream): 0, or what `error` explains
    message: Callable[[], bytes]
    runtime: int
    plan: Plan
    artifact: Artifact

    def launch(self, params: bytes, stream: int | None = None) -> None:
        """Run once; returns when the CPU has finished, or when a GPU has been told.

        Raises:
            LaunchError: the library reported a failure.
        """
        status = self.entry(params, self.runtime, stream)
        if status:
            raise self.error(status)
        stats.launches += 1

    def error(self, status: int) -> LaunchError:
        """What the last call of this thread said."""
        said = self.message().decode(errors="replace") or "no message"
        return LaunchError(f"the kernel reported status {status}: {said}", status=status)


_kernels: dict[Any, Kernel] = {}
_flights: dict[Any, threading.Lock] = {}
_lock = threading.Lock()


def kernel_for(
    spec: Key,
    plan: Plan,
    what: str,
    target: str = "cpu",
    runtime: Any = None,
    counts: Counts = (),
) -> Kernel:
    """The kernel of a plan for a target, built at most once in this process.

    Args:
        runtime: what the kernel is handed besides its parameters; None is the CPU's worker pool.
        counts: of planes, which only another FKL tree compiles in.

    Raises:
        ToolchainError, CompileError: as `build`.
    """
    key = (*spec, target, runtime, counts)
    kernel = _kernels.get(key)
    if kernel is not None:
        return kernel
    with _lock:
        flight = _flights.setdefault(key, threading.Lock())
    with flight:
        kernel = _kernels.get(key)
        if kernel is None:
            build_one = partial(build_against, Path(plan.tree)) if plan.tree else build
            what += plan.taken
            artifact = build_one(source_of(plan, counts), fp=plan.fp, target=target, what=what)
            kernel = _kernels[key] = load(artifact, plan, runtime)
    return kernel


def source_of(plan: Plan, counts: Counts = ()) -> str:
    """The C++ of a plan, for fkl's own headers or for another FKL tree."""
    return emit_for_tree(plan, counts) if plan.tree else emit(plan)


def load(artifact: Artifact, plan: Plan, runtime: Any = None) -> Kernel:
    """Open a verified library."""
    try:
        library = ctypes.CDLL(str(artifact.library))
    except OSError as error:
        raise LaunchError(f"{artifact.library} cannot be loaded: {error}") from error
    stats.loads += 1
    entry, message = library.fkl_entry, library.fkl_message
    entry.restype = ctypes.c_int
    entry.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    message.restype = ctypes.c_char_p
    if runtime is None:
        runtime = 0 if plan.tree else worker_pool()  # another FKL tree has no use for our pool
    return Kernel(entry, message, runtime, plan, artifact)


class _Runtime(ctypes.Structure):
    """fk_runtime of core/runtime/runtime_abi.h."""

    _fields_ = (
        ("version", ctypes.c_uint),
        ("threads", ctypes.c_uint),
        ("parallel_for", ctypes.c_void_p),
        ("device", ctypes.c_int),
    )


FORKED = -2  # in the child of a process that had used a device
_device_runtimes: dict[int, _Runtime] = {}


def device_runtime(device: int) -> int:
    """The address of what a CUDA kernel is handed: which device its arrays lie on."""
    runtime = _device_runtimes.get(device)
    if runtime is None:
        runtime = _device_runtimes.setdefault(device, _Runtime(1, 0, None, device))
    return ctypes.addressof(runtime)


_pool: int | None = None


def worker_pool() -> int:
    """The address of the CPU runtime, loaded once per process."""
    global _pool
    if _pool is None:
        with _pool_lock:
            if _pool is None:
                _pool = _load_pool()
    return _pool


def _load_pool() -> int:
    library = ctypes.CDLL(str(build_runtime().library))
    library.fkl_runtime_configure.argtypes = (ctypes.c_int,)
    library.fkl_runtime_configure.restype = None
    library.fkl_runtime.restype = ctypes.c_void_p
    library.fkl_runtime_configure(thread_limit())
    return int(library.fkl_runtime())


_pool_lock = threading.Lock()


def _renew_locks() -> None:
    """A child must not wait for a thread that stayed in the parent."""
    global _lock, _pool_lock
    _lock, _pool_lock = threading.Lock(), threading.Lock()
    _flights.clear()
    for runtime in _device_runtimes.values():
        runtime.device = FORKED


os.register_at_fork(after_in_child=_renew_locks)
