"""Claims that follow from others at the end to which a monotone difference leads.

Where ``upper - lower`` never falls as a symbol rises, it is least where that symbol is lowest: there it is put in,
another run's symbol or an end of its range. Moving a symbol is an argument about all points on the way: both sides and
their derivatives have to be defined there, and a fact is used on the way only if the move keeps it. Example: for
``a.rate <= b.rate`` and ``b.rate * principal < payment``, b's rate comes down to a's, which keeps the fact; a's rate
going up to b's would not keep that of a.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from neurosym_verifiers.algebra.boxes import on_all, restricted, slopes, tightened
from neurosym_verifiers.algebra.derivatives import derivative
from neurosym_verifiers.algebra.enclosures import Known
from neurosym_verifiers.algebra.expressions import (
    Domain,
    Expr,
    Fact,
    Op,
    Range,
    Sym,
    exact,
    num,
    replaced,
    symbols,
)
from neurosym_verifiers.algebra.inequalities import SignsByBounds
from neurosym_verifiers.algebra.kernels import Kernels
from neurosym_verifiers.algebra.polynomials import Poly, TooComplex
from neurosym_verifiers.algebra.ratios import limits
from neurosym_verifiers.algebra.signs import NEGATIVE, NOT_NEGATIVE, NOT_POSITIVE, POSITIVE, SignsOn, polynomials

_MOST_MOVES = 8


def has_order(domain: Domain) -> bool:
    """Whether some fact says that one symbol is never above another."""
    return any(_ordered_pair(fact) is not None for fact in domain.facts)


def telling(domain: Domain) -> Domain:
    """With the facts that say more than the ranges do, each once; those about roundings are left out."""
    facts = dict.fromkeys(fact for fact in domain.facts if exact(fact.expression) == fact.expression)
    return replace(domain, facts=tuple(fact for fact in facts if len(symbols(fact.expression)) > 1))


@dataclass(frozen=True, slots=True)
class Claim:
    """That the exact ``upper`` is above ``lower`` on the domain by enough."""

    lower: Expr
    upper: Expr
    domain: Domain

    @property
    def difference(self) -> Expr:
        return Op("-", (self.upper, self.lower))


@dataclass(frozen=True, slots=True)
class _Move:
    """Of a symbol to what it is never above (``upward``) or never below: another symbol, or a number."""

    symbol: str
    to: Expr
    upward: bool


def claims(start: Claim) -> Iterator[Claim]:
    """Claims from which it follows: symbols go to symbols as long as they do, then one after the other to an end.

    Of the moves, those are worth most that leave one side as it was, and then those that lose the fewest facts.
    """

    def worth(claim: Claim) -> tuple[bool, int]:
        return claim.lower == start.lower or claim.upper == start.upper, len(claim.domain.facts)

    claim = start
    for moves in (_to_symbols, _to_ends):
        for _ in range(_MOST_MOVES):
            ways = (_moved(claim, move) for move in moves(claim))
            after = max((each for each in ways if each is not None), key=worth, default=None)
            if after is None:
                break
            claim = after
            if moves is _to_ends:
                yield claim
        if moves is _to_symbols:
            yield claim


def _to_symbols(claim: Claim) -> Iterator[_Move]:
    spoken_of = symbols(claim.difference)
    for fact in claim.domain.facts:
        pair = _ordered_pair(fact)
        if pair is not None:
            less, more = pair
            if less in spoken_of:
                yield _Move(less, Sym(more), True)
            if more in spoken_of:
                yield _Move(more, Sym(less), False)


def _ordered_pair(fact: Fact) -> tuple[str, str] | None:
    """Two symbols of which the first is never above the second, as a fact says."""
    found = slopes(fact.expression)
    if fact.relation != "<=" or found is None or found.pop("", Fraction(0)) < 0:
        return None
    found = {name: slope for name, slope in found.items() if slope}
    if len(found) != 2 or sum(found.values()) != 0:
        return None
    less, more = sorted(found, key=lambda name: -found[name])
    return less, more


def _to_ends(claim: Claim) -> Iterator[_Move]:
    for name in sorted(symbols(claim.difference)):
        of = claim.domain.ranges[name]
        for end, upward in ((of.low, False), (of.high, True)):
            if end is not None:
                yield _Move(name, num(end), upward)


def _moved(claim: Claim, move: _Move) -> Claim | None:
    """The claim at the place to which a symbol goes; None unless the claim follows from that."""
    kernels = Kernels()
    between, kept = _way(claim.domain, move, kernels)
    try:
        slope = kernels.rational(derivative(claim.difference, move.symbol))
        falls = -slope if move.upward else slope
        if not SignsByBounds(between, kernels).of(falls) <= NOT_NEGATIVE:
            return None
        sides = [side for side in (claim.lower, claim.upper) if move.symbol in symbols(side)]
        if not all(_is_defined((side, derivative(side, move.symbol)), between) for side in sides):
            return None
    except TooComplex:
        return None
    by: dict[Expr, Expr] = {Sym(move.symbol): move.to}
    facts = tuple(replace(fact, expression=replaced(fact.expression, by)) for fact in kept)
    ranges = {name: of for name, of in between.ranges.items() if name != move.symbol}
    domain = telling(tightened(Domain(ranges, facts)))
    return Claim(replaced(claim.lower, by), replaced(claim.upper, by), domain)


def _way(domain: Domain, move: _Move, kernels: Kernels) -> tuple[Domain, list[Fact]]:
    """What holds on all points that the move passes, and those of the facts that speak of no order of the two."""
    of, ranges = domain.ranges[move.symbol], dict(domain.ranges)
    order: list[Fact] = []
    if isinstance(move.to, Sym):
        other = ranges[move.to.name]
        beyond = Range(of.low, None) if move.upward else Range(None, of.high)
        ranges[move.to.name] = common(other, beyond)
        of = Range(of.low, other.high) if move.upward else Range(other.low, of.high)
        signed = (Sym(move.symbol), move.to) if move.upward else (move.to, Sym(move.symbol))
        order.append(Fact(Op("-", signed), "<="))
    ranges[move.symbol] = replace(of, step=Fraction(0))
    kept = [fact for fact in domain.facts if move.symbol not in symbols(fact.expression)]
    others = [fact for fact in domain.facts if move.symbol in symbols(fact.expression) and _ordered_pair(fact) is None]
    signs = SignsOn(Domain(ranges, (*kept, *order)), kernels)
    kept += [fact for fact in others if _is_kept(fact, move, kernels, signs)]
    return tightened(Domain(ranges, (*kept, *order))), kept


def _is_kept(fact: Fact, move: _Move, kernels: Kernels, signs: SignsOn) -> bool:
    """Whether a fact that holds before the move holds all the way: its left side, a polynomial, does not rise."""
    if fact.relation != "<=" or not polynomials(fact, kernels):
        return False
    try:
        slope = signs.of(kernels.rational(derivative(fact.expression, move.symbol)))
    except TooComplex:
        return False
    return slope <= (NOT_POSITIVE if move.upward else NOT_NEGATIVE)


def _is_defined(parts: tuple[Expr, ...], domain: Domain) -> bool:
    domain = restricted(domain, parts)
    return on_all(domain, lambda box: all(box.of(part) is not None for part in parts), known_of(parts, domain))


def known_of(parts: tuple[Expr, ...], domain: Domain) -> Known:
    """What single facts say of quotients in some expressions."""
    signs = SignsOn(domain, Kernels())

    def sign(poly: Poly) -> int:
        found = signs.of_poly(poly)
        return 1 if found == POSITIVE else -1 if found == NEGATIVE else 0

    return Known(limits(parts, domain, sign))


def common(a: Range, b: Range) -> Range:
    """The values that lie in both."""
    lows = [low for low in (a.low, b.low) if low is not None]
    highs = [high for high in (a.high, b.high) if high is not None]
    return Range(max(lows, default=None), min(highs, default=None), max(a.step, b.step))
