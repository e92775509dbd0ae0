"""Points of a domain, and what expressions come to there with many digits: the check of what was proved."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from random import Random
from typing import Any

from neurosym_verifiers.algebra.boxes import tightened
from neurosym_verifiers.algebra.enclosures import Enclosing, NoEnclosure, ball, precision
from neurosym_verifiers.algebra.expressions import Domain, Expr, Range, exact

_BITS = 256
_MOST_CORNERS = 200
_DRAWN = 60
Point = dict[str, Fraction]


def points(domain: Domain, *, seed: int = 0) -> Iterator[Point]:
    """Corners and their neighbours first, then drawn ones; of bounded domains only, all facts surely holding or not
    known to fail."""
    domain = tightened(domain)
    names = sorted(domain.ranges)
    ends = [_ends(domain.ranges[name]) for name in names]
    if not all(ends):
        return
    corners = islice(product(*ends), _MOST_CORNERS)
    random = Random(seed)
    drawn = (tuple(_drawn(domain.ranges[name], random) for name in names) for _ in range(_DRAWN))
    with precision(_BITS):
        for values in (*corners, *drawn):
            point = dict(zip(names, values, strict=True))
            if _inside(domain, point):
                yield point


def _ends(of: Range) -> list[Fraction]:
    if of.low is None or of.high is None or of.low > of.high:
        return []
    step = of.step or (of.high - of.low) / 1024
    return sorted({of.low, min(of.low + step, of.high), max(of.high - step, of.low), of.high})


def _drawn(of: Range, random: Random) -> Fraction:
    assert of.low is not None
    assert of.high is not None
    share = Fraction(random.randrange(2**20 + 1), 2**20) ** random.choice((1, 1, 3))
    value = of.low + (of.high - of.low) * share
    return round(value / of.step) * of.step if of.step else value


def _inside(domain: Domain, point: Point) -> bool:
    enclosing = Enclosing({name: (value, value) for name, value in point.items()})
    for fact in domain.facts:
        try:
            value = enclosing.of(exact(fact.expression))
        except NoEnclosure:
            return False
        if fact.relation == "<=" and not value.high <= 0:
            return False
        if fact.relation == "==" and not (value.low <= 0 <= value.high):
            return False
        if fact.relation == "!=" and not (value.low > 0 or value.high < 0):
            return False
    return True


def apart(
    a: Expr, b: Expr, domain: Domain, abs_tol: Fraction = Fraction(0), rel_tol: Fraction = Fraction(0)
) -> Point | None:
    """A point on which two expressions, without their roundings, surely differ by more than a tolerance (relative to
    the second); None if none was met."""
    one, other = exact(a), exact(b)
    for point in points(domain):
        with precision(_BITS):
            enclosing = Enclosing({name: (value, value) for name, value in point.items()})
            try:
                x, y = enclosing.of(one), enclosing.of(other)
            except NoEnclosure:
                continue
            away = ball(abs_tol) + ball(rel_tol) * y.size
            if x.high + away < y.low or y.high + away < x.low:
                return point
    return None


def out_of_order(lower: Expr, upper: Expr, domain: Domain) -> Point | None:
    """A point on which the first, without roundings, is surely above the second; None if none was met."""
    for point in points(domain):
        with precision(_BITS):
            enclosing = Enclosing({name: (value, value) for name, value in point.items()})
            try:
                x, y = enclosing.of(exact(lower)), enclosing.of(exact(upper))
            except NoEnclosure:
                continue
            if x.low > y.high:
                return point
    return None


def value_at(expr: Expr, point: Point) -> Any:
    """The middle of an enclosure of the exact value; raises ``NoEnclosure``."""
    with precision(_BITS):
        value = Enclosing({name: (each, each) for name, each in point.items()}).of(exact(expr))
        return (value.low + value.high) / 2
