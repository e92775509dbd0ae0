"""One value that is another here and there."""

from __future__ import annotations

from neurosym_verifiers.reading.numbers import scaled
from neurosym_verifiers.reading.terms import Condition, Term, both, choose, either, negated
from neurosym_verifiers.reading.values import (
    Bool,
    Day,
    Days,
    Dec,
    Int,
    Member,
    Quotient,
    Ratio,
    Sequence,
    Value,
)


class CannotMerge(Exception):
    """The two values are of different kinds."""


def merged(condition: Condition, then: Value, other: Value) -> Value:
    """``then`` where the condition holds, ``other`` elsewhere; raises ``CannotMerge`` for values of different types."""
    match then, other:
        case Int(term=a), Int(term=b):
            return Int(choose(condition, a, b))
        case Bool(condition=a), Bool(condition=b):
            return Bool(either(both(condition, a), both(negated(condition), b)))
        case Dec(), Dec():
            places = max(then.places, other.places)
            written = then.written and other.written and then.places == other.places
            return Dec(choose(condition, scaled(then, places), scaled(other, places)), places, written)
        case Ratio(), Ratio():
            if then.den == other.den:
                return Ratio(choose(condition, then.num, other.num), then.den)
            num = choose(condition, then.num * other.den, other.num * then.den)
            return Ratio(num, then.den * other.den)
        case Quotient(), Quotient():
            return Quotient(choose(condition, then.num, other.num), choose(condition, then.den, other.den))
        case Day(), Day():
            return Day(*(choose(condition, a, b) for a, b in zip(_parts(then), _parts(other), strict=True)))
        case Days(count=a), Days(count=b):
            return Days(choose(condition, a, b))
        case Member(), Member() if then.kind == other.kind and then.names == other.names:
            return Member(then.kind, then.names, choose(condition, then.index, other.index))
        case Sequence(), Sequence() if then.is_list == other.is_list and len(then.items) == len(other.items):
            items = tuple(merged(condition, a, b) for a, b in zip(then.items, other.items, strict=True))
            return Sequence(items, then.is_list)
        case _:
            if then == other:
                return then
            raise CannotMerge(f"{type(then).__name__} and {type(other).__name__}")


def _parts(day: Day) -> tuple[Term, Term, Term, Term]:
    return day.ordinal, day.year, day.month, day.day
