"""What follows from elementary conditions that hold: which others do, and what terms and values are then.

Conditions and terms are shared graphs, so what is known is asked of each node once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from neurosym_verifiers.reading.bounds import Bounds
from neurosym_verifiers.reading.dates import day_of
from neurosym_verifiers.reading.narrowing import tightened
from neurosym_verifiers.reading.normal_forms import (
    both,
    choose,
    either,
    floor_div,
    nearest,
    negated,
    not_positive,
    zero,
)
from neurosym_verifiers.reading.terms import (
    FALSE,
    TRUE,
    And,
    Atom,
    Condition,
    DatePart,
    Div,
    Ite,
    Nearest,
    Not,
    NotPositive,
    Or,
    Term,
    Truth,
    Var,
    Zero,
    number,
    variable,
)
from neurosym_verifiers.reading.values import Bool, Day, Days, Dec, Int, Maybe, Member, NoneValue, Ratio, Value
from neurosym_verifiers.reading.values import Sequence as Items


class Known:
    """What follows, node by node, from elementary conditions that hold.

    Terms of different exits know bounds of their variables that hold on their own path only, so what is put together
    from several has those that follow from the conditions and from ``bounds``, which hold everywhere.
    """

    def __init__(self, conditions: Sequence[Condition], bounds: Mapping[str, Bounds]) -> None:
        self._bounds = tightened(bounds, both(*conditions))
        self._truths: dict[str, bool | None] = {}
        self._atoms: dict[str, Term] = {}
        self._rewritten: dict[str, Condition] = {}
        for condition in conditions:
            self._truths[condition.key] = True
            self._truths[negated(condition).key] = False

    def truth(self, condition: Condition) -> bool | None:
        """Whether the condition holds; None if that is open."""
        if condition.key not in self._truths:
            self._truths[condition.key] = self._follows(condition)
        return self._truths[condition.key]

    def _follows(self, condition: Condition) -> bool | None:
        match condition:
            case Truth(value=value):
                return value
            case Not(of=of):
                truth = self.truth(of)
                return None if truth is None else not truth
            case And(parts=parts):
                truths = [self.truth(part) for part in parts]
                return False if False in truths else None if None in truths else True
            case Or(parts=parts):
                truths = [self.truth(part) for part in parts]
                return True if True in truths else None if None in truths else False
            case _:
                simpler = self._simpler(condition)
                if isinstance(simpler, Truth):
                    return simpler.value
                return self._truths.get(simpler.key)

    def open(self, condition: Condition) -> Condition:
        """The first elementary condition on which an open condition depends."""
        while True:
            match condition:
                case Not(of=of):
                    condition = of
                case And(parts=parts) | Or(parts=parts):
                    condition = next(part for part in parts if self.truth(part) is None)
                case _:
                    return condition

    def value(self, value: Value) -> Value:
        """The value with what is decided left out."""
        match value:
            case Int(term=term):
                return Int(self.term(term))
            case Dec(num=num):
                return replace(value, num=self.term(num))
            case Ratio(num=num, den=den):
                return Ratio(self.term(num), self.term(den))
            case Days(count=count):
                return Days(self.term(count))
            case Day():
                return Day(*(self.term(part) for part in (value.ordinal, value.year, value.month, value.day)))
            case Bool(condition=condition):
                return Bool(self.condition(condition))
            case Member(index=index):
                return replace(value, index=self.term(index))
            case Items(items=items):
                return replace(value, items=tuple(map(self.value, items)))
            case Maybe(missing=missing, value=some):
                absent = self.condition(missing)
                if isinstance(absent, Truth):
                    return NoneValue() if absent.value else self.value(some)
                return Maybe(absent, some)
            case _:
                return value

    def term(self, term: Term) -> Term:
        """The term with the choices made that are decided."""
        total = number(0)
        for monomial, coefficient in term.parts:
            product = number(coefficient)
            for factor in monomial:
                product = product * self._atom(factor)
            total = total + product
        return total

    def _atom(self, factor: Atom) -> Term:
        if factor.key not in self._atoms:
            self._atoms[factor.key] = self._made(factor)
        return self._atoms[factor.key]

    def _made(self, factor: Atom) -> Term:
        match factor:
            case Ite(condition=condition, then=then, other=other):
                truth = self.truth(condition)
                if truth is None:
                    return choose(self.condition(condition), self.term(then), self.term(other))
                return self.term(then if truth else other)
            case Div(num=num, den=den):
                return floor_div(self.term(num), self.term(den))
            case Nearest(num=num, den=den, scale=scale):
                return nearest(self.term(num), self.term(den), scale)
            case DatePart(part=part, ordinal=count):
                day = day_of(self.term(count))
                return {"year": day.year, "month": day.month, "day": day.day}[part]
            case Var(name=name):
                return variable(name, *self._bounds.get(name, (None, None)))
            case _:
                raise AssertionError(f"unknown atom {factor!r}")

    def condition(self, condition: Condition) -> Condition:
        """The condition with what is decided left out."""
        truth = self.truth(condition)
        if truth is not None:
            return TRUE if truth else FALSE
        if condition.key not in self._rewritten:
            simpler = self._simpler(condition)
            truth = self.truth(simpler)
            self._rewritten[condition.key] = simpler if truth is None else TRUE if truth else FALSE
        return self._rewritten[condition.key]

    def _simpler(self, condition: Condition) -> Condition:
        match condition:
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
                return condition
