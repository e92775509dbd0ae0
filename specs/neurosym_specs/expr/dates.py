"""The functions on dates."""

from __future__ import annotations

from calendar import isleap, monthrange
from datetime import date, timedelta
from typing import Any

from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.rational import needs_number, plain
from neurosym_specs.expr.undefined import Undefined


def needs_date(value: Any, what: str) -> date:
    if isinstance(value, date):
        return value
    raise Undefined(f"{what} needs a date, not {kind_of(value)}")


def needs_whole(value: Any, what: str) -> int:
    number = plain(needs_number(value, what))
    if type(number) is int:
        return number
    raise Undefined(f"{what} needs a whole number, not {number}")


def make_date(year: Any, month: Any, day: Any) -> date:
    if type(year) is not int or type(month) is not int or type(day) is not int:
        year, month, day = (needs_whole(part, "`date`") for part in (year, month, day))
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        raise Undefined(f"there is no date {year}-{month}-{day}") from None


def days(difference: Any) -> int:
    if isinstance(difference, timedelta):
        return difference.days
    raise Undefined(f"`days` needs the difference of two dates, not {kind_of(difference)}")


def add_months(day: Any, months: Any) -> date:
    """The same day of the month so many months later, or that month's last day where it is shorter."""
    start = needs_date(day, "`add_months`")
    year, month = divmod(start.year * 12 + start.month - 1 + needs_whole(months, "`add_months`"), 12)
    if not 1 <= year <= 9999:
        raise Undefined("a date outside the years 1 to 9999")
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def month_end(day: Any) -> date:
    start = needs_date(day, "`month_end`")
    return start.replace(day=monthrange(start.year, start.month)[1])


def leap(year: Any) -> bool:
    return isleap(needs_whole(year, "`leap`"))


def attribute(day: date, name: str) -> int:
    """``year``, ``month``, ``day``, or ``weekday`` (Monday is 0)."""
    return day.weekday() if name == "weekday" else int(getattr(day, name))
