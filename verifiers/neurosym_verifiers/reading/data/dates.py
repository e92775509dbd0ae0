"""The proleptic Gregorian calendar in terms: ordinals from years, months and days, leap years, lengths of months.

The formulas are those of Python's ``datetime`` (days before a year, days before a month).
"""

from __future__ import annotations

from datetime import date

from neurosym_verifiers.reading.data.months import Month, input_day_number, input_month, month_around, month_of
from neurosym_verifiers.reading.data.values import Day
from neurosym_verifiers.reading.formulas.normal_forms import (
    at_most,
    below,
    both,
    choose,
    either,
    equal,
    floor_div,
    modulo,
    negated,
)
from neurosym_verifiers.reading.formulas.ranks import switch
from neurosym_verifiers.reading.formulas.terms import Condition, DatePart, Term, Var, atom, number, variable

_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_LONG = (1, 3, 5, 7, 8, 10, 12)


def _within_1901_and(last: int, year: Term) -> bool:
    """Whether there is no year in a span that a century keeps from being a leap year; 2000 was one."""
    return year.low is not None and year.high is not None and year.low > 1900 and year.high <= last


def leap(year: Term) -> Condition:
    def divisible(by: int) -> Condition:
        return equal(modulo(year, number(by)), number(0))

    if _within_1901_and(2099, year):
        return divisible(4)
    return both(divisible(4), either(negated(divisible(100)), divisible(400)))


def month_length(year: Term, month: Term) -> Term:
    known = month_of(year, month)
    return known.length if known is not None else _counted_length(year, month)


def _counted_length(year: Term, month: Term) -> Term:
    february = choose(leap(year), number(29), number(28))
    longer = either(*(equal(month, number(m)) for m in _LONG))
    return choose(equal(month, number(2)), february, choose(longer, number(31), number(30)))


def is_date(year: Term, month: Term, day: Term) -> Condition:
    """Whether three numbers are a date of the calendar."""
    inside = both(at_most(number(1), year), at_most(year, number(9999)), at_most(number(1), month))
    return both(inside, at_most(month, number(12)), at_most(number(1), day), at_most(day, month_length(year, month)))


def _century_days(year: Term) -> Term:
    """How many of the years before, among those that 4 divides, were no leap years."""
    before = year - number(1)
    if _within_1901_and(2100, year):
        return number(15)
    return floor_div(before, number(100)) - floor_div(before, number(400))


def ordinal(year: Term, month: Term, day: Term) -> Term:
    """The ordinal of a valid date."""
    known = month_of(year, month)
    return known.before + day if known is not None else _counted(year, month, day)


def _counted(year: Term, month: Term, day: Term) -> Term:
    before = year - number(1)
    days = number(365) * before + floor_div(before, number(4)) - _century_days(year)
    in_year = number(_BEFORE[11])
    for m in range(11, 0, -1):
        in_year = choose(at_most(month, number(m)), number(_BEFORE[m - 1]), in_year)
    after_february = both(at_most(number(3), month), leap(year))
    return days + in_year + choose(after_february, number(1), number(0)) + day


def input_day(name: str, first: date, last: date) -> tuple[Day, Condition]:
    """A date input: year, month and day as variables, and the condition under which they are a date in its range."""
    year = variable(f"{name}.year", first.year, last.year)
    month = variable(f"{name}.month", 1, 12)
    day = variable(f"{name}.day", 1, 31)
    count = ordinal(year, month, day)
    valid = [at_most(day, month_length(year, month))]
    valid += [at_most(number(first.toordinal()), count), at_most(count, number(last.toordinal()))]
    return Day(count, year, month, day), both(*valid)


def input_day_of_month(name: str, first: date, last: date) -> tuple[Day, Condition]:
    """A date input as a day of a month that is a number of days, and the condition under which it is in its range.

    How long the month is, and where it begins, is known by its number and its year only (``month_facts``).
    """
    month, day = input_month(name, first.year, last.year), input_day_number(name)
    count = month.before + day
    valid = [at_most(day, month.length), at_most(number(first.toordinal()), count)]
    return Day(count, month.year, month.month, day), both(*valid, at_most(count, number(last.toordinal())))


def short_months(month: Month) -> Condition:
    """What the number of a month says of its length in any year."""
    february = both(equal(month.month, number(2)), at_most(month.length, number(29)))
    long = both(either(*(equal(month.month, number(m)) for m in _LONG)), equal(month.length, number(31)))
    others = either(*(equal(month.month, number(m)) for m in (4, 6, 9, 11)))
    return either(february, long, both(others, equal(month.length, number(30))))


def in_calendar(month: Month) -> Condition:
    """That a month is as long as the one of its year and number, and begins on the same day."""
    length = equal(month.length, _counted_length(month.year, month.month))
    return both(length, equal(month.before, _counted(month.year, month.month, number(0))))


def known_day(value: date) -> Day:
    return Day(number(value.toordinal()), number(value.year), number(value.month), number(value.day))


