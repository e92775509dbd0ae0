"""Where a region lies, place by place: the exact range of each number and date, the names that occur.

A region is the box of its ranges where nothing else is in that box; else some conditions tie places together, and stand
beside the ranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, either, negated
from neurosym_verifiers.reading.formulas.terms import Condition, number
from neurosym_verifiers.regions.asking import Asking, Assignment
from neurosym_verifiers.regions.places import Place


@dataclass(frozen=True, slots=True)
class End:
    """One end of a range, in steps, with inputs that reach it. Not ``sure``: there may be more beyond it."""

    steps: int
    reached: Assignment
    sure: bool


@dataclass(frozen=True, slots=True)
class Range:
    """The values at a place: from ``low`` to ``high``, or the ``options`` that occur."""

    place: Place
    low: End | None = None
    high: End | None = None
    options: tuple[Any, ...] = ()

    @property
    def condition(self) -> Condition:
        """That the value lies in it, if there is one; an end that is not sure sets no limit."""
        return either(negated(self.place.there), self._inside)

    @property
    def _inside(self) -> Condition:
        term, parts = self.place.term, []
        if term is None:
            return either(*(condition for value, condition in self.place.options if value in self.options))
        if self.low is not None and self.low.sure:
            parts.append(at_most(number(self.low.steps), term))
        if self.high is not None and self.high.sure:
            parts.append(at_most(term, number(self.high.steps)))
        return both(*parts)

    def beside(self, other: Range) -> Range:
        """The smallest range with both in it."""
        lows = [end for end in (self.low, other.low) if end is not None]
        highs = [end for end in (self.high, other.high) if end is not None]
        return Range(
            self.place,
            min(lows, key=lambda end: end.steps) if len(lows) == 2 else None,
            max(highs, key=lambda end: end.steps) if len(highs) == 2 else None,
            tuple(value for value, _ in self.place.options if value in self.options or value in other.options),
        )


@dataclass(frozen=True)
class Box:
    """A range for each place."""

    ranges: tuple[Range, ...]

    @cached_property
    def condition(self) -> Condition:
        return both(*(each.condition for each in self.ranges))

    def beside(self, other: Box) -> Box:
        return Box(tuple(a.beside(b) for a, b in zip(self.ranges, other.ranges, strict=True)))


def box_of(places: Sequence[Place], condition: Condition, asking: Asking) -> Box:
    """The smallest box around all inputs that fulfil a condition."""
    return Box(tuple(_range(place, condition, asking) for place in places))


def _range(place: Place, condition: Condition, asking: Asking) -> Range:
    term, condition = place.term, both(condition, place.there)
    if term is None:
        occurring = tuple(value for value, chosen in place.options if asking.possible((condition, chosen)))
        return Range(place, options=occurring)
    low, high = asking.least(term, condition), asking.greatest(term, condition)
    return Range(place, End(*low) if low else None, End(*high) if high else None)


def ties(conditions: Sequence[Condition], box: Box, asking: Asking) -> tuple[Condition, ...]:
    """Those of a region's conditions that do not follow from its ranges and the other ones."""
    left = [each for each in conditions if not asking.follows(box.condition, each)]
    for each in list(left):
        others = [other for other in left if other is not each]
        if len(left) > 1 and asking.follows(both(box.condition, *others), each):
            left = others
    return tuple(left)
