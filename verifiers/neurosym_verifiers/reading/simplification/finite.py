"""Conditions on a few flags and on variables of few values, by their tables: equal functions become one condition.

``region if region else "none"`` and ``"none" if region is None or region == "" else region`` name the same groups in
different words; where the table is small, it says so without a solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from math import prod

from neurosym_verifiers.reading.formulas.bounds import Bounds, Spans
from neurosym_verifiers.reading.formulas.budget import spend
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, number, variable

_MOST_VALUES = 8
_MOST_ROWS = 64


@dataclass(frozen=True)
class Table:
    """A condition's truth for all values of its ``names``, in the order of ``rows_of``."""

    names: tuple[str, ...]
    truths: tuple[bool, ...]

    @cached_property
    def always(self) -> bool:
        return all(self.truths)

    @cached_property
    def never(self) -> bool:
        return not any(self.truths)


class Tables:
    """The tables of conditions within the ``bounds`` of their variables; a name without bounds is a flag."""

    def __init__(self, bounds: Spans) -> None:
        self._bounds = bounds
        self._known: dict[tuple[str, tuple[str, ...]], Table | None] = {}
        self._sizes: dict[frozenset[str], bool] = {}
        self._written: dict[Table, Condition] = {}

    def small(self, names: frozenset[str]) -> bool:
        """Whether a table over these names is small enough."""
        known = self._sizes.get(names)
        if known is None:
            sizes = [len(self._values(name)) for name in names] if 0 < len(names) <= _MOST_VALUES else [0]
            known = self._sizes[names] = 0 < prod(sizes) <= _MOST_ROWS
        return known

    def of(self, condition: Condition, names: frozenset[str] | None = None) -> Table | None:
        """The table over the condition's own names, or over some that hold them.

        None where it is not ``small``, or where the condition has no value on some row.
        """
        over = condition.names if names is None else names
        if not self.small(over):
            return None
        ordered = tuple(sorted(over))
        key = (condition.key, ordered)
        if key not in self._known:
            try:
                truths = tuple(Evaluation(row).condition(condition) for row in self.rows(ordered))
            except (ZeroDivisionError, ValueError, OverflowError):
                self._known[key] = None
            else:
                spend(len(truths))
                self._known[key] = Table(ordered, truths)
        return self._known[key]

    def rows(self, names: tuple[str, ...]) -> Iterator[Mapping[str, int | bool]]:
        """All assignments of the names, the last one's value changing fastest."""
        return (dict(zip(names, row, strict=True)) for row in product(*map(self._values, names)))

    def written(self, table: Table) -> Condition:
        """The condition with a table: equal tables have the same, opposite ones its opposite."""
        if table.truths[0]:
            return negated(self.written(Table(table.names, tuple(not truth for truth in table.truths))))
        if table not in self._written:
            self._written[table] = self._write(table.names, table.truths)
        return self._written[table]

    def _values(self, name: str) -> tuple[int | bool, ...]:
        bounds: Bounds | None = self._bounds.get(name)
        if bounds is None:
            return (False, True)
        low, high = bounds
        if low is None or high is None or high - low >= _MOST_VALUES:
            return ()
        return tuple(range(low, high + 1))

    def _write(self, names: tuple[str, ...], truths: tuple[bool, ...]) -> Condition:
        if all(truths):
            return TRUE
        if not any(truths):
            return FALSE
        name, values = names[0], self._values(names[0])
        size = len(truths) // len(values)
        parts = [truths[i * size : (i + 1) * size] for i in range(len(values))]
        if name not in self._bounds:
            without, with_it = (self._write(names[1:], part) for part in parts)
            return _by_flag(Flag(name), with_it, without)
        groups = groupby(sorted(zip(parts, values, strict=True)), key=lambda pair: pair[0])
        ways = [
            (self._among(name, [value for _, value in same]), self._write(names[1:], part)) for part, same in groups
        ]
        if len(ways) == 1:
            return ways[0][1]
        if len(ways) == 2 and ways[1][1] == TRUE:
            return either(ways[1][0], ways[0][1])
        return either(*(both(here, holds) for here, holds in ways))

    def _among(self, name: str, wanted: list[int | bool]) -> Condition:
        low, high = self._bounds[name]
        term = variable(name, low, high)
        others = [value for value in self._values(name) if value not in wanted]
        if len(others) < len(wanted):
            return negated(either(*(equal(term, number(value)) for value in others)))
        return either(*(equal(term, number(value)) for value in wanted))


def _by_flag(flag: Condition, with_it: Condition, without: Condition) -> Condition:
    if with_it == without:
        return with_it
    if with_it == TRUE:
        return either(flag, without)
    if without == TRUE:
        return either(negated(flag), with_it)
    return either(both(flag, with_it), both(negated(flag), without))
