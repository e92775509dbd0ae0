"""A domain as boxes: what holds on each box of a cover holds on the whole domain.

A box on which some fact surely fails holds no point of the domain, and is left out; one that does not settle a question
is halved. The count of boxes is the budget, so that an answer does not depend on how busy the machine is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, log2

from neurosym_verifiers.algebra.enclosures import Box, Enclosing, Known, NoEnclosure
from neurosym_verifiers.algebra.expressions import Domain, Expr, Fact, Num, Op, Range, Sym, symbols

MOST_BOXES = 1_000
_PROBED_EACH = 8
_TINY = 2.0**-30
"""How small the sides of a box are, in powers of two, that is not cut any more."""


def tightened(domain: Domain) -> Domain:
    """With the ranges that facts on single symbols say."""
    ranges = dict(domain.ranges)
    for fact in domain.facts:
        linear = _linear(fact.expression)
        if linear is None or linear[0] not in ranges:
            continue
        name, slope, rest = linear
        at, of = -rest / slope, ranges[name]
        if fact.relation == "==":
            ranges[name] = replace(of, low=_most(of.low, at), high=_least(of.high, at))
        elif fact.relation == "<=" and slope > 0:
            ranges[name] = replace(of, high=_least(of.high, at))
        elif fact.relation == "<=":
            ranges[name] = replace(of, low=_most(of.low, at))
        elif fact.relation == "!=" and of.step and at in (of.low, of.high):
            ranges[name] = replace(of, low=at + of.step) if at == of.low else replace(of, high=at - of.step)
    return Domain({name: _on_steps(each) for name, each in ranges.items()}, domain.facts)


def restricted(domain: Domain, exprs: tuple[Expr, ...]) -> Domain:
    """The domain as far as it speaks of the symbols of some expressions."""
    names = frozenset().union(*map(symbols, exprs))
    facts = tuple(fact for fact in domain.facts if symbols(fact.expression) <= names)
    return Domain({name: of for name, of in domain.ranges.items() if name in names}, facts)


def _most(a: Fraction | None, b: Fraction) -> Fraction:
    return b if a is None else max(a, b)


def _least(a: Fraction | None, b: Fraction) -> Fraction:
    return b if a is None else min(a, b)


def _on_steps(of: Range) -> Range:
    if not of.step or of.low is None or of.high is None:
        return of
    return replace(of, low=ceil(of.low / of.step) * of.step, high=floor(of.high / of.step) * of.step)


def _linear(expr: Expr) -> tuple[str, Fraction, Fraction] | None:
    """``slope * symbol + rest`` without roundings, if it is that."""
    found = slopes(expr)
    if found is None:
        return None
    sloped = {name: slope for name, slope in found.items() if name and slope}
    if len(sloped) != 1:
        return None
    name, slope = sloped.popitem()
    return name, slope, found.get("", Fraction(0))


def slopes(expr: Expr) -> dict[str, Fraction] | None:
    """By symbol, how often a linear expression without roundings has it; by the empty name, its constant."""
    match expr:
        case Num(value=value):
            return {"": value}
        case Sym(name=name):
            return {name: Fraction(1)}
        case Op(name="+" | "-", args=(a, b), rounding=""):
            one, other = slopes(a), slopes(b)
            if one is None or other is None:
                return None
            sign = 1 if expr.name == "+" else -1
            return {key: one.get(key, Fraction(0)) + sign * other.get(key, Fraction(0)) for key in {*one, *other}}
        case Op(name="*", args=(a, b), rounding=""):
            one, other = slopes(a), slopes(b)
            if one is None or other is None:
                return None
            for factor, of in ((one, other), (other, one)):
                if not any(slope for name, slope in factor.items() if name):
                    return {key: slope * factor.get("", Fraction(0)) for key, slope in of.items()}
            return None
        case _:
            return None


def on_all(
    domain: Domain, holds: Callable[[Enclosing], bool], known: Known | None = None, *, most: int = MOST_BOXES
) -> bool:
    """Whether ``holds`` says so on each box of a cover of the domain. It may raise ``NoEnclosure``: not settled here.

    False where the domain is unbounded, or the budget does not suffice.
    """
    return Cover(domain, holds, known).is_settled(most)


class Cover:
    """A cover of a domain on whose boxes something is to hold; it goes on where its budget ended."""

    def __init__(self, domain: Domain, holds: Callable[[Enclosing], bool], known: Known | None = None) -> None:
        self._domain = tightened(domain)
        self._holds = holds
        self._known = Known() if known is None else known
        start = _start(self._domain)
        self._todo = [] if start is None else [start]
        self._is_hopeless = start is None
        self._count = 0

    def is_settled(self, most: int) -> bool:
        """Whether it holds on all boxes; at most so many are looked at, those of before among them."""
        while self._todo and not self._is_hopeless:
            if self._count >= most:
                return False
            self._count += 1
            self._look_at(self._todo.pop())
        return not self._is_hopeless

    def _look_at(self, box: Box) -> None:
        if any(low > high for low, high in box.values()):
            return
        enclosing = Enclosing(box, self._known)
        if _outside(self._domain.facts, enclosing):
            return
        try:
            if self._holds(enclosing):
                return
        except NoEnclosure:
            pass
        halves = None if _is_tiny(box, self._domain.ranges) else _halved(box, self._domain.ranges)
        if halves is None or (self._count % _PROBED_EACH == 0 and self._is_open_at_middle(box)):
            self._is_hopeless = True
            return
        self._todo += halves

    def _is_open_at_middle(self, box: Box) -> bool:
        """Whether a point of the domain, the middle of a box, does not settle it: then no box around it does."""
        point: dict[str, tuple[Fraction, Fraction]] = {}
        for name, (low, high) in box.items():
            step = self._domain.ranges[name].step
            middle = low if low == high else _middle(low, high)
            middle = floor(middle / step) * step if step else middle
            point[name] = (middle, middle)
        enclosing = Enclosing(point, self._known)
        if not all(_surely_holds(fact, enclosing) for fact in self._domain.facts):
            return False
        try:
            return not self._holds(enclosing)
        except NoEnclosure:
            return True


def _is_tiny(box: Box, ranges: Mapping[str, Range]) -> bool:
    """Whether a box is so small on all sides that smaller ones hardly settle what it does not."""
    widths = [_width(low, high, ranges[name]) for name, (low, high) in box.items() if low < high]
    return bool(widths) and max(widths) < _TINY


def _surely_holds(fact: Fact, enclosing: Enclosing) -> bool:
    try:
        low, high = enclosing.of(fact.expression).computed()
    except NoEnclosure:
        return False
    match fact.relation:
        case "<=":
            return bool(high <= 0)
        case "==":
            return bool(low == 0 and high == 0)
        case _:
            return bool(low > 0 or high < 0)


def _start(domain: Domain) -> Box | None:
    box: dict[str, tuple[Fraction, Fraction]] = {}
    for name, of in domain.ranges.items():
        if of.low is None or of.high is None:
            return None
        box[name] = (of.low, of.high)
    return box


def _outside(facts: tuple[Fact, ...], enclosing: Enclosing) -> bool:
    """Whether some fact surely fails on the whole box."""
    for fact in facts:
        try:
            low, high = enclosing.of(fact.expression).computed()
        except NoEnclosure:
            continue
        if (fact.relation == "<=" and low > 0) or (fact.relation == "==" and (low > 0 or high < 0)):
            return True
        if fact.relation == "!=" and low == 0 and high == 0:
            return True
    return False


def _halved(box: Box, ranges: Mapping[str, Range]) -> list[Box] | None:
    """Two boxes for one, cut where its widest side has its middle; None for a point."""
    widths = {name: width for name, (low, high) in box.items() if (width := _width(low, high, ranges[name])) > 0}
    if not widths:
        return None
    name = max(widths, key=lambda each: (widths[each], each))
    low, high = box[name]
    step = ranges[name].step
    if step:
        near = (low + high) / 2 if low * high <= 0 or high - low < 4 * step else _middle(low, high)
        middle = min(max(floor(near / step) * step, low), high - step)
        return [{**box, name: (low, middle)}, {**box, name: (middle + step, high)}]
    middle = _middle(low, high)
    if not low < middle < high:
        return None
    return [{**box, name: (low, middle)}, {**box, name: (middle, high)}]


def _width(low: Fraction, high: Fraction, of: Range) -> float:
    """How wide a side is, in powers of two where it does not reach zero."""
    if low >= high:
        return 0.0
    if low > 0 or high < 0:
        near, far = (low, high) if low > 0 else (-high, -low)
        return _log2(far) - _log2(near) or 2.0**-60
    return 2.0 + max(0.0, 60 + _log2(max(high, -low))) / 16


def _log2(value: Fraction) -> float:
    """Of a positive number, near enough to choose by."""
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    scaled = value / Fraction(2) ** shift
    return shift + log2(float(scaled))


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Between two ends: in powers of two where they have a sign and lie far apart."""
    if low < 0 < high:
        return Fraction(0)
    if low == 0 or high == 0:
        return (low + high) / 16
    sign = 1 if low > 0 else -1
    near, far = (low, high) if low > 0 else (-high, -low)
    if far > 4 * near:
        return sign * Fraction(2) ** round((_log2(near) + _log2(far)) / 2)
    middle = (low + high) / 2
    scale = Fraction(2) ** (60 - round(_log2(abs(middle))))
    return Fraction(round(middle * scale)) / scale
