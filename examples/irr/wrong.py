from decimal import Decimal


def irr(flows: list[Decimal]) -> float:
    amounts = [float(flow) for flow in flows]

    def npv(rate: float) -> float:
        # counts the years from the second flow, as spreadsheets' NPV does, and adds today's as it is
        return amounts[0] + sum(amount / (1 + rate) ** year for year, amount in enumerate(amounts[1:]))

    low, high = -0.9, 10.0
    rising = npv(high) > 0
    for _ in range(60):
        middle = (low + high) / 2
        if (npv(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2
