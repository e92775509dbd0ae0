"""What terms and conditions come to on concrete inputs: how a reading is held against the real execution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from neurosym_verifiers.reading.floats.real_evaluating import tested
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.iterated import ROUND, Iterated
from neurosym_verifiers.reading.formulas.members import Belongs, SameMembers, listed_in
from neurosym_verifiers.reading.formulas.ranks import Rank
from neurosym_verifiers.reading.formulas.terms import (
    And,
    Atom,
    Condition,
    DatePart,
    Div,
    Flag,
    Ite,
    Nearest,
    Not,
    NotPositive,
    Or,
    Term,
    Truth,
    Var,
    Within,
    Zero,
)


class Evaluation:
    """Evaluates under one assignment of variables; shared parts are computed once. Choices are lazy."""

    def __init__(self, assignment: Mapping[str, int | bool]) -> None:
        self._assignment = assignment
        self._atoms: dict[str, int] = {}
        self._conditions: dict[str, bool] = {}
        self.reals: dict[str, Any] = {}

    def term(self, term: Term) -> int:
        total = 0
        for monomial, coefficient in term.parts:
            product = coefficient
            for factor in monomial:
                product *= self._atom(factor)
            total += product
        return total

    def _atom(self, atom: Atom) -> int:
        known = self._atoms.get(atom.key)
        if known is None:
            known = self._atoms[atom.key] = self._compute(atom)
        return known

    def _compute(self, atom: Atom) -> int:
        match atom:
            case Var(name=name):
                return int(self._assignment[name])
            case Div(num=num, den=den):
                return self.term(num) // self.term(den)
            case Nearest(num=num, den=den):
                return atom.of(self.term(num), self.term(den))
            case Ite(condition=condition, then=then, other=other):
                return self.term(then if self.condition(condition) else other)
            case DatePart(part=part, ordinal=ordinal):
                value: Any = getattr(date.fromordinal(self.term(ordinal)), part)
                return int(value)
            case Rank(of=of):
                return self.term(of)
            case Iterated():
                return self._iterate(atom)
            case _:
                raise AssertionError(f"unknown atom {atom!r}")

    def _iterate(self, loop: Iterated) -> int:
        now = [self.term(term) for term in loop.start]
        for inside, goes_on in self.rounds_of(loop):
            now = [inside.term(term) for term in (loop.step if goes_on else loop.leaving)]
        return now[0]

    def rounds_of(self, loop: Iterated) -> Iterator[tuple[Evaluation, bool]]:
        """Each round with what its variables are before it, and whether another may follow."""
        now = [self.term(term) for term in loop.start]
        for number_of_round in range(self.term(loop.rounds)):
            before = dict(zip(loop.places, now, strict=True))
            inside = Evaluation({**self._assignment, **before, ROUND: number_of_round})
            goes_on = inside.condition(loop.goes_on)
            yield inside, goes_on
            if not goes_on:
                return
            now = [inside.term(term) for term in loop.step]

    def condition(self, condition: Condition) -> bool:
        known = self._conditions.get(condition.key)
        if known is None:
            known = self._conditions[condition.key] = self._decide(condition)
        return known

    def _decide(self, condition: Condition) -> bool:
        match condition:
            case Truth(value=value):
                return value
            case RealTest(name=name) if name not in self._assignment:
                return tested(condition, self)
            case Belongs(of=of, term=term) if condition.name not in self._assignment:
                return self.term(term) in listed_in(self._assignment, of)
            case SameMembers(lists=lists) if condition.name not in self._assignment:
                one, *others = (listed_in(self._assignment, of) for of in sorted(lists))
                return all(other == one for other in others)
            case Flag(name=name):
                return bool(self._assignment[name])
            case NotPositive(term=term):
                return self.term(term) <= 0
            case Zero(term=term):
                return self.term(term) == 0
            case Within(term=term, ranges=ranges):
                return any(low <= self.term(term) <= high for low, high in ranges)
            case Not(of=of):
                return not self.condition(of)
            case And(parts=parts):
                return all(map(self.condition, parts))
            case Or(parts=parts):
                return any(map(self.condition, parts))
            case _:
                raise AssertionError(f"unknown condition {condition!r}")
