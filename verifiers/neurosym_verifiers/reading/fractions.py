"""Fractions in lowest terms: what their numerator and denominator are."""

from __future__ import annotations

from neurosym_verifiers.reading.normal_forms import choose, equal, floor_div, modulo
from neurosym_verifiers.reading.terms import Term, number
from neurosym_verifiers.reading.values import Int, NotRead

_MOST_DIVISORS = 30
_MOST_DENOMINATOR = 100_000


def lowest_terms(num: Term, den: Term, line: int) -> tuple[Int, Int]:
    """Numerator and denominator without a common factor: divided by the largest divisor of the denominator that
    divides the numerator."""
    divisor = den.constant
    if divisor is None:
        raise NotRead("the lowest terms of a fraction whose denominator varies", line)
    divisors = [each for each in range(1, min(divisor, _MOST_DENOMINATOR) + 1) if divisor % each == 0]
    if divisor > _MOST_DENOMINATOR or len(divisors) > _MOST_DIVISORS:
        raise NotRead("the lowest terms of a fraction with this denominator", line)
    top, bottom = num, den
    for each in divisors[1:]:
        common = equal(modulo(num, number(each)), number(0))
        top = choose(common, floor_div(num, number(each)), top)
        bottom = choose(common, number(divisor // each), bottom)
    return Int(top), Int(bottom)
