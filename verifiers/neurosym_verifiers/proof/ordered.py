"""Products of single atoms as unknown numbers of which the order is known.

Sums are multiplied out and choices drawn outside first, so ``min(income, limit) * rate`` is one of ``income * rate``
and ``limit * rate``; of these it is known which is larger wherever it is known whether the income or the limit is.
What both sides of a comparison multiply with the same factor is then compared in linear arithmetic alone.
"""

from __future__ import annotations

from typing import Any

from neurosym_verifiers.proof.products import Product, same_right
from neurosym_verifiers.proof.z3_terms import Translation
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import Monomial

_MOST_WITH_ONE_FACTOR = 24
"""Each product is held beside all those with the same factor, so their facts grow with the square."""


class OrderedTranslation(Translation):
    """Translates into one solver's context; ``facts`` grow with the products."""

    def __init__(self, bounds: Spans, context: Any = None) -> None:
        super().__init__(bounds, context, products=False)
        self._with_factor: dict[str, list[Product]] = {}
        self.multiplied: list[Product] = []

    def _about_product(self, monomial: Monomial, value: Any) -> None:
        super()._about_product(monomial, value)
        for at, right in enumerate(monomial):
            if right not in monomial[:at]:
                left = self._product(monomial[:at] + monomial[at + 1 :])
                self._about(Product(left, self._atom(right), value, *self._range(right), right.key))

    def _about(self, new: Product) -> None:
        self.multiplied.append(new)
        known = self._with_factor.setdefault(new.key, [new.nothing])
        if len(known) > _MOST_WITH_ONE_FACTOR:
            return
        for old in known:
            self.facts += same_right(old, new)
        known.append(new)
