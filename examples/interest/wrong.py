from datetime import date
from decimal import ROUND_HALF_UP, Decimal


def interest(principal: Decimal, rate: Decimal, start: date, end: date) -> Decimal:
    if end < start:
        raise ValueError("the end is before the start")
    months = (end.year - start.year) * 12 + end.month - start.month
    days = months * 30 + end.day - start.day
    exact = principal * rate * days / 360
    return exact.quantize(Decimal("0.01"), ROUND_HALF_UP)
