from decimal import ROUND_HALF_UP, Decimal


def discounted_price(price: Decimal, discount_percent: Decimal) -> Decimal:
    if not 0 <= discount_percent <= 100:
        raise ValueError("a discount lies between 0 % and 100 %")
    exact = price * (100 - discount_percent) / 100
    return exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
