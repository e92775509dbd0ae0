"""The values of a type, in words for a reader."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import assert_never

from neurosym_specs._faults import show, show_member, written
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
from neurosym_specs.values import WrittenDecimal


def type_in_words(type: Type) -> str:
    """The values of a type, in words: ``-1000.00 to 1000000.00, 2 decimals, unit USD``."""
    words = _values_in_words(type)
    extras = [_extra_in_words(type, extra) for extra in type.also]
    if extras:
        words = f"{words}; also {', '.join(extras)}"
    return f"{words}, unit {type.unit}" if type.unit else words


def _values_in_words(type: Type) -> str:
    if type.choices is not None:
        choices = [show_member(type, choice) for choice in type.choices]
        words = choices[0] if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"
        return f"{words}, in this order" if isinstance(type, EnumType) and type.ordered else words
    match type:
        case IntType():
            return _range("whole numbers", type)
        case DecimalType():
            words = _range("numbers", type)
            return ", ".join([words, *_places(type.places), *_specials(type)])
        case FloatType():
            words = _range("floats", type)
            places = (type.places, type.places) if type.places is not None else None
            return ", ".join([words, *_places(places), *_specials(type)])
        case FractionType():
            words = _range("fractions", type)
            return words if type.max_denominator is None else f"{words}, denominators up to {type.max_denominator}"
        case BoolType():
            return "True or False"
        case StrType():
            words = "texts" + _size(type, "character", "characters")
            if type.alphabet is not None:
                words += f" out of {show(type.alphabet)}"
            return words if type.pattern is None else f"{words} that match {type.pattern}"
        case EnumType():
            return "no choices"
        case DateType():
            return f"{type.min} to {type.max}"
        case RecordType():
            fields = "; ".join(f"{name}: {type_in_words(inner)}" for name, inner in type.fields)
            return f"{type.name} ({fields})"
        case ListType():
            rules = [word for word, holds in (("all different", type.unique), ("sorted", type.sorted)) if holds]
            kind = "lists" if type.form == "list" else "tuples"
            of = f"{kind}{_size(type, 'element', 'elements')}, each {type_in_words(type.item)}"
            return ", ".join([of, *rules])
        case TupleType():
            return "tuples of " + "; ".join(f"({type_in_words(inner)})" for inner in type.items)
        case SetType():
            return f"sets{_size(type, 'element', 'elements')}, each {type_in_words(type.item)}"
        case DictType():
            return (
                f"dicts{_size(type, 'key', 'keys')}, each key {type_in_words(type.key)}, "
                f"each value {type_in_words(type.value)}"
            )
        case OptionalType():
            return f"None, or {type_in_words(type.of)}"
        case _:
            assert_never(type)


def _extra_in_words(type: Type, extra: object | Interval) -> str:
    if not isinstance(extra, Interval):
        return show_member(type, extra)
    low = "anything" if extra.low is None else show_member(type, extra.low)
    high = "anything" if extra.high is None else show_member(type, extra.high)
    return f"{low} to {high}"


def _range(kind: str, type: IntType | DecimalType | FloatType | FractionType) -> str:
    low, high = (None if bound is None else _end(type, bound) for bound in (type.min, type.max))
    if low is None and high is None:
        return f"all {kind}"
    if low is None:
        return f"{kind} up to {high}"
    return f"{kind} from {low}" if high is None else f"{low} to {high}"


def _end(type: Type, bound: Fraction) -> str:
    """A bound as a value of the type is written: with the decimals of a decimal."""
    if isinstance(type, DecimalType) and type.places:
        return written(WrittenDecimal(bound, type.places[1]))
    return show_member(type, bound)


def _places(places: tuple[int, int] | None) -> Iterator[str]:
    if places is not None:
        low, high = places
        yield f"{low} to {high} decimals" if low != high else "1 decimal" if low == 1 else f"{low} decimals"


def _specials(type: DecimalType | FloatType) -> Iterator[str]:
    if type.nan:
        yield "NaN"
    if type.infinity:
        yield "infinities"
    if type.negative_zero:
        yield "negative zero"
    if isinstance(type, DecimalType) and type.exact_exponent:
        yield "exactly so many written"


def _size(type: StrType | ListType | SetType | DictType, one: str, many: str) -> str:
    low, high = type.min_len, type.max_len
    if high is None:
        words = f" of at least {low} {one if low == 1 else many}" if low else " of any length"
    elif low == high:
        words = f" of {high} {one if high == 1 else many}"
    elif low:
        words = f" of {low} to {high} {many}"
    else:
        words = f" of up to {high} {one if high == 1 else many}"
    return words if type.check_len is None else f"{words} (checked up to {type.check_len})"
