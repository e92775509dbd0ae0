"""Whether a question about real numbers has one answer on a whole domain.

``within`` is shown in two steps: the expression without its roundings is the right value, by one normal form (an
identity over atoms, valid where both are enclosed, which is shown on a cover of the domain); and what the roundings add
stays inside the tolerance on every box of the cover. Each identity is then checked with balls on sampled points.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Any

from neurosym_verifiers.algebra.boxes import MOST_BOXES, Cover, on_all, restricted, tightened
from neurosym_verifiers.algebra.enclosures import Enclosing, Enclosure, Known, ball, down, precision, up
from neurosym_verifiers.algebra.expressions import Domain, Expr, Range, Test, exact
from neurosym_verifiers.algebra.flips import Band, bands, settled_by
from neurosym_verifiers.algebra.kernels import of_polynomial
from neurosym_verifiers.algebra.monotonicity import has_order
from neurosym_verifiers.algebra.normal_forms import Sign, same
from neurosym_verifiers.algebra.polynomials import Poly, TooComplex
from neurosym_verifiers.algebra.ratios import limits
from neurosym_verifiers.algebra.rounded_results import near_with_errors, order_with_errors, rounds_to_one, unrounded
from neurosym_verifiers.algebra.sampling import apart, out_of_order
from neurosym_verifiers.algebra.shorter import shorter
from neurosym_verifiers.algebra.tight_comparisons import is_ordered

_FEW_BOXES = 300
_LARGEST = 2**1000
_LARGEST_INPUT = Fraction(_LARGEST)


class Contradiction(Exception):
    """An identity that was shown, and does not hold at a point: a fault of this tool."""

    def __init__(self, point: Mapping[str, Fraction]) -> None:
        self.point = point
        super().__init__(f"an identity that fails at {dict(point)}")


class How(Enum):
    """How a question was decided: by enclosures on boxes, or by where its two sides are nearest to each other."""

    ENCLOSED = "enclosed"
    WHERE_NEAREST = "where nearest"


def shown(test: Test, answer: bool, domain: Domain) -> bool:
    """Whether the test has this answer on every point of the domain, surely."""
    return how_shown(test, answer, domain) is not None


def how_shown(test: Test, answer: bool, domain: Domain) -> How | None:
    """How it is shown that the test has this answer on every point of the domain; None if it is not."""
    domain = tightened(restricted(domain, test.parts))
    if any(_too_large(of) for of in domain.ranges.values()):
        return None
    with precision():
        match test.question:
            case "finite" | "overflow":
                wanted = answer == (test.question == "finite")
                known = _known(test, domain)
                holds = wanted and on_all(domain, lambda box: _is_finite(box, test.parts[0]), known)
            case "within":
                holds = answer and _within(test, domain)
            case _:
                return _compared_in_ways(test, answer, domain)
    return How.ENCLOSED if holds else None


def _too_large(of: Range) -> bool:
    """Whether a symbol may stand for an infinity, or has no bounds."""
    return of.low is None or of.high is None or max(-of.low, of.high) >= _LARGEST_INPUT


def _known(test: Test, domain: Domain) -> Known:
    sign = sign_on(domain)
    return Known(limits(test.parts, domain, sign), shorter(test.parts, sign))


def sign_on(domain: Domain) -> Sign:
    """The sign that a polynomial over symbols has on the whole domain."""

    @cache
    def sign(poly: Poly) -> int:
        if not {*poly.atoms()} <= domain.ranges.keys():
            return 0
        expr = of_polynomial(poly)
        within_it = restricted(domain, (expr,))
        if on_all(within_it, lambda box: bool(box.of(expr).low > 0), most=_FEW_BOXES):
            return 1
        return -1 if on_all(within_it, lambda box: bool(box.of(expr).high < 0), most=_FEW_BOXES) else 0

    return sign


def _is_finite(box: Enclosing, part: Expr) -> bool:
    low, high = box.of(part).computed()
    return bool(abs(low) < _LARGEST and abs(high) < _LARGEST)


def _within(test: Test, domain: Domain) -> bool:
    """As it is, and with roundings to steps taken for errors."""
    errors = near_with_errors(test, domain)
    if errors is None or not _is_near(errors, domain):
        return _is_near(test, domain)
    value, right = test.parts
    point = apart(value, right, domain, test.abs_tol, test.rel_tol)
    if point is not None:
        raise Contradiction(point)
    return True


def _is_near(test: Test, domain: Domain) -> bool:
    value, right = test.parts
    known = _known(test, domain)
    if not same(exact(value), exact(right), sign_on(domain)):
        holds = partial(_near_or_in_no_band, test, bands(value, right, domain, sign_on(domain)))
        return on_all(domain, holds, known, most=_FEW_BOXES)
    if not on_all(domain, lambda box: _rounds_little(test, box.of(value), box.of(right)), known):
        return False
    point = apart(value, right, domain)
    if point is not None:
        raise Contradiction(point)
    return True


def _rounds_little(test: Test, value: Enclosure, right: Enclosure) -> bool:
    """Whether the roundings of two expressions of one exact value stay inside the tolerance.

    With errors a and b of both, relative or absolute, ``|value - right| <= (a + b) * |exact|`` and ``|right| >=
    (1 - b) * |exact|``."""
    rel_tol, abs_tol = down(ball(test.rel_tol)), down(ball(test.abs_tol))
    relative, absolute = up(value.rel + right.rel * (1 + rel_tol)), up(value.abs + right.abs * (1 + rel_tol))
    if relative <= rel_tol and absolute <= abs_tol:
        return True
    least = max_of(value.least, right.least)
    return bool(up(relative * value.size + absolute) <= down(abs_tol + rel_tol * least))


def _near(test: Test, value: Enclosure, right: Enclosure) -> bool:
    """Whether whatever may be computed is inside the tolerance of whatever may be right."""
    (low, high), (least, most) = value.computed(), right.computed()
    away = max_of(up(high - least), up(most - low))
    smallest = least if least > 0 else (-most if most < 0 else 0)
    return bool(away <= down(ball(test.abs_tol) + ball(test.rel_tol) * smallest))


def _near_or_in_no_band(test: Test, flips: list[Band], box: Enclosing) -> bool:
    value, right = map(box.of, test.parts)
    return _near(test, value, right) or any(settled_by(band, test, box) for band in flips)


def max_of(a: Any, b: Any) -> Any:
    return a if a > b else b


def _compared_in_ways(test: Test, answer: bool, domain: Domain) -> How | None:
    """As it is, without roundings that both sides have, and with roundings to steps taken for errors."""
    for way in (unrounded(test, answer), order_with_errors(test, answer, domain), test):
        how = None if way is None else _compared(way, answer, domain)
        if how is not None:
            _check_order(test, answer, domain)
            return how
    return None


def _check_order(test: Test, answer: bool, domain: Domain) -> None:
    if (test.question, answer) in (("<=", True), ("<", False)):
        lower, upper = test.parts if answer else reversed(test.parts)
        point = out_of_order(lower, upper, domain)
        if point is not None:
            raise Contradiction(point)


def _compared(test: Test, answer: bool, domain: Domain) -> How | None:
    a, b = test.parts
    known = _known(test, domain)
    if exact(a) == a and exact(b) == b and answer == (test.question != "<") and same(a, b, sign_on(domain)):
        defined = on_all(domain, lambda box: box.of(a) is not None and box.of(b) is not None, known)
        return How.ENCLOSED if defined else None
    holds = partial(_surely_on, test, answer)
    cover = Cover(domain, holds, known)
    if not has_order(domain) and cover.is_settled(_FEW_BOXES):
        return How.ENCLOSED
    if _ordered(test, answer, domain):
        return How.WHERE_NEAREST
    return How.ENCLOSED if cover.is_settled(MOST_BOXES) else None


def _surely_on(test: Test, answer: bool, box: Enclosing) -> bool:
    a, b = test.parts
    if test.question == "==" and answer and rounds_to_one(test.parts, box):
        return True
    return _surely(test.question, answer, box.of(a).computed(), box.of(b).computed())


def _ordered(test: Test, answer: bool, domain: Domain) -> bool:
    """Whether one side is never above the other, by where they are nearest."""
    if test.question == "==":
        return False
    lower, upper = test.parts if answer else reversed(test.parts)
    try:
        if not is_ordered(lower, upper, domain, strictly=(test.question == "<") == answer):
            return False
    except TooComplex:
        return False
    point = out_of_order(lower, upper, domain)
    if point is not None:
        raise Contradiction(point)
    return True


def _surely(question: str, answer: bool, a: tuple[Any, Any], b: tuple[Any, Any]) -> bool:
    (low, high), (least, most) = a, b
    match question, answer:
        case "<", True:
            return bool(high < least)
        case "<", False:
            return bool(low >= most)
        case "<=", True:
            return bool(high <= least)
        case "<=", False:
            return bool(low > most)
        case _, True:
            return bool(low == high == least == most)
        case _:
            return bool(high < least or low > most)
