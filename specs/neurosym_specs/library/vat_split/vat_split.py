from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple


class Split(NamedTuple):
    net: Decimal
    vat: Decimal


def vat_split(gross: Decimal, rate_percent: Decimal) -> Split:
    if rate_percent < 0:
        raise ValueError("the rate is negative")
    factor = 1 + rate_percent / 100
    net = (gross / factor).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return Split(net=net, vat=gross - net)
