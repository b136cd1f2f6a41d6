# SPDX-License-Identifier: Apache-2.0
"""`@op`: an operation is one row. The row is declared by a class; everything else is derived from
it.

From the annotations come constructor, repr, equality, hash and coercion; from the arguments of
`@op` the dtype and extent rules, the C++ spelling, and what the tests need. The registry is filled
by importing `ops`.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, get_type_hints

from ._dtypes import ELEMENTS, DType
from ._errors import ComposeError, DTypeError
from ._extents import Extent, Placement
from ._values import ElementKind, ValueKind, arg_names

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Callable[[Any], Any]:
        return lambda decorator: decorator


class Kind(Enum):
    """What an operation does to the chain; planner and generator know kinds, never names."""

    READ = "read"  # memory to pixels
    SET = "set"  # pixels from nothing
    GEOMETRY = "geometry"  # moves pixels; fused into the read
    MAP = "map"  # pixel to pixel
    WRITE = "write"  # pixels to memory


READ, SET, GEOMETRY, MAP, WRITE = Kind


@dataclasses.dataclass(frozen=True)
class StaticMark:
    """Marks a compile-time field; `choices` maps what the user writes to its C++ spelling."""


T = TypeVar("T")
Static = Annotated[T, StaticMark()]


def choice(spellings: Mapping[str, str], default: str | None = None) -> Any:
    """A compile-time field with named values and their C++ spellings."""
    metadata = {"choices": dict(spellings)}
    if default is None:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


DTypeRule = Callable[[DType, Any], DType]
ExtentRule = Callable[[Extent, Any, Mapping[str, Any]], Extent]
CheckRule = Callable[[Extent, Mapping[str, Any]], None]
Spelling = Callable[[DType, Any], str]
PlacementRule = Callable[[Extent, Any, Mapping[str, Any]], tuple[Placement, ...]]


def SAME(flow: DType, operation: Any) -> DType:
    """The element that enters leaves."""
    del operation
    return flow


@dataclasses.dataclass(frozen=True)
class Field:
    """One field of a row: its value kind or, for a compile-time field, its choices."""

    name: str
    kind: ValueKind | None
    choices: Mapping[str, str] | None
    default: Any

    @property
    def is_static(self) -> bool:
        return self.kind is None


@dataclasses.dataclass(frozen=True)
class Row:
    """Everything fkl knows about one operation."""

    name: str
    operation: type[Operation]
    kind: Kind
    headers: tuple[str, ...]  # below fused_kernel/
    dtype: DTypeRule
    template: str | Callable[[DType], str]
    fields: tuple[Field, ...]
    summary: str
    elements: str  # kinds of element it takes: letters of b u i f
    channels: tuple[int, ...]
    extent: ExtentRule | None
    placements: PlacementRule | None  # where a GEOMETRY puts its source, for output_spec
    check: CheckRule | None  # whether a GEOMETRY's values fit what it reads; a launch knows as well
    settles: bool  # a GEOMETRY whose planes have one size, whatever it reads
    reference: Callable[..., Any] | None
    cases: tuple[Mapping[str, Any], ...]
    memory: str  # packed or planar, for READ and WRITE
    listed: str  # C++ spelling of a READ whose source is a list of images; empty if it takes none
    fkl: str | Spelling | None  # C++ type in another FKL tree (FKL_INCLUDE); None if it has none
    elementwise: bool  # a MAP that treats every channel alike, so that it takes arrays of any shape

    @property
    def member(self) -> str:
        """snake_case, for the parameter struct."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.name).lower()

    @cached_property
    def values(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if not field.is_static)

    @cached_property
    def statics(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.is_static)

    @property
    def parameters(self) -> tuple[str, ...]:
        """How the constructor is written; compile-time parameters in brackets."""
        found = inspect.signature(self.operation).parameters
        static = {field.name for field in self.statics}
        return tuple(f"[{name}]" if name in static else name for name in found)

    def result(self, flow: DType, operation: Any) -> DType:
        """The element after this step; raises a DTypeError with a short fact."""
        if flow.element.kind not in self.elements:
            served = ", ".join(
                name for name, element in ELEMENTS.items() if element.kind in self.elements
            )
            raise DTypeError(
                f"{self.name} does not take {flow.element.name}; "
                f"put a Cast to one of {served} before it."
            )
        if flow.channels not in self.channels:
            counts = " or ".join(map(str, self.channels))
            raise DTypeError(
                f"{self.name} takes {counts} channels; this element has {flow.channels}."
            )
        return self.dtype(flow, operation)


