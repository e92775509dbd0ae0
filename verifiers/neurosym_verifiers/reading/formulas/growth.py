"""How large the variables of a loop become over its rounds: bounds of their binary logarithms.

What a round makes of variables that depend on each other is at most ``a * most + b``, where ``most`` is the largest of
them before it. Then they are at most ``a**n * (start + n * b)`` after ``n`` rounds, if ``a`` is at least one. A product
of two of them has no such bound: it doubles the digits in every round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log2

from neurosym_verifiers.reading.formulas.bounds import Bounds
from neurosym_verifiers.reading.formulas.iterated import ROUND, Iterated, place
from neurosym_verifiers.reading.formulas.terms import Atom, Div, Ite, Term, Var
from neurosym_verifiers.reading.formulas.walking import parts_of

_UNBOUNDED_BITS = 64.0
"""What an input counts for that has no bounds."""

_NOTHING = -inf


@dataclass(frozen=True, slots=True)
class _Size:
    """``2**times * most + 2**more`` at most, whatever the sign."""

    times: float
    more: float


def bits_of(loop: Iterated, also: Sequence[Term] = ()) -> float | None:
    """How many bits the largest number has that a round computes; None where that is not bounded so.

    ``also``: other terms that a round computes of the variables.
    """
    most = loop.rounds.high
    if most is None:
        return None
    known: dict[str, float] = {ROUND: log2(most + 2)}
    for group in _groups(loop):
        start = max(_of_bounds((loop.start[i].low, loop.start[i].high)) for i in group)
        names = {place(i) for i in group}
        steps = [_of_term(loop.step[i], known, names) for i in group]
        sizes = [each for each in steps if each is not None]
        if len(sizes) < len(steps):
            return None
        a, b = max(0.0, *(each.times for each in sizes)), max(each.more for each in sizes)
        if all(each.times == _NOTHING for each in sizes):
            largest = max(start, b)
        else:
            largest = most * a + _sum(start, log2(most + 2) + b)
        known |= dict.fromkeys(names, largest)
    seen = [_of_term(term, known, frozenset()) for term in (*_computed(loop), *also)]
    return None if None in seen else max((each.more for each in seen if each is not None), default=0.0)


def _computed(loop: Iterated) -> Iterator[Term]:
    """What a round computes: also what is only divided by something, or compared."""
    for each in loop.inside:
        yield from (part for part in parts_of(each) if isinstance(part, Term))


def _groups(loop: Iterated) -> Iterator[list[int]]:
    """The variables, those first on which others depend; those together which depend on each other."""
    count = range(len(loop.step))
    reached = {i: {j for j in count if place(j) in loop.step[i].names} for i in count}
    for k in count:
        for i in count:
            if k in reached[i]:
                reached[i] |= reached[k]
    left = list(count)
    while left:
        first = min(left, key=lambda i: len(reached[i] & set(left)))
        group = [i for i in left if i == first or (i in reached[first] and first in reached[i])]
        yield group
        left = [i for i in left if i not in group]


def _of_bounds(bounds: Bounds) -> float:
    low, high = bounds
    if low is None or high is None:
        return _UNBOUNDED_BITS
    return log2(max(abs(low), abs(high)) + 1)


def _sum(one: float, other: float) -> float:
    """The logarithm of a sum."""
    low, high = sorted((one, other))
    return high if low == _NOTHING else high + log2(1 + 2.0 ** max(low - high, -1000.0))


def _of_term(term: Term, known: Mapping[str, float], group: frozenset[str] | set[str]) -> _Size | None:
    """The size of a term in terms of the variables of a group; None if it has none."""
    if term.low is not None and term.high is not None:
        return _Size(_NOTHING, _of_bounds((term.low, term.high)))
    whole = _Size(_NOTHING, _NOTHING)
    for monomial, coefficient in term.parts:
        product = _Size(_NOTHING, log2(abs(coefficient)))
        for factor in monomial:
            size = _of_atom(factor, known, group)
            if size is None or (size.times != _NOTHING and product.times != _NOTHING):
                return None
            times = _sum(product.times + size.more, product.more + size.times)
            product = _Size(times, product.more + size.more)
        whole = _Size(_sum(whole.times, product.times), _sum(whole.more, product.more))
    return whole


def _of_atom(atom: Atom, known: Mapping[str, float], group: frozenset[str] | set[str]) -> _Size | None:
    if isinstance(atom, Var) and atom.name in group:
        return _Size(0.0, _NOTHING)
    if isinstance(atom, Var) and atom.name in known:
        return _Size(_NOTHING, known[atom.name])
    if atom.low is not None and atom.high is not None:
        return _Size(_NOTHING, _of_bounds((atom.low, atom.high)))
    match atom:
        case Var():
            return _Size(_NOTHING, _UNBOUNDED_BITS)
        case Div(num=num, den=den):
            size, by = _of_term(num, known, group), log2(den.constant or 1)
            return None if size is None else _Size(size.times - by, _sum(size.more - by, 0.0))
        case Ite(then=then, other=other):
            one, two = _of_term(then, known, group), _of_term(other, known, group)
            return None if one is None or two is None else _Size(max(one.times, two.times), max(one.more, two.more))
        case _:
            return None
