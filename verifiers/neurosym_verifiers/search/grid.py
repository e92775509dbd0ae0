"""Numbers and dates of a type as points on a grid, so that one unit up or down means something.

The grid of an int is 1, of a decimal its last place, of a date one day. A float has no grid of its own: amounts are
what people put into them, so the last of ``places`` decimals, or a hundredth (finer where the whole range is small), is
taken, and every point is the float nearest to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import ceil, floor
from typing import Any

from neurosym_specs.types import (
    DateType,
    DecimalType,
    FloatType,
    FractionType,
    Interval,
    IntType,
    Type,
)
from neurosym_specs.values import WrittenDecimal

_FAR = 10**12
"""Where a range has no end, values are looked for up to here."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The points ``k * step`` with ``first <= k <= last`` that belong to a type."""

    type: Type
    step: Fraction
    first: int
    last: int

    def position(self, value: Any) -> Fraction | None:
        """Where a value lies, in steps; None for NaN, infinities and none."""
        if isinstance(value, date):
            return Fraction(value.toordinal())
        if isinstance(value, float) or value is None:
            return None
        return Fraction(value) / self.step

    def point(self, k: int) -> Any:
        """The value at a position, moved into the range; floats are the nearest ones."""
        return self._value(min(max(k, self.first), self.last))

    def nearest(self, exact: Fraction) -> Any:
        """The value of the type nearest to an exact number of units (for a date: an ordinal)."""
        return self.point(round(exact / self.step))

    @property
    def origin(self) -> int:
        """The simplest position: zero, or the end nearest to it; for dates the first of January 2000."""
        simplest = date(2000, 1, 1).toordinal() if isinstance(self.type, DateType) else 0
        return min(max(simplest, self.first), self.last)

    def _value(self, k: int) -> Any:
        match self.type:
            case IntType():
                return k
            case DateType():
                return date.fromordinal(k)
            case DecimalType(places=places):
                return WrittenDecimal(k * self.step, fewest_places(k * self.step, places))
            case FloatType():
                return Fraction(float(k * self.step))
            case _:
                return k * self.step


def fewest_places(value: Fraction, places: tuple[int, int] | None) -> int:
    """With how many decimals a decimal input is written: as few as its type allows and its value needs."""
    low, high = places if places is not None else (0, 28)
    for count in range(low, high):
        if (value * 10**count).denominator == 1:
            return count
    return high


def grid_of(type_: Type) -> Grid | None:
    """The grid of a numeric or date type; None for other types."""
    known = _known.get(id(type_))
    if known is None or known[0] is not type_:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[id(type_)] = (type_, _make_grid(type_))
    return known[1]


_MOST_KNOWN = 4096
_known: dict[int, tuple[Type, Grid | None]] = {}
"""Grids by the identity of their types, which are kept alive with them: asked for thousands of times in a search."""


def _make_grid(type_: Type) -> Grid | None:
    match type_:
        case IntType(min=low, max=high):
            step = Fraction(1)
        case DecimalType(min=low, max=high, places=places):
            step = Fraction(1, 10 ** (places[1] if places is not None else 6))
        case FloatType(min=low, max=high, places=places):
            step = Fraction(1, 10 ** (places if places is not None else _float_places(low, high)))
        case FractionType(min=low, max=high, max_denominator=largest):
            step = Fraction(1, largest if largest is not None else 12)
        case DateType(min=first, max=last):
            return Grid(type_, Fraction(1), first.toordinal(), last.toordinal())
        case _:
            return None
    low, high = _hull(type_, low, high)
    return Grid(
        type_,
        step,
        ceil(low / step) if low is not None else -_FAR,
        floor(high / step) if high is not None else _FAR,
    )


def _float_places(low: Fraction | None, high: Fraction | None) -> int:
    """Hundredths, or so many decimals that the range has some ten thousand points."""
    places = 2
    if low is not None and high is not None:
        while places < 12 and (high - low) * 10**places < 10_000:
            places += 1
    return places


def _hull(type_: Type, low: Fraction | None, high: Fraction | None) -> tuple[Fraction | None, Fraction | None]:
    """The range stretched over the intervals that ``also`` adds to it."""
    for extra in type_.also:
        if isinstance(extra, Interval) and not isinstance(extra.low, date) and not isinstance(extra.high, date):
            if low is not None and extra.low is not None:
                low = min(low, extra.low)
            if high is not None and extra.high is not None:
                high = max(high, extra.high)
    return low, high
