"""Which spec values belong to a type, and why another does not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, assert_never

from neurosym_specs._alike import hashable, same, sort_key
from neurosym_specs._faults import show, show_member
from neurosym_specs._numbers import nearest_float
from neurosym_specs.expr.patterns import Pattern, compile_pattern
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    Interval,
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


def member_fault(type: Type, value: object, *, result: bool = False) -> str | None:
    """Why the spec value does not belong to the type, as the end of a sentence; None if it does.

    ``result``: a decimal may be written with fewer or more decimals than ``places`` as long as its number needs no
    more (an input carries exactly so many), and a negative zero is zero, unless the number of places is part of the
    value (``exponent = "exact"``).
    """
    return _Check(result).fault(type, value, "")


class _Check:
    def __init__(self, result: bool) -> None:
        self.result = result

    def fault(self, type: Type, value: object, path: str) -> str | None:
        reason = self._kind_fault(type, value)
        if reason is None and not _added(type, value):
            reason = self._own_fault(type, value, path)
            if reason is not None and reason.startswith("\0"):  # an inner value's fault, already with its path
                return reason[1:]
        if reason is None:
            return None
        return f"{path}: {reason}" if path else reason

    def _kind_fault(self, type: Type, value: object) -> str | None:
        """A value of another kind than the type's."""
        match type:
            case IntType():
                return None if isinstance(value, int) and not isinstance(value, bool) else _not("a whole number", value)
            case DecimalType() | FloatType():
                good = isinstance(value, int | Fraction) or (isinstance(value, float) and not math.isfinite(value))
                return None if good and not isinstance(value, bool) else _not("a number", value)
            case FractionType():
                return (
                    None
                    if isinstance(value, int | Fraction) and not isinstance(value, bool)
                    else _not("a number", value)
                )
            case BoolType():
                return None if isinstance(value, bool) else _not("true or false", value)
            case StrType() | EnumType():
                return None if isinstance(value, str) else _not("a text", value)
            case DateType():
                return None if isinstance(value, date) and not isinstance(value, datetime) else _not("a date", value)
            case RecordType():
                return None if isinstance(value, Record) else _not(f"a {type.name}", value)
            case ListType():
                expected = list if type.form == "list" else tuple
                return None if isinstance(value, expected) else _not("a " + type.form, value)
            case TupleType():
                return None if isinstance(value, tuple) else _not("a tuple", value)
            case SetType():
                return None if isinstance(value, frozenset) else _not("a set", value)
            case DictType():
                return None if isinstance(value, dict) else _not("a dict", value)
            case OptionalType():
                return None if value is None else self._kind_fault(type.of, value)
            case _:
                assert_never(type)

    def _own_fault(self, type: Type, value: Any, path: str) -> str | None:
        match type:
            case IntType():
                return _choice_fault(type, value) or _range_fault(type, value)
            case DecimalType():
                return self._decimal_fault(type, value)
            case FloatType():
                return _float_fault(type, value, result=self.result)
            case FractionType():
                if type.max_denominator is not None and value.denominator > type.max_denominator:
                    return f"{show(value)} has a denominator above {type.max_denominator}"
                return _choice_fault(type, value) or _range_fault(type, value)
            case BoolType() | EnumType():
                return _choice_fault(type, value)
            case StrType():
                return _text_fault(type, value)
            case DateType():
                return _choice_fault(type, value) or _range_fault(type, value)
            case RecordType():
                return self._record_fault(type, value, path)
            case ListType():
                return self._list_fault(type, value, path)
            case TupleType():
                if len(value) != len(type.items):
                    return f"{len(value)} elements instead of {len(type.items)}"
                return self._first(zip(type.items, value, strict=True), path)
            case SetType():
                return _size_fault(type, value) or self._first(((type.item, item) for item in value), path)
            case DictType():
                return self._dict_fault(type, value, path)
            case OptionalType():
                return None if value is None else _inner(self.fault(type.of, value, path))
            case _:
                assert_never(type)

    def _decimal_fault(self, type: DecimalType, value: Any) -> str | None:
        special = _special_fault(type, value, signed_zero=self.result and not type.exact_exponent)
        if special is not None or isinstance(value, float):
            return special
        reason = _choice_fault(type, value) or _range_fault(type, value)
        if reason is not None or type.places is None:
            return reason
        low, high = type.places
        if self.result and not type.exact_exponent:
            needed = (value * 10**high).denominator == 1
            return None if needed else f"{show(value)} has more than {_places_text(high)}"
        if not isinstance(value, WrittenDecimal):
            return None if (value * 10**high).denominator == 1 else f"{show(value)} has more than {_places_text(high)}"
        if low <= value.places <= high:
            return None
        wanted = f"{low}" if low == high else f"{low} to {high}"
        return f"{show(value)} has {_places_text(value.places)} instead of {wanted}"

    def _record_fault(self, type: RecordType, value: Record, path: str) -> str | None:
        names = [name for name, _ in type.fields]
        for name in value.fields:
            if name not in names:
                return f'there is no field "{name}" in {type.name}'
        for name, field_type in type.fields:
            if name not in value.fields:
                return f'the field "{name}" of {type.name} is missing'
            reason = self.fault(field_type, value.fields[name], f"{path}.{name}" if path else name)
            if reason is not None:
                return _inner(reason)
        return None

    def _list_fault(self, type: ListType, value: Sequence[Any], path: str) -> str | None:
        reason = _size_fault(type, value) or self._first(((type.item, item) for item in value), path)
        if reason is not None:
            return reason
        if type.unique:
            seen: set[Any] = set()
            for item in value:
                if (key := hashable(item)) in seen:
                    return f"{show(item)} is repeated"
                seen.add(key)
        if type.sorted:
            keys = [sort_key(type.item, item) for item in value]
            for index, (first, second) in enumerate(pairwise(keys)):
                if first > second:
                    return f"not sorted: {show(value[index])} stands before {show(value[index + 1])}"
        return None

    def _dict_fault(self, type: DictType, value: dict[Any, Any], path: str) -> str | None:
        reason = _size_fault(type, value)
        for key, item in value.items():
            if reason is not None:
                return reason
            at = f"{path}[{show(key)}]"
            reason = _inner(self.fault(type.key, key, f"{at} (its key)") or self.fault(type.value, item, at))
        return reason

    def _first(self, items: Iterable[tuple[Type, Any]], path: str) -> str | None:
        for index, (type, item) in enumerate(items):
            reason = self.fault(type, item, f"{path}[{index}]")
            if reason is not None:
                return _inner(reason)
        return None


