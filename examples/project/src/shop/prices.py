from decimal import Decimal

from shop.rounding import to_cent


def net_price(price: Decimal, discount_percent: Decimal) -> Decimal:
    return to_cent(price * (100 - discount_percent) / 100)
