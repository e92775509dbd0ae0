"""What a condition that holds says about the bounds of single variables, and terms that know it.

On the path behind ``if rate <= 0: raise`` a rate is at least one unit, so it may be divided by. A narrowed term has the
same key, and so is the same value, as before; only its bounds are those of the path, and it must stay on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from neurosym_verifiers.reading.terms import (
    And,
    Atom,
    Bound,
    Condition,
    DatePart,
    Div,
    Flag,
    Ite,
    Not,
    NotPositive,
    Or,
    Term,
    Truth,
    Var,
    Zero,
    both,
    choose,
    either,
    floor_div,
    negated,
    not_positive,
    number,
    variable,
    zero,
)
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
    Table,
    Thing,
    Value,
)

Bounds = tuple[Bound, Bound]


def bounds_from(condition: Condition) -> dict[str, Bounds]:
    """Bounds of variables that follow from a condition, those of its conjuncts that speak of one variable each."""
    found: dict[str, Bounds] = {}
    for part in condition.parts if isinstance(condition, And) else (condition,):
        for name, (low, high) in _single(part):
            known_low, known_high = found.get(name, (None, None))
            low = known_low if low is None else low if known_low is None else max(low, known_low)
            high = known_high if high is None else high if known_high is None else min(high, known_high)
            found[name] = (low, high)
    return found


def _single(part: Condition) -> list[tuple[str, Bounds]]:
    if isinstance(part, NotPositive):
        linear = _linear(part.term)
        if linear is not None:
            name, coefficient, constant = linear
            if coefficient > 0:
                return [(name, (None, -constant // coefficient))]
            return [(name, (-(constant // coefficient), None))]
    if isinstance(part, Zero):
        linear = _linear(part.term)
        if linear is not None and linear[2] % linear[1] == 0:
            value = -linear[2] // linear[1]
            return [(linear[0], (value, value))]
    if isinstance(part, Or):
        return _hull(part)
    return []


def _hull(part: Or) -> list[tuple[str, Bounds]]:
    """``x == 5 or x == 10``: bounds of the one variable that every alternative speaks of."""
    found = [_single(alternative) for alternative in part.parts]
    names = {name for bounds in found for name, _ in bounds}
    if len(names) != 1 or not all(found):
        return []
    lows = [low for bounds in found for _, (low, _) in bounds]
    highs = [high for bounds in found for _, (_, high) in bounds]
    low = None if None in lows else min(low for low in lows if low is not None)
    high = None if None in highs else max(high for high in highs if high is not None)
    return [(names.pop(), (low, high))]


def _linear(term: Term) -> tuple[str, int, int] | None:
    """``coefficient * variable + constant``, if the term is that."""
    name, coefficient, constant = "", 0, 0
    for monomial, factor in term.parts:
        if not monomial:
            constant = factor
        elif len(monomial) == 1 and isinstance(monomial[0], Var) and not name:
            name, coefficient = monomial[0].name, factor
        else:
            return None
    return (name, coefficient, constant) if name else None


class Narrowing:
    """Rewrites values so that their variables know tighter bounds."""

    def __init__(self, bounds: Mapping[str, Bounds]) -> None:
        self._bounds = bounds
        self._atoms: dict[int, tuple[Atom, Term]] = {}

    def value(self, value: Value) -> Value:
        match value:
            case Int(term=term):
                return Int(self.term(term))
            case Bool(condition=condition):
                return Bool(self.condition(condition))
            case Dec(num=num):
                return replace(value, num=self.term(num))
            case Quotient(num=num, den=den):
                return Quotient(self.term(num), self.term(den))
            case Ratio(num=num, den=den):
                return Ratio(self.term(num), self.term(den))
            case Day():
                return Day(*(self.term(t) for t in (value.ordinal, value.year, value.month, value.day)))
            case Days(count=count):
                return Days(self.term(count))
            case Member(index=index):
                return replace(value, index=self.term(index))
            case Sequence(items=items):
                return replace(value, items=tuple(map(self.value, items)))
            case Table(entries=entries):
                return Table({key: self.value(entry) for key, entry in entries.items()})
            case Thing(of=of) if isinstance(of, (Int, Bool, Dec, Quotient, Ratio, Day, Days, Member, Sequence, Table)):
                bound: Any = self.value(of)
                return replace(value, of=bound)
            case _:
                return value

    def term(self, term: Term) -> Term:
        total = number(0)
        for monomial, coefficient in term.parts:
            product = number(coefficient)
            for factor in monomial:
                product = product * self._atom(factor)
            total = total + product
        return total

    def _atom(self, atom: Atom) -> Term:
        known = self._atoms.get(id(atom))
        if known is None:
            known = self._atoms[id(atom)] = (atom, self._rewritten(atom))
        return known[1]

    def _rewritten(self, atom: Atom) -> Term:
        match atom:
            case Var(name=name, low=low, high=high):
                tighter_low, tighter_high = self._bounds.get(name, (None, None))
                low = low if tighter_low is None else tighter_low if low is None else max(low, tighter_low)
                high = high if tighter_high is None else tighter_high if high is None else min(high, tighter_high)
                if low is not None and high is not None and low > high:
                    low = high  # a path on which nothing lies: any bounds are true there
                return variable(name, low, high)
            case Div(num=num, den=den):
                return floor_div(self.term(num), self.term(den))
            case Ite(condition=condition, then=then, other=other):
                return choose(self.condition(condition), self.term(then), self.term(other))
            case DatePart(part=part, ordinal=ordinal, low=low, high=high):
                return Term([((DatePart(part, self.term(ordinal), low, high),), 1)])
            case _:
                raise AssertionError(f"unknown atom {atom!r}")

    def condition(self, condition: Condition) -> Condition:
        match condition:
            case Truth() | Flag():
                return condition
            case NotPositive(term=term):
                return not_positive(self.term(term))
            case Zero(term=term):
                return zero(self.term(term))
            case Not(of=of):
                return negated(self.condition(of))
            case And(parts=parts):
                return both(*map(self.condition, parts))
            case Or(parts=parts):
                return either(*map(self.condition, parts))
            case _:
                raise AssertionError(f"unknown condition {condition!r}")
