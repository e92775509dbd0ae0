"""Terms and conditions as Z3 expressions over integers.

Products of variables are what makes integer arithmetic undecidable, and most proofs need to know of them only that the
same product is the same number: with ``products=False`` each is a fresh integer. What then has no solution has none
with the true products either. Bounds are asserted from the universe alone: those of terms may be of one path only.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3  # type: ignore[import-untyped]

from neurosym_verifiers.proof.rounded import Rounded
from neurosym_verifiers.proof.unrounded import floors
from neurosym_verifiers.reading.data.dates import month_length, ordinal
from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.bounds import ANY, Bound, Bounds, Spans
from neurosym_verifiers.reading.formulas.iterated import Iterated
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, equal
from neurosym_verifiers.reading.formulas.ranks import Rank
from neurosym_verifiers.reading.formulas.terms import (
    And,
    Atom,
    Condition,
    DatePart,
    Div,
    Flag,
    Ite,
    Monomial,
    Nearest,
    Not,
    NotPositive,
    Or,
    Term,
    Truth,
    Var,
    Within,
    Zero,
    number,
    variable,
)

_ENORMOUS = 2**200
"""A variable that may be as large is counted in very small steps: it is the number of those of a float."""


class Translation:
    """Translates into one of Z3's contexts, its main one if none is named. ``facts`` are to be asserted along with
    whatever is asked.

    ``units``: of the variables that are real numbers of units, how many binary digits a unit has in steps.
    """

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
        self._in_own_units: dict[str, Any] = {}
        self._units_of_choices: dict[str, int] = {}
        self._floats: dict[str, Any] = {}
        self._quotients = 0
        self.units: dict[str, int] = {}
        self.rounded: list[Rounded] = []
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
            real = any(self.unit(factor) for factor in monomial)
            fresh = self._monomials[key] = self.fresh(f"product!{len(self._monomials)}", real=real)
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
            case Var(name=name) if self.unit(atom):
                return self._steps(self._real(name, self.unit(atom)), self.unit(atom))
            case Var(name=name):
                found = self.variables[name] = z3.Int(name, self.context)
                self._bound(found, *self._universe.get(name, (None, None)))
                return found
            case Div(num=num, den=den) if self._unit_of(num):
                return self._floor(num, den)
            case Div(num=num, den=den):
                return self.term(num) / self.term(den)
            case Nearest(scale=scale):
                return self._steps(self._rounded(atom), scale)
            case Ite(condition=condition, then=then, other=other):
                return z3.If(self.condition(condition), self.term(then), self.term(other))
            case DatePart(part=part, ordinal=count):
                return self._date(count, part)
            case Rank(of=of):
                return self.term(of)
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

    def fresh(self, name: str, *, real: bool) -> Any:
        """An unknown number."""
        return (z3.Real if real else z3.Int)(name, self.context)

    # Floats, in units of which they are few

    def unit(self, atom: Atom) -> int:
        """The e of the 2**e steps that are one unit of an atom that is counted in very small ones; 0 for others."""
        match atom:
            case Var(name=name):
                if name in self.units:
                    return self.units[name]
                wide = any(end is not None and abs(end) >= _ENORMOUS for end in self._universe.get(name, ANY))
                return binary64.FINEST if wide else 0
            case Nearest(scale=scale):
                return scale
            case Ite():
                known = self._units_of_choices.get(atom.key)
                if known is None:
                    known = max(self._unit_of(atom.then), self._unit_of(atom.other))
                    self._units_of_choices[atom.key] = known
                return known
            case _:
                return 0

    def _unit_of(self, term: Term) -> int:
        return max((self.unit(factor) for monomial, _ in term.parts for factor in monomial), default=0)

    def _real(self, name: str, unit: int) -> Any:
        """A variable in units, any real number of them: what then has no solution has none with whole steps either."""
        self.units[name] = unit
        found = self.variables[name] = z3.Real(name, self.context)
        for end, above in zip(self._universe.get(name, ANY), (True, False), strict=True):
            if end is not None:
                edge = z3.RealVal(str(Fraction(end, 2**unit)), self.context)
                self.facts.append(found >= edge if above else found <= edge)
        return found

    def _steps(self, units: Any, unit: int) -> Any:
        return units * z3.RealVal(2**unit, self.context)

    def _in_units(self, term: Term, unit: int) -> Any:
        """A term divided by ``2**unit``; itself where that is 0."""
        if not unit:
            return self.term(term)
        total: Any = z3.RealVal(0, self.context)
        for monomial, coefficient in term.parts:
            if not monomial:
                total = total + z3.RealVal(str(Fraction(coefficient, 2**unit)), self.context)
                continue
            own = self.unit(monomial[0]) if len(monomial) == 1 else 0
            part = self._units(monomial[0]) if own else self.term(Term([(monomial, 1)]))
            total = total + z3.RealVal(str(Fraction(coefficient * 2**own, 2**unit)), self.context) * part
        return total

    def _units(self, atom: Atom) -> Any:
        """An atom in its own units."""
        self._atom(atom)
        known = self._in_own_units.get(atom.key)
        if known is None:
            match atom:
                case Var(name=name):
                    known = self.variables[name]
                case Nearest():
                    known = self._rounded(atom)
                case Ite(condition=condition, then=then, other=other):
                    sides = (self._in_units(side, self.unit(atom)) for side in (then, other))
                    known = z3.If(self.condition(condition), *sides)
                case _:
                    raise AssertionError(f"no units of {atom!r}")
            self._in_own_units[atom.key] = known
        return known

    def _floor(self, num: Term, den: Term) -> Any:
        """A quotient of what is counted in units, rounded down."""
        self._quotients += 1
        whole = self.fresh(f"quotient!{self._quotients}", real=False)
        unit = self._unit_of(num)
        if den.constant is None and not self._products:
            self.abstracted = True
            return whole
        divisor = self._in_units(den, unit)
        rest = self._in_units(num, unit) - z3.ToReal(whole) * divisor
        inside = z3.And(rest >= 0, rest < divisor)
        known = [] if den.constant is None else floors(num, den.constant, self._universe)
        if known and not any(self._unit_of(each) for each in known):
            self.facts.append(z3.Or(*(whole == self.term(each) for each in known)))
        self.facts.append(inside if den.constant is not None else z3.Implies(divisor > 0, inside))
        return whole

    def _rounded(self, atom: Nearest) -> Any:
        """A float as an unknown number, near the exact one and in its order; not exactly the nearest."""
        known = self._floats.get(atom.key)
        if known is None:
            new = Rounded(f"nearest!{len(self.rounded)}", atom, self._universe)
            known = self._floats[atom.key] = self._real(new.name, atom.scale)
            self.rounded.append(new)
            for fact in (*new.facts(), *new.beside(self.rounded)):
                self.facts.append(self.condition(fact))
        return known

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
                return self._in_units(term, self._unit_of(term)) <= 0
            case Zero(term=term):
                return self._in_units(term, self._unit_of(term)) == 0
            case Within(term=term, ranges=ranges):
                place = self.term(term)
                return z3.Or(*(z3.And(place >= low, place <= high) for low, high in ranges))
            case Not(of=of):
                return z3.Not(self.condition(of))
            case And(parts=parts):
                return z3.And(*map(self.condition, parts))
            case Or(parts=parts):
                return z3.Or(*map(self.condition, parts))
            case _:
                raise AssertionError(f"unknown condition {condition!r}")
