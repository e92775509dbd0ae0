"""Roundings, remainders, minima and maxima found again in terms, as what Python's operations look like when read.

Each is recognised by making it anew: the mode's own construction, on the numerator and denominator that the quotient
suggests, must give the very term that is there. What is not recognised stays what it is, a choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from neurosym_verifiers.reading.formulas.normal_forms import at_most, below
from neurosym_verifiers.reading.formulas.rounding import half_even, rounded
from neurosym_verifiers.reading.formulas.terms import Div, Ite, Term, atom, number


@dataclass(frozen=True, slots=True)
class Rounding:
    """``num / den`` rounded to a whole number in a mode, by the spec's names."""

    num: Term
    den: Term
    mode: str


def mirrored(choice: Ite) -> Rounding | None:
    """The rounding that a choice between two quotients is: one that mirrors negative numbers."""
    for quotient, sign, whole in _quotients(choice.then):
        for guess in _guesses(quotient, sign, whole):
            made = rounded(guess.num, guess.den, guess.mode)
            if made is not None and made == atom(choice):
                return guess
    return None


def _quotients(term: Term) -> Iterator[tuple[Div, int, Term]]:
    """The quotients of a term that stand alone in it, with their sign and the rest."""
    for monomial, coefficient in term.parts:
        if len(monomial) == 1 and isinstance(monomial[0], Div) and coefficient in (1, -1):
            yield monomial[0], coefficient, term - number(coefficient) * atom(monomial[0])


def _guesses(quotient: Div, sign: int, whole: Term) -> Iterator[Rounding]:
    """What may have been rounded, if the quotient comes from each mode's formula for positive numbers."""
    num, den = quotient.num, quotient.den
    half = _half(den)
    if sign > 0:
        if half is not None:
            yield Rounding(num - half + den * whole, den, "half_up")
        yield Rounding(num + den * whole, den, "down")
    else:
        if half is not None:
            yield Rounding(half - num + den * whole, den, "half_down")
        yield Rounding(den * whole - num, den, "up")


def _half(den: Term) -> Term | None:
    """Half of a denominator, rounded down where it is a number; None where it is neither that nor even."""
    if den.constant is not None:
        return number(den.constant // 2)
    if all(coefficient % 2 == 0 for _, coefficient in den.parts):
        return Term((monomial, coefficient // 2) for monomial, coefficient in den.parts)
    return None


def simple(quotient: Div) -> Rounding:
    """How a single floor division reads best: as a rounding half up, a ceiling, or the floor that it is.

    ``(n + d // 2) // d`` is half up, and ``(n + d - 1) // d`` a ceiling, where n and d have no other offset.
    """
    num, den = quotient.num, quotient.den
    half = _half(den)
    if half is not None and half != number(0) and holds(num, half):
        bare = num - half
        if _offset(bare) == 0 and rounded(bare, den, "half_up") == atom(quotient):
            return Rounding(bare, den, "half_up")
    if den.constant is not None:
        bare = num - den + number(1)
        if _offset(bare) == 0 and rounded(bare, den, "ceiling") == atom(quotient):
            return Rounding(bare, den, "ceiling")
    return Rounding(num, den, "floor")


def _offset(term: Term) -> int:
    return next((coefficient for monomial, coefficient in term.parts if not monomial), 0)


@dataclass(frozen=True, slots=True)
class EvenRounding:
    """``factor`` times a rounding half even, and the rest of the term that it is a part of."""

    factor: int
    rounding: Rounding
    rest: Term


def half_even_in(term: Term) -> EvenRounding | None:
    """A rounding half even in a sum."""
    if not any(isinstance(factor, Ite) for monomial, _ in term.parts for factor in monomial):
        return None
    for monomial, coefficient in term.parts:
        if len(monomial) == 1 and isinstance(monomial[0], Div):
            den = monomial[0].den
            for besides in _besides(term, coefficient):
                num = monomial[0].num + den * besides
                whole = number(coefficient) * half_even(num, den)
                if len(whole.parts) > 1 and holds(term, whole):
                    return EvenRounding(coefficient, Rounding(num, den, "half_even"), term - whole)
    return None


def _besides(term: Term, factor: int) -> Iterator[Term]:
    """What may have been rounded beside a quotient that stands in a sum with a factor: whole multiples of the
    denominator stand outside of it, and still count for what is even."""
    yield number(0)
    plain = [
        (monomial, coefficient // factor)
        for monomial, coefficient in term.parts
        if coefficient % factor == 0 and not any(isinstance(each, Div | Ite) for each in monomial)
    ]
    without_constant = Term([part for part in plain if part[0]])
    if without_constant.parts:
        yield without_constant
    if any(not monomial for monomial, _ in plain):
        yield Term(plain)


@dataclass(frozen=True, slots=True)
class Remainder:
    """``factor * (num % den)``, and the rest of the term that it is a part of."""

    factor: int
    num: Term
    den: int
    rest: Term


def remainder_in(term: Term) -> Remainder | None:
    """A remainder in a sum: ``num - den * (num // den)``."""
    for monomial, coefficient in term.parts:
        if len(monomial) == 1 and isinstance(monomial[0], Div):
            num, den = monomial[0].num, monomial[0].den.constant
            if den is not None and coefficient % den == 0:
                factor = -(coefficient // den)
                if holds(term, number(factor) * num):
                    return Remainder(factor, num, den, term - number(factor) * (num - number(den) * atom(monomial[0])))
    return None


def extreme(choice: Ite) -> str:
    """``min`` or ``max``, if a choice is that of its two sides; else empty."""
    then, other, condition = choice.then, choice.other, choice.condition
    if condition in (at_most(then, other), below(then, other)):
        return "min"
    return "max" if condition in (at_most(other, then), below(other, then)) else ""


def holds(term: Term, part: Term) -> bool:
    """Whether all the parts of one sum are parts of another, a constant aside."""
    there = dict(term.parts)
    return all(there.get(monomial) == coefficient for monomial, coefficient in part.parts if monomial)
