# SPDX-License-Identifier: Apache-2.0
"""From a source to a library with one GPU kernel: way by way, beside nvcc on the same source.

Every way is built in turns, after a first build that also makes its precompiled header and runtime
object. Run as a module it measures and prints by itself: `python -m benchmarks.bench_compile`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fkl_toolchain import Config, ToolchainError, find

from benchmarks.figures import Figure, faster, table_text, time_of
from benchmarks.rounds import Samples

SUBJECT = "compile one GPU kernel"
PROBES = Path(__file__).parents[1] / "tests" / "toolchain" / "probes"
ARCH, ROUNDS = "sm_90", 7
STD_HEADERS = (
    *("algorithm", "array", "cmath", "cstdint", "cstdio", "limits", "tuple", "type_traits"),
    *("utility", "vector", "cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h"),
)


@dataclass(frozen=True)
class Way:
    """One way to build one probe; the limit is the figure that is promised, in seconds."""

    mode: str
    probe: str
    compiler: str
    precompiled: tuple[str, ...] = ()
    limit: float = 0.0

    @property
    def name(self) -> str:
        header = ", precompiled" if self.precompiled else ""
        return " ".join(part for part in (self.mode, self.probe, self.compiler) if part) + header


def ways(compilers: tuple[str, ...]) -> tuple[Way, ...]:
    found: list[Way] = []
    for compiler in compilers:
        found += [
            Way("lean", "axpb", compiler, limit=0.15),
            Way("lean", "math", compiler, limit=0.3),
        ]
        if compiler != "ziglang":
            found += [
                Way("toolkit", "axpb", compiler, ("cuda_runtime.h",), limit=0.5),
                Way("toolkit", "rich", compiler, STD_HEADERS, limit=0.5),
                Way("toolkit", "rich", compiler),
            ]
    return (*found, *(Way("nvcc", probe, "") for probe in ("axpb", "math", "rich")))


def usual_compilers() -> tuple[str, ...]:
    """Return the newest clang that the search finds, and the wheel's."""
    try:
        newest: tuple[str, ...] = (find(ARCH).compiler.path,)
    except ToolchainError:
        newest = ()
    return tuple(dict.fromkeys((*newest, "ziglang")))


def samples(_threads: int, compilers: tuple[str, ...] = ()) -> Samples:
    """Seconds by way; `<way>, first` has the first build ever, `<way>, bytes` the size."""
    found: Samples = {}
    with tempfile.TemporaryDirectory(prefix="fkl-bench-") as folder:
        jobs: dict[str, Callable[[], float]] = {}
        for number, way in enumerate(ways(compilers or usual_compilers())):
            out = Path(folder) / f"{number}.so"
            try:
                job = builder(way, out, Path(folder) / f"cache{number}")
            except ToolchainError as error:
                print(f"{way.name}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            found[f"{way.name}, first"] = [job()]
            found[f"{way.name}, bytes"] = [float(out.stat().st_size)]
            found[way.name] = []
            jobs[way.name] = job
        for _ in range(ROUNDS):
            for name, job in jobs.items():
                found[name].append(job())
    return found


def builder(way: Way, out: Path, cache: Path) -> Callable[[], float]:
    config = Config(compiler=way.compiler or None, mode=way.mode, cache_dir=cache)
    toolchain = find(ARCH, config=config)
    source = PROBES / f"{way.probe}.cu"
    return lambda: toolchain.build(source, out, precompiled=way.precompiled).seconds


def figures(found: Samples) -> list[Figure]:
    result: list[Figure] = []
    names = [name for name in found if not name.endswith((", first", ", bytes"))]
    limits = {way.name: way.limit for way in ways(tuple(_compilers(names)))}
    for name in names:
        limit = limits.get(name, 0.0)
        size, first = found[f"{name}, bytes"][0] / 1000, found[f"{name}, first"][0]
        label = f"{name} ({size:.1f} kB, first {first:.2f} s)"
        if limit:
            result.append(time_of(SUBJECT, label, found[name], 1, "s", limit))
        peer = f"nvcc {name.split()[1]}".rstrip(",")
        if peer in found and not name.startswith("nvcc"):
            result.append(faster(SUBJECT, found, name, peer, 1, f"{name}: faster than {peer}"))
    return result


def _compilers(names: list[str]) -> dict[str, None]:
    words = (name.removesuffix(", precompiled").split() for name in names)
    return dict.fromkeys(parts[2] for parts in words if len(parts) > 2)


def main() -> int:
    options = argparse.ArgumentParser(
        prog="python -m benchmarks.bench_compile", description=__doc__
    )
    options.add_argument("compilers", nargs="*", help="instead of the newest clang and zig's")
    chosen = options.parse_args()
    print(table_text(figures(samples(1, tuple(chosen.compilers)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
