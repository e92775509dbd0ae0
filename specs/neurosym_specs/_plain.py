"""Spec values in the plain notation of TOML and JSON (the table is in ``notation``)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any, assert_never

from neurosym_specs._faults import number_text, show, unknown, written, wrong_kind
from neurosym_specs._numbers import (
    Number,
    decimal_from_text,
    exact,
    from_float,
    nearest_float,
    ratio_from_text,
)
from neurosym_specs.errors import Place, SpecError
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
from neurosym_specs.values import NegativeZero, Record, WrittenDecimal

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def from_plain(type: Type, plain: Any, place: Place) -> Any:
    """The spec value that plain notation stands for.

    Only the kind is checked here; whether the value belongs to the type says ``member_fault``. Raises
    ``SpecError`` at ``place`` for a value of another kind.
    """
    match type:
        case IntType():
            number = _number(plain, place, "a whole number")
            if isinstance(number, int) or (isinstance(plain, str) and re.fullmatch("[+-]?[0-9]+", plain)):
                return int(number)
            raise wrong_kind("a whole number", plain, place)
        case DecimalType():
            return _decimal(type, plain, place)
        case FloatType():
            number = _number(plain, place, 'a number (or "nan", "inf", "-inf")')
            value = nearest_float(number)
            if math.isinf(value) and not isinstance(number, float):
                raise SpecError(f"{show(plain)} is too large for a float", place)
            return from_float(value)
        case FractionType():
            number = _number(plain, place, "a number or a fraction like 1/3", ratio_from_text)
            if isinstance(number, float):
                raise wrong_kind("a number or a fraction like 1/3", plain, place)
            return Fraction(number)
        case BoolType():
            if not isinstance(plain, bool):
                raise wrong_kind("true or false", plain, place)
            return plain
        case StrType():
            if not isinstance(plain, str):
                raise wrong_kind("a string", plain, place)
            return plain
        case EnumType():
            choices = [str(choice) for choice in type.choices or ()]
            if not isinstance(plain, str):
                raise wrong_kind("one of " + ", ".join(choices), plain, place)
            if plain not in choices:
                raise unknown("choice", plain, choices, place)
            return plain
        case DateType():
            return date_from_plain(plain, place)
        case RecordType():
            return _record(type, plain, place)
        case ListType() | TupleType() | SetType():
            return _sequence(type, plain, place)
        case DictType():
            return _dict(type, plain, place)
        case OptionalType():
            return None if _is_none(type.of, plain) else from_plain(type.of, plain, place)
        case _:
            assert_never(type)


def date_from_plain(plain: Any, place: Place) -> date:
    """A TOML date, or a string like ``2024-02-29``."""
    if isinstance(plain, date) and not isinstance(plain, datetime):
        return plain
    if isinstance(plain, str) and _ISO_DATE.fullmatch(plain):
        try:
            return date.fromisoformat(plain)
        except ValueError:
            raise SpecError(f"there is no date {plain}", place) from None
    raise wrong_kind("a date like 2024-02-29", plain, place)


def _number(
    plain: Any, place: Place, expected: str, read: Callable[[str], Number | None] = decimal_from_text
) -> Number:
    number = read(plain) if isinstance(plain, str) else exact(plain)
    if number is None:
        raise wrong_kind(expected, plain, place)
    return number


def _decimal(type: DecimalType, plain: Any, place: Place) -> WrittenDecimal | float:
    number = _number(plain, place, "a number")
    if isinstance(number, float):
        return number
    if isinstance(number, WrittenDecimal):
        places = number.places
    elif number.denominator == 1:
        places = 0
    else:
        raise wrong_kind("a number with decimals", plain, place)
    if type.places is not None:
        places = max(places, type.places[0])
    return NegativeZero(places) if isinstance(number, NegativeZero) else WrittenDecimal(number, places)


def _is_none(of: Type, plain: Any) -> bool:
    if plain is None:
        return True
    if isinstance(of, RecordType) and any(name == "none" for name, _ in of.fields):
        return False
    return isinstance(plain, dict) and len(plain) == 1 and plain.get("none") is True


def _record(type: RecordType, plain: Any, place: Place) -> Record:
    names = [name for name, _ in type.fields]
    if isinstance(plain, list | tuple) and type.form == "tuple":
        if len(plain) != len(names):
            raise SpecError(
                f"{len(plain)} values for the {len(names)} fields of {type.name}",
                place,
                hint="fields: " + ", ".join(names),
            )
        plain = dict(zip(names, plain, strict=True))
    if not isinstance(plain, dict):
        kinds = "a table or an array in field order" if type.form == "tuple" else "a table"
        raise wrong_kind(f"{kinds} with the fields {', '.join(names)}", plain, place)
    for name in plain:
        if name not in names:
            raise unknown(f"field of {type.name}", name, names, place)
    fields: dict[str, Any] = {}
    for name, field_type in type.fields:
        at = place.at(f"{place.key}.{name}" if place.key else name)
        if name in plain:
            fields[name] = from_plain(field_type, plain[name], at)
        elif isinstance(field_type, OptionalType):
            fields[name] = None
        else:
            raise SpecError(f'the field "{name}" of {type.name} is missing', place)
    return Record(type.name, fields)


def _sequence(type: ListType | TupleType | SetType, plain: Any, place: Place) -> Any:
    if not isinstance(plain, list | tuple):
        raise wrong_kind("an array", plain, place)
    if isinstance(type, TupleType):
        if len(plain) != len(type.items):
            raise SpecError(f"{len(plain)} values for a tuple of {len(type.items)}", place)
        item_types: Sequence[Type] = type.items
    else:
        item_types = [type.item] * len(plain)
    items = [
        from_plain(item_type, item, place.at(f"{place.key}[{index}]"))
        for index, (item_type, item) in enumerate(zip(item_types, plain, strict=True))
    ]
    if isinstance(type, ListType):
        return items if type.form == "list" else tuple(items)
    if isinstance(type, TupleType):
        return tuple(items)
    members = frozenset(_frozen(item, place) for item in items)
    if len(members) < len(items):
        raise SpecError("a set with an element that is repeated", place)
    return members


def _dict(type: DictType, plain: Any, place: Place) -> dict[Any, Any]:
    if isinstance(plain, dict):
        pairs = list(plain.items())
    elif isinstance(plain, list | tuple) and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in plain):
        pairs = [(pair[0], pair[1]) for pair in plain]
    else:
        raise wrong_kind("a table, or an array of [key, value] pairs", plain, place)
    value: dict[Any, Any] = {}
    for plain_key, plain_item in pairs:
        at = place.at(f"{place.key}.{show(plain_key)}")
        if isinstance(type.key, BoolType) and plain_key in ("true", "false"):
            plain_key = plain_key == "true"
        key = _frozen(from_plain(type.key, plain_key, at), at)
        if key in value:
            raise SpecError(f"the key {show(plain_key)} stands twice", place)
        value[key] = from_plain(type.value, plain_item, at)
    return value


def _frozen(value: Any, place: Place) -> Any:
    try:
        hash(value)
    except TypeError:
        raise SpecError("a list, set or dict cannot be an element of a set or a key of a dict", place) from None
    return value


def to_plain(type: Type, value: Any) -> Any:
    """The plain notation of a spec value, as JSON can hold it: decimals, floats, fractions and dates as strings."""
    match type:
        case IntType() | BoolType() | StrType() | EnumType():
            return value
        case DecimalType():
            return _special_text(value) if isinstance(value, float) else written(value)
        case FloatType():
            return _special_text(value) if isinstance(value, float) else repr(nearest_float(value))
        case FractionType():
            return number_text(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
        case DateType():
            return value.isoformat()
        case RecordType():
            return {name: to_plain(field_type, value.fields[name]) for name, field_type in type.fields}
        case ListType():
            return [to_plain(type.item, item) for item in value]
        case TupleType():
            return [to_plain(item_type, item) for item_type, item in zip(type.items, value, strict=True)]
        case SetType():
            return sorted((to_plain(type.item, item) for item in value), key=plain_order)
        case DictType():
            pairs = [[to_plain(type.key, key), to_plain(type.value, item)] for key, item in value.items()]
            as_table = all(isinstance(key, str) for key, _ in pairs) and [key for key, _ in pairs] != ["none"]
            return dict(pairs) if as_table else pairs
        case OptionalType():
            return None if value is None else to_plain(type.of, value)
        case _:
            assert_never(type)


def inputs_to_plain(inputs: Mapping[str, Type], values: Mapping[str, Any]) -> dict[str, Any]:
    """The plain notation of some or all inputs, in the order of the parameters."""
    return {name: to_plain(type, values[name]) for name, type in inputs.items() if name in values}


def _special_text(value: float) -> str:
    return repr(value)  # nan, inf, -inf


def plain_order(plain: Any) -> tuple[Any, ...]:
    number = exact(plain)
    if number is None and isinstance(plain, str):
        number = decimal_from_text(plain)
    if number is None or isinstance(number, float):
        return (1, 0, json.dumps(plain))
    return (0, number, json.dumps(plain))
