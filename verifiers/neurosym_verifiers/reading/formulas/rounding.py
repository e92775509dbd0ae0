"""Rounding a quotient to a whole number, as floor division: all of Python's modes but ``05up``."""

from __future__ import annotations

from collections.abc import Callable

from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, choose, equal, floor_div, modulo
from neurosym_verifiers.reading.formulas.terms import Term, number


def rounded(num: Term, den: Term, mode: str) -> Term | None:
    """``num / den`` rounded to a whole number, ``den`` at least 1; None for a mode that is not read.

    Modes by the spec's names: ``half_up`` is away from zero on ties, as in Python's ``ROUND_HALF_UP``.
    """
    make = MODES.get(mode)
    return None if make is None else make(num, den)


def truncated(num: Term, den: Term) -> Term:
    """``num / den`` without its decimals."""
    return MODES["down"](num, den)


def floor(num: Term, den: Term) -> Term:
    return floor_div(num, den)


def ceiling(num: Term, den: Term) -> Term:
    return -floor_div(-num, den)


def _mirrored(for_positive: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term]:
    """A mode that treats negative quotients as the mirror image of positive ones."""

    def round_either(num: Term, den: Term) -> Term:
        if num.low is not None and num.low >= 0:
            return for_positive(num, den)
        negative = -for_positive(-num, den)
        if num.high is not None and num.high <= 0:
            return negative
        return choose(at_most(number(0), num), for_positive(num, den), negative)

    return round_either


def _half_up(num: Term, den: Term) -> Term:
    return floor_div(number(2) * num + den, number(2) * den)


def _half_down(num: Term, den: Term) -> Term:
    return -floor_div(den - number(2) * num, number(2) * den)


def half_even(num: Term, den: Term) -> Term:
    """Ties to the even neighbour, on either side of zero."""
    whole = floor_div(num, den)
    twice = number(2) * (num - den * whole)
    odd = modulo(whole, number(2))
    tie = choose(equal(twice, den), odd, number(1))
    return whole + choose(below(twice, den), number(0), tie)


def _away(num: Term, den: Term) -> Term:
    return ceiling(num, den)


MODES: dict[str, Callable[[Term, Term], Term]] = {
    "floor": floor,
    "ceiling": ceiling,
    "down": _mirrored(floor),
    "up": _mirrored(_away),
    "half_up": _mirrored(_half_up),
    "half_down": _mirrored(_half_down),
    "half_even": half_even,
}
