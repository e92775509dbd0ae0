"""Fractions in lowest terms, and where it does not matter that they are.

A numerator N and a denominator D in lowest terms are n/g and d/g, g being the greatest common divisor of n and d. What
is asked of them is most often the same of n and d: ``(2*N + D) // (2*D)`` is ``(2*n + d) // (2*d)``, and N is negative
where n is. That is so where every part of a sum has the same degree in the numbers of each fraction (the sum is
homogeneous in them): then it is a multiple of what it is for n and d, by the same power of g.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from neurosym_verifiers.reading.formulas.terms import Atom, Ite, Reduced, Term, atom, number

Degrees: TypeAlias = frozenset[tuple[str, int]]
"""For each fraction, by the key of its divisor, how many factors of a part are its numerator or denominator."""


def any_reduced(term: Term) -> bool:
    """Whether something in lowest terms stands in it, and not only inside of quotients."""
    return any(_reduces(factor) for monomial, _ in term.parts for factor in monomial)


def _reduces(factor: Atom) -> bool:
    return isinstance(factor, Reduced) or (isinstance(factor, Ite) and factor.reduces)


def unreduced(term: Term) -> tuple[Term, Degrees] | None:
    """The term for n and d in place of N and D, a positive multiple of it; with its degrees, which say of what power.

    None where its parts have different degrees.
    """
    degrees: Degrees | None = None
    total = number(0)
    for monomial, coefficient in term.parts:
        counted: Counter[str] = Counter()
        product = number(coefficient)
        for factor in monomial:
            found = _factor(factor)
            if found is None:
                return None
            product = product * found[0]
            counted.update(dict(found[1]))
        here = frozenset(counted.items())
        if degrees is not None and here != degrees:
            return None
        degrees, total = here, total + product
    return total, degrees or frozenset()


def _factor(factor: Atom) -> tuple[Term, Degrees] | None:
    if isinstance(factor, Reduced):
        return factor.num, frozenset({(factor.den.key, 1)})
    if isinstance(factor, Ite) and factor.reduces:
        then, other = unreduced(factor.then), unreduced(factor.other)
        if then is None or other is None or then[1] != other[1]:
            return None
        return atom(Ite(factor.condition, then[0], other[0])), then[1]
    return atom(factor), frozenset()
