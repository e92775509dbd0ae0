from decimal import Decimal
from enum import Enum


class Level(Enum):
    CLERK = 1
    MANAGER = 2
    DIRECTOR = 3
    BOARD = 4


def approval_level(amount: Decimal, high_risk: bool, new_payee: bool) -> Level:
    if amount <= 0:
        raise ValueError("the amount is not positive")
    if amount > 250_000:
        return Level.BOARD
    if amount > 25_000:
        return Level.BOARD if high_risk else Level.DIRECTOR
    if amount > 1_000:
        return Level.DIRECTOR if high_risk else Level.MANAGER
    return Level.MANAGER if high_risk or new_payee else Level.CLERK
