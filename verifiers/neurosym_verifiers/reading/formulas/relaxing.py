"""Bounds of terms that round: a quotient is taken for the exact one and what the rounding leaves over.

``left - left*rate//100`` is ``left*(100 - rate)/100`` and at most 99/100, which interval arithmetic, that takes both
``left`` for different numbers, does not see. What has no variable twice in a product takes its least and its greatest
value at corners of the box in which the variables lie.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import TypeAlias

from neurosym_verifiers.reading.formulas.bounds import ANY, Bounds, Spans
from neurosym_verifiers.reading.formulas.terms import Div, Term, Var

_MOST_VARIABLES = 6

Parts: TypeAlias = dict[tuple[str, ...], Fraction]
"""Products of different variables with their coefficients."""


@dataclass(frozen=True, slots=True)
class Relaxed:
    """``scale`` times the term is the sum of ``parts`` and something from ``low`` to ``high``. ``spans``: of the
    variables, as the term knows them."""

    parts: tuple[tuple[int, tuple[str, ...]], ...]
    low: int
    high: int
    scale: int
    spans: Spans

    def bounds(self, spans: Spans) -> Bounds:
        """Of the term, which is whole, where its variables lie in ``spans``."""
        ends: dict[str, tuple[int, int]] = {}
        for name, known in self.spans.items():
            low, high = spans.get(name, known)
            if low is None or high is None:
                return ANY
            ends[name] = low, high
        corners = (dict(zip(ends, each, strict=True)) for each in product(*ends.values()))
        values = [sum(c * prod(corner[name] for name in names) for c, names in self.parts) for corner in corners]
        return -(-(min(values) + self.low) // self.scale), (max(values) + self.high) // self.scale


def relaxed(term: Term) -> Relaxed | None:
    """The term without its roundings; None where it is made of anything but variables and quotients by numbers."""
    made = _relaxed(term)
    if made is None:
        return None
    parts, low, high = made
    spans = {name: bounds for name, bounds in term.spans.items() if any(name in names for names in parts)}
    if len(spans) > _MOST_VARIABLES:
        return None
    scale = lcm(low.denominator, high.denominator, *(each.denominator for each in parts.values()))
    scaled = tuple((int(each * scale), names) for names, each in parts.items())
    return Relaxed(scaled, int(low * scale), int(high * scale), scale, spans)


def _relaxed(term: Term) -> tuple[Parts, Fraction, Fraction] | None:
    parts: Parts = {}
    low = high = Fraction(0)
    for monomial, coefficient in term.parts:
        match monomial:
            case (Div(num=num, den=den),) if (by := den.constant) is not None:
                inner = _relaxed(num)
                if inner is None:
                    return None
                made, least, greatest = inner
                scale = Fraction(coefficient, by)
                _add(parts, ((names, scale * each) for names, each in made.items()))
                # num // by is num/by less what is left over, of which there are at most by - 1
                ends = scale * (least - (by - 1)), scale * greatest
                low, high = low + min(ends), high + max(ends)
            case _ if all(isinstance(each, Var) for each in monomial):
                names = tuple(each.name for each in monomial if isinstance(each, Var))
                if len(set(names)) < len(names):
                    return None
                _add(parts, [(names, Fraction(coefficient))])
            case _:
                return None
    return parts, low, high


def _add(parts: Parts, more: Iterable[tuple[tuple[str, ...], Fraction]]) -> None:
    for names, coefficient in more:
        total = parts.get(names, Fraction(0)) + coefficient
        if total:
            parts[names] = total
        else:
            parts.pop(names, None)
