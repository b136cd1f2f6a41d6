# SPDX-License-Identifier: Apache-2.0
"""Operations that move pixels. They are fused into the read: only what is needed is fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

import numpy as np

from fkl._dtypes import DType
from fkl._errors import ComposeError, DTypeError, ExtentError
from fkl._extents import Extent, Placement, check_inside, placed
from fkl._op import GEOMETRY, Operation, Static, choice, op
from fkl._sizes import DeviceRects, Rects, Size
from fkl._values import Arg, ResultElement

__all__ = ["Crop", "Resize"]

UNMEASURED = (
    "the rects before it lie on the device, so that their sizes are not known here: "
    "put a Resize between."
)


def cropped(extent: Extent, operation: Any, values: Mapping[str, Any]) -> Extent:
    """The number of rectangles becomes the number of planes."""
    del operation
    given = values["rects"]
    if not extent.is_measured:
        raise ExtentError(UNMEASURED)
    if isinstance(given, DeviceRects):
        batch = extent.with_planes(given.count, "rects") if given.count else Extent(0, 0, 0)
        return batch.resized(batched=True, sizes=None, is_measured=False)
    rects, many, count = given.rects, given.many, len(given.rects)
    if many and count == 0:
        return Extent(0, 0, 0, batched=True)
    planes = extent.planes_with(count, "rects") if extent.planes else 0
    widths, heights = rects[:, 2], rects[:, 3]
    widest, highest = int(widths.max()), int(heights.max())
    sizes = None
    if planes and not ((widths == widest).all() and (heights == highest).all()):
        sizes = np.broadcast_to(rects[:, 2:].astype(np.int64), (planes, 2))
    batched = extent.batched or many
    return extent.resized(width=widest, height=highest, planes=planes, sizes=sizes, batched=batched)


def rects_inside(extent: Extent, values: Mapping[str, Any]) -> None:
    """Every rectangle must lie in its image; of those on a device nobody knows."""
    given = values["rects"]
    if not isinstance(given, DeviceRects) and len(given.rects):
        check_inside(given.rects, extent)


def cropped_reference(x: Any, rects: Any) -> Any:
    left, top, width, height = rects
    return x[top : top + height, left : left + width]


@op(
    kind=GEOMETRY,
    header="algorithms/image_processing/crop.h",
    template="fk::Crop<>",
    fkl="fk::Crop<>",
    extent=cropped,
    check=rects_inside,
    reference=cropped_reference,
    cases=[{"x": 1, "y": 0, "width": 2, "height": 3}],
)
class Crop(Operation):
    """Cut out one rectangle, or one per plane: `Crop(x, y, width, height)` or `Crop(rects)`, in
    pixels.
    """

    rects: Rects
    format: Static[str] = choice({"xywh": "", "xyxy": ""}, "xywh")

    @overload
    def __init__(self, x: Rects, *, format: str = "xywh") -> None: ...
    @overload
    def __init__(self, x: int | Arg, y: int | Arg, width: int | Arg, height: int | Arg) -> None: ...
    def __init__(
        self,
        x: Any = None,
        y: Any = None,
        width: Any = None,
        height: Any = None,
        *,
        rects: Any = None,
        format: str = "xywh",
    ) -> None:
        sides = (y, width, height)
        if rects is None:
            rects = x if sides == (None, None, None) else (x, *sides)
        elif (x, *sides) != (None, None, None, None):
            raise ComposeError("Crop: give x, y, width, height or rects, not both")
        if rects is None or (isinstance(rects, tuple) and any(side is None for side in rects)):
            raise ComposeError("Crop: give x, y, width and height, or rects")
        self._assign(rects=rects, format=format)

    def __repr__(self) -> str:
        if (
            isinstance(self.rects, tuple)
            and len(self.rects) > 3
            and isinstance(self.rects[0], tuple)
        ):
            return f"Crop(<{len(self.rects)} rects>)"
        return (
            f"Crop({self.rects!r})"
            if self.format == "xywh"
            else f"Crop({self.rects!r}, format={self.format!r})"
        )


INTERPOLATIONS = {
    f"{name}": f"fk::InterpolationType::INTER_{name.upper()}" for name in ("linear", "nearest")
}
COORDINATES = {
    name: f"fk::Coordinates::{name.upper()}"
    for name in ("half_pixel", "asymmetric", "align_corners")
}
ASPECT_RATIOS = {
    "ignore": "fk::AspectRatio::IGNORE_AR",
    "preserve": "fk::AspectRatio::PRESERVE_AR",
    "preserve_left": "fk::AspectRatio::PRESERVE_AR_LEFT",
    "preserve_even": "fk::AspectRatio::PRESERVE_AR_RN_EVEN",
}


def interpolated(flow: DType, operation: Any) -> DType:
    """Interpolation gives floats; nearest copies pixels."""
    if operation.interpolation == "nearest" or flow.element.name == "float64":
        return flow
    return flow.with_element("float32")


def resized(extent: Extent, operation: Any, values: Mapping[str, Any]) -> Extent:
    del operation
    width, height = values["size"]
    extent.check_pixels("resize")
    return extent.resized(width=width, height=height, sizes=None, is_measured=True)


def resized_placements(
    extent: Extent, operation: Any, values: Mapping[str, Any]
) -> tuple[Placement, ...]:
    """One placement, or one per plane where the planes differ."""
    if extent.is_empty or not extent.is_measured:
        return ()
    planes = 1 if extent.sizes is None else extent.planes
    return tuple(
        placed(extent.size_of(plane), values["size"], operation.aspect_ratio)
        for plane in range(planes)
    )


def positions(size: int, source: int, coordinates: str) -> Any:
    at = np.arange(size, dtype=np.float64)
    if coordinates == "half_pixel":
        return (at + 0.5) * source / size - 0.5
    if coordinates == "align_corners":
        return at * (source - 1) / max(size - 1, 1)
    return at * source / size


def neighbours(at: Any, length: int) -> tuple[Any, Any, Any]:
    """The two pixels around each position, and the weight of the second; the edges repeat."""
    at = np.clip(at, 0, length - 1)
    low = np.floor(at).astype(int)
    return low, np.minimum(low + 1, length - 1), at - low


def resized_reference(
    x: Any, size: Any, interpolation: str, coordinates: str, aspect_ratio: str, background: Any
) -> Any:
    x = x if interpolation == "nearest" else x.astype(np.float64)
    place = placed((x.shape[1], x.shape[0]), size, aspect_ratio)
    columns = positions(place.width, x.shape[1], coordinates)
    rows = positions(place.height, x.shape[0], coordinates)
    if interpolation == "nearest":
        shift = 0.0 if coordinates == "asymmetric" else 0.5
        columns = np.clip(np.floor(columns + shift), 0, x.shape[1] - 1).astype(int)
        rows = np.clip(np.floor(rows + shift), 0, x.shape[0] - 1).astype(int)
        inner = x[rows][:, columns]
    else:
        low, high, part = neighbours(columns, x.shape[1])
        inner = x[:, low] * (1 - part[:, None]) + x[:, high] * part[:, None]
        low, high, part = neighbours(rows, x.shape[0])
        inner = inner[low] * (1 - part[:, None, None]) + inner[high] * part[:, None, None]
    if aspect_ratio == "ignore":
        return inner
    result = np.empty((size[1], size[0], x.shape[2]), inner.dtype)
    result[:] = background
    result[place.y : place.y + place.height, place.x : place.x + place.width] = inner
    return result


def resize_in_fkl(flow: DType, operation: Any) -> str:
    """FKL interpolates linearly, from the top left corner, to float32."""
    if operation.interpolation != "linear":
        raise ComposeError(f'it has no {operation.interpolation} there: use "linear".')
    if operation.coordinates != "asymmetric":
        raise ComposeError(
            f'it has no {operation.coordinates} coordinates there: say coordinates="asymmetric".'
        )
    if flow.element.name in ("bool", "float64"):
        raise DTypeError(f'it takes no {flow.element.name} there: put Cast("float32") before it.')
    return "fk::Resize<{interpolation}, {aspect_ratio}>"


@op(
    kind=GEOMETRY,
    header="algorithms/image_processing/resize.h",
    template="fk::Resize<{interpolation}, {aspect_ratio}, {background}, {coordinates}>",
    fkl=resize_in_fkl,
    dtype=interpolated,
    extent=resized,
    placements=resized_placements,
    settles=True,
    reference=resized_reference,
    cases=[
        {"width": 8, "height": 5},
        {"width": 8, "height": 5, "coordinates": "asymmetric"},
        {"width": 31, "height": 9, "coordinates": "align_corners"},
        {"width": 40, "height": 3, "aspect_ratio": "preserve", "background": 3},
        {"width": 8, "height": 11, "aspect_ratio": "preserve_even"},
        {"width": 50, "height": 9, "aspect_ratio": "preserve_left", "coordinates": "asymmetric"},
        {"width": 8, "height": 9, "interpolation": "nearest"},
        {"width": 40, "height": 3, "interpolation": "nearest", "coordinates": "asymmetric"},
        {"width": 8, "height": 9, "interpolation": "nearest", "coordinates": "align_corners"},
        {"width": 5, "height": 9, "interpolation": "nearest", "aspect_ratio": "preserve"},
    ],
)
class Resize(Operation):
    """Resample to `width`×`height` pixels, or keep the aspect ratio inside a background.

    Linear interpolation gives float32 (float64 stays), nearest keeps the element type.
    """

    size: Size
    interpolation: Static[str] = choice(INTERPOLATIONS, "linear")
    coordinates: Static[str] = choice(COORDINATES, "half_pixel")
    aspect_ratio: Static[str] = choice(ASPECT_RATIOS, "ignore")
    background: ResultElement = None

    def __init__(
        self,
        width: Any,
        height: Any = None,
        interpolation: str = "linear",
        coordinates: str = "half_pixel",
        aspect_ratio: str = "ignore",
        background: ResultElement = None,
    ) -> None:
        size = width if height is None else (width, height)
        if background is not None and aspect_ratio == "ignore":
            raise ComposeError(
                'Resize: a background needs aspect_ratio="preserve" or one of its variants'
            )
        if background is None and aspect_ratio != "ignore":
            background = 0
        self._assign(
            size=size,
            interpolation=interpolation,
            coordinates=coordinates,
            aspect_ratio=aspect_ratio,
            background=background,
        )

    def __repr__(self) -> str:
        written = (
            [repr(self.size)] if isinstance(self.size, Arg) else [repr(side) for side in self.size]
        )
        for field in self.row.fields[1:]:
            if getattr(self, field.name) != field.default:
                written.append(f"{field.name}={getattr(self, field.name)!r}")
        return f"Resize({', '.join(written)})"
