from decimal import ROUND_HALF_UP, Decimal


def spread_bps(bid: Decimal, ask: Decimal) -> Decimal:
    if min(bid, ask) <= 0:
        raise ValueError("prices are positive")
    if ask < bid:
        raise ValueError("the quote is crossed")
    return (20000 * (ask - bid) / (bid + ask)).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
