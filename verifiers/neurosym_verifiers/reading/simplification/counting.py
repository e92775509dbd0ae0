"""Whether more things would have to be in a list than it may have.

A loop that steps on while a day is closed goes through days of which each is a Saturday, a Sunday or in the list of
holidays. The day of the week on which it began says how many of them must be in the list, and when these are too many.
For a solver that is a pigeonhole, which it is slow to see; here it is a count for each value of the few that matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import product
from math import prod

from neurosym_verifiers.reading.formulas.bounds import ANY, Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.members import Belongs
from neurosym_verifiers.reading.formulas.narrowing import conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import either, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Or, number

_MOST_VALUES = 400

Needed = tuple[Belongs, Condition]
"""A question, and the condition under which its answer must be yes."""


class Counting:
    """Keeps the tables of the conditions that it has seen."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, tuple[tuple[str, int, int], ...]], int] = {}

    def needs(self, condition: Condition) -> int:
        """How many answers must be yes wherever a condition holds, perhaps unless something else does."""
        return sum(1 for _ in _needed(condition))

    def refutes(self, condition: Condition, bounds: Spans) -> bool:
        """Whether nothing fulfils a condition, since a list would need more things in it than it may have."""
        kin: dict[tuple[str, str], dict[int, Needed]] = defaultdict(dict)
        for test, where in _needed(condition):
            offset = next((coefficient for monomial, coefficient in test.term.parts if not monomial), 0)
            kin[(test.of, (test.term - number(offset)).key)][offset] = (test, where)
        try:
            return any(self._too_many(list(group.values()), condition, bounds) for group in kin.values())
        except (ArithmeticError, ValueError, OverflowError):  # a condition that has no value somewhere
            return False

    def _too_many(self, group: list[Needed], condition: Condition, bounds: Spans) -> bool:
        most = group[0][0].most
        if len(group) <= most:
            return False
        names = sorted(frozenset().union(*(where.names for _, where in group)))
        spans: list[tuple[str, int, int]] = []
        for name in names:
            low, high = bounds.get(name, ANY)
            if low is None or high is None:
                return False
            spans.append((name, low, high))
        if prod(max(high - low + 1, 0) for _, low, high in spans) > _MOST_VALUES:
            return False
        within = tuple(spans)
        left = self._table(TRUE, within)
        for part in conjuncts(condition):
            if part.names and part.names <= set(names):
                left &= self._table(part, within)
        tables = [self._table(where, within) for _, where in group]
        while left:
            row = left & -left
            if sum(1 for table in tables if table & row) <= most:
                return False
            left ^= row
        return True

    def _table(self, condition: Condition, spans: tuple[tuple[str, int, int], ...]) -> int:
        """One bit for each assignment of the variables: whether the condition holds there."""
        known = self._tables.get((condition.key, spans))
        if known is None:
            known = 0
            for row, values in enumerate(product(*(range(low, high + 1) for _, low, high in spans))):
                assignment = {name: value for (name, _, _), value in zip(spans, values, strict=True)}
                known |= Evaluation(assignment).condition(condition) << row
            self._tables[(condition.key, spans)] = known
        return known


def _needed(condition: Condition) -> Iterable[Needed]:
    """The questions whose answer is yes wherever a condition holds, perhaps unless something else does."""
    for part in conjuncts(condition):
        if isinstance(part, Belongs):
            yield part, TRUE
        elif isinstance(part, Or):
            tests = [each for each in part.parts if isinstance(each, Belongs)]
            rest = negated(either(*(each for each in part.parts if not isinstance(each, Belongs))))
            if len(tests) == 1 and not any("#" in name or " has " in name for name in rest.names):
                yield tests[0], rest
