from decimal import ROUND_HALF_UP, Decimal


def penalty_interest(amount: Decimal, days_late: int) -> Decimal:
    if amount < 0:
        raise ValueError("the amount is negative")
    percent_days = 0
    if days_late > 90:
        percent_days += 12 * (days_late - 90)
        days_late = 90
    if days_late > 30:
        percent_days += 8 * (days_late - 30)
        days_late = 30
    if days_late > 0:
        percent_days += 5 * days_late
    return (amount * percent_days / 36500).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
