# SPDX-License-Identifier: Apache-2.0
"""How large an image or a batch is: run-time numbers, which no type and no kernel depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import ExtentError


@dataclass(frozen=True)
class Placement:
    """Where a resized image lies in its plane, and the scale really used, in pixels.

    A source point (u, v) lies at (x + u * scale_x, y + v * scale_y) of the plane.
    """

    x: int
    y: int
    width: int
    height: int
    scale_x: float
    scale_y: float


@dataclass(frozen=True, eq=False)
class Extent:
    """Planes of one size, or, when `sizes` is given, each of its own (N×2: width, height).

    `batched` says that the result has an axis for the planes, even for a single one. For planes of
    different sizes `width` and `height` are the largest ones.
    """

    width: int
    height: int
    planes: int = 1
    batched: bool = False
    sizes: NDArray[np.int64] | None = None
    placements: tuple[Placement, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.width and self.height and self.planes)

    def resized(self, **changes: Any) -> Extent:
        return replace(self, **changes)

    def size_of(self, plane: int) -> tuple[int, int]:
        """(width, height) of one plane; a single plane stands for all."""
        if self.sizes is None:
            return self.width, self.height
        width, height = self.sizes[plane if len(self.sizes) > 1 else 0]
        return int(width), int(height)

    def with_planes(self, count: int, what: str) -> Extent:
        """The batch of this extent with `count` planes of something else: equal counts, or one of
        them 1.
        """
        if count in (1, self.planes):
            return self
        if self.planes != 1:
            raise ExtentError(
                f"{what} has {count} entries, and the batch has {self.planes} planes: "
                "give 1 or as many"
            )
        return replace(self, planes=count)


def of_sizes(sizes: list[tuple[int, int]]) -> Extent:
    """The extent of a list of images, (width, height) each."""
    table = np.array(sizes, np.int64).reshape(-1, 2)
    if not len(table):
        return Extent(0, 0, 0, batched=True)
    width, height = (int(side) for side in table.max(axis=0))
    alike = bool((table == table[0]).all())
    return Extent(width, height, len(table), batched=True, sizes=None if alike else table)
