"""Where items stand once they are sorted, as numbers of their own, and what then stands at a place.

The rank of an item is how many others go before it, a sum of one bit for each pair. A program that sorts asks little
more of these sums than that they are the numbers from 0 on, each once; so they are atoms, and what they are made of is
looked at only where that does not suffice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from neurosym_verifiers.reading.formulas.terms import Atom, Condition, Ite, Term, atom, digest


class Order:
    """The ranks of some items, of which no two are equal, by what they are made of: a permutation of ``0 … n - 1``."""

    def __init__(self, sums: tuple[Term, ...]) -> None:
        self.sums = sums

    @cached_property
    def key(self) -> str:
        """Equal for the same ranks, in whatever order their items stand."""
        return digest(*sorted(each.key for each in self.sums))


class Rank(Atom):
    """The rank of one item of an order. Its bounds hold wherever the order is one."""

    def __init__(self, order: Order, at: int) -> None:
        self.order, self.at = order, at
        self.key = "r:" + digest(order.key, self.of.key)
        self.low, self.high = 0, len(order.sums) - 1

    @property
    def of(self) -> Term:
        """What it is: how many go before the item."""
        return self.order.sums[self.at]

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (self.of,)


def ranks(sums: tuple[Term, ...]) -> list[Term]:
    """The ranks of items as terms, each of its own order."""
    order = Order(sums)
    return [atom(Rank(order, at)) for at in range(len(sums))]


@dataclass(eq=False)
class Switch(Ite):
    """A choice of which it is known that exactly one of the conditions of its ``cases`` holds. To all that does not
    know that it is the choice of the first that holds."""

    cases: tuple[tuple[Condition, Term], ...] = ()

    @property
    def children(self) -> tuple[Term | Condition, ...]:
        return (*(part for case in self.cases for part in case), self.condition, self.then, self.other)


def switch(cases: tuple[tuple[Condition, Term], ...]) -> Term:
    """The term whose condition holds, of which exactly one does."""
    rest = cases[-1][1]
    for condition, term in cases[-2:0:-1]:
        rest = rest if term == rest else atom(Ite(condition, term, rest))
    condition, first = cases[0]
    if all(term == first for _, term in cases):
        return first
    return atom(Switch(condition, first, rest, cases))


def switch_in(term: Term) -> tuple[Switch, int, int] | None:
    """``(switch, coefficient, constant)``, if a term is a switch between numbers, times a number, and another one."""
    found: tuple[Switch, int] | None = None
    constant = 0
    for monomial, coefficient in term.parts:
        if not monomial:
            constant = coefficient
        elif found is None and len(monomial) == 1 and isinstance(monomial[0], Switch):
            found = monomial[0], coefficient
        else:
            return None
    if found is None or any(case.constant is None for _, case in found[0].cases):
        return None
    return found[0], found[1], constant


def values_of(term: Term) -> Iterator[tuple[Condition, int]]:
    """The numbers that a term may be, each with its condition, if it is what ``switch_in`` finds; none if not."""
    found = switch_in(term)
    if found is not None:
        for condition, case in found[0].cases:
            if case.constant is not None:
                yield condition, found[1] * case.constant + found[2]
