"""Terms and conditions as Z3 expressions over integers.

Products of variables are what makes integer arithmetic undecidable, and most proofs need to know of them only that the
same product is the same number: with ``products=False`` each is a fresh integer. What then has no solution has none
with the true products either. Bounds are asserted from the universe alone: those of terms may be of one path only.
"""

from __future__ import annotations

from typing import Any

import z3  # type: ignore[import-untyped]

from neurosym_verifiers.reading.bounds import ANY, Bound, Bounds, Spans
from neurosym_verifiers.reading.dates import month_length, ordinal
from neurosym_verifiers.reading.terms import (
    And,
    Atom,
    Condition,
    DatePart,
    Div,
    Flag,
    Ite,
    Iterated,
    Monomial,
    Not,
    NotPositive,
    Or,
    Term,
    Truth,
    Var,
    Zero,
    at_most,
    both,
    equal,
    number,
    variable,
)


class Translation:
    """Translates into one of Z3's contexts, its main one if none is named. ``facts`` are to be asserted along with
    whatever is asked."""

    def __init__(self, bounds: Spans, context: Any = None, *, products: bool) -> None:
        self.context = context
        self._universe = bounds
        self._products = products
        self._atoms: dict[str, Any] = {}
        self._monomials: dict[str, Any] = {}
        self._products_of: dict[str, Any] = {}
        self._conditions: dict[str, Any] = {}
        self.variables: dict[str, Any] = {}
        self.facts: list[Any] = []
        self.abstracted = False

    def term(self, term: Term) -> Any:
        total: Any = None
        for monomial, coefficient in term.parts:
            part = self._monomial(monomial) if monomial else z3.IntVal(1, self.context)
            part = part if coefficient == 1 else coefficient * part
            total = part if total is None else total + part
        return z3.IntVal(0, self.context) if total is None else total

    def _monomial(self, monomial: Monomial) -> Any:
        """A product. One with a choice in it is a choice of products, so that products are of variables."""
        if len(monomial) > 1:
            at = next((i for i, factor in enumerate(monomial) if isinstance(factor, Ite)), None)
            if at is not None:
                return self._choice_of_products(monomial, at)
        return self._product(monomial)

    def _choice_of_products(self, monomial: Monomial, at: int) -> Any:
        key = "*".join(factor.key for factor in monomial)
        known = self._products_of.get(key)
        if known is None:
            choice = monomial[at]
            assert isinstance(choice, Ite)
            rest = Term([((*monomial[:at], *monomial[at + 1 :]), 1)])
            known = z3.If(
                self.condition(choice.condition), self.term(rest * choice.then), self.term(rest * choice.other)
            )
            self._products_of[key] = known
        return known

    def _product(self, monomial: Monomial) -> Any:
        factors = [self._atom(factor) for factor in monomial]
        if len(factors) == 1:
            return factors[0]
        if self._products:
            product = factors[0]
            for factor in factors[1:]:
                product = product * factor
            return product
        key = "*".join(factor.key for factor in monomial)
        if key not in self._monomials:
            self.abstracted = True
            fresh = self._monomials[key] = z3.Int(f"product!{len(self._monomials)}", self.context)
            self._about_product(monomial, fresh)
        return self._monomials[key]

    def _about_product(self, monomial: Monomial, value: Any) -> None:
        """The bounds of a product of inputs, from theirs."""
        if all(isinstance(factor, Var) for factor in monomial):
            product = number(1)
            for factor in monomial:
                product = product * variable(factor.key, *self._range(factor))
            self._bound(value, product.low, product.high)

    def _range(self, of: Atom) -> Bounds:
        return self._universe.get(of.name, ANY) if isinstance(of, Var) else ANY

    def _bound(self, expression: Any, low: Bound, high: Bound) -> None:
        if low is not None:
            self.facts.append(expression >= low)
        if high is not None:
            self.facts.append(expression <= high)

    def _atom(self, atom: Atom) -> Any:
        known = self._atoms.get(atom.key)
        if known is None:
            known = self._atoms[atom.key] = self._translated(atom)
        return known

    def _translated(self, atom: Atom) -> Any:
        match atom:
            case Var(name=name):
                found = self.variables[name] = z3.Int(name, self.context)
                self._bound(found, *self._universe.get(name, (None, None)))
                return found
            case Div(num=num, den=den):
                return self.term(num) / self.term(den)
            case Ite(condition=condition, then=then, other=other):
                return z3.If(self.condition(condition), self.term(then), self.term(other))
            case DatePart(part=part, ordinal=count):
                return self._date(count, part)
            case Iterated():
                self.abstracted = True
                return z3.Int(f"after!{atom.key}", self.context)
            case _:
                raise AssertionError(f"unknown atom {atom!r}")

    def _date(self, count: Term, part: str) -> Any:
        """The parts of the one date with this ordinal, as fresh integers; true wherever the ordinal is a date's."""
        name = f"date!{count.key}"
        parts = {
            "year": variable(f"{name}.year", 1, 9999),
            "month": variable(f"{name}.month", 1, 12),
            "day": variable(f"{name}.day", 1, 31),
        }
        if f"{name}.year" not in self.variables:
            for each in parts.values():
                self._bound(self.term(each), each.low, each.high)
            year, month, day = parts["year"], parts["month"], parts["day"]
            is_date = both(at_most(day, month_length(year, month)), equal(ordinal(year, month, day), count))
            in_calendar = both(at_most(number(1), count), at_most(count, number(3652059)))
            self.facts.append(z3.Implies(self.condition(in_calendar), self.condition(is_date)))
        return self.term(parts[part])

    def condition(self, condition: Condition) -> Any:
        known = self._conditions.get(condition.key)
        if known is None:
            known = self._conditions[condition.key] = self._decided(condition)
        return known

    def _decided(self, condition: Condition) -> Any:
        match condition:
            case Truth(value=value):
                return z3.BoolVal(value, self.context)
            case Flag(name=name):
                found = self.variables[name] = z3.Bool(name, self.context)
                return found
            case NotPositive(term=term):
                return self.term(term) <= 0
            case Zero(term=term):
                return self.term(term) == 0
            case Not(of=of):
                return z3.Not(self.condition(of))
            case And(parts=parts):
                return z3.And(*map(self.condition, parts))
            case Or(parts=parts):
                return z3.Or(*map(self.condition, parts))
            case _:
                raise AssertionError(f"unknown condition {condition!r}")