def day_of(count: Term) -> Day:
    """The date with an ordinal that lies in the calendar."""
    if count.constant is not None and 1 <= count.constant <= date.max.toordinal():
        return known_day(date.fromordinal(count.constant))
    if (around := month_around(count)) is not None and (found := _carried(count, *around)) is not None:
        return found
    last = date.max.toordinal()
    low = date.fromordinal(min(max(1 if count.low is None else count.low, 1), last)).year
    high = date.fromordinal(min(max(last if count.high is None else count.high, 1), last)).year
    year = atom(DatePart("year", count, low, high))
    month = atom(DatePart("month", count, 1, 12))
    return Day(count, year, month, atom(DatePart("day", count, 1, 31)))


_SHORTEST, _LONGEST = 28, 31
_MOST_MONTHS = 3


def _carried(count: Term, month: Month, day: Term) -> Day | None:
    """The date of a day of a month, which may lie in one of the next months, or of those before; None if in others."""
    if day.low is None or day.high is None:
        return None
    forward, back = -(-(day.high - _SHORTEST) // _SHORTEST), -(-(1 - day.low) // _SHORTEST)
    if max(forward, back) > _MOST_MONTHS:
        return None
    parts = (month.year, month.month, day)
    if forward > 0:
        parts = _forward(month.year, month.month, day, forward)
    if back > 0:
        under = at_most(day, number(0))
        parts = _chosen(under, _back(month.year, month.month, day, back), parts)
    return Day(count, *parts)


def _forward(year: Term, month: Term, day: Term, months: int) -> tuple[Term, Term, Term]:
    """Year, month and day of the one or another of the next so many months, or of this one."""
    if months == 0:
        return year, month, day
    length, turn = month_length(year, month), equal(month, number(12))
    after = choose(turn, year + number(1), year), choose(turn, number(1), month + number(1))
    return _chosen(below(length, day), _forward(*after, day - length, months - 1), (year, month, day))


def _back(year: Term, month: Term, day: Term, months: int) -> tuple[Term, Term, Term]:
    """Of a day that is before the first of this month, and not before that of the one so many months before."""
    turn = equal(month, number(1))
    before = choose(turn, year - number(1), year), choose(turn, number(12), month - number(1))
    moved = day + month_length(*before)
    if months == 1:
        return *before, moved
    return _chosen(at_most(moved, number(0)), _back(*before, moved, months - 1), (*before, moved))


def _chosen(where: Condition, there: tuple[Term, Term, Term], here: tuple[Term, Term, Term]) -> tuple[Term, Term, Term]:
    year, month, day = (choose(where, a, b) for a, b in zip(there, here, strict=True))
    return year, month, day


PARTS = {"year": (1, 9999), "month": (1, 12), "day": (1, 31)}
"""Between what the parts of a date lie."""


def part_of(part: str, count: Term) -> Term:
    """A part of the date with an ordinal. Where that need not lie in the calendar, no more is known of it than of all
    dates: the part is not used there, and what it would be must not say where that is."""
    if count.low is None or count.low < 1 or count.high is None or count.high > date.max.toordinal():
        return atom(DatePart(part, count, *PARTS[part]))
    found: Term = getattr(day_of(count), part)
    return found


NEAR = 28
"""Days that lead at most to the next month, or to the one before."""


def written(day: Day) -> bool:
    """Whether a date's parts are numbers or inputs, and not computed."""
    factors = (f for part in (day.year, day.month, day.day) for monomial, _ in part.parts for f in monomial)
    return all(isinstance(factor, Var) for factor in factors)


def near(day: Day, by: int) -> Day:
    """The date some days later or earlier, at most ``NEAR``, with its parts said by those of the other."""
    year, month, one = day.year, day.month, number(1)
    moved = day.day + number(by)
    if by > 0:
        length, turn = month_length(year, month), equal(month, number(12))
        over = below(length, moved)
        next_month = choose(turn, number(1), month + one)
        parts = (choose(turn, year + one, year), next_month, moved - length)
    else:
        turn = equal(month, one)
        over = at_most(moved, number(0))
        before = choose(turn, number(12), month - one)
        parts = (choose(turn, year - one, year), before, moved + month_length(year, before))
    found = (choose(over, there, here) for there, here in zip(parts, (year, month, moved), strict=True))
    return Day(day.ordinal + number(by), *found)


def weekday(day: Day) -> Term:
    """Monday is 0. Of dates that are counted from one input, by the remainder that this has: they share its cases."""
    since = day.ordinal + number(6)
    remainder = modulo(Term((m, c % 7) for m, c in since.parts if m and c % 7), number(7))
    if month_around(day.ordinal) is None or remainder.constant is not None:
        return modulo(since, number(7))
    turned = next((c for m, c in since.parts if not m), 0)
    return switch(tuple((equal(remainder, number(at)), number((at + turned) % 7)) for at in range(7)))
