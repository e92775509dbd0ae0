from calendar import monthrange
from datetime import date, timedelta


def payment_due(invoiced: date, months: int) -> date:
    if months < 0:
        raise ValueError("the number of months is negative")
    year, month_index = divmod(invoiced.year * 12 + invoiced.month - 1 + months, 12)
    last_day = monthrange(year, month_index + 1)[1]
    due = date(year, month_index + 1, min(invoiced.day, last_day))
    if due.weekday() >= 5:
        due += timedelta(days=7 - due.weekday())
    return due
