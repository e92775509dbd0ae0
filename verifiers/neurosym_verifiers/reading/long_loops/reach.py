"""Which values the variables of a loop may take: an interval for each, by going through the rounds with intervals.

A Decimal is read exactly only where its context provably does not round, so that its bounds have to be known while the
round is read. They are guessed, the round is read with them, and then they are checked: from the bounds before the
first round, what a round makes of them is added until nothing is new, or all rounds are gone through. As long as that
stays inside of the guess, the reading was right in each of these rounds (interval iteration: P. Cousot and R. Cousot,
1976).
"""

from __future__ import annotations

from functools import reduce

from neurosym_verifiers.reading.formulas.bounds import Bounds, Spans, hull
from neurosym_verifiers.reading.formulas.iterated import Iterated, place
from neurosym_verifiers.reading.formulas.relaxing import Relaxed, relaxed
from neurosym_verifiers.reading.formulas.terms import Ite, Term, atom, number, variable
from neurosym_verifiers.reading.simplification.substituting import Substitution

_MOST_ROUNDS = 1_500
_MOST_WAYS = 16
_ROOM = 1_000
"""How far a first guess goes beyond what is known at the start."""

_SOME = 10**9

_LARGEST = 10**50
"""A Decimal of so many digits is rounded anyway."""


def guessed(start: Bounds, places: int | None) -> Bounds | None:
    """Bounds to read a round with first; None for what is not bounded at the start."""
    low, high = start
    if low is None or high is None:
        return None
    far = max(abs(low), abs(high)) * _ROOM + _SOME * 10 ** (places or 0)
    return -far, far


def reached(loop: Iterated) -> tuple[Bounds, ...] | None:
    """The bounds of each variable before and after every round; None where these are too many, or know no bounds."""
    if loop.rounds.high is None or loop.rounds.high > _MOST_ROUNDS:
        return None
    rounds = [loop.step, *([loop.leaving] if loop.leaving else [])]
    made = [[way for terms in rounds for way in _ways(terms[i], _MOST_WAYS)] for i in range(len(loop.step))]
    now = [(term.low, term.high) for term in loop.start]
    for _ in range(loop.rounds.high):
        spans = {place(i): bounds for i, bounds in enumerate(now)}
        inside = Substitution({name: variable(name, *bounds) for name, bounds in spans.items()}, {})
        after = [reduce(hull, (_bounds(way, inside, spans) for way in ways), now[i]) for i, ways in enumerate(made)]
        if after == now:
            break
        now = after
        if any(low is None or high is None or high - low > _LARGEST for low, high in now):
            return None
    return tuple(now)


def _ways(term: Term, most: int) -> list[Term | Relaxed]:
    """What a term may be, taken apart at its choices: ``b - (b if all of it is due else p)`` is 0 or ``b - p``, and of
    these more is known than of the whole. Each without its roundings, where that can be."""
    for monomial, coefficient in term.parts:
        if most > 1 and len(monomial) == 1 and isinstance(monomial[0], Ite):
            rest = term - number(coefficient) * atom(monomial[0])
            sides = (rest + number(coefficient) * side for side in (monomial[0].then, monomial[0].other))
            return [way for side in sides for way in _ways(side, most // 2)]
    return [relaxed(term) or term]


def _bounds(way: Term | Relaxed, inside: Substitution, spans: Spans) -> Bounds:
    """Where the loop's variables lie in ``spans``; ``inside`` puts variables with these in."""
    if isinstance(way, Relaxed):
        return way.bounds(spans)
    term = inside.term(way)
    return term.low, term.high
