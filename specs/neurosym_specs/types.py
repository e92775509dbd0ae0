"""The types of a spec's inputs and results: what values there are, before any clause speaks of them.

Every type is a frozen value. Bounds are exact rationals. A type says which *spec values* (see
``neurosym_specs.values``) belong to it; what the candidate's Python sees follows from it in
``neurosym_specs.signature``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Interval:
    """Values from ``low`` to ``high``, both included; ``None`` is no bound."""

    low: Fraction | date | None = None
    high: Fraction | date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What every type may carry for its reader, and the values added or allowed beside its range.

    ``choices``: the only values (spec values), or None. ``also``: values and ranges beside the range or choices.
    """

    text: str = ""
    unit: str = ""
    choices: tuple[object, ...] | None = None
    also: tuple[object | Interval, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IntType(Described):
    min: Fraction | None = None
    max: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecimalType(Described):
    """``places``: inputs carry exactly so many decimals (a pair: any number in between); None: any number.

    ``exact_exponent``: the number of decimals is part of a result's value.
    """

    min: Fraction | None = None
    max: Fraction | None = None
    places: tuple[int, int] | None = None
    nan: bool = False
    infinity: bool = False
    negative_zero: bool = False
    exact_exponent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatType(Described):
    """``min`` and ``max`` are the exact values of the nearest floats; ``places``: the floats nearest to numbers
    with so many decimals."""

    min: Fraction | None = None
    max: Fraction | None = None
    places: int | None = None
    nan: bool = False
    infinity: bool = False
    negative_zero: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FractionType(Described):
    min: Fraction | None = None
    max: Fraction | None = None
    max_denominator: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoolType(Described):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class StrType(Described):
    """Texts without surrogates; ``alphabet`` or ``pattern`` (of the whole string) narrow them.

    ``max_len`` is the promise, ``check_len`` the length up to which it is checked (None: ``max_len``).
    """

    min_len: int = 0
    max_len: int | None = None
    check_len: int | None = None
    alphabet: str | None = None
    pattern: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumType(Described):
    """``choices`` holds the names. ``class_name`` empty: a plain string annotated ``Literal[...]``.

    ``members``: (name, Python value) of each member of the enum class, as plain int or str values.
    """

    class_name: str = ""
    members: tuple[tuple[str, int | str], ...] = ()
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DateType(Described):
    min: date = date.min
    max: date = date.max


RecordForm: TypeAlias = Literal["dataclass", "tuple", "namedtuple", "dict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordType(Described):
    """``name``: the type's name in the spec, which is the class's name in Python and the constructor in expressions."""

    name: str
    fields: tuple[tuple[str, Type], ...]
    form: RecordForm = "dataclass"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListType(Described):
    """``form``: what the function receives and returns; ``tuple`` is a ``tuple[T, ...]`` of any length, whose spec
    value is a tuple."""

    item: Type
    form: Literal["list", "tuple"] = "list"
    min_len: int = 0
    max_len: int | None = None
    check_len: int | None = None
    unique: bool = False
    sorted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleType(Described):
    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetType(Described):
    item: Type
    min_len: int = 0
    max_len: int | None = None
    check_len: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DictType(Described):
    key: Type
    value: Type
    min_len: int = 0
    max_len: int | None = None
    check_len: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionalType(Described):
    """``T | none``; ``unit``, ``text`` and the rest stand on ``of``."""

    of: Type


Type: TypeAlias = (
    IntType
    | DecimalType
    | FloatType
    | FractionType
    | BoolType
    | StrType
    | EnumType
    | DateType
    | RecordType
    | ListType
    | TupleType
    | SetType
    | DictType
    | OptionalType
)


def inner_types(type: Type) -> tuple[Type, ...]:
    """The types that a type is directly made of."""
    match type:
        case RecordType():
            return tuple(inner for _, inner in type.fields)
        case ListType() | SetType():
            return (type.item,)
        case TupleType():
            return type.items
        case DictType():
            return (type.key, type.value)
        case OptionalType():
            return (type.of,)
        case _:
            return ()
