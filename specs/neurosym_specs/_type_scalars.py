"""Types of single values from their tables: bounds, places, alphabets, the members of enums."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from neurosym_specs._faults import show, unknown, wrong_kind
from neurosym_specs._numbers import Number, decimal_from_text, exact, nearest_float, ratio_from_text
from neurosym_specs._plain import date_from_plain
from neurosym_specs._tables import Table
from neurosym_specs._type_sizes import sizes
from neurosym_specs._words import check_class_name, check_identifier
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.patterns import PatternError, compile_pattern
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    EnumType,
    FloatType,
    FractionType,
    IntType,
    StrType,
    Type,
)

MAX_PLACES = 100


def scalar_type(word: str, table: Table, described: dict[str, Any]) -> Type:
    """A built-in type of single values, by its word and the keys of its table; without choices, and no enum."""
    match word:
        case "int":
            low, high = _bounds(table, _whole_bound)
            return IntType(min=low, max=high, **described)
        case "decimal":
            low, high = _bounds(table, _decimal_bound)
            decimal = DecimalType(
                min=low,
                max=high,
                places=_places_range(table),
                nan=table.flag("nan"),
                infinity=table.flag("infinity"),
                negative_zero=table.flag("negative_zero"),
                exact_exponent=table.word("exponent", ("exact", "number"), "number") == "exact",
                **described,
            )
            _check_grid(decimal, table)
            return decimal
        case "float":
            low, high = _bounds(table, _float_bound)
            places = table.size("places")
            if places is not None and places > MAX_PLACES:
                raise SpecError(f"{places} places are more than {MAX_PLACES}", table.at("places"))
            return FloatType(
                min=low,
                max=high,
                places=places,
                nan=table.flag("nan"),
                infinity=table.flag("infinity"),
                negative_zero=table.flag("negative_zero"),
                **described,
            )
        case "fraction":
            low, high = _bounds(table, _ratio_bound)
            largest = table.size("max_denominator")
            if largest == 0:
                raise wrong_kind("a whole number from 1", 0, table.at("max_denominator"))
            return FractionType(min=low, max=high, max_denominator=largest, **described)
        case "bool":
            return BoolType(**described)
        case "str":
            return _str_type(table, described)
        case _:
            return _date_type(table, described)


def enum_type(table: Table, described: dict[str, Any]) -> EnumType:
    """An enum; with a class, its members."""
    choices = table.required("choices")
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, str) for choice in choices):
        raise wrong_kind("an array of strings", choices, table.at("choices"))
    if len(set(choices)) < len(choices):
        raise SpecError(f"{show(choices)} repeats a choice", table.at("choices"))
    class_name = table.text("class")
    if not class_name:
        if "values" in table:
            raise SpecError("values without class", table.at("values"), hint='a class is named like class = "Kind"')
        return EnumType(choices=tuple(choices), ordered=table.flag("ordered"), **described)
    check_class_name(class_name, "an enum class", table.at("class"))
    for choice in choices:
        check_identifier(choice, "a member of an enum class", table.at("choices"))
        if choice.startswith("_") or choice == "mro":
            raise SpecError(f"{show(choice)} is no name for a member of an enum class", table.at("choices"))
    return EnumType(
        choices=tuple(choices),
        class_name=class_name,
        members=_members(choices, table),
        ordered=table.flag("ordered"),
        **described,
    )


def _str_type(table: Table, described: dict[str, Any]) -> StrType:
    alphabet = table.text("alphabet") if "alphabet" in table else None
    pattern = table.text("pattern") if "pattern" in table else None
    if alphabet is not None and pattern is not None:
        raise SpecError("both alphabet and pattern", table.at("pattern"), hint="a pattern says the alphabet too")
    if alphabet == "":
        raise SpecError("the alphabet is empty", table.at("alphabet"))
    lengths = sizes(table)
    if pattern is not None:
        try:
            compiled = compile_pattern(pattern)
        except PatternError as error:
            raise SpecError(f"{show(pattern)} is no pattern: {error}", table.at("pattern")) from None
        low, high = lengths["min_len"], lengths["max_len"] if lengths["check_len"] is None else lengths["check_len"]
        if not compiled.may_match_length(low, high):
            sizes_said = f"{low} characters or more" if high is None else f"{low} to {high} characters"
            raise SpecError(f"no text of {sizes_said} matches {show(pattern)}", table.at("pattern"))
    return StrType(alphabet=alphabet, pattern=pattern, **lengths, **described)


def _date_type(table: Table, described: dict[str, Any]) -> DateType:
    bounds: dict[str, Any] = {
        key: date_from_plain(table.raw[key], table.at(key)) for key in ("min", "max") if key in table
    }
    if "min" in bounds and "max" in bounds and bounds["min"] > bounds["max"]:
        raise SpecError(f"min {bounds['min']} is after max {bounds['max']}", table.at("min"))
    return DateType(**bounds, **described)


def _whole_bound(value: Any, place: Place) -> Fraction:
    number = exact(value) if not isinstance(value, str) else decimal_from_text(value)
    if number is None or isinstance(number, float) or number.denominator != 1:
        raise wrong_kind("a whole number", value, place)
    return Fraction(number)


def _decimal_bound(value: Any, place: Place) -> Fraction:
    number = exact(value) if not isinstance(value, str) else decimal_from_text(value)
    if number is None or isinstance(number, float):
        raise wrong_kind('a number as a string, like "1000.00"', value, place)
    return Fraction(number)


def _float_bound(value: Any, place: Place) -> Fraction:
    nearest = nearest_float(_decimal_bound(value, place))
    if nearest in (float("inf"), float("-inf")):
        raise SpecError(f"{show(value)} is too large for a float", place)
    return Fraction(nearest)


def _ratio_bound(value: Any, place: Place) -> Fraction:
    number: Number | None = exact(value) if not isinstance(value, str) else ratio_from_text(value)
    if number is None or isinstance(number, float):
        raise wrong_kind('a number or a fraction like "1/3"', value, place)
    return Fraction(number)


def _bounds(table: Table, read: Any) -> tuple[Fraction | None, Fraction | None]:
    low = read(table.raw["min"], table.at("min")) if "min" in table else None
    high = read(table.raw["max"], table.at("max")) if "max" in table else None
    if low is not None and high is not None and low > high:
        raise SpecError(f"min {show(low)} is above max {show(high)}", table.at("min"))
    return low, high


def _places_range(table: Table) -> tuple[int, int] | None:
    """``2``, or ``"0..4"``."""
    if "places" not in table:
        return None
    value = table.raw["places"]
    low = high = value
    if isinstance(value, str):
        parts = re.fullmatch(r"\s*([0-9]{1,4})\s*(?:\.\.\s*([0-9]{1,4})\s*)?", value, re.ASCII)
        if parts is not None:
            low, high = int(parts[1]), int(parts[2] or parts[1])
    if (
        not isinstance(low, int)
        or not isinstance(high, int)
        or isinstance(value, bool)
        or not 0 <= low <= high <= MAX_PLACES
    ):
        raise wrong_kind(f'a whole number from 0 to {MAX_PLACES}, or a range like "0..4"', value, table.at("places"))
    return low, high


def _check_grid(type: DecimalType, table: Table) -> None:
    """Refuse a range in which no number with so many decimals lies."""
    if type.places is None or type.min is None or type.max is None:
        return
    step = 10 ** type.places[1]
    if -(-type.min * step // 1) > type.max * step // 1:
        raise SpecError(
            f"no number with {type.places[1]} decimals lies from {show(type.min)} to {show(type.max)}",
            table.at("min"),
        )


def _members(choices: list[str], table: Table) -> tuple[tuple[str, int | str], ...]:
    values = table.raw.get("values", {choice: choice for choice in choices})
    at = table.at("values")
    if isinstance(values, list) and len(values) == len(choices):
        values = dict(zip(choices, values, strict=True))
    if not isinstance(values, dict):
        raise wrong_kind("a table of the choices' values", values, at)
    for name in values:
        if name not in choices:
            raise unknown("choice", name, choices, at)
    members: list[tuple[str, int | str]] = []
    for choice in choices:
        if choice not in values:
            raise SpecError(f'the value of "{choice}" is missing', at)
        value = values[choice]
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise wrong_kind("a whole number or a string", value, at)
        if any(value == other for _, other in members):
            raise SpecError(f"{show(value)} is the value of two choices", at)
        members.append((choice, value))
    return tuple(members)
