"""Where a comparison of floats goes the other way than the exact one: both branches are possible, and close.

A candidate that asks ``b > limit`` of a rounded b may take the other branch than the spec, which asks it of the exact
one; but only in the thin band in which b is no further from the limit than what its roundings add. No cover of boxes
shows what holds in a band that has no end in some direction. The two questions do. With facts

    E <= 0   and   F <= 0,   which are computed with errors of at most e and f,

the exact value of E is at most e, and that of F at most f. Where E = rest - c*F for numbers rest and c > 0, E is also
at least rest - c*f: where that is more than e the two contradict each other, and otherwise E is as small as both
bounds are. Two formulas of which the difference is Q*E are no further apart in the band than |Q| times that. For
``(b - limit) * 0.01`` above a limit and 0 below, E is ``limit - b`` and Q is -0.01; what jumps at the limit has a Q
that grows beyond all bounds there, and is not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from neurosym_verifiers.algebra.enclosures import Enclosing, ball, down, up
from neurosym_verifiers.algebra.expressions import Domain, Expr, Op, Test, exact
from neurosym_verifiers.algebra.normal_forms import Sign, normal_forms
from neurosym_verifiers.algebra.polynomials import Rational, TooComplex, constant, lowest
from neurosym_verifiers.algebra.shorter import expression_of

_MOST_FACTS = 24


@dataclass(frozen=True, slots=True)
class Band:
    """Where ``one <= 0`` and ``other <= 0``, of which the exact values have ``one = rest - factor * other``.

    ``quotient``: what the difference of two formulas is, divided by the exact value of ``one``; None where that has no
    short form.
    """

    one: Expr
    other: Expr
    rest: Fraction
    factor: Fraction
    quotient: Expr | None

    def ends(self, box: Enclosing) -> tuple[Any, Any]:
        """Between which the exact value of ``one`` lies on a box; nothing does where they are the wrong way round."""
        least = down(ball(self.rest) - ball(self.factor) * box.of(self.other).error())
        return least, box.of(self.one).error()


def bands(a: Expr, b: Expr, domain: Domain, sign: Sign) -> list[Band]:
    """The bands that the facts of a domain leave, for two formulas."""
    facts = [each for each in _at_most_zero(domain) if _has_form(each, sign)][:_MOST_FACTS]
    try:
        (difference, *forms), atoms = normal_forms(
            (Op("-", (exact(a), exact(b))), *map(exact, facts)), sign, split=False
        )
    except TooComplex:
        return []
    found: list[Band] = []
    for place, (one, form) in enumerate(zip(facts, forms, strict=True)):
        for other, against in zip(facts[place + 1 :], forms[place + 1 :], strict=True):
            related = _related(form, against)
            if related is not None:
                rest, factor = related
                quotient = _quotient(difference, form)
                found.append(
                    Band(one, other, rest, factor, None if quotient is None else expression_of(quotient, atoms))
                )
    return found


def settled_by(band: Band, test: Test, box: Enclosing) -> bool:
    """Whether a band holds no point of a box, or ``within`` holds on what is in both."""
    low, high = band.ends(box)
    if low > high:
        return True
    if band.quotient is None:
        return False
    value, right = (box.of(part) for part in test.parts)
    size = abs(low) if abs(low) > abs(high) else abs(high)
    away = up(box.of(band.quotient).size * size + value.error() + right.error())
    least = right.least - right.error()
    return bool(away <= down(ball(test.abs_tol) + (ball(test.rel_tol) * least if least > 0 else 0)))


def _at_most_zero(domain: Domain) -> Iterator[Expr]:
    for fact in dict.fromkeys(domain.facts):
        if fact.relation in ("<=", "=="):
            yield fact.expression
        if fact.relation == "==":
            yield Op("neg", (fact.expression,))


def _has_form(expr: Expr, sign: Sign) -> bool:
    try:
        normal_forms((exact(expr),), sign, split=False)
    except TooComplex:
        return False
    return True


def _related(one: Rational, other: Rational) -> tuple[Fraction, Fraction] | None:
    """``rest`` and ``factor > 0`` with ``one = rest - factor * other``, if there are such numbers."""
    if one.den != other.den:
        return None
    product = max((each for each in other.num.parts if each), default=None)
    if product is None or product not in one.num.parts:
        return None
    factor = -one.num.parts[product] / other.num.parts[product]
    rest = lowest(one.num + other.num * constant(factor), one.den).number
    return None if factor <= 0 or rest is None else (rest, factor)


def _quotient(difference: Rational, of: Rational) -> Rational | None:
    try:
        quotient = difference / of
    except TooComplex:
        return None
    whole = quotient.num * of.num * difference.den == difference.num * quotient.den * of.den
    return quotient if whole else None
