"""Ties of an amount that moves linearly with a dial, as solutions of a congruence."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from neurosym_verifiers.search.dials import Dial


def ties(position: Fraction, slope: Fraction, dial: Dial) -> list[int]:
    """Offsets m of a dial at which ``position + slope * m`` lies half way between two whole numbers.

    The one nearest to where it stands, the one nearest to the simplest value, one on the other side of zero, and one
    far out; none if there are none.
    """
    q = lcm(position.denominator, slope.denominator)
    if slope == 0 or q % 2:
        return []
    return congruent(int(position * q), int(slope * q), q // 2, q, dial)


def ties_in_a_row(position: Fraction, slope: Fraction, dial: Dial, *, most: int) -> list[int]:
    """Such offsets one after the other, around where it stands."""
    q = lcm(position.denominator, slope.denominator)
    solved = solution(int(position * q), int(slope * q), q // 2, q) if q % 2 == 0 else None
    if solved is None:
        return []
    first, period = solved
    row = (first + turn * period for turn in range(-(most // 2), most - most // 2))
    return [offset for offset in row if dial.first <= dial.at + offset <= dial.last]


def congruent(p: int, r: int, target: int, q: int, dial: Dial) -> list[int]:
    """Offsets m of a dial at which ``p + r*m = target (mod q)``: a few, spread as said for ``ties``."""
    solved = solution(p, r, target, q)
    if solved is None:
        return []
    first, period = solved
    found: dict[int, None] = {}
    at = dial.at
    for centre in (at, dial.origin, -at, (dial.last * 3 + at) // 4):
        nearest = first + round(Fraction(centre - at - first, period)) * period
        for offset in (nearest, nearest + period):
            if dial.first <= at + offset <= dial.last:
                found[offset] = None
    return list(found)


def solution(p: int, r: int, target: int, q: int) -> tuple[int, int] | None:
    """The least m from 0 on at which ``p + r*m = target (mod q)``, and after how many there is the next; if any."""
    g = gcd(r, q)
    if r == 0 or (target - p) % g:
        return None
    period = q // g
    return ((target - p) // g * pow(r // g, -1, period) % period if period > 1 else 0), period