def _inner(reason: str | None) -> str | None:
    return None if reason is None else "\0" + reason.removeprefix("\0")


def _not(expected: str, value: object) -> str:
    return f"{show(value)} is not {expected}"


def _places_text(places: int) -> str:
    return f"{places} decimal" if places == 1 else f"{places} decimals"


def _added(type: Type, value: object) -> bool:
    """Whether ``also`` adds the very value (ranges are looked at with the range)."""
    return any(
        not isinstance(extra, Interval) and same(extra, value) and _same_places(extra, value) for extra in type.also
    )


def _same_places(extra: object, value: object) -> bool:
    if isinstance(extra, WrittenDecimal) and isinstance(value, WrittenDecimal):
        return extra.places == value.places
    return True


def _in_interval(interval: Interval, value: Any) -> bool:
    return (interval.low is None or interval.low <= value) and (interval.high is None or value <= interval.high)


def in_added_range(type: Type, value: Any) -> bool:
    """Whether one of the ranges in ``also`` holds the value."""
    return any(isinstance(extra, Interval) and _in_interval(extra, value) for extra in type.also)


def _choice_fault(type: Type, value: Any) -> str | None:
    if type.choices is None or any(same(choice, value) for choice in type.choices) or in_added_range(type, value):
        return None
    choices = ", ".join(show_member(type, choice) for choice in type.choices[:20])
    return f"{show_member(type, value)} is none of the choices {choices}"


def _range_fault(type: IntType | DecimalType | FloatType | FractionType | DateType, value: Any) -> str | None:
    if type.choices is not None or in_added_range(type, value):
        return None
    if type.min is not None and value < type.min:
        return f"{show_member(type, value)} is below the minimum {show_member(type, type.min)}"
    if type.max is not None and value > type.max:
        return f"{show_member(type, value)} is above the maximum {show_member(type, type.max)}"
    return None


def _special_fault(type: DecimalType | FloatType, value: object, *, signed_zero: bool) -> str | None:
    """``signed_zero``: a negative zero passes for zero, as in a result of which only the number counts."""
    if isinstance(value, float):
        if math.isnan(value):
            return None if type.nan else "NaN, which the type excludes"
        return None if type.infinity else "infinite, which the type excludes"
    if isinstance(value, NegativeZero) and not (type.negative_zero or signed_zero):
        return "a negative zero, which the type excludes"
    return None


def _float_fault(type: FloatType, value: Any, *, result: bool) -> str | None:
    special = _special_fault(type, value, signed_zero=result)
    if special is not None or isinstance(value, float):
        return special
    nearest = nearest_float(value)
    if not math.isfinite(nearest) or Fraction(nearest) != value:
        return f"{show(value)} is no float"
    reason = _choice_fault(type, value) or _range_fault(type, value)
    if reason is None and type.places is not None:
        step = 10**type.places
        if nearest_float(Fraction(round(value * step), step)) != nearest:
            return f"{nearest!r} is not the float nearest to a number with {_places_text(type.places)}"
    return reason


def _text_fault(type: StrType, value: str) -> str | None:
    if any("\ud800" <= character <= "\udfff" for character in value):
        return "a surrogate, which no text contains"
    if type.choices is not None:
        return _choice_fault(type, value)
    if len(value) < type.min_len:
        return f"{show(value)} is shorter than {type.min_len}"
    if type.max_len is not None and len(value) > type.max_len:
        return f"{show(value)} is longer than {type.max_len}"
    if type.alphabet is not None:
        for character in value:
            if character not in type.alphabet:
                return f"{show(character)} is not in the alphabet"
    if type.pattern is not None and not _compiled(type.pattern).matches(value):
        return f"{show(value)} does not match the pattern {type.pattern[:100]}"
    return None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Pattern:
    return compile_pattern(pattern)


def _size_fault(type: ListType | SetType | DictType, value: Any) -> str | None:
    if len(value) < type.min_len:
        return f"{len(value)} elements, fewer than {type.min_len}"
    if type.max_len is not None and len(value) > type.max_len:
        return f"{len(value)} elements, more than {type.max_len}"
    return None
