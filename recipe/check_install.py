# SPDX-License-Identifier: Apache-2.0
"""Check an installation of fkl in a conda prefix: its pieces, and a kernel built and run.

Runs as a test of the conda package, and by hand in any prefix:  python check_install.py
Ends with an error at the first thing that is wrong; otherwise prints one line a check.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import sys
from pathlib import Path

import fkl_toolchain
import numpy as np

import fkl

PREFIX = Path(sys.prefix)
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
BOXES = [(3, 5, 20, 31), (0, 0, 64, 48), (11, 2, 9, 9)]
SIZE = 16
FRAME = np.random.default_rng(7).integers(0, 256, (48, 64, 3), dtype=np.uint8)


def require(condition: bool, complaint: str) -> None:
    # not `assert`, which -O removes
    if not condition:
        raise SystemExit(f"check_install: {complaint}")


def check_versions() -> None:
    """The parts of one release are made for each other: they carry one version."""
    found = {"fkl.__version__": fkl.__version__, "metadata": importlib.metadata.version("fkl")}
    for name in ("fkl", "fkl-headers", "fkl-toolchain"):
        files = list((PREFIX / "conda-meta").glob(f"{name}-[0-9]*.json"))
        require(len(files) == 1, f"{name} is not installed in {PREFIX}")
        found[name] = json.loads(files[0].read_text())["version"]
    require(len(set(found.values())) == 1, f"versions differ: {found}")
    print("version", fkl.__version__)


def check_headers() -> None:
    """The headers are where fkl looks, in one copy, and each is the file that was packaged."""
    include = PREFIX / "include" / "fkl"
    require(Path(fkl.include_dir()) == include, f"fkl.include_dir() is {fkl.include_dir()}")
    copies = Path(fkl.__file__).parent / "include"
    require(not copies.exists(), f"{copies} is a second copy of the headers")
    manifest = (PREFIX / "share" / "fkl" / "headers.sha256").read_text().splitlines()
    for line in manifest:
        digest, name = line.split("  ", 1)
        own = hashlib.sha256((include / name).read_bytes()).hexdigest()
        require(own == digest, f"{include / name} is not the file that was packaged")
    print("headers", len(manifest))


def check_compiler() -> None:
    """The compiler is the prefix's own, whatever else the machine or the environment offers."""
    tools = fkl_toolchain.find("cpu")
    require(
        Path(tools.compiler.path).is_relative_to(PREFIX),
        f"the compiler is not the prefix's: {tools.describe()}",
    )
    print("compiler", Path(tools.compiler.path).name, tools.compiler.found_via)


def pipeline() -> fkl.Pipeline:
    """The main job: regions of a frame, resized, RGB, normalised, planar."""
    return fkl.compose(
        fkl.TensorRead(),
        fkl.Crop(fkl.Arg("rects")),
        fkl.Resize(SIZE, SIZE),
        fkl.ColorConversion("BGR2RGB"),
        fkl.Div(255.0),
        fkl.Sub(MEAN),
        fkl.Div(STD),
        fkl.TensorSplit(),
    )


def check_numbers() -> None:
    """Build and run the main job on the CPU, and compare it with numpy."""
    compare(pipeline()(FRAME, rects=BOXES), "numbers")


def compare(result: np.ndarray, what: str) -> None:
    expected = np.stack([expected_crop(FRAME, box) for box in BOXES])
    require(result.shape == expected.shape, f"shape {result.shape}, not {expected.shape}")
    off = float(np.abs(result - expected).max())
    require(off < 1e-4, f"the {what} are off by {off}")
    print(what, f"{off:.1e}")


def expected_crop(frame: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
    """One crop through the chain, in float64: half-pixel bilinear, RGB, normalised, planar."""
    x, y, width, height = box
    crop = frame[y : y + height, x : x + width, ::-1].astype(np.float64)
    resized = interpolate(interpolate(crop, 0), 1)
    return ((resized / 255.0 - MEAN) / STD).transpose(2, 0, 1)


def interpolate(image: np.ndarray, axis: int) -> np.ndarray:
    length = image.shape[axis]
    at = np.clip((np.arange(SIZE) + 0.5) * length / SIZE - 0.5, 0, length - 1)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, length - 1)
    weight = (at - low).reshape([-1 if a == axis else 1 for a in range(image.ndim)])
    return np.take(image, low, axis) * (1 - weight) + np.take(image, high, axis) * weight


if __name__ == "__main__":
    check_versions()
    check_headers()
    check_compiler()
    check_numbers()
    print("ok", PREFIX)
