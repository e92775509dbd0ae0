"""What depends on one variable of few values, written in one way: two formulas of a character that agree become one.

``ord(c) - 55 if c in LETTERS else int(c)`` and ``DIGITS_AND_LETTERS.index(c)`` are the same number for each character
that a path lets through. Where a condition leaves a variable few values, a choice between terms of it is computed for
each, and written as the fewest steps from left to right; a condition on it becomes the set of values that fulfil it.
What then is equal has the same normal form, and sums and remainders of many such terms need no solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import gcd

from neurosym_verifiers.reading.formulas.bounds import ANY, Spans, meet
from neurosym_verifiers.reading.formulas.budget import TooManyTerms, at_most_terms
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, bounds_from, conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, choose, either, floor_div, negated, within
from neurosym_verifiers.reading.formulas.remainders import numerator
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    And,
    Atom,
    Condition,
    Div,
    Ite,
    Or,
    Term,
    Var,
    Within,
    atom,
    number,
    remainders_in,
    variable,
    with_atoms,
)
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.texts.codepoints import LAST, Ranges, ranges_of

MOST_VALUES = 64
_FEWEST = 8
"""Functions of fewer values have tables already (``finite``)."""

_MOST_TERMS = 200_000
_DEEPEST = 3
"""How many conjunctions and disjunctions inside of each other are taken apart; conditions share their deeper parts."""


def tabulated(condition: Condition, bounds: Spans) -> Condition:
    """A condition that the same assignments within the bounds fulfil, with what depends on one variable in one form."""
    if not _speaks_of_few_values(condition, bounds):
        return condition
    try:
        with at_most_terms(_MOST_TERMS):
            return _Pass(bounds, {}, frozenset(), _Columns()).whole(condition)
    except TooManyTerms:
        return condition


def _speaks_of_few_values(condition: Condition, bounds: Spans) -> bool:
    """Whether a variable has not too many values, and more than have tables already; or may have, as characters do."""
    for name in condition.names:
        low, high = bounds.get(name, ANY)
        if low is not None and high is not None and (_FEWEST <= high - low <= 2 * MOST_VALUES or high == LAST):
            return True
    return any(isinstance(part, Within) for part in parts_of(condition))


class _Columns:
    """What conditions and parts of terms with one variable come to for each of its values, found once for each."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...]], tuple[int, ...] | None] = {}

    def fulfilling(self, condition: Condition, name: str, values: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """The values of the one variable that fulfil a condition; None where it has no truth for one of them."""
        if values is None:
            return None

        def good() -> tuple[int, ...]:
            return tuple(value for value in values if Evaluation({name: value}).condition(condition))

        return self._found(condition.key, values, good)

    def results(self, of: Atom, name: str, values: tuple[int, ...]) -> tuple[int, ...] | None:
        """What a part of a term comes to for each value; None where one has no result, which then is not used."""
        whole = atom(of)
        return self._found(of.key, values, lambda: tuple(Evaluation({name: value}).term(whole) for value in values))

    def _found(
        self, key: str, values: tuple[int, ...], compute: Callable[[], tuple[int, ...]]
    ) -> tuple[int, ...] | None:
        if (key, values) not in self._known:
            try:
                self._known[key, values] = compute()
            except (ZeroDivisionError, OverflowError, ValueError):
                self._known[key, values] = None
        return self._known[key, values]


class _Pass(Narrowing):
    """``domains``: the values that some variables have here; ``facts``: what holds here."""

    def __init__(
        self,
        bounds: Spans,
        domains: Mapping[str, tuple[int, ...]],
        facts: frozenset[Condition],
        columns: _Columns,
    ) -> None:
        super().__init__({}, facts)
        self._columns = columns
        self._spans = bounds
        self._domains = domains
        self._names = frozenset(domains)
        self._holding = {fact.key for fact in facts}
        self._failing = {negated(fact).key for fact in facts}

    def whole(self, condition: Condition, depth: int = 0) -> Condition:
        """A conjunction's parts each know what the others say of single variables."""
        if depth > _DEEPEST or not isinstance(condition, (And, Or)):
            return self.condition(condition)
        if isinstance(condition, Or):
            return either(*(self.whole(part, depth + 1) for part in condition.parts))
        parts = condition.parts
        domains = dict(self._domains)
        kept: list[Condition] = []
        rest: list[Condition] = []
        for part in parts:
            name = next(iter(part.names)) if len(part.names) == 1 else ""
            values = self._columns.fulfilling(part, name, self._values_of(name, domains, parts)) if name else None
            if values is None:
                rest.append(part)
                continue
            if not values:
                return FALSE
            domains[name] = values
        for name, values in domains.items():
            if self._domains.get(name) != values:
                kept.append(within(variable(name, *self._spans.get(name, ANY)), ranges_of(values)))
        rest.sort(key=lambda part: len(part.names))  # what is cheap may decide it
        inner = _Pass(self._spans, domains, frozenset(), self._columns)
        literals: list[Condition] = []
        for part in rest:
            if not isinstance(part, (And, Or)):
                literals.append(inner.condition(part))
                if literals[-1] == FALSE:
                    return FALSE
        inner = _Pass(self._spans, domains, self._facts | frozenset(literals), self._columns)
        for part in rest:
            if isinstance(part, (And, Or)):
                kept.append(inner.whole(part, depth + 1))
                if kept[-1] == FALSE:
                    return FALSE
        return both(*kept, *literals)

    def _values_of(
        self, name: str, domains: Mapping[str, tuple[int, ...]], parts: Iterable[Condition]
    ) -> tuple[int, ...] | None:
        if name in domains:
            return domains[name]
        low, high = self._spans.get(name, ANY)
        for part in parts:
            if len(part.names) == 1 and name in part.names:
                for each in conjuncts(part):
                    low, high = meet((low, high), _bounds_in(each, name))
        if low is None or high is None or high - low > 2 * MOST_VALUES:
            return None
        return tuple(range(low, high + 1))

    def condition(self, condition: Condition) -> Condition:
        if condition.key in self._holding:
            return TRUE
        if condition.key in self._failing:
            return FALSE
        if len(condition.names) == 1:
            (name,) = condition.names
            values = self._domains.get(name)
            if values is not None and len(values) <= MOST_VALUES:
                known = self._conditions.get(id(condition))
                if known is None:
                    known = self._conditions[id(condition)] = (condition, self._as_set(condition, name, values))
                return known[1]
        if not self._facts and self._names.isdisjoint(condition.names):
            return condition
        known = self._conditions.get(id(condition))
        if known is None:
            known = self._conditions[id(condition)] = (condition, self._with_fact(self._rewritten_condition(condition)))
        return known[1]

    def _with_fact(self, condition: Condition) -> Condition:
        return TRUE if condition.key in self._holding else FALSE if condition.key in self._failing else condition

    def _as_set(self, condition: Condition, name: str, values: tuple[int, ...]) -> Condition:
        good = self._columns.fulfilling(condition, name, values)
        if good is None:
            return self._rewritten_condition(condition)
        if len(good) == len(values):
            return TRUE
        return within(variable(name, values[0], values[-1]), _filled(good, values)) if good else FALSE

    def term(self, term: Term) -> Term:
        found = super().term(term) if not self._facts else self._with_facts(term)
        for modulus, count, rest in remainders_in(found):
            inside = self._reduced(numerator(found, modulus, count), modulus)
            return number(count) * (inside - number(modulus) * floor_div(inside, number(modulus))) + self.term(rest)
        return found

    def _reduced(self, term: Term, modulus: int) -> Term:
        """A term with the same remainder, its coefficients and parts of one variable from 0 to below the modulus."""
        total = number(0)
        for monomial, coefficient in term.parts:
            product = number(coefficient % modulus)
            for factor in monomial:
                product = product * self._factor(factor, modulus)
            total = total + product
        return Term((monomial, c % modulus) for monomial, c in total.parts if c % modulus)

    def _factor(self, of: Atom, modulus: int) -> Term:
        values = self._domains.get(next(iter(of.names))) if len(of.names) == 1 else None
        results = (
            self._columns.results(of, next(iter(of.names)), values) if values and len(values) <= MOST_VALUES else None
        )
        if values is None or results is None:
            return atom(of)
        return _steps(next(iter(of.names)), values, tuple(result % modulus for result in results))

    def _with_facts(self, term: Term) -> Term:
        if self._names.isdisjoint(term.names) and not any(isinstance(a, (Ite, Div)) for m, _ in term.parts for a in m):
            return term
        return with_atoms(term, self._atom)

    def _rewritten(self, atom: Atom) -> Term:
        if isinstance(atom, Var):
            values = self._domains.get(atom.name)
            return Term([((atom,), 1)]) if values is None else variable(atom.name, values[0], values[-1])
        if isinstance(atom, (Ite, Div)) and len(atom.names) == 1:
            (name,) = atom.names
            values = self._domains.get(name)
            if values is not None and len(values) <= MOST_VALUES:
                results = self._columns.results(atom, name, values)
                if results is not None:
                    return _steps(name, values, results)
        if isinstance(atom, Div) and (modulus := atom.den.constant) is not None:
            return _quotient(self.term(atom.num), modulus)
        return super()._rewritten(atom)


def _bounds_in(condition: Condition, name: str) -> tuple[int | None, int | None]:
    return bounds_from(condition).get(name, ANY)


def _quotient(num: Term, modulus: int) -> Term:
    """``num // modulus`` with all coefficients of what is left inside from 0 to below the modulus."""
    inside = Term((monomial, c % modulus) for monomial, c in num.parts if c % modulus)
    outside = Term((monomial, c // modulus) for monomial, c in num.parts if c // modulus)
    return outside + floor_div(inside, number(modulus))


def _filled(good: tuple[int, ...], values: tuple[int, ...]) -> Ranges:
    """The values as the fewest ranges; what lies between them and is no value is as one likes."""
    chosen = set(good)
    found: list[list[int]] = []
    last_good = False
    for value in values:
        if value in chosen:
            if last_good:
                found[-1][1] = value
            else:
                found.append([value, value])
        last_good = value in chosen
    return tuple((low, high) for low, high in found)


@lru_cache(maxsize=4096)
def _steps(name: str, values: tuple[int, ...], results: tuple[int, ...]) -> Term:
    """A function of a variable that is one of some values, as linear pieces from left to right."""
    pieces: list[tuple[int, int, int, int]] = []  # the first and last value, the slope, the constant
    at = 0
    while at < len(values):
        end, slope = at + 1, 0
        if end < len(values):
            rise, run = results[end] - results[at], values[end] - values[at]
            slope = rise // run if rise % run == 0 else 0
            while end < len(values) and results[end] - results[at] == slope * (values[end] - values[at]):
                end += 1
        pieces.append((values[at], values[end - 1], slope, results[at] - slope * values[at]))
        at = end
    share = gcd(*results)
    if share > 1:
        return number(share) * _steps(name, values, tuple(result // share for result in results))
    x = variable(name, values[0], values[-1])
    term = number(0)
    for first, last, slope, constant in reversed(pieces):
        piece = variable(name, first, last) * number(slope) + number(constant)
        term = choose(at_most(x, number(last)), piece, term)
    return term
