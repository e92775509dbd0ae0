from decimal import ROUND_HALF_UP, Decimal

LOW = Decimal("10000")
HIGH = Decimal("50000")


def tiered_commission(sales: Decimal) -> Decimal:
    if sales < 0:
        raise ValueError("sales are negative")
    if sales <= LOW:
        commission = sales * Decimal("0.05")
    elif sales <= HIGH:
        commission = Decimal("500") + (sales - LOW) * Decimal("0.075")
    else:
        commission = Decimal("3500") + (sales - HIGH) * Decimal("0.10")
    return commission.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
