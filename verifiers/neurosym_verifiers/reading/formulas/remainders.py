"""A choice of remainders as one remainder, so that those of a loop's rounds do not pile up.

``(r*10 + d) % 97 if c else (r*100 + e) % 97`` is ``(r*(10 if c else 100) + (d if c else e)) % 97``.
"""

from __future__ import annotations

from math import gcd

from neurosym_verifiers.reading.formulas.normal_forms import choose, modulo, products_in_both
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Div, Monomial, Term, number, remainders_in


def chosen(condition: Condition, then: Term, other: Term) -> Term:
    """``then if condition else other``."""
    if condition in (TRUE, FALSE) or then == other:
        return choose(condition, then, other)
    one, two = _remainder(then), _remainder(other)
    modulus = one[1] if one is not None else two[1] if two is not None else 0
    if not modulus or (one is not None and two is not None and one[1] != two[1]):
        return choose(condition, then, other)
    numerators: list[Term] = []
    for known, term in ((one, then), (two, other)):
        if known is not None:
            numerators.append(known[0])
        elif term.low is not None and term.low >= 0 and term.high is not None and term.high < modulus:
            numerators.append(term)
        else:
            return choose(condition, then, other)
    return modulo(_spread(condition, *numerators), number(modulus))


def numerator(term: Term, modulus: int, count: int) -> Term:
    """The ``x`` of ``k * (x % m)`` in a sum that ``remainders_in`` finds."""
    for monomial, coefficient in term.parts:
        if len(monomial) == 1 and isinstance(monomial[0], Div) and monomial[0].den.constant == modulus:
            if coefficient == -count * modulus:
                return monomial[0].num
    raise AssertionError("no such remainder")


def _remainder(term: Term) -> tuple[Term, int] | None:
    """``(x, m)`` where the term is ``x % m``."""
    for modulus, count, rest in remainders_in(term):
        if count == 1 and not rest.parts:
            return numerator(term, modulus, count), modulus
    return None


def _spread(condition: Condition, then: Term, other: Term) -> Term:
    """A choice of two sums as a sum: what occurs in both, times a choice of its coefficients."""
    shared: dict[tuple[int, int], list[tuple[Monomial, int]]] = {}
    for monomial, *coefficients in products_in_both(then, other):
        shared.setdefault((coefficients[0], coefficients[1]), []).append((monomial, 1))
    in_both = {monomial for parts in shared.values() for monomial, _ in parts}
    total = number(0)
    for (a, b), parts in shared.items():
        share = gcd(a, b)
        total = total + Term((m, share) for m, _ in parts) * choose(condition, number(a // share), number(b // share))
    rests = [Term((m, c) for m, c in each.parts if m not in in_both) for each in (then, other)]
    return total + choose(condition, rests[0], rests[1])
