"""Powers of known numbers whose exponent varies within few values."""

from __future__ import annotations

from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.formulas.normal_forms import at_most, choose
from neurosym_verifiers.reading.formulas.terms import Ite, Term, number

MOST = 100
"""The largest exponent."""


def power_of(base: int, exponent: Term) -> Term:
    """``base ** exponent`` for an exponent that is not negative.

    An exponent that is a sum of choices between numbers gives a product of choices; ``10 ** (1 if c else 2)`` is
    ``10 if c else 100``. Raises ``NotRead``.
    """
    low, high = exponent.low, exponent.high
    if low is None or high is None or low < 0 or high > MOST:
        raise NotRead("a power whose exponent is not a small number")
    return _product(base, exponent) or _by_value(base, exponent, low, high)


def _product(base: int, exponent: Term) -> Term | None:
    constant = 0
    factors: list[tuple[Ite, int, int]] = []
    for monomial, coefficient in exponent.parts:
        if not monomial:
            constant = coefficient
            continue
        choice = monomial[0]
        if len(monomial) > 1 or not isinstance(choice, Ite):
            return None
        then, other = choice.then.constant, choice.other.constant
        if then is None or other is None:
            return None
        least = min(coefficient * then, coefficient * other)
        constant += least
        factors.append((choice, coefficient * then - least, coefficient * other - least))
    if constant < 0:
        return None
    # What all have in common goes into the first ones, so that a width of one or two gives ten or a hundred.
    result = number(1)
    for choice, then, other in factors:
        share = min(constant, 1)
        constant -= share
        result = result * choose(choice.condition, number(base ** (then + share)), number(base ** (other + share)))
    return result * number(base**constant)


def _by_value(base: int, exponent: Term, low: int, high: int) -> Term:
    found = number(base**high)
    for k in range(high - 1, low - 1, -1):
        found = choose(at_most(exponent, number(k)), number(base**k), found)
    return found
