from datetime import date
from decimal import Decimal


def xirr(flows: list[tuple[date, Decimal]]) -> float:
    first = flows[0][0]
    dated = [((day - first).days / 360, float(amount)) for day, amount in flows]  # a year has 365 days here

    def npv(rate: float) -> float:
        return sum(amount / (1 + rate) ** years for years, amount in dated)

    low, high = -0.9, 10.0
    rising = npv(high) > 0
    for _ in range(60):
        middle = (low + high) / 2
        if (npv(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2
