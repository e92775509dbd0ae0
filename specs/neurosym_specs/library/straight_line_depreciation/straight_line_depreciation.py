from decimal import Decimal


def straight_line_depreciation(cost: Decimal, residual: Decimal, life: int, year: int) -> Decimal:
    if residual < 0 or cost < residual:
        raise ValueError("the residual value is negative or above the cost")
    if life < 1 or year < 1:
        raise ValueError("years are counted from 1")
    if year > life:
        return Decimal("0.00")
    base_cents = int((cost - residual) * 100)

    def accumulated(k: int) -> int:
        return (2 * base_cents * k + life) // (2 * life)

    return Decimal(accumulated(year) - accumulated(year - 1)) / 100
