from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Literal

CENT = Decimal("0.01")


@dataclass(frozen=True)
class Payment:
    gross: Decimal
    tax: Decimal
    net: Decimal


def dividend_withholding(shares: int, per_share: Decimal, residence: Literal["OTHER", "TREATY", "EXEMPT"]) -> Payment:
    if shares < 1 or per_share < 0:
        raise ValueError("there is no such dividend")
    gross = (per_share * shares).quantize(CENT, rounding=ROUND_HALF_UP)
    percent = 25 if residence == "OTHER" else 15 if residence == "TREATY" else 0
    tax = (gross * percent / 100).quantize(CENT, rounding=ROUND_DOWN)
    return Payment(gross=gross, tax=tax, net=gross - tax)
