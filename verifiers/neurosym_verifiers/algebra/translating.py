"""From a reading to expressions: its terms, its rounded quotients and its real functions, and nothing else.

Text of a candidate or a spec never comes here. What is one thing here and another there is asked for: the translation
stops with the condition that it needs to know (``NeedsToKnow``).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import TypeAlias

from neurosym_verifiers.algebra.expressions import Domain, Expr, Fact, Num, Op, Range, Sym, Test, num
from neurosym_verifiers.reading.data.values import (
    Dec,
    Float,
    Int,
    Maybe,
    Quotient,
    Ratio,
    Real,
    Record,
    Sequence,
    Value,
)
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.floats.rounded_reals import rounding_of
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.narrowing import conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import negated
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    And,
    Atom,
    Condition,
    Ite,
    Monomial,
    Nearest,
    Not,
    NotPositive,
    Or,
    Term,
    Var,
    Zero,
    number,
)


class NotTranslated(Exception):
    """Something that is no expression over real numbers, such as a floor quotient or a part of a date."""


class NeedsToKnow(Exception):
    """What is translated is one thing where the condition holds, and another elsewhere."""

    def __init__(self, condition: Condition) -> None:
        self.condition = condition
        super().__init__()


Units: TypeAlias = Mapping[str, tuple[str, Fraction]]
"""By the key of an atom that is an input, the input's name, and how often its unit goes into one."""


def units_of(values: Mapping[str, Value]) -> dict[str, tuple[str, Fraction]]:
    """The atoms that are numbers among the inputs."""
    found: dict[str, tuple[str, Fraction]] = {}
    for value in values.values():
        _collect(value, found)
    return found


def _collect(value: Value, found: dict[str, tuple[str, Fraction]]) -> None:
    match value:
        case Int(term=term):
            _input(term, 1, found)
        case Dec(num=term, places=places):
            _input(term, 10**places, found)
        case Float(num=term, scale=scale):
            _input(term, 2**scale, found)
        case Maybe(value=some):
            _collect(some, found)
        case Sequence(items=items):
            for item in items:
                _collect(item, found)
        case Record(fields=fields):
            for _, part in fields:
                _collect(part, found)
        case _:
            pass


def _input(term: Term, unit: int, found: dict[str, tuple[str, Fraction]]) -> None:
    if len(term.parts) != 1 or len(term.parts[0][0]) != 1 or term.parts[0][1] != 1:
        return
    atom = term.parts[0][0][0]
    names = sorted(atom.names)
    if isinstance(atom, (Var, Nearest)) and len(names) == 1:
        found[atom.key] = (names[0], Fraction(unit))


FLOAT_ROUNDINGS = {
    "+": "float sum",
    "-": "float sum",
    "*": "float",
    "/": "float",
    "sqrt": "float",
    "=": "float",
    "neg": "",
    "abs": "",
    "if": "",
}
"""Of operations of floats, those that IEEE 754 defines and ``if``; the others are the C library's."""
_DECIMAL = {"**": "Decimal power", "abs": "Decimal", "=": ""}


_MOST_STEPS = 10**9
"""In one: of an input with more, as of a float, that its values lie on steps says nothing."""

_LARGEST_WRITTEN = 2**1000


