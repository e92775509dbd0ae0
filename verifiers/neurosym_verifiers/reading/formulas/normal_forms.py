"""Terms and conditions put together in normal form: what is equal, decided or constant is seen at once.

``(2*p + 10000) // 20000`` and ``(p + 5000) // 10000`` are one term, and a comparison that bounds decide is no question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import TypeVar

from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.bounds import (
    ANY,
    Spans,
    inside,
)
from neurosym_verifiers.reading.formulas.budget import spend
from neurosym_verifiers.reading.formulas.counts import counted_in
from neurosym_verifiers.reading.formulas.lowest_terms import any_reduced, unreduced
from neurosym_verifiers.reading.formulas.ranks import Switch, values_of
from neurosym_verifiers.reading.formulas.terms import (
    FALSE,
    TRUE,
    And,
    Condition,
    Div,
    Ite,
    Monomial,
    Nearest,
    Not,
    NotPositive,
    Or,
    Term,
    Truth,
    Within,
    Zero,
    atom,
    number,
)


def nearest(num: Term, den: Term, scale: int) -> Term:
    """``Nearest``, where it is not seen to be exact. What it comes to is a multiple of ``2**-scale``, surely."""
    rounding = Nearest(num, den, scale)
    divisor, low, high = den.constant, num.low, num.high
    if divisor is not None and num.constant is not None:
        return number(rounding.of(num.constant, divisor))
    if divisor is not None and low is not None and high is not None and divisor & (divisor - 1) == 0:
        # A multiple of 2**e with a size of at most 2**(e + 53) is a float, if it is one of 2**-1074.
        common = reduce(gcd, (c for _, c in num.parts), 0)
        if max(-low, high) <= (common & -common) << binary64.DIGITS and divisor <= 2**scale <= 2**binary64.FINEST:
            return num * number(2**scale // divisor)
    return atom(rounding)


def floor_div(num: Term, den: Term) -> Term:
    """``num // den`` for a ``den`` that is at least 1 wherever the result is used.

    What divides evenly is taken out: ``(a + k*d) // d = a//d + k``, and common factors cancel.
    """
    if any_reduced(num) and any_reduced(den):
        one, other = unreduced(num), unreduced(den)
        if one is not None and other is not None and one[1] == other[1]:
            return floor_div(one[0], other[0])
    divisor = den.constant
    if divisor is None:
        if num.constant == 0:
            return number(0)
        common = reduce(gcd, (c for _, c in (*num.parts, *den.parts)), 0)
        if common > 1:
            num, den = _scaled_down(num, common), _scaled_down(den, common)
        return atom(Div(num, den))
    if divisor == 1:
        return num
    whole = Term((m, c // divisor) for m, c in num.parts if c % divisor == 0)
    rest = Term((m, c) for m, c in num.parts if c % divisor)
    constant = next((c for m, c in rest.parts if not m), 0)
    if constant and not 0 <= constant < divisor:
        whole = whole + number(constant // divisor)
        rest = rest + number(constant % divisor - constant)
    if rest.low is not None and rest.high is not None and rest.low // divisor == rest.high // divisor:
        return whole + number(rest.low // divisor)
    # floor((g*x + c) / (g*e)) = floor((x + floor(c/g)) / e), since g*x is a multiple of g.
    varying = reduce(gcd, (c for m, c in rest.parts if m), 0)
    common = gcd(varying, divisor)
    if common > 1:
        constant = next((c for m, c in rest.parts if not m), 0)
        shrunk = Term((m, c // common) for m, c in rest.parts if m) + number(constant // common)
        return whole + floor_div(shrunk, number(divisor // common))
    return whole + atom(Div(rest, den))


def _scaled_down(term: Term, by: int) -> Term:
    return Term((m, c // by) for m, c in term.parts)


def modulo(num: Term, den: Term) -> Term:
    """``num % den`` for a ``den`` that is at least 1."""
    return num - den * floor_div(num, den)


def choose(condition: Condition, then: Term, other: Term) -> Term:
    """``then if condition else other``. What both have in common stands outside of the choice.

    Equal terms may know different bounds, each from its own branch; the one that knows less holds in both.
    """
    if condition == TRUE:
        return then
    if condition == FALSE:
        return other
    then = _where_it_holds(condition, then)
    if then == other:
        wide = wider(then, other)
        if wide is not None:
            return wide
    if isinstance(condition, Not):
        return choose(condition.of, other, then)
    common = _in_both(then, other)
    if common is None:
        return atom(Ite(condition, then, other))
    return common + atom(Ite(condition, then - common, other - common))


def _where_it_holds(condition: Condition, term: Term) -> Term:
    """A term with the one case of its switches that is left where a condition of theirs holds."""
    for monomial, coefficient in term.parts:
        if len(monomial) == 1 and isinstance(monomial[0], Switch):
            holding = condition.parts if isinstance(condition, And) else (condition,)
            left = [case for where, case in monomial[0].cases if where in holding]
            if left:
                term = term + number(coefficient) * (left[0] - atom(monomial[0]))
    return term


def _in_both(then: Term, other: Term) -> Term | None:
    """The monomials that two terms share, as they are known to hold on both sides; None if there are none."""
    shared = [(monomial, one) for monomial, one, two in products_in_both(then, other) if one == two]
    return Term(shared) if shared else None


def products_in_both(then: Term, other: Term) -> Iterator[tuple[Monomial, int, int]]:
    """The products that two terms from different paths share, as they are known to hold on both, with the
    coefficients that they have in either."""
    theirs = {monomial: (monomial, coefficient) for monomial, coefficient in other.parts}
    for monomial, coefficient in then.parts:
        if monomial and monomial in theirs:
            twin, its = theirs[monomial]
            wide = wider(Term([(monomial, 1)]), Term([(twin, 1)]))
            if wide is not None:
                yield wide.parts[0][0], coefficient, its


Known = TypeVar("Known", "Term", "Condition")


def wider(one: Known, other: Known) -> Known | None:
    """Of two equal terms or conditions from different paths the one whose bounds hold on both; None if neither's do.

    What counts are the bounds of the variables: narrowed again later, they say what the whole is.
    """
    if one is other or _cover(one.spans, other.spans):
        return one
    return other if _cover(other.spans, one.spans) else None


def _cover(wide: Spans, narrow: Spans) -> bool:
    return all(inside(narrow.get(name, ANY), span) for name, span in wide.items())


def not_positive(term: Term) -> Condition:
    """``term <= 0``, decided where the bounds decide it; common factors cancel."""
    if term.high is not None and term.high <= 0:
        return TRUE
    if term.low is not None and term.low > 0:
        return FALSE
    if values := list(values_of(term)):
        return either(*(where for where, value in values if value <= 0))
    if (none := _none_of(term)) is not None:
        return none
    if (none := _none_of(number(1) - term)) is not None:
        return negated(none)
    if any_reduced(term):
        term = _of_unreduced(term, (0, 1))  # a whole number is below 1 where a positive multiple is
        if not any_reduced(term):
            return not_positive(term)
    unrounded = _before_rounding(term)
    if unrounded is not None:
        return unrounded
    varying = reduce(gcd, (c for m, c in term.parts if m), 0)
    if varying > 1:
        constant = next((c for m, c in term.parts if not m), 0)
        # g*x + c <= 0  <=>  x <= floor(-c/g)  <=>  x - floor(-c/g) <= 0
        term = Term((m, c // varying) for m, c in term.parts if m) + number(-(-constant // varying))
    return NotPositive(term)


def _none_of(term: Term) -> Condition | None:
    """``term <= 0``, if that says that none of some conditions holds, which it counts."""
    counted = counted_in(term)
    return None if counted is None else both(*map(negated, counted))


def _one_rounding(term: Term) -> tuple[Nearest | Ite, int] | None:
    """The rounded quotient, or the choice of such, with its coefficient, where a term is that and a number."""
    varying = [(monomial, coefficient) for monomial, coefficient in term.parts if monomial]
    if len(varying) == 1 and len(varying[0][0]) == 1:
        factor, coefficient = varying[0][0][0], varying[0][1]
        if isinstance(factor, Nearest) or (isinstance(factor, Ite) and factor.rounds):
            return factor, coefficient
    return None


def _before_rounding(term: Term) -> Condition | None:
    """``term <= 0`` as a condition on quotients that were not rounded yet; None where that is not possible."""
    found = _one_rounding(term)
    if found is None:
        return None
    (factor, coefficient), constant = found, next((c for m, c in term.parts if not m), 0)
    if isinstance(factor, Ite):
        then, other = (number(coefficient) * side + number(constant) for side in (factor.then, factor.other))
        here, there = both(factor.condition, not_positive(then)), both(negated(factor.condition), not_positive(other))
        return either(here, there)
    # c * r + k <= 0  <=>  r <= -k/c for a positive c; for a negative one, the float nearest to -q is -r.
    num = factor.num if coefficient > 0 else -factor.num
    turning = binary64.turning_point(Fraction(-constant, abs(coefficient) * 2**factor.scale))
    if turning is None:
        return TRUE
    point, counts = turning
    apart = num * number(point.denominator) - factor.den * number(point.numerator)
    return not_positive(apart if counts else apart + number(1))


def _of_unreduced(term: Term, constants: tuple[int, ...]) -> Term:
    """What is as much at most zero, or zero, and speaks of fractions that need not be in lowest terms.

    ``constants``: those of the term that may stand beside what is multiplied.
    """
    constant = next((c for m, c in term.parts if not m), 0)
    whole = unreduced(term - number(constant)) if constant in constants else None
    return term if whole is None else whole[0] + number(constant)


def zero(term: Term) -> Condition:
    """``term == 0``, decided where bounds or divisibility decide it."""
    if any_reduced(term):
        term = _of_unreduced(term, (0,))
    if term.constant is not None:
        return TRUE if term.constant == 0 else FALSE
    if (term.low is not None and term.low > 0) or (term.high is not None and term.high < 0):
        return FALSE
    if values := list(values_of(term)):
        return either(*(where for where, value in values if value == 0))
    if (none := _none_of(term)) is not None or (none := _none_of(-term)) is not None:
        return none
    if _one_rounding(term) is not None:
        return both(not_positive(term), not_positive(-term))
    varying = reduce(gcd, (c for m, c in term.parts if m), 0)
    constant = next((c for m, c in term.parts if not m), 0)
    if constant % varying:
        return FALSE
    term = _scaled_down(term, varying)
    return Zero(term if term.parts[-1][1] > 0 else -term)


def at_most(a: Term, b: Term) -> Condition:
    return not_positive(a - b)


def below(a: Term, b: Term) -> Condition:
    return not_positive(a - b + number(1))


def equal(a: Term, b: Term) -> Condition:
    return zero(a - b)


def within(term: Term, ranges: Iterable[tuple[int, int]]) -> Condition:
    """Whether the term lies in one of some ranges, which stand in order, with gaps between them.

    Of these the bounds leave some; what is one range, or all but one, is said by its ends.
    """
    low, high = term.low, term.high
    left = [
        (a if low is None else max(a, low), b if high is None else min(b, high))
        for a, b in ranges
        if (high is None or a <= high) and (low is None or low <= b)
    ]
    if not left:
        return FALSE
    if len(left) == 1:
        return both(at_most(number(left[0][0]), term), at_most(term, number(left[0][1])))
    if len(left) == 2 and left[0][0] == low and left[1][1] == high:
        return either(at_most(term, number(left[0][1])), at_most(number(left[1][0]), term))
    return Within(term, tuple(left))


def negated(condition: Condition) -> Condition:
    """The opposite; found once for each condition, since conditions share their parts."""
    if condition.opposite is None:
        condition.opposite = _opposite(condition)
    return condition.opposite


def _opposite(condition: Condition) -> Condition:
    match condition:
        case Truth(value=value):
            return FALSE if value else TRUE
        case Not(of=of):
            return of
        case NotPositive(term=term):
            return not_positive(number(1) - term)
        case And(parts=parts):
            return either(*map(negated, parts))
        case Or(parts=parts):
            return both(*map(negated, parts))
        case _:
            return Not(condition)


def both(*conditions: Condition) -> Condition:
    """All of them."""
    spend(len(conditions))
    if FALSE in conditions:
        return FALSE
    parts = _parts(conditions, And, neutral=TRUE)
    return FALSE if parts is None else And(tuple(parts)) if len(parts) > 1 else next(iter(parts), TRUE)


def either(*conditions: Condition) -> Condition:
    """Any of them."""
    spend(len(conditions))
    if TRUE in conditions:
        return TRUE
    parts = _parts(conditions, Or, neutral=FALSE)
    return TRUE if parts is None else Or(tuple(parts)) if len(parts) > 1 else next(iter(parts), FALSE)


def _parts(
    conditions: Iterable[Condition], kind: type[And | Or], *, neutral: Condition
) -> dict[Condition, None] | None:
    """The parts of some conditions that are connected, each once; None if two of them are opposites.

    Those of one condition are none already, so a part more costs no look at all that are there.
    """
    parts: dict[Condition, None] = {}
    for condition in conditions:
        if condition == neutral:
            continue
        of = condition.parts if isinstance(condition, kind) else (condition,)
        if parts and any(not isinstance(part, (And, Or)) and negated(part) in parts for part in of):
            return None
        parts |= dict.fromkeys(of)
    return parts


def decided(condition: Condition, then: Condition, other: Condition) -> Condition:
    """``then if condition else other``, of conditions."""
    if then == other and (wide := wider(then, other)) is not None:
        return wide
    return either(both(condition, then), both(negated(condition), other))
