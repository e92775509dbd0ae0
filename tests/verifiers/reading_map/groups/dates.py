"""Dates and the calendar."""

# ruff: noqa: E501
# fmt: off
from __future__ import annotations

from tests.verifiers.reading_map.rows import Group, Row, rows

GROUPS = (
    Group(
        "date",
        (
            *rows("date", "date(2024, 2, 29)", ("date(day.year, 2, 29)", "raises `ValueError` in other years")),
            *rows("date", "date(day.year, 1, k)", "date(year=2024, month=1, day=k)", "day", "ever"),
            *rows("int", "day.year", "day.month", "day.day", "day.weekday()", "day.isoweekday()", "day.toordinal()"),
            *rows("int", "ever.weekday()", "ever.toordinal()", "day.isocalendar()[1]", "day.timetuple().tm_yday"),
            *rows("date", "day.replace(day=1)", ("day.replace(day=31)", "raises `ValueError`"), "day.replace(year=2023)"),
            *rows("date", "day.replace(month=k)", "day.replace(2024)", "date.fromordinal(730000 + x)"),
            *rows("date", "date.fromisoformat('2024-02-29')", "date.fromisoformat(text)", "date.min", "date.max"),
            Row("date.today() > day", "bool"),
            *rows("bool", "day < due", "day == due", "day >= date(2024, 2, 29)", "day in (due, date(2024, 1, 1))"),
            *rows("date", "max(day, due)", "min([day, due])", "day if on else due"),
            *rows("str", "str(day)", "day.isoformat()", "day.strftime('%Y-%m-%d')", "f'{day:%d.%m.%Y}'"),
        ),
        "The whole calendar, from the year 1 to 9999.",
    ),
    Group(
        "timedelta",
        (
            *rows("date", "day - timedelta(days=30)", "day + timedelta(x)"),
            Row(
                "day + timedelta(days=x)",
                "date",
                where="where the number of days has bounds",
                elsewhere="day + timedelta(days=whole)",
            ),
            *rows("date", "day + timedelta(weeks=2)", "timedelta(days=1) + day", ("ever + timedelta(days=x)", "overflows")),
            *rows("int", "(due - day).days", "abs(due - day).days", "(due - day) // timedelta(days=7)"),
            *rows("bool", "due - day > timedelta(days=30)", "due - day == timedelta(0)", "timedelta(hours=36).days == x"),
            *rows("date", "day + timedelta(days=x) * 2", "day + (due - day)", "day - -timedelta(days=1)"),
            *rows("int", "timedelta(hours=36).days + x", "(timedelta(days=x) + timedelta(days=y)).days"),
            Row("(due - day).total_seconds()", "float"),
            Row("(due - day) / timedelta(days=1)", "float"),
            Row("(datetime(2024, 1, 1, 12) - datetime(2023, 1, 1)).days + x", "int"),
            Row("datetime(2024, 1, 1).year + x", "int"),
        ),
    ),
    Group(
        "calendar",
        (
            *rows("bool", "calendar.isleap(day.year)", "calendar.isleap(x)"),
            *rows("int", "calendar.monthrange(day.year, day.month)[0]"),
            Row(
                "calendar.monthrange(day.year, day.month)[1]",
                "int",
                where="where the year is inside of the calendar",
                elsewhere="calendar.monthrange(2000 + big, 2)[1]",
            ),
            Row("calendar.monthrange(2023, k)[1]", "int", "raises `IllegalMonthError`"),
            *rows("int", "calendar.leapdays(2000, day.year)", "calendar.weekday(day.year, 1, 1)", "calendar.FRIDAY + x"),
        ),
    ),
)
