"""Sums that count under how many conditions something holds: whether that is none is a question without numbers."""

from __future__ import annotations

from neurosym_verifiers.reading.formulas.terms import Condition, Ite, Term


def counted_in(term: Term) -> list[Condition] | None:
    """The conditions that a sum counts, each so often as it has a weight; None if it is no such sum."""
    found: list[Condition] = []
    for monomial, coefficient in term.parts:
        if coefficient < 1 or len(monomial) != 1 or not isinstance(monomial[0], Ite):
            return None
        bit = monomial[0]
        if bit.then.constant != 1 or bit.other.constant != 0:
            return None
        found.append(bit.condition)
    return found or None
