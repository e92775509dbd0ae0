"""Shapes: what kind of value an expression surely has, as far as its text tells.

A lattice with ``Unknown`` on top: two shapes join to what covers both. Nothing here is a promise about ranges;
``whole`` and ``places`` of numbers are not tracked beyond "surely an integer".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any, TypeAlias

from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    TupleType,
    Type,
)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any value."""


@dataclass(frozen=True, slots=True)
class Number:
    """An exact or real number, NaN or infinity; ``whole``: surely an integer."""

    whole: bool = False


@dataclass(frozen=True, slots=True)
class Boolean:
    pass


@dataclass(frozen=True, slots=True)
class Text:
    """A text; ``choices`` and ``ordered`` where it is an enum's choice."""

    choices: tuple[str, ...] = ()
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Day:
    """A date."""


@dataclass(frozen=True, slots=True)
class Span:
    """The difference of two dates."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """None."""


@dataclass(frozen=True, slots=True)
class RecordShape:
    """A record; equal by its type's name, which no other type of a spec has."""

    type: RecordType = field(compare=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.type.name)


@dataclass(frozen=True, slots=True)
class TableShape:
    """A table of [data]: a dict whose keys are known, read by key or as attributes."""

    fields: Mapping[str, Shape] = field(hash=False)


@dataclass(frozen=True, slots=True)
class ListShape:
    item: Shape


@dataclass(frozen=True, slots=True)
class TupleShape:
    items: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class SetShape:
    item: Shape


@dataclass(frozen=True, slots=True)
class DictShape:
    key: Shape
    value: Shape


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or None."""

    of: Shape


Shape: TypeAlias = (
    Unknown
    | Number
    | Boolean
    | Text
    | Day
    | Span
    | Nothing
    | RecordShape
    | TableShape
    | ListShape
    | TupleShape
    | SetShape
    | DictShape
    | Maybe
)

UNKNOWN = Unknown()
NUMBER = Number()
WHOLE = Number(whole=True)
BOOLEAN = Boolean()
TEXT = Text()
DAY = Day()
SPAN = Span()
NOTHING = Nothing()


def shape_of_type(type_: Type) -> Shape:
    match type_:
        case IntType():
            return WHOLE
        case DecimalType() | FloatType() | FractionType():
            return NUMBER
        case BoolType():
            return BOOLEAN
        case StrType():
            return TEXT
        case EnumType(choices=choices, ordered=ordered):
            return Text(tuple(str(choice) for choice in choices or ()), ordered)
        case DateType():
            return DAY
        case RecordType():
            return RecordShape(type_)
        case ListType(item=item):
            return ListShape(shape_of_type(item))
        case TupleType(items=items):
            return TupleShape(tuple(map(shape_of_type, items)))
        case SetType(item=item):
            return SetShape(shape_of_type(item))
        case DictType(key=key, value=value):
            return DictShape(shape_of_type(key), shape_of_type(value))
        case OptionalType(of=of):
            return Maybe(shape_of_type(of))


def shape_of_data(value: Any) -> Shape:
    """The shape of a value of [data]; a text that may be read as a number has none."""
    match value:
        case bool():
            return BOOLEAN
        case int():
            return WHOLE
        case Fraction() | float():
            return NUMBER
        case str():
            return UNKNOWN if any(c.isdigit() for c in value) else TEXT
        case date():
            return DAY
        case None:
            return NOTHING
        case list() | tuple():
            return ListShape(join_all([shape_of_data(item) for item in value]))
        case dict():
            return TableShape({key: shape_of_data(item) for key, item in value.items()})
        case _:
            return UNKNOWN


def join(a: Shape, b: Shape) -> Shape:
    """The least shape that covers both."""
    if a == b:
        return a
    match a, b:
        case Number(), Number():
            return NUMBER
        case Text(), Text():
            return TEXT
        case Nothing(), Nothing():
            return NOTHING
        case (Nothing(), other) | (other, Nothing()):
            return other if isinstance(other, Maybe | Unknown) else Maybe(other)
        case (Maybe(of=inner), other) | (other, Maybe(of=inner)):
            joined = join(inner, other.of if isinstance(other, Maybe) else other)
            return joined if isinstance(joined, Maybe | Unknown) else Maybe(joined)
        case ListShape(item=x), ListShape(item=y):
            return ListShape(join(x, y))
        case SetShape(item=x), SetShape(item=y):
            return SetShape(join(x, y))
        case DictShape(), DictShape():
            return DictShape(join(a.key, b.key), join(a.value, b.value))
        case TableShape(fields=x), TableShape(fields=y) if x.keys() == y.keys():
            return TableShape({name: join(shape, y[name]) for name, shape in x.items()})
        case TupleShape(items=x), TupleShape(items=y) if len(x) == len(y):
            return TupleShape(tuple(join(left, right) for left, right in zip(x, y, strict=True)))
        case _:
            return UNKNOWN


def join_all(shapes: list[Shape]) -> Shape:
    """The join of some shapes; of none, unknown (an empty list fits every list)."""
    if not shapes:
        return UNKNOWN
    joined = shapes[0]
    for shape in shapes[1:]:
        joined = join(joined, shape)
    return joined


MOST_PARTS = 200


def bounded(shape: Shape) -> Shape:
    """The shape, or unknown if it has very many parts: definitions can double a shape at every call."""
    parts, stack = 0, [shape]
    while stack:
        parts += 1
        if parts > MOST_PARTS:
            return UNKNOWN
        match stack.pop():
            case TupleShape(items=items):
                stack.extend(items)
            case ListShape(item=item) | SetShape(item=item) | Maybe(of=item):
                stack.append(item)
            case DictShape(key=key, value=value):
                stack += (key, value)
            case _:
                pass
    return shape


def kind(shape: Shape) -> str:
    """In words; "" where unknown."""
    match shape:
        case Unknown():
            return ""
        case Number():
            return "a number"
        case Boolean():
            return "a boolean"
        case Text():
            return "a text"
        case Day():
            return "a date"
        case Span():
            return "a difference of dates"
        case Nothing():
            return "None"
        case RecordShape(type=type_):
            return f"a record {type_.name}"
        case TableShape() | DictShape():
            return "a dict"
        case ListShape():
            return "a list"
        case TupleShape():
            return "a tuple"
        case SetShape():
            return "a set"
        case Maybe(of=of):
            return kind(of)


def surely(shape: Shape) -> Shape:
    """What a value is if it is not None; of None itself nothing is said, for a condition may keep it away."""
    if isinstance(shape, Maybe):
        return shape.of
    return UNKNOWN if isinstance(shape, Nothing) else shape


def item_of(shape: Shape) -> Shape | None:
    """What a loop over it gives; None where it surely cannot be looped over."""
    match shape:
        case ListShape(item=item) | SetShape(item=item):
            return item
        case TupleShape(items=items):
            return join_all(list(items))
        case DictShape(key=key):
            return key
        case Text():
            return TEXT
        case Unknown() | TableShape() | Nothing():  # a table's keys may be looked up by number
            return UNKNOWN
        case Maybe(of=of):
            return item_of(of)
        case _:
            return None
