"""Python's functions of dates: ``date``, ``timedelta``, and those of ``calendar``."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many
from datetime import date

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.dates import is_date, known_day, leap, month_length, ordinal, weekday
from neurosym_verifiers.reading.data.exceptions import ILLEGAL_MONTH, OVERFLOW, VALUE_ERROR
from neurosym_verifiers.reading.data.operations import MOST_DAYS
from neurosym_verifiers.reading.data.values import Bool, Day, Days, Int, NotRead, Sequence, Value
from neurosym_verifiers.reading.execution.arguments import Call, check_plain, given
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, either, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, number

_C_INT = 2**31
"""A part of a date that is no C int is no ``ValueError``, as other parts that are none, but an ``OverflowError``."""


def date_of(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    """``date(year, month, day)``; parts that make no date raise."""
    names = ("year", "month", "day")
    known = given(names, arguments, keywords, line)
    if set(known) != set(names):
        raise NotRead("date() with these arguments", line)
    year, month, day = (numbers.as_int(known[name]) for name in names)
    beyond = (either(below(part, number(-_C_INT)), at_most(number(_C_INT), part)) for part in (year, month, day))
    state.raise_if(either(*beyond), OVERFLOW, line)
    parts = (year.constant, month.constant, day.constant)
    if None not in parts:
        try:
            return known_day(date(*[int(part) for part in parts if part is not None]))
        except (OverflowError, ValueError):
            state.raise_if(TRUE, VALUE_ERROR, line)
            return known_day(date(1, 1, 1))
    state.raise_if(negated(is_date(year, month, day)), VALUE_ERROR, line)
    return Day(ordinal(year, month, day), year, month, day)


def _timedelta(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if set(keywords) - {"days", "weeks"} or len(arguments) > 1:
        raise NotRead("a timedelta of other than whole days", line)
    known = given(("days", "weeks"), arguments, keywords, line)
    count = number(0)
    if "days" in known:
        count = numbers.as_int(known["days"])
    if "weeks" in known:
        count = count + number(7) * numbers.as_int(known["weeks"])
    if count.low is None or count.high is None or max(abs(count.low), abs(count.high)) > MOST_DAYS:
        raise NotRead("a timedelta that may be too large", line)
    return Days(count)


def _isleap(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    return Bool(leap(numbers.as_int(arguments[0])))


def _monthrange(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (2,), line)
    year, month = (numbers.as_int(a) for a in arguments)
    bad = negated(both(at_most(number(1), month), at_most(month, number(12))))
    state.raise_if(bad, ILLEGAL_MONTH, line)
    if year.low is None or year.low < 1 or year.high is None or year.high > 9999:
        raise NotRead("monthrange of a year that may lie outside the calendar", line)
    first = Day(ordinal(year, month, number(1)), year, month, number(1))
    return Sequence((Int(weekday(first)), Int(month_length(year, month))), False)


DATE_FUNCTIONS: dict[str, Call] = {
    "datetime.date": date_of,
    "datetime.timedelta": _timedelta,
    "calendar.isleap": _isleap,
    "calendar.monthrange": _monthrange,
}
