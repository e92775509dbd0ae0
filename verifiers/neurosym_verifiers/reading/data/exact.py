"""Numbers, texts and choices as the spec's language has them: every number is an exact rational."""

from __future__ import annotations

from collections.abc import Iterator

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.values import (
    Dec,
    Float,
    Guarded,
    Int,
    Lookup,
    Maybe,
    Member,
    NotRead,
    Ratio,
    Record,
    Sequence,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.floats.arithmetic import surely_finite
from neurosym_verifiers.reading.formulas.terms import Condition


def exact(value: Value) -> Value:
    """A Decimal as the exact rational that the spec's language computes with."""
    if isinstance(value, Float):
        return as_number(value)
    if isinstance(value, Dec):
        return simplest(numbers.ratio(*numbers.as_ratio(value)))
    return simplest(value)


def as_number(value: Float) -> Value:
    """A float as the number that it is; one that may be NaN or infinite stays a float, to be compared only."""
    return simplest(numbers.ratio(*numbers.as_ratio(value))) if surely_finite(value) else value


def simplest(value: Value) -> Value:
    if isinstance(value, Ratio) and value.den.constant == 1:
        return Int(value.num)
    return value


def chosen(condition: Condition, then: Value, other: Value) -> Value:
    """``then`` where the condition holds, ``other`` elsewhere; in the spec's language a whole number is a number."""
    if isinstance(then, (Int, Ratio)) and isinstance(other, (Int, Ratio)) and type(then) is not type(other):
        then, other = Ratio(*numbers.as_ratio(then)), Ratio(*numbers.as_ratio(other))
    try:
        return merged(condition, then, other)
    except CannotMerge as problem:
        raise NotRead(f"a value that is one of {problem}") from None


def needs_order(value: Value, *, texts: bool = False) -> None:
    """Raises ``NotRead`` for what the spec's language orders otherwise than Python: a text may be an enum's choice.

    ``texts``: whether it surely is none, since the spec has no enums."""
    match value:
        case Text() | Member() if not texts:
            raise NotRead("the order of texts")
        case Sequence(items=items):
            for item in items:
                needs_order(item, texts=texts)
        case Maybe() | Record():
            raise NotRead("the order of these")
        case _:
            pass


def needs_number(value: Value) -> None:
    """Raises ``NotRead`` for what may be NaN: that has no order among others."""
    if isinstance(value, Float):
        raise NotRead("the order of floats that may be NaN or infinite")


def leaves(value: Value) -> Iterator[Value]:
    """What a value is made of in the end."""
    match value:
        case Sequence(items=items):
            for item in items:
                yield from leaves(item)
        case Guarded(items=guarded):
            for _, item in guarded:
                yield from leaves(item)
        case Record(fields=fields):
            for _, part in fields:
                yield from leaves(part)
        case Table(entries=entries):
            for entry in entries.values():
                yield from leaves(entry)
        case Lookup(entries=pairs):
            for _, *key_and_value in pairs:
                for part in key_and_value:
                    yield from leaves(part)
        case Maybe(value=some):
            yield from leaves(some)
        case _:
            yield value
