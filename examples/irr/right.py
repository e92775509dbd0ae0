from decimal import Decimal


def irr(flows: list[Decimal]) -> float:
    amounts = [float(flow) for flow in flows]

    def npv(rate: float) -> float:
        return sum(amount / (1 + rate) ** year for year, amount in enumerate(amounts))

    low, high = -0.9, 10.0
    rising = npv(high) > 0
    for _ in range(60):
        middle = (low + high) / 2
        if (npv(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2
