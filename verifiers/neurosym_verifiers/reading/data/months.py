"""Months of date inputs as numbers of their own: the day before the first as weeks and a day of the week, and a length.

Where only the place of dates in their month counts, and the day of the week, a date is a month and a day of it. The
month is any number of days, from 28 to 31, that begins on any day of the week; how these depend on its year is a fact
that may be left out (``month_facts``). A date some days from an input is a day of the same month or of one beside it,
its weekday a remainder of a small number, and months are compared by comparing days with lengths.

A name of an input's part has an ``@`` in it, as no other variable has; so an input's month is known again by its names.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from neurosym_verifiers.reading.formulas.terms import Monomial, Term, Var, number, variable

_YEAR, _MONTH, _DAY = "@year", "@month", "@day"
_WEEKS, _WEEKDAY, _LENGTH = "@weeks", "@weekday", "@length"

PARTS_OF_MONTH = (_YEAR, _MONTH, _WEEKS, _WEEKDAY, _LENGTH)
"""How the names end of what the month of an input is made of."""

_DAYS = date.max.toordinal()


@dataclass(frozen=True, slots=True)
class Month:
    """The month of a date input. ``before``: the ordinal of the day before its first one."""

    year: Term
    month: Term
    before: Term
    length: Term


def input_month(name: str, low: int, high: int) -> Month:
    """The month of an input, in a year between two."""
    year = variable(name + _YEAR, low, high)
    first, last = date(low, 1, 1).toordinal() - 1, date(high, 12, 1).toordinal() - 1
    weeks = variable(name + _WEEKS, first // 7, last // 7)
    before = number(7) * weeks + variable(name + _WEEKDAY, 0, 6)
    return Month(year, variable(name + _MONTH, 1, 12), before, variable(name + _LENGTH, 28, 31))


def input_day_number(name: str) -> Term:
    """The day of an input in its month."""
    return variable(name + _DAY, 1, 31)


def month_of(year: Term, month: Term) -> Month | None:
    """The month with a year and a number, if it is seen to be that of an input."""
    its, own = _variable(year), _variable(month)
    if its is None or own is None or not own.name.endswith(_MONTH):
        return None
    name = own.name.removesuffix(_MONTH)
    if its.name != name + _YEAR:
        return None
    found = input_month(name, *_years(its.low, its.high))
    return Month(year, month, found.before, found.length)


def month_around(ordinal: Term) -> tuple[Month, Term] | None:
    """The month of an input from which an ordinal is counted, and which day of it that is; it may lie outside."""
    weeks = [f for monomial, c in ordinal.parts if c == 7 and (f := _one(monomial)) and f.name.endswith(_WEEKS)]
    if len(weeks) != 1:
        return None
    name = weeks[0].name.removesuffix(_WEEKS)
    low = None if weeks[0].low is None else date.fromordinal(min(max(7 * weeks[0].low + 1, 1), _DAYS)).year
    high = None if weeks[0].high is None else date.fromordinal(min(max(7 * weeks[0].high + 7, 1), _DAYS)).year
    month = input_month(name, *_years(low, high))
    day = ordinal - month.before
    return None if {name + _WEEKS, name + _WEEKDAY} & day.names else (month, day)


def as_in_month(name: str, day: date) -> dict[str, int | bool]:
    """The assignment that stands for a date."""
    weeks, weekday = divmod(day.replace(day=1).toordinal() - 1, 7)
    parts = {_YEAR: day.year, _MONTH: day.month, _DAY: day.day, _WEEKS: weeks, _WEEKDAY: weekday}
    parts[_LENGTH] = monthrange(day.year, day.month)[1]
    return {name + part: number for part, number in parts.items()}


def date_in_month(name: str, year: int, assignment: Mapping[str, int | bool]) -> date:
    """The date that an assignment stands for; what it leaves out is at its simplest.

    A month of an assignment may be longer than the one of its year in the calendar: then it is the last day of that.
    """
    month, day = (int(assignment.get(name + part, 1)) for part in (_MONTH, _DAY))
    in_year = int(assignment.get(name + _YEAR, year))
    return date(in_year, month, min(day, monthrange(in_year, month)[1]))


def inputs_by_months(names: frozenset[str]) -> list[str]:
    """The date inputs whose months are spoken of, by the names of their parts."""
    return sorted({name.split("@")[0] for name in names if "@" in name})


def _years(low: int | None, high: int | None) -> tuple[int, int]:
    first, last = max(low or 1, 1), min(high or 9999, 9999)
    return (first, last) if first <= last else (last, last)  # a path on which nothing lies


def _variable(term: Term) -> Var | None:
    return _one(term.parts[0][0]) if len(term.parts) == 1 and term.parts[0][1] == 1 else None


def _one(monomial: Monomial) -> Var | None:
    return monomial[0] if len(monomial) == 1 and isinstance(monomial[0], Var) else None
