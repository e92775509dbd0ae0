from datetime import date
from decimal import Decimal


def accrued_interest(
    face: Decimal,
    coupon_percent: Decimal,
    frequency: int,
    last_coupon: date,
    next_coupon: date,
    settlement: date,
) -> Decimal:
    if frequency not in {1, 2, 4}:
        raise ValueError("coupons are paid yearly, half-yearly or quarterly")
    if face < 0 or coupon_percent < 0:
        raise ValueError("face and coupon are not negative")
    if not last_coupon <= settlement <= next_coupon or last_coupon == next_coupon:
        raise ValueError("settlement lies outside the coupon period")
    # In whole numbers: face in cents, the coupon in ten-thousandths of a percent.
    top = int(face * 100) * int(coupon_percent * 10000) * (settlement - last_coupon).days
    bottom = 1_000_000 * frequency * (next_coupon - last_coupon).days
    return Decimal((2 * top + bottom) // (2 * bottom)) / 100
