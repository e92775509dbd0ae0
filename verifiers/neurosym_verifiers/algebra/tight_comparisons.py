"""Comparisons that are tight: shown where the two sides are nearest, by more than what roundings add there.

A cover of boxes never settles ``f(a) <= f(b)`` for ``a <= b``, nor ``balance >= principal`` at a rate of 0. What
``monotonicity`` makes of such a claim is one comparison that the signs of the difference settle, if nothing is rounded,
or else enclosures of the difference in one of several forms: its addends collected, so that what both sides have in
common is gone; its normal form; and what the inequalities of ``inequalities`` say that it is at least.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from neurosym_verifiers.algebra.boxes import on_all, restricted, slopes, tightened
from neurosym_verifiers.algebra.enclosures import Enclosing, Known, NoEnclosure, ball, down, up
from neurosym_verifiers.algebra.expressions import (
    Domain,
    Expr,
    Op,
    Sym,
    collected,
    exact,
    num,
    parts,
    replaced,
)
from neurosym_verifiers.algebra.inequalities import SignsByBounds, lower_bounds
from neurosym_verifiers.algebra.kernels import Kernels
from neurosym_verifiers.algebra.monotonicity import Claim, claims, common, known_of, telling
from neurosym_verifiers.algebra.polynomials import TooComplex
from neurosym_verifiers.algebra.sampling import Point, out_of_order, points
from neurosym_verifiers.algebra.signs import NOT_NEGATIVE, NOT_POSITIVE, POSITIVE

_FEW_BOXES = 300
_FEW_POINTS = 40
_TINY = (40, 32, 24)
_SMALL = 30
_NEGLIGIBLE = 200
"""Errors by how many binary digits they are below one: relative ones, the first that all boxes keep; absolute ones, and
those that count for nothing beside relative ones."""


def is_ordered(lower: Expr, upper: Expr, domain: Domain, *, strictly: bool) -> bool:
    """Whether what is computed of ``lower`` is at most (``strictly``: below) what is computed of ``upper`` everywhere.

    Raises ``TooComplex``.
    """
    lower, upper, domain = _with_equals_put_in(lower, upper, telling(tightened(domain)))
    if out_of_order(lower, upper, domain) is not None:
        return False
    errors = [_rounding(each, domain) for each in (lower, upper)]
    if None in errors:
        return False
    start = Claim(_without_sizes(exact(lower), domain), _without_sizes(exact(upper), domain), domain)
    settles = _Settling(start, [each for each in errors if each is not None], strictly)
    return any(settles.holds(claim) for claim in claims(start))


def _with_equals_put_in(lower: Expr, upper: Expr, domain: Domain) -> tuple[Expr, Expr, Domain]:
    """With one symbol for two that are equal, and with the number for one that has a single value."""
    while True:
        by = _one_that_is_equal(domain)
        if by is None:
            return lower, upper, domain
        ((symbol, value),) = by.items()
        assert isinstance(symbol, Sym)
        ranges = {name: of for name, of in domain.ranges.items() if name != symbol.name}
        if isinstance(value, Sym):
            ranges[value.name] = common(ranges[value.name], domain.ranges[symbol.name])
        facts = (replace(fact, expression=replaced(fact.expression, by)) for fact in domain.facts)
        lower, upper = replaced(lower, by), replaced(upper, by)
        domain = telling(tightened(Domain(ranges, tuple(facts))))


def _one_that_is_equal(domain: Domain) -> dict[Expr, Expr] | None:
    for name, of in domain.ranges.items():
        if of.low is not None and of.low == of.high:
            return {Sym(name): num(of.low)}
    for fact in domain.facts:
        found = slopes(fact.expression) if fact.relation == "==" else None
        if found is not None and not found.pop("", Fraction(0)):
            found = {name: slope for name, slope in found.items() if slope}
            if len(found) == 2 and not sum(found.values()):
                one, other = sorted(found)
                return {Sym(one): Sym(other)}
    return None


def _without_sizes(expr: Expr, domain: Domain) -> Expr:
    """With ``x`` for ``abs(x)`` where x is surely not negative, and ``-x`` where it is not positive."""
    by: dict[Expr, Expr] = {}
    for part in parts(expr):
        if isinstance(part, Op) and part.name == "abs":
            kernels = Kernels()
            of = replaced(part.args[0], by)
            signs = SignsByBounds(domain, kernels).of(kernels.rational(of))
            if signs <= NOT_NEGATIVE:
                by[part] = of
            elif signs <= NOT_POSITIVE:
                by[part] = Op("neg", (of,))
    return replaced(expr, by)


@dataclass(frozen=True, slots=True)
class _Rounding:
    """What is computed is no further from the exact value than ``relative`` times its size plus ``absolute``."""

    relative: Any
    absolute: Any


def _rounding(expr: Expr, domain: Domain) -> _Rounding | None:
    """On the whole domain, where the expression also has a value; None where that is not shown.

    A box on which an error is neither tiny beside the value nor small in itself is cut.
    """
    domain = restricted(domain, (expr,))
    known = known_of((expr,), domain)
    return next((found for bits in _TINY if (found := _rounding_below(expr, domain, known, bits)) is not None), None)


def _rounding_below(expr: Expr, domain: Domain, known: Known, bits: int) -> _Rounding | None:
    none = down(ball(Fraction(0)))
    relative, absolute = [none], [none]
    small, tiny, negligible = (down(ball(Fraction(1, 2**each))) for each in (_SMALL, bits, _NEGLIGIBLE))

    def is_small(box: Enclosing) -> bool:
        value = box.of(expr)
        if value.rel <= tiny and value.abs <= negligible:
            relative.append(value.rel)
            absolute.append(value.abs)
        elif value.error() <= small:
            absolute.append(value.error())
        else:
            return False
        return True

    return _Rounding(max(relative), max(absolute)) if on_all(domain, is_small, known, most=_FEW_BOXES) else None


class _Settling:
    """Whether a claim holds by more than what roundings add to the sides of the first one."""

    def __init__(self, start: Claim, errors: list[_Rounding], strictly: bool) -> None:
        self._start = start
        self._relative = up(errors[0].relative + errors[1].relative)
        self._absolute = up(errors[0].absolute + errors[1].absolute)
        self._strictly = strictly

    def holds(self, claim: Claim) -> bool:
        """With ``f = upper - lower`` and a side S that no move has changed, the other is at most ``|S| + f``, so that
        both are off by at most ``relative * (|S| + f) + absolute``, which f has to exceed."""
        kernels = Kernels()
        try:
            value = kernels.rational(claim.difference)
        except TooComplex:
            return False
        signs = SignsByBounds(claim.domain, kernels)
        if self._relative == 0 and self._absolute == 0:
            if signs.of(value) <= (POSITIVE if self._strictly else NOT_NEGATIVE):
                return True
        side = self._unmoved(claim)
        if side is None:
            return False
        bounds = (kernels.expression(bound) for bound in (value, *lower_bounds(value, kernels, signs)))
        forms = dict.fromkeys((collected(claim.difference), *bounds))
        return any(self._exceeds(form, side, claim.domain) for form in forms)

    def _unmoved(self, claim: Claim) -> Expr | None:
        """A side that is what it was; zero, where no error is relative to any."""
        if self._relative == 0:
            return num(0)
        if claim.lower == self._start.lower:
            return claim.lower
        return claim.upper if claim.upper == self._start.upper else None

    def _exceeds(self, least: Expr, side: Expr, domain: Domain) -> bool:
        def is_enough(box: Enclosing) -> bool:
            low, size = box.of(least).low, box.of(side).size
            off = up(self._relative * size + self._absolute)
            enough = down(low * (1 - self._relative))
            return bool(off < enough or (off <= enough and not self._strictly))

        def is_enough_at(point: Point) -> bool:
            try:
                return is_enough(Enclosing({name: (value, value) for name, value in point.items()}))
            except NoEnclosure:
                return False

        domain = restricted(domain, (least, side))
        if not all(map(is_enough_at, list(islice(points(domain), _FEW_POINTS)))):
            return False  # nor on any box with such a point in it
        return on_all(domain, is_enough, known_of((least, side), domain), most=_FEW_BOXES)
