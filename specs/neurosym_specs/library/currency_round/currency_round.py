from decimal import ROUND_HALF_EVEN, Decimal

_UNITS = {
    "JPY": Decimal("1"),
    "ISK": Decimal("1"),
    "EUR": Decimal("0.01"),
    "USD": Decimal("0.01"),
    "CHF": Decimal("0.01"),
    "BHD": Decimal("0.001"),
    "KWD": Decimal("0.001"),
    "CLF": Decimal("0.0001"),
}


def currency_round(amount: Decimal, currency: str) -> Decimal:
    rounded = amount.quantize(_UNITS[currency], rounding=ROUND_HALF_EVEN)
    return abs(rounded) if rounded.is_zero() else rounded  # never a negative zero
