from decimal import Decimal


def margin_requirement(quantity: int, price: Decimal) -> Decimal:
    price_cents = int(price * 100)
    if price_cents <= 0:
        raise ValueError("the price is not positive")
    if quantity >= 0:
        cents = -(-quantity * price_cents // 4)
    elif price_cents < 500:
        cents = -quantity * max(250, price_cents)
    else:
        cents = max(-quantity * 500, -(quantity * price_cents * 3 // 10))
    return Decimal(cents) / 100