REGISTRY: dict[str, Row] = {}


class Operation:
    """Base of every operation: immutable; it compares, hashes and pickles by its fields."""

    row: ClassVar[Row]

    def __post_init__(self) -> None:
        for field in self.row.fields:
            object.__setattr__(self, field.name, self._coerced(field, getattr(self, field.name)))

    def _coerced(self, field: Field, value: Any) -> Any:
        what = f"{self.row.name}: {field.name}"
        if field.is_static:
            if arg_names(value):
                raise ComposeError(f"{what} is fixed at compile time: give a value, not an Arg")
            if field.choices is not None and value not in tuple(field.choices):
                known = ", ".join(map(repr, field.choices))
                raise ComposeError(f"{what}={value!r}: give one of {known}")
            return value
        if value is None and field.default is None:
            return None
        assert field.kind is not None
        return field.kind.coerce(value, what)

    def _assign(self, **values: Any) -> None:
        """For a row whose constructor is its own: sets and checks every field."""
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __repr__(self) -> str:
        shown = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in self.row.fields
            if getattr(self, field.name) != field.default
        ]
        return f"{self.row.name}({', '.join(shown)})"


Decorated = TypeVar("Decorated", bound=type[Operation])


@dataclass_transform(frozen_default=True, field_specifiers=(choice, dataclasses.field))
def op(
    *,
    kind: Kind,
    header: str | Sequence[str],
    dtype: DTypeRule = SAME,
    template: str | Callable[[DType], str] = "",
    elements: str = "buif",
    channels: Sequence[int] = (1, 2, 3, 4),
    extent: ExtentRule | None = None,
    placements: PlacementRule | None = None,
    check: CheckRule | None = None,
    settles: bool = False,
    reference: Callable[..., Any] | None = None,
    cases: Sequence[Mapping[str, Any]] = ({},),
    memory: str = "packed",
    listed: str = "",
    fkl: str | Spelling | None = None,
    elementwise: bool = False,
) -> Callable[[Decorated], Decorated]:
    """Make a class a row of the registry; see `Row` for what the arguments mean.

    `template` is the C++ type of the operation, `fk::<Name><{in}>` if not given; its placeholders
    are {in}, {out}, {base} (the entering element and its base), the compile-time fields, and the
    run-time fields' types. `fkl` is the same for the original FKL, or a function of the entering
    element and the compile-time fields that gives it or raises a short fact. `cases` are
    constructor arguments for the generated numeric tests.
    """

    def declare(cls: Decorated) -> Decorated:
        hints = get_type_hints(cls, include_extras=True)
        dataclasses.dataclass(frozen=True, repr=False, init="__init__" not in vars(cls))(cls)
        fields = []
        for declared in dataclasses.fields(cls):  # type: ignore[arg-type]
            marks = getattr(hints[declared.name], "__metadata__", ())
            value_kind = next((mark for mark in marks if isinstance(mark, ValueKind)), None)
            default = ... if declared.default is dataclasses.MISSING else declared.default
            fields.append(
                Field(declared.name, value_kind, declared.metadata.get("choices"), default)
            )
        cls.row = REGISTRY[cls.__name__] = Row(
            name=cls.__name__,
            operation=cls,
            kind=kind,
            headers=(header,) if isinstance(header, str) else tuple(header),
            dtype=dtype,
            template=template or f"fk::{cls.__name__}<{{in}}>",
            fields=tuple(fields),
            summary=" ".join((cls.__doc__ or "").strip().partition("\n\n")[0].split()),
            elements=elements,
            channels=tuple(channels),
            extent=extent,
            placements=placements,
            check=check,
            settles=settles,
            reference=reference,
            cases=tuple(cases),
            memory=memory,
            listed=listed,
            fkl=fkl,
            elementwise=elementwise,
        )
        return cls

    return declare


def takes_one_number_per_pixel(operation: Operation) -> bool:
    """Whether a MAP takes any shape: it treats channels alike, and its values are one number."""
    return operation.row.elementwise and all(
        not (isinstance(field.kind, ElementKind) and field.kind.of == "flow")
        or not isinstance(getattr(operation, field.name), tuple)
        for field in operation.row.values
    )
