"""A small spec, candidates for it, and what a command line comes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

SPEC = """
spec = 1
name = "late_fee"
title = "Late fee on an overdue balance"
source = ["Cardholder agreement, clause 4.2"]

[inputs]
balance = { type = "decimal", places = 2, min = "-100.00", max = "10000.00", unit = "USD" }
days_overdue = { type = "int", min = 0, max = 60 }

[output]
type = "decimal"
places = 2
unit = "USD"

[[reject]]
id = "negative balance"
when = "balance < 0"
raises = "ValueError"

[reference]
value = "0 if days_overdue <= 10 else clamp(round(balance * 0.015, 2, half_up), 15, 75)"

[[ensure]]
id = "grace period"
source = "clause 4.2 (a)"
text = "Up to ten days there is no fee."
when = "days_overdue <= 10"
that = "result == 0"

[[example]]
in = { balance = "1000.00", days_overdue = 11 }
out = "15.00"
"""

RIGHT = """
from decimal import ROUND_HALF_UP, Decimal


def late_fee(balance: Decimal, days_overdue: int) -> Decimal:
    if balance < 0:
        raise ValueError("negative balance")
    if days_overdue <= 10:
        return Decimal("0.00")
    fee = (balance * Decimal("0.015")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return min(max(fee, Decimal("15.00")), Decimal("75.00"))
"""

WRONG = RIGHT.replace("days_overdue <= 10", "days_overdue < 10")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command line came to."""

    code: int
    out: str
    err: str


Neurosym = Callable[..., Ran]
