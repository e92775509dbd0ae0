"""What the answers have to do with each other that a list gives which is only looked into.

Of equals the answers are the same; and of different things, no more are in the list than it may have. What holds for
all answers of which this is true holds for all lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import TypeAlias

from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.members import Belongs, SameMembers
from neurosym_verifiers.reading.formulas.narrowing import Narrowing
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, choose, either, negated, zero
from neurosym_verifiers.reading.formulas.terms import TRUE, Atom, Condition, Term, Var, number
from neurosym_verifiers.reading.formulas.terms import atom as atom_of
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.simplification.substituting import everywhere

_MOST_TESTS = 400

Asked: TypeAlias = tuple[Belongs, Term]
"""A question, and what it asks about as it is anywhere, not only where it is asked."""


def facts_about(condition: Condition, bounds: Spans, *, counted: bool = True) -> Condition:
    """What holds of all the answers that a condition speaks of, wherever they are asked for.

    ``bounds``: those of the variables. ``counted``: also that no more things are in a list than it may have. Nothing
    (true) where the answers are too many.
    """
    tests: dict[str, list[Asked]] = defaultdict(list)
    same: list[SameMembers] = []
    for part in parts_of(condition):
        if isinstance(part, Belongs) and (term := everywhere(part.term, bounds)) is not None:
            tests[part.of].append((part, term))
        elif isinstance(part, SameMembers):
            same.append(part)
    if sum(len(each) for each in tests.values()) > _MOST_TESTS:
        return TRUE
    found = [fact for each in tests.values() for fact in _of_equals(combinations(each, 2))]
    if counted:
        found += [fact for each in tests.values() for fact in _no_more(each)]
    for alike in same:
        one, other = sorted(alike.lists)
        found += [either(negated(alike), fact) for fact in _of_equals(product(tests[one], tests[other]))]
    return both(*found)


def _of_equals(pairs: Iterable[tuple[Asked, Asked]]) -> Iterator[Condition]:
    """Of equals the answers are the same."""
    for (a, one), (b, other) in pairs:
        apart = one - other
        if apart.constant in (None, 0) and a.name != b.name:
            yield either(negated(zero(apart)), both(either(negated(a), b), either(a, negated(b))))


def _no_more(tests: Iterable[Asked]) -> Iterator[Condition]:
    """Of numbers that are surely different, no more are in the list than it may have."""
    kin: dict[str, dict[int, Belongs]] = defaultdict(dict)
    for test, term in tests:
        offset = next((coefficient for monomial, coefficient in term.parts if not monomial), 0)
        kin[(term - number(offset)).key][offset] = test
    for found in kin.values():
        most = next(iter(found.values())).most
        if len(found) > most:
            total = number(0)
            for each in found.values():
                total = total + choose(each, number(1), number(0))
            yield at_most(total, number(most))


def of_one_list(condition: Condition, lists: Iterable[str]) -> Condition:
    """A condition on lists that are the same, asked of the first of them."""
    one, *others = sorted(lists)
    return _OfOne(one, frozenset(others)).condition(condition)


class _OfOne(Narrowing):
    """Puts one list in the place of some that are the same."""

    def __init__(self, one: str, others: frozenset[str]) -> None:
        super().__init__({})
        self._one, self._others = one, others

    def _touches(self, names: frozenset[str]) -> bool:
        return bool(names)

    def _rewritten(self, atom: Atom) -> Term:
        return atom_of(atom) if isinstance(atom, Var) else super()._rewritten(atom)

    def _rewritten_condition(self, condition: Condition) -> Condition:
        if isinstance(condition, Belongs):
            of = self._one if condition.of in self._others else condition.of
            return Belongs(of, condition.most, self.term(condition.term))
        return super()._rewritten_condition(condition)
