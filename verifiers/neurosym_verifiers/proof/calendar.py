"""Dates as days of a year, without months: enough where only their order and their years count.

The ordinal of a date input, a long formula of its year, month and day, becomes a number of its own, of which nothing is
known but that it lies in its year. What nothing fulfils then, nothing fulfils with the ordinals as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neurosym_verifiers.reading.data.dates import ordinal
from neurosym_verifiers.reading.formulas.bounds import ANY, Bounds, Spans, inside
from neurosym_verifiers.reading.formulas.narrowing import Narrowing
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both
from neurosym_verifiers.reading.formulas.terms import Condition, Term, Var, number, variable


@dataclass(frozen=True, slots=True)
class _Date:
    """The ordinal of a date as it is computed, and the number that stands for it."""

    computed: Term
    stands: Term


def by_days(condition: Condition, bounds: Spans) -> tuple[Condition, Spans]:
    """A condition that is fulfilled wherever the given one is, with the bounds of its variables."""
    dates: dict[str, _Date] = {}
    facts: list[Condition] = []
    names: dict[str, Bounds] = {}
    for name in bounds:
        place = name.removesuffix(".day")
        spans = [bounds.get(f"{place}.{part}", ANY) for part, _ in _PARTS]
        if place == name or not all(inside(span, most) for span, (_, most) in zip(spans, _PARTS, strict=True)):
            continue
        year, month, day = (variable(f"{place}.{part}", *span) for span, (part, _) in zip(spans, _PARTS, strict=True))
        stands = variable(f"{place}.ordinal", *ANY)
        first = ordinal(year, number(1), number(1))
        last = ordinal(year + number(1), number(1), number(1)) - number(1)
        facts += [at_most(first, stands), at_most(stands, last)]
        dates[name] = _Date(ordinal(year, month, day), stands)
        names[f"{place}.ordinal"] = ANY
    return both(_Ordinals(dates).condition(condition), *facts), {**bounds, **names}


_PARTS: tuple[tuple[str, Bounds], ...] = (("year", (1, 9998)), ("month", (1, 12)), ("day", (1, 31)))
"""The parts of a date, and between what they lie; then the ordinal lies in the year, the 31st of February too."""


class _Ordinals(Narrowing):
    """Puts the numbers in the place of the ordinals, wherever a day is part of a sum."""

    def __init__(self, dates: Mapping[str, _Date]) -> None:
        super().__init__({})
        self._names = frozenset(dates)
        self._dates = dates

    def term(self, term: Term) -> Term:
        if not self._touches(term.names):
            return term
        exchanged = term
        for monomial, coefficient in term.parts:
            for at, factor in enumerate(monomial):
                date = self._dates.get(factor.name) if isinstance(factor, Var) else None
                if date is not None:
                    rest = Term([((*monomial[:at], *monomial[at + 1 :]), coefficient)])
                    changed = exchanged + rest * (date.stands - date.computed)
                    if len(changed.parts) < len(exchanged.parts):
                        exchanged = changed
        return super().term(exchanged)