class Translation:
    """Translates what is true where a condition holds. ``ranges``: those of the symbols that were met.

    Their ranges come from the ``bounds`` of the universe: the bounds that a term knows may be those of its path, and an
    equal term of another path may stand in its place.
    """

    def __init__(self, units: Units, where: Condition, bounds: Spans) -> None:
        self._units = units
        self._bounds = bounds
        self._facts = conjuncts(where)
        self._reals: dict[str, Expr] = {}
        self.ranges: dict[str, Range] = {}

    def test(self, question: RealTest) -> Test:
        """Raises ``NotTranslated`` or ``NeedsToKnow``."""
        parts = tuple(self.value(part) for part in question.parts)
        return Test(question.question, parts, question.abs_tol, question.rel_tol)

    def comparison(self, of: NotPositive) -> Test:
        """Whether ``term <= 0``, what is subtracted on the other side. Raises ``NotTranslated`` or ``NeedsToKnow``."""
        less = Term((monomial, value) for monomial, value in of.term.parts if value > 0)
        more = Term((monomial, -value) for monomial, value in of.term.parts if value < 0)
        over = max((self._factor(*part) for part in of.term.parts), default=Fraction(1))
        return Test("<=", (self.term(less, over), self.term(more, over)))

    def _factor(self, monomial: Monomial, coefficient: int) -> Fraction:
        """The size of the number before a product of inputs and rounded quotients."""
        return prod((self._atom(atom)[0] for atom in monomial), start=Fraction(abs(coefficient)))

    def domain(self) -> Domain:
        """The symbols that were met, and what is known of them."""
        found: list[Fact] = []
        for fact in sorted(self._facts, key=lambda each: each.key):
            try:
                found += self._fact(fact)
            except (NotTranslated, NeedsToKnow):
                continue
        return Domain(dict(self.ranges), tuple(found))

    def _fact(self, condition: Condition) -> list[Fact]:
        match condition:
            case NotPositive(term=term):
                return [Fact(self.term(*_scaled(term)), "<=")]
            case Not(of=NotPositive(term=term)):
                return [Fact(self.term(*_scaled(number(1) - term)), "<=")]
            case Zero(term=term):
                return [Fact(self.term(*_scaled(term)), "==")]
            case Not(of=Zero(term=term)):
                return [Fact(self.term(*_scaled(term)), "!=")]
            case RealTest(question="<" | "<=" | "=="):
                return [Fact(Op("-", self.test(condition).parts), "==" if condition.question == "==" else "<=")]
            case Not(of=RealTest(question="<" | "<=") as test):
                return [Fact(Op("-", self.test(test).parts[::-1]), "<=")]
            case _:
                return []

    def value(self, value: Value) -> Expr:
        """A number."""
        match value:
            case Int(term=term):
                return self.term(term)
            case Dec(num=term, places=places):
                return self.term(term, 10**places)
            case Ratio(num=term, den=den):
                return self._quotient(term, den)
            case Quotient(num=term, den=den, roundings=1):
                return Op("=", (self._quotient(term, den),), "Decimal")
            case Float(num=term, scale=scale, nan=nan):
                if nan != FALSE and self._known(nan):
                    raise NotTranslated
                return self.term(term, 2**scale)
            case Real():
                if value.key not in self._reals:
                    self._reals[value.key] = self._real(value)
                return self._reals[value.key]
            case _:
                raise NotTranslated

    def _real(self, value: Real) -> Expr:
        if value.operation == "if":
            return self.value(value.parts[0 if self._known(value.condition) else 1])
        args = tuple(map(self._operand, value.parts))
        match value.kind:
            case _ if rounding_of(value.operation) is not None:
                made = Op(value.operation, args)
                return Op("=", (made,), "float") if value.kind == "float" else made
            case "float":
                rounding = FLOAT_ROUNDINGS.get(value.operation, "library")
            case "Decimal":
                rounding = _DECIMAL.get(value.operation, "Decimal")
            case _:
                rounding = ""
        return Op(value.operation, args, rounding)

    def _operand(self, value: Value) -> Expr:
        """A number that is computed with; a float that is known stands for the decimal that rounds to it."""
        if isinstance(value, Float) and value.num.constant is not None and value.nan == FALSE:
            found = Fraction(value.num.constant, 2**value.scale)
            if abs(found) < _LARGEST_WRITTEN and (written := Fraction(repr(float(found)))) != found:
                return Op("=", (Num(written),), "float")
        return self.value(value)

    def _known(self, condition: Condition) -> bool:
        """What is known of a condition here; raises ``NeedsToKnow``."""
        if condition == TRUE or condition in self._facts:
            return True
        if condition == FALSE or negated(condition) in self._facts:
            return False
        match condition:
            case Not(of=of):
                return not self._known(of)
            case And(parts=parts):
                return all(map(self._known, parts))
            case Or(parts=parts):
                return any(map(self._known, parts))
            case _:
                raise NeedsToKnow(condition)

    def term(self, term: Term, over: int | Fraction = 1) -> Expr:
        """A term, divided by a number."""
        total: Expr | None = None
        for monomial, coefficient in term.parts:
            factor, product = coefficient / Fraction(over), None
            for atom in monomial:
                unit, expr = self._atom(atom)
                factor *= unit
                product = expr if product is None else Op("*", (product, expr))
            part: Expr = Num(factor)
            if product is not None:
                part = product if factor == 1 else Op("*", (part, product))
            total = part if total is None else Op("+", (total, part))
        return num(0) if total is None else total

    def _quotient(self, top: Term, den: Term) -> Expr:
        divisor = den.constant
        if divisor is not None:
            return self.term(top, divisor)
        scale = max(abs(coefficient) for _, coefficient in den.parts)
        return Op("/", (self.term(top, scale), self.term(den, scale)))

    def _atom(self, atom: Atom) -> tuple[Fraction, Expr]:
        """An atom as a number times an expression."""
        name, unit = self._units.get(atom.key, ("", Fraction(1)))
        match atom:
            case _ if name:
                self.ranges.setdefault(name, self._range(atom, name, unit))
                return unit, Sym(name)
            case Var(name=name):
                self.ranges.setdefault(name, self._range(atom, name, unit))
                return unit, Sym(name)
            case Nearest(num=top, den=den, scale=scale):
                return Fraction(2) ** scale, Op("=", (self._quotient(top, den),), "float")
            case Ite(condition=condition, then=then, other=other):
                return Fraction(1), self.term(then if self._known(condition) else other)
            case _:
                raise NotTranslated

    def _range(self, atom: Atom, name: str, unit: Fraction) -> Range:
        if name not in self._bounds:
            raise NotTranslated
        low, high = self._bounds[name]
        if isinstance(atom, Nearest):
            den = atom.den.constant
            if den is None or low is None or high is None:
                raise NotTranslated
            low, high = atom.of(low, den), atom.of(high, den, up=True)
        ends = [None if end is None else end / unit for end in (low, high)]
        has_steps = isinstance(atom, Var) and unit <= _MOST_STEPS
        return Range(ends[0], ends[1], 1 / unit if has_steps else Fraction(0))


def _scaled(term: Term) -> tuple[Term, int]:
    """A term with a number to divide it by, so that its coefficients are of a size that can be looked at."""
    sizes = [abs(coefficient) for monomial, coefficient in term.parts if monomial]
    return term, max(sizes, default=1)
