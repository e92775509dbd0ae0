from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction


def simple_interest_act_360(principal: Decimal, rate_percent: Decimal, start: date, end: date) -> Decimal:
    if principal < 0:
        raise ValueError("the principal is negative")
    elapsed = end.toordinal() - start.toordinal()
    if elapsed < 0:
        raise ValueError("the end lies before the start")
    cents = round(Fraction(principal) * Fraction(rate_percent) * elapsed / 360)  # half even, as round() is
    return Decimal(cents).scaleb(-2).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)
