from datetime import date


def days_30e_360(start: date, end: date) -> int:
    if end < start:
        raise ValueError("the end lies before the start")
    first = 30 if start.day == 31 else start.day
    last = 30 if end.day == 31 else end.day
    months = 12 * (end.year - start.year) + (end.month - start.month)
    return 30 * months + last - first
