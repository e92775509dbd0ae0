"""Ties of quotients that end only because something cancels the divisor.

Who multiplies first and who divides first differ only there. ``price / 30 * days`` falls short of ``price * days / 30``
by what the quotient loses where it has no end, and that shows on a tie alone; but half a cent is a tie only where
price times days is a multiple of the 3 in 30. Where the price is one, both ways give the same. Where the days are,
they do not: 0.25 / 30 * 3 is less than 0.025.

So a second dial is turned until the amount before the rounding moves with the first one by a quotient that ends. In a
product of both,

    position(m, n) = position + (slope + change*n) * m,   (slope + change*n) ends  <=>  p + t*n = 0  (mod r)

with p/q the slope, t/q the change, and r what is left of q without its factors 2 and 5. From there the first dial
is turned to the ties as everywhere else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

from neurosym_specs.types import Type

from neurosym_verifiers.search.dials import Dial, dial_at, dials
from neurosym_verifiers.search.leaves import Inputs
from neurosym_verifiers.search.observe import Lookout, Sighting, SiteKey, endless
from neurosym_verifiers.search.ties import solution, ties, ties_in_a_row

_OTHERS = 4
"""So many other dials are turned."""

_IN_A_ROW = 6
"""What is lost is more or less than nothing as the digits have it: some ties show it, and others do not."""


def standing(
    types: Mapping[str, Type], lookout: Lookout, base: Sighting, key: SiteKey, dial: Dial, rng: random.Random
) -> Iterator[Inputs]:
    """Inputs with a tie at ``key`` to which the dial comes with all others as they stand."""
    slope = _slope(lookout, base, key, dial)
    if slope is not None:
        yield from _ties(base.positions[key], slope, dial)


def cancelling(
    types: Mapping[str, Type], lookout: Lookout, base: Sighting, key: SiteKey, dial: Dial, rng: random.Random
) -> Iterator[Inputs]:
    """Inputs with a tie at ``key`` to which the dial came by quotients that end, from some where they do not."""
    slope = _slope(lookout, base, key, dial)
    if slope is None or endless(slope.denominator) == 1:
        return
    for other in [each for each in dials(types, dial.put(dial.at), rng) if each.place != dial.place][:_OTHERS]:
        for start in _cancelled(types, lookout, key, dial, slope, other):
            sighting, turned = lookout.look(start), dial_at(types, start, dial.place)
            if turned is not None and not sighting.refused:
                rising = _slope(lookout, sighting, key, turned)
                if rising is not None and endless(rising.denominator) == 1:
                    yield from _ties(sighting.positions[key], rising, turned)


def _ties(position: int | Fraction, slope: Fraction, dial: Dial) -> Iterator[Inputs]:
    offsets = ties_in_a_row(Fraction(position), slope, dial, most=_IN_A_ROW)
    for offset in dict.fromkeys([*offsets, *ties(Fraction(position), slope, dial)]):
        yield dial.put(dial.at + offset)


def _cancelled(
    types: Mapping[str, Type], lookout: Lookout, key: SiteKey, dial: Dial, slope: Fraction, other: Dial
) -> Iterator[Inputs]:
    """What the other dial is to be turned to, so that the slope of the first one ends."""
    step = 1 if other.at < other.last else -1
    beside = other.put(other.at + step)
    turned = dial_at(types, beside, dial.place)
    moved = None if turned is None else _slope(lookout, lookout.look(beside), key, turned)
    if moved is None or moved == slope:
        return
    change = (moved - slope) / step
    q = lcm(slope.denominator, change.denominator)
    solved = solution(int(slope * q), int(change * q), 0, endless(q))
    if solved is not None:
        first, period = solved
        for k in (other.at + first, other.at + first - period):
            if other.first <= k <= other.last:
                yield other.put(k)


def _slope(lookout: Lookout, base: Sighting, key: SiteKey, dial: Dial) -> Fraction | None:
    """By how much the amount moves with one step of the dial."""
    step = 1 if dial.at < dial.last else -1
    moved = lookout.look(dial.put(dial.at + step)).positions.get(key)
    return None if moved is None or key not in base.positions else Fraction(moved - base.positions[key], step)
