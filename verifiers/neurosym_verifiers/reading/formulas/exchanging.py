"""Putting terms in the place of products and atoms, wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping

from neurosym_verifiers.reading.formulas.narrowing import Narrowing
from neurosym_verifiers.reading.formulas.terms import Atom, Monomial, Term, number


class Exchange(Narrowing):
    """``terms``: what is put in the place of a product, by its key (that of an atom is the atom's)."""

    def __init__(self, terms: Mapping[str, Term]) -> None:
        super().__init__({})
        self._terms = terms

    def term(self, term: Term) -> Term:
        total = number(0)
        for monomial, coefficient in term.parts:
            instead = self._terms.get(key_of(monomial))
            product = number(coefficient) if instead is None else number(coefficient) * instead
            for factor in monomial if instead is None else ():
                product = product * self._atom(factor)
            total = total + product
        return total

    def _touches(self, names: frozenset[str]) -> bool:
        return True

    def _rewritten(self, atom: Atom) -> Term:
        return self._terms.get(atom.key) or super()._rewritten(atom)


def key_of(monomial: Monomial) -> str:
    """Equal exactly for equal products."""
    return "*".join(factor.key for factor in monomial)
