from decimal import ROUND_HALF_UP, Decimal


def late_fee(balance: Decimal, days_overdue: int) -> Decimal:
    if balance < 0:
        raise ValueError("the balance is negative")
    if days_overdue <= 10:
        return Decimal("0.00")
    fee = (balance * Decimal("0.015")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return min(max(fee, Decimal("15.00")), Decimal("75.00"))
