from decimal import Decimal


def discounted_price(price: Decimal, discount_percent: Decimal) -> Decimal:
    if not 0 <= discount_percent <= 100:
        raise ValueError("a discount lies between 0 % and 100 %")
    # binary floating point: what lies exactly between two cents goes either way
    value = float(price) * (1 - float(discount_percent) / 100)
    return Decimal(str(round(value, 2)))
