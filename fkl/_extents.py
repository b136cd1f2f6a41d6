# SPDX-License-Identifier: Apache-2.0
"""How large an image or a batch is: run-time numbers, which no type and no kernel depends on."""

from __future__ import annotations

from dataclasses import dataclass
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
    is_measured: bool = True  # False: only the device knows the planes' sizes

    @property
    def is_empty(self) -> bool:
        return not (self.width and self.height and self.planes)

    def resized(self, **changes: Any) -> Extent:
        # dataclasses.replace() would be a tenth of a whole call
        made = object.__new__(Extent)
        vars(made).update(vars(self))
        vars(made).update(changes)
        return made

    def size_of(self, plane: int) -> tuple[int, int]:
        """(width, height) of one plane; a single plane stands for all."""
        if self.sizes is None:
            return self.width, self.height
        width, height = self.sizes[plane if len(self.sizes) > 1 else 0]
        return int(width), int(height)

    def check_pixels(self, verb: str) -> None:
        """Every plane has pixels.

        Raises:
            ExtentError: one has none.
        """
        if self.sizes is None:
            empty = 0 if self.planes and not (self.width and self.height) else None
        else:
            empty = None if self.sizes.all() else int(self.sizes.all(axis=1).argmin())
        if empty is not None:
            width, height = self.size_of(empty)
            which = "an image" if self.sizes is None else f"image {empty} of the batch"
            raise ExtentError(f"{which} of {width}×{height} has no pixel to {verb}")

    def with_planes(self, count: int, what: str) -> Extent:
        """The batch of this extent with `count` planes of something else."""
        planes = self.planes_with(count, what)
        return self if planes == self.planes else self.resized(planes=planes)

    def planes_with(self, count: int, what: str) -> int:
        """The planes of that batch: equal counts, or one of them 1."""
        if count in (1, self.planes):
            return self.planes
        if self.planes != 1:
            raise ExtentError(
                f"{what} has {count} entries, and the batch has {self.planes} planes: "
                "give 1 or as many"
            )
        return count


def check_inside(rects: Any, extent: Extent) -> None:
    """Raises an ExtentError that names the first rectangle outside its image, and that image."""
    limits: Any = np.array([extent.width, extent.height]) if extent.sizes is None else extent.sizes
    ends = rects[:, :2].astype(np.int64) + rects[:, 2:]
    bad = (rects[:, :2] < 0) | (rects[:, 2:] < 1) | (ends > limits)
    if not bad.any():
        return
    plane = int(np.argmax(bad.any(axis=1)))
    index = plane if len(rects) > 1 else 0
    x, y, width, height = rects[index].tolist()
    empty = width < 1 or height < 1
    reason = "is empty: give at least 1×1" if empty else "does not lie inside"
    image_width, image_height = extent.size_of(plane)
    raise ExtentError(
        f"rect {index}, (x={x}, y={y}, width={width}, height={height}), {reason}; "
        f"the image is {image_width}×{image_height}"
    )


def of_sizes(sizes: list[tuple[int, int]]) -> Extent:
    """The extent of a list of images, (width, height) each."""
    table = np.array(sizes, np.int64).reshape(-1, 2)
    if not len(table):
        return Extent(0, 0, 0, batched=True)
    width, height = (int(side) for side in table.max(axis=0))
    alike = bool((table == table[0]).all())
    return Extent(width, height, len(table), batched=True, sizes=None if alike else table)


def rounded(value: np.float32) -> int:
    """Half away from zero, as the headers round."""
    return int(np.floor(value + np.float32(0.5)))


def placed(source: tuple[int, int], size: tuple[int, int], aspect_ratio: str) -> Placement:
    """Where a source of (width, height) lies in a plane of `size`; in single precision, as the
    headers compute.
    """
    (source_width, source_height), (width, height) = source, size
    target_width, target_height = width, height
    if aspect_ratio != "ignore":
        even = aspect_ratio == "preserve_even"
        scale = np.float32(height) / np.float32(source_height)
        target_width = rounded(scale * np.float32(source_width))
        target_width -= target_width % 2 if even else 0
        if target_width > width:
            target_width = width
            scale = np.float32(width) / np.float32(source_width)
            target_height = rounded(scale * np.float32(source_height))
            target_height -= target_height % 2 if even else 0
    target_width, target_height = max(target_width, 1), max(target_height, 1)
    return Placement(
        x=0 if aspect_ratio == "preserve_left" else (width - target_width) // 2,
        y=(height - target_height) // 2,
        width=target_width,
        height=target_height,
        scale_x=target_width / source_width,
        scale_y=target_height / source_height,
    )
