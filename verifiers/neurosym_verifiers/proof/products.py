"""What is known of products from the order of their factors, without multiplying.

All of it holds of the true products, so what has no solution with unknown numbers for them has none with them either.
For two factors within constant bounds this is McCormick's relaxation (Mathematical Programming 10, 1976).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import z3  # type: ignore[import-untyped]

from neurosym_verifiers.reading.formulas.bounds import Bound


@dataclass(frozen=True, slots=True)
class Product:
    """``value`` stands for ``left * right``; ``low`` and ``high`` are bounds of the right factor, ``key`` names it."""

    left: Any
    right: Any
    value: Any
    low: Bound
    high: Bound
    key: str

    @property
    def turned(self) -> Product:
        """The product with its left factor's sign, and so its own, turned."""
        return replace(self, left=-self.left, value=-self.value)

    @property
    def nothing(self) -> Product:
        """Zero times the same right factor."""
        return replace(self, left=0 * self.left, value=0 * self.value)


def same_right(one: Product, other: Product) -> list[Any]:
    """Products with the same right factor r in [low, high]: where x <= y, low (y - x) <= y r - x r <= high (y - x)."""
    found: list[Any] = []
    for a, b in ((one, other), (other, one)):
        ordered, apart, step = a.left <= b.left, b.left - a.left, b.value - a.value
        if a.low is not None:
            found.append(z3.Implies(ordered, step >= a.low * apart))
        found.append(z3.Implies(z3.And(ordered, a.right >= 0), step >= 0))
        if a.high is not None:
            found.append(z3.Implies(ordered, step <= a.high * apart))
    found.append(z3.Implies(one.left == other.left, one.value == other.value))
    return found


def signs(of: Product) -> list[Any]:
    """The sign of a product, and that a product with zero is zero."""
    return [
        z3.Implies(z3.Or(of.left == 0, of.right == 0), of.value == 0),
        z3.Implies(z3.And(of.left >= 0, of.right >= 0), of.value >= 0),
        z3.Implies(z3.And(of.left <= 0, of.right <= 0), of.value >= 0),
        z3.Implies(z3.And(of.left >= 0, of.right <= 0), of.value <= 0),
        z3.Implies(z3.And(of.left <= 0, of.right >= 0), of.value <= 0),
    ]


def both_larger(small: Product, large: Product) -> list[Any]:
    """0 <= x <= y and 0 <= r <= s: x r <= y s. With equal factors the products are equal."""
    ordered = z3.And(small.left >= 0, small.left <= large.left, small.right >= 0, small.right <= large.right)
    equal = z3.And(small.left == large.left, small.right == large.right)
    return [z3.Implies(ordered, small.value <= large.value), z3.Implies(equal, small.value == large.value)]
