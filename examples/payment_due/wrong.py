from datetime import date, timedelta


def payment_due(invoiced: date, months: int) -> date:
    if months < 0:
        raise ValueError("the number of months is negative")
    # a month is not thirty days
    due = invoiced + timedelta(days=30 * months)
    if due.weekday() >= 5:
        due += timedelta(days=7 - due.weekday())
    return due
