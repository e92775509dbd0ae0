from decimal import Decimal


def final_instalment(price: Decimal, count: int) -> Decimal:
    if price <= 0 or count < 1:
        raise ValueError("nothing to pay, or nothing to pay it in")
    cents = int(price * 100)
    regular, left = divmod(cents, count)
    return Decimal(regular + left) / 100
