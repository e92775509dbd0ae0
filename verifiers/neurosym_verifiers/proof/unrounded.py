"""What a term would be if nothing in it were rounded, and how far from that it may be.

The floor of a float lies at the floor of the exact quotient or beside it. Which whole numbers these are, in terms of
whole inputs, is something that a solver does not find by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.normal_forms import floor_div
from neurosym_verifiers.reading.formulas.terms import Nearest, Term, number
from neurosym_verifiers.reading.simplification.substituting import with_bounds


@dataclass(frozen=True, slots=True)
class Unrounded:
    """A term is at most ``error`` away from ``num / den``."""

    num: Term
    den: int
    error: Fraction

    def __add__(self, other: Unrounded) -> Unrounded:
        num = self.num * number(other.den) + other.num * number(self.den)
        return Unrounded(num, self.den * other.den, self.error + other.error).reduced()

    def times(self, factor: Fraction) -> Unrounded:
        num = self.num * number(factor.numerator)
        return Unrounded(num, self.den * factor.denominator, self.error * abs(factor)).reduced()

    def reduced(self) -> Unrounded:
        exact = numbers.ratio(self.num, number(self.den))
        den = exact.den.constant
        assert den is not None
        return Unrounded(exact.num, den, self.error)


def unrounded(term: Term, universe: Spans) -> Unrounded | None:
    """The term without its roundings, for terms that are sums of numbers, inputs and rounded quotients by numbers."""
    total = Unrounded(number(0), 1, Fraction(0))
    for monomial, coefficient in term.parts:
        match monomial:
            case (Nearest() as factor,):
                part = _quotient(factor, universe)
            case _ if any(isinstance(factor, Nearest) for factor in monomial):
                part = None
            case _:
                part = Unrounded(Term([(monomial, 1)]), 1, Fraction(0))
        if part is None:
            return None
        total = total + part.times(Fraction(coefficient))
    return total


def _quotient(factor: Nearest, universe: Spans) -> Unrounded | None:
    divisor, inside = factor.den.constant, unrounded(factor.num, universe)
    if divisor is None or inside is None:
        return None
    wide = Nearest(with_bounds(factor.num, universe), factor.den, factor.scale)
    size = Fraction(max(-wide.least, wide.greatest), 2**factor.scale)
    if size >= binary64.INFINITE:
        return None
    exact = inside.times(Fraction(2**factor.scale, divisor))
    half_unit = binary64.unit_in_last_place(size) * 2**factor.scale / 2
    return Unrounded(exact.num, exact.den, exact.error + half_unit)


def floors(num: Term, den: int, universe: Spans) -> list[Term]:
    """The whole numbers among which ``num // den`` is; none if they are not known."""
    exact = unrounded(num, universe)
    if exact is None or exact.error == 0:
        return []
    quotient = exact.times(Fraction(1, den))
    if quotient.error >= 1:
        return []
    floor = floor_div(quotient.num, number(quotient.den))
    around = [floor - number(1), floor]
    # The exact quotient is a multiple of 1 / den, so it is at least so much below the next whole number.
    return around if quotient.error * quotient.den < 1 else [*around, floor + number(1)]
