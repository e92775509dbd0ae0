from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from enum import Enum


class Direction(Enum):
    IN = "IN"
    OUT = "OUT"


@dataclass(frozen=True)
class Transaction:
    day: date
    direction: Direction
    cents: int


def cash_reports(transactions: list[Transaction]) -> list[date]:
    totals: dict[tuple[date, Direction], int] = defaultdict(int)
    for transaction in transactions:
        if transaction.cents <= 0:
            raise ValueError("amounts are positive")
        totals[transaction.day, transaction.direction] += transaction.cents
    return sorted({day for (day, _), cents in totals.items() if cents > 1_000_000})
