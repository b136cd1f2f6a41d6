# SPDX-License-Identifier: Apache-2.0
"""All that the suite compiles, by name: the cases with their numbers, the rows, and the chains of
behaviour tests.
"""

from __future__ import annotations

import numpy as np

import fkl
from tests.device import (
    cases_backward,
    cases_elements,
    cases_horizontal,
    cases_vertical,
    rows,
)
from tests.device.cases_vertical import NORMALISE, SIX
from tests.device.chains import Chain, OnDevice, floats, integers, of_dtype, rectangles

READ, WRITE, SPLIT = fkl.TensorRead(), fkl.TensorWrite(), fkl.TensorSplit()
CROPS = fkl.Crop(fkl.Arg("rects"))
BOXES = rectangles(3, 64, 48, 4, 20)

CASES = [
    *cases_vertical.CASES,
    *cases_backward.CASES,
    *cases_horizontal.CASES,
    *cases_elements.CASES,
]

# what the tests of behaviour call: they bring their own arrays of the same element type
BEHAVIOUR = [
    Chain("float to float", (READ, fkl.Mul(2), fkl.Add(1), WRITE), floats("float32", 8, 8)),
    Chain("six", (READ, *SIX, WRITE), floats("float32", 8, 8)),
    Chain("float pixels", (READ, fkl.Mul(2), fkl.Add(1), WRITE), floats("float32", 8, 8, 3)),
    Chain("byte to byte", (READ, fkl.Add(1), WRITE), integers("uint8", 8, 8)),
    Chain("bytes to bytes", (READ, fkl.Add(1), WRITE), integers("uint8", 8, 8, 3)),
    Chain("bytes to planes", (READ, *NORMALISE, SPLIT), integers("uint8", 8, 8, 3)),
    Chain("half to half", (READ, fkl.Mul(2), WRITE), floats("float16", 8, 8, low=-9, high=9)),
    Chain("half pixels", (READ, fkl.Mul(2), WRITE), floats("float16", 8, 8, 3, low=-9, high=9)),
    Chain("byte to float", (READ, fkl.Cast("float32"), fkl.Mul(2), WRITE), integers("uint8", 8, 8)),
    Chain("planes to planes", (fkl.TensorPack(), fkl.Mul(2), SPLIT), floats("float32", 3, 8, 8)),
    Chain("scaled", (READ, fkl.Mul(fkl.Arg("k")), WRITE), floats("float32", 8, 8), args={"k": 2.0}),
    Chain(
        "crops",
        (READ, CROPS, fkl.Resize(8, 6), *NORMALISE, SPLIT),
        integers("uint8", 48, 64, 3),
        args={"rects": BOXES},
    ),
    Chain(
        "crops as they are",
        (READ, CROPS, WRITE),
        integers("uint8", 48, 64, 3),
        args={"rects": rectangles(3, 64, 48, 9, 9)},
    ),
    Chain(
        "crops of bytes",
        (READ, CROPS, fkl.Resize(8, 8, interpolation="nearest"), WRITE),
        integers("uint8", 48, 64, 3),
        args={"rects": BOXES},
    ),
    Chain(
        "crops by the device",
        (READ, CROPS, fkl.Resize(8, 8, interpolation="nearest"), WRITE),
        integers("uint8", 48, 64, 3),
        args={"rects": OnDevice(BOXES)},
    ),
    Chain("resized", (READ, fkl.Resize(20, 12), WRITE), integers("uint8", 8, 8, 3)),
    Chain(
        "list resized",
        (READ, fkl.Resize(20, 12), WRITE),
        lambda random: [np.zeros((8, 9, 3), np.uint8), np.zeros((5, 4, 3), np.uint8)],
    ),
    Chain(
        "a thread for each element",
        (READ, *SIX, WRITE),
        floats("float32", 8, 8),
        options={"thread_fusion": False},
    ),
    Chain(
        "a thread for several elements",
        (READ, *SIX, WRITE),
        floats("float32", 8, 8),
        options={"thread_fusion": True},
    ),
]
BEHAVIOUR += [
    Chain(f"{name}x{channels} plus one", (READ, fkl.Add(1), WRITE), of_dtype(name, 8, 8, channels))
    for name in ("uint8", "uint16", "float16", "float32", "float64")
    for channels in (1, 3, 4)
]
BEHAVIOUR += [
    Chain(
        f"uint8x{channels} to planes",
        (READ, fkl.Cast("float32"), fkl.Mul(2), SPLIT),
        of_dtype("uint8", 8, 8, channels),
    )
    for channels in (3, 4)
]

BY_NAME = {chain.name: chain for chain in BEHAVIOUR}
BY_TITLE = {str(case): case for case in CASES}
ALL: list[Chain] = [*CASES, *rows.CHAINS, *BEHAVIOUR]
assert len({chain.slug for chain in ALL}) == len(ALL), "two chains share a name"
