"""How much an expression may use before it is stopped, and the meter that counts it."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym_specs.expr.undefined import BudgetExceeded


@dataclass(frozen=True, slots=True)
class Budget:
    """``steps`` of one evaluation (an item of a loop, a call of a definition, a piece of a long text or number),
    decimal ``digits`` of a number, ``elements`` of a list or characters of a text, ``bits`` of a real's enclosure."""

    steps: int = 1_000_000
    digits: int = 10_000
    elements: int = 100_000
    bits: int = 4_096


SMALL = 1 << 1024
"""Numbers between ``-SMALL`` and ``SMALL`` cost a step's time or less, and are not metered."""

_BITS_PER_DIGIT = 3.3219280948873626


class Meter:
    """Counts one evaluation's use of its budget. ``left`` is public because hot loops count it down themselves."""

    __slots__ = ("budget", "left", "most_bits")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.left = budget.steps
        self.most_bits = int(budget.digits * _BITS_PER_DIGIT) + 4

    def reset(self) -> None:
        self.left = self.budget.steps

    def out_of_steps(self) -> BudgetExceeded:
        return BudgetExceeded(f"needs more than {self.budget.steps:,} steps")

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise self.out_of_steps()

    def size(self, elements: int) -> None:
        """Admit a list or text of so many elements, and charge for building it."""
        if elements > self.budget.elements:
            raise BudgetExceeded(
                f"a list or text of {elements:,} elements; at most {self.budget.elements:,} are allowed"
            )
        self.left -= 1 + (elements >> 3)
        if self.left < 0:
            raise self.out_of_steps()

    def bits(self, bits: int) -> None:
        """Admit a number of so many bits, and charge for the arithmetic, which grows with their square."""
        if bits > self.most_bits:
            raise BudgetExceeded(f"a number of more than {self.budget.digits:,} digits")
        self.spend((bits >> 10) ** 2)
