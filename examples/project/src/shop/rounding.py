"""How this shop rounds, in one place."""

from decimal import ROUND_HALF_UP, Decimal


def to_cent(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
