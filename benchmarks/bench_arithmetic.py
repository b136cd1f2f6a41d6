# SPDX-License-Identifier: Apache-2.0
"""Six float32 operations on a 1080p image, beside memcpy, numpy with temporaries, and numba."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

import fkl
from benchmarks.checks import check_close
from benchmarks.figures import Figure, faster, slower
from benchmarks.rounds import Samples, take_turns

SUBJECT = "6 float32 operations, 1920x1080"
ROUNDS = 60
A, B, C, D, E, F = (np.float32(v) for v in (1.5, 0.25, 0.75, 2.0, 3.0, 1.0))


def chain() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Mul(A),
        fkl.Add(B),
        fkl.Mul(C),
        fkl.Sub(D),
        fkl.Div(E),
        fkl.Add(F),
        fkl.TensorWrite(),
    )


def with_numpy(x: Any) -> Any:
    """One expression; numpy computes into the temporary of the step before where it can."""
    return ((x * A + B) * C - D) / E + F


def with_temporaries(x: Any) -> Any:
    """A new array a step, as a loop over steps has it."""
    x = x * A
    x = x + B
    x = x * C
    x = x - D
    x = x / E
    return x + F


def with_numba() -> Any:
    """One loop, one thread, vectorised by LLVM."""
    import numba

    @numba.njit(fastmath=True)  # type: ignore[untyped-decorator]
    def loop(x: Any, y: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> None:
        for i in range(x.size):
            y[i] = ((x[i] * a + b) * c - d) / e + f

    return loop


def samples(threads: int) -> Samples:
    image = np.random.default_rng(1).random((1080, 1920), np.float32) * 255
    out = np.empty_like(image)
    pipe = chain()
    expected = with_numpy(image.astype(np.float64))
    check_close("fkl", pipe(image, out=out), expected, 1e-3)
    if threads > 1:
        return take_turns({"fkl, all threads": lambda: pipe(image, out=out)}, ROUNDS)
    # All write to the same memory, so that nobody has the luckier pages.
    loop, flat, flat_out = with_numba(), image.reshape(-1), out.reshape(-1)
    out[:] = 0
    loop(flat, flat_out, A, B, C, D, E, F)
    check_close("numba", out, expected, 1e-3)
    check_close("numpy", with_temporaries(image), expected, 1e-3)
    source, target = image.ctypes.data, out.ctypes.data
    close = {
        "fkl": lambda: pipe(image, out=out),
        "memcpy": lambda: ctypes.memmove(target, source, image.nbytes),
        "numba": lambda: loop(flat, flat_out, A, B, C, D, E, F),
    }
    # Apart, for numpy's temporaries empty every cache and would slow whoever comes next.
    far = {
        "fkl beside numpy": lambda: pipe(image, out=out),
        "numpy in one expression": lambda: with_numpy(image),
        "numpy with temporaries": lambda: with_temporaries(image),
    }
    return {**take_turns(close, ROUNDS), **take_turns(far, ROUNDS // 2)}


def figures(found: Samples) -> list[Figure]:
    return [
        slower(SUBJECT, found, "fkl", "memcpy", 1.1),
        faster(SUBJECT, found, "fkl beside numpy", "numpy with temporaries", 6),
        faster(SUBJECT, found, "fkl", "numba", 1.0, "faster than numba, one thread each"),
        faster(SUBJECT, found, "fkl, all threads", "fkl", 1.3, "all threads over one"),
    ]
