"""Lists, tuples, sets and dicts from their tables: lengths, and what may be inside."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from neurosym_specs._tables import Table
from neurosym_specs.errors import SpecError
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    TupleType,
    Type,
    inner_types,
)

SIZE_KEYS = ("min_len", "max_len", "check_len")


def generic_type(word: str, arguments: list[Type], any_length: bool, table: Table) -> Type:
    wanted = {"list": 1, "set": 1, "dict": 2}.get(word, len(arguments))
    if len(arguments) != wanted:
        raise SpecError(f"{word} takes {wanted} type{'s' * (wanted > 1)}, found {len(arguments)}", table.at("type"))
    described: dict[str, Any] = {"text": table.text("text"), "unit": table.text("unit")}
    if word == "tuple" and not any_length:
        for key in SIZE_KEYS:
            if key in table:
                raise SpecError(
                    "a tuple of these types has a fixed length",
                    table.at(key),
                    hint='any length: "tuple[T, ...]"',
                )
        return TupleType(items=tuple(arguments), **described)
    described |= sizes(table)
    match word:
        case "list":
            if table.flag("sorted"):
                _check_sortable(arguments[0], table)
            if table.flag("unique"):
                _check_enough(arguments[0], described["min_len"], table)
            return ListType(item=arguments[0], unique=table.flag("unique"), sorted=table.flag("sorted"), **described)
        case "tuple":
            return ListType(item=arguments[0], form="tuple", **described)
        case "set":
            _check_hashable(arguments[0], "an element of a set", table)
            _check_enough(arguments[0], described["min_len"], table)
            return SetType(item=arguments[0], **described)
        case _:
            _check_hashable(arguments[0], "a key of a dict", table)
            _check_enough(arguments[0], described["min_len"], table)
            return DictType(key=arguments[0], value=arguments[1], **described)


def _check_hashable(type: Type, what: str, table: Table) -> None:
    bad = isinstance(type, ListType | SetType | DictType) and not (isinstance(type, ListType) and type.form == "tuple")
    bad = bad or (isinstance(type, RecordType) and type.form == "dict")
    if bad:
        raise SpecError(f"{what} cannot be a list, set or dict", table.at("type"))
    for inner in inner_types(type):
        _check_hashable(inner, what, table)


def _check_sortable(type: Type, table: Table) -> None:
    if isinstance(type, OptionalType | SetType | DictType | BoolType) or (
        isinstance(type, EnumType) and type.class_name and not type.ordered
    ):
        raise SpecError(
            "sorted, but its elements have no order",
            table.at("sorted"),
            hint="an enum has one with ordered = true",
        )

    if isinstance(type, RecordType | TupleType | ListType):  # compared element by element
        for inner in inner_types(type):
            _check_sortable(inner, table)


def _check_enough(type: Type, least: int, table: Table) -> None:
    most = most_values(type)
    if most is not None and least > most:
        raise SpecError(f"min_len {least}, but only {most} values differ from each other", table.at("min_len"))


def most_values(type: Type) -> int | None:
    """How many values a type has at most, or None where that is not plain."""
    if type.also:
        return None
    if type.choices is not None:
        return len(type.choices)
    match type:
        case BoolType():
            return 2
        case IntType(min=Fraction() as low, max=Fraction() as high):
            return int(high - low) + 1
        case DecimalType(min=Fraction() as low, max=Fraction() as high, places=(_, places)):
            # A NaN, two infinities and a negative zero may come beside the numbers.
            return int((high - low) * 10**places) + 1 + 4
        case DateType(min=first, max=last):
            return (last - first).days + 1
        case OptionalType(of=of):
            inner = most_values(of)
            return None if inner is None else inner + 1
        case _:
            return None


def sizes(table: Table) -> dict[str, Any]:
    low, high, check = table.size("min_len", 0), table.size("max_len"), table.size("check_len")
    if low is not None and high is not None and low > high:
        raise SpecError(f"min_len {low} is above max_len {high}", table.at("min_len"))
    if check is not None and ((high is not None and check > high) or (low is not None and check < low)):
        raise SpecError(f"check_len {check} is not between min_len and max_len", table.at("check_len"))
    return {"min_len": low, "max_len": high, "check_len": check}
