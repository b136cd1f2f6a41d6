# SPDX-License-Identifier: Apache-2.0
"""The main job on a real photo: cut out regions of different sizes, make network input of them, in
one kernel on the CPU.

`make demo` runs it. It checks the numbers against cv2 and numpy, and writes out/demo.png.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import contact_sheet
import cv2
import fkl_toolchain
import numpy as np
import peers
import skimage.data

import fkl

REGIONS = {
    "portrait": (146, 8, 162, 186),
    "eyes": (180, 84, 92, 38),
    "mission patch": (129, 343, 84, 84),
    "name tag": (274, 334, 58, 48),
    "shuttle": (352, 0, 120, 288),
    "helmet": (278, 342, 234, 170),
    "flag": (0, 0, 98, 226),
    "neck ring": (110, 144, 200, 154),
}
BOXES = np.array(list(REGIONS.values()), np.int32)
PICTURE = Path(__file__).parent.parent / "out" / "demo.png"
TOLERANCE = 1e-4


def photo() -> Any:
    """scikit-image's picture of Eileen Collins, in the channel order that cv2 reads files in."""
    return np.ascontiguousarray(skimage.data.astronaut()[..., ::-1])


def chain() -> fkl.Pipeline:
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Crop(fkl.Arg("rects")),
        fkl.Resize(peers.SIDE, peers.SIDE),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Div(255.0),
        fkl.Sub(peers.MEAN),
        fkl.Div(peers.STD),
        fkl.TensorSplit(),
    )


def timed(job: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what the job returned."""
    begin = time.perf_counter()
    result = job()
    return time.perf_counter() - begin, result


def best_of(jobs: dict[str, Callable[[], Any]], rounds: int = 40) -> dict[str, float]:
    """The shortest time of each job in seconds; they take turns, so all see the same noise."""
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, job in jobs.items():
            best[name] = min(best[name], timed(job)[0])
    return best


def show(label: str, text: str) -> None:
    """One entry of the report: a label, and text that continues under itself."""
    print(textwrap.fill(text, 100, initial_indent=f"{label:13}", subsequent_indent=" " * 13))


def second_process(cache: str) -> float:
    """The first call of a new process that may not compile: only the disk cache can serve it."""
    environ = {**os.environ, "FKL_CACHE_DIR": cache, "FKL_NO_JIT": "1"}
    argv = [sys.executable, __file__, "--first-call"]
    done = subprocess.run(argv, env=environ, check=True, capture_output=True, text=True)
    return float(done.stdout)


def run(cache: str, picture: Path) -> None:
    frame, pipe = photo(), chain()
    call = lambda: pipe(frame, rects=BOXES)  # noqa: E731

    show("chain", " → ".join(type(step).__name__ for step in pipe.operations))
    show("input", f"{frame.shape[1]}×{frame.shape[0]} {frame.dtype}, BGR; {len(BOXES)} regions")
    first, result = timed(call)
    show("output", f"{'×'.join(map(str, result.shape))} {result.dtype}, planar RGB")
    kernels = sorted(Path(cache).rglob("kernel.so"))
    show("kernels", f"{len(kernels)}, of {kernels[0].stat().st_size // 1000} kB")
    toolchain = fkl_toolchain.find("cpu")
    show("compiler", toolchain.describe())
    show("why", "the first that can build C++20, of FKL_COMPILER, conda, PATH and the wheel")
    for other in toolchain.passed_over[:3]:
        show("passed over", str(other))
    seconds = json.loads(kernels[0].with_name("build.json").read_text())["seconds"]
    show("first call", f"{first:.2f} s with an empty cache; compiling took {seconds:.2f} s of it")
    again = second_process(cache)
    show("second run", f"{again * 1e3:.1f} ms for the first call of a new process: a cache hit")

    error = float(np.abs(result - peers.reference(frame, BOXES)).max())
    show("check", f"largest difference from cv2 and numpy in float32: {error:.1g}")
    if not error < TOLERANCE:
        raise SystemExit(f"the result is wrong: the limit is {TOLERANCE}")

    out = np.empty_like(result)
    times = best_of(
        {
            "fkl": lambda: pipe(frame, rects=BOXES, out=out),
            "cv2 (resize, blobFromImages)": lambda: peers.with_cv2(frame, BOXES),
            "cv2 and numpy": lambda: peers.with_cv2_and_numpy(frame, BOXES),
            "numpy alone": lambda: peers.with_numpy(frame, BOXES),
        }
    )
    print("\nmilliseconds a call, one thread each, best of 40 turns")
    for name, value in times.items():
        ratio = value / times["fkl"]
        print(f"  {name:30} {value * 1e3:6.2f}" + ("" if name == "fkl" else f"   {ratio:.1f}×"))

    title = f"{len(BOXES)} regions of a photo, cut out, resized, swapped, normalised: one kernel"
    subtitle = (
        f"Left: the input, bytes in BGR order.  Right: the {len(BOXES)} results, "
        f"{peers.SIDE} x {peers.SIDE} float32 tensors, de-normalised to be looked at.  "
        f"{times['fkl'] * 1e3:.2f} ms on one core."
    )
    names = list(REGIONS)
    contact_sheet.draw(picture, frame[..., ::-1], names, BOXES, result, title, subtitle)
    print(f"\npicture: {os.path.relpath(picture)}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--picture", type=Path, default=PICTURE, help="where to draw")
    options.add_argument("--first-call", action="store_true", help=argparse.SUPPRESS)
    cv2.setNumThreads(1)
    os.environ["FKL_NUM_THREADS"] = "1"
    chosen = options.parse_args()
    if chosen.first_call:
        frame, pipe = photo(), chain()
        print(timed(lambda: pipe(frame, rects=BOXES))[0])
        return
    with tempfile.TemporaryDirectory(prefix="fkl-demo-") as cache:  # every run shows a first call
        os.environ["FKL_CACHE_DIR"] = cache
        run(cache, chosen.picture)


if __name__ == "__main__":
    main()
