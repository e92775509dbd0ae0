"""Products of sums as unknown numbers of which the order is known: enough to see that more hours at a rate cost more.

What a term multiplies with one atom is put together (``r * m + 2 * r * n`` is ``(m + 2 * n) * r``), and the
product of the two is a fresh integer. About each pair of products what follows from the order of their factors is
asserted. The bounds used are those of the universe.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from math import gcd
from typing import Any

import z3  # type: ignore[import-untyped]

from neurosym_verifiers.proof.products import Product, both_larger, same_right, signs
from neurosym_verifiers.proof.z3_terms import Translation
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.terms import Atom, Ite, Monomial, Term, Var, number

_MOST_PRODUCTS = 60
_FEW_PRODUCTS = 6


class FactoredTranslation(Translation):
    """Translates into one solver's context; ``facts`` grow with the products.

    ``composed``: whether each product is also said to be the sum, or the choice, of the products of its parts.
    """

    def __init__(self, bounds: Spans, context: Any = None, *, composed: bool = False) -> None:
        super().__init__(bounds, context, products=False)
        self._composed = composed
        self._known: dict[str, Product] = {}

    def term(self, term: Term) -> Any:
        products = [(monomial, coefficient) for monomial, coefficient in term.parts if len(monomial) > 1]
        if not products:
            return super().term(term)
        self.abstracted = True
        total = super().term(Term((m, c) for m, c in term.parts if len(m) < 2))
        while products:
            counts = Counter(factor for monomial, _ in products for factor in dict.fromkeys(monomial))
            factor = max(counts, key=lambda each: (isinstance(each, Var), counts[each], each.key))
            with_it = [(m, c) for m, c in products if factor in m]
            products = [(m, c) for m, c in products if factor not in m]
            rest = number(0)
            for monomial, coefficient in with_it:
                rest = rest + Term([(_without(monomial, factor), coefficient)])
            total = total + self._times(rest, factor)
        return total

    def _times(self, left: Term, right: Atom) -> Any:
        """``left * right``; a common whole factor and the sign stand outside of the product."""
        if left.constant is not None:
            if self._composed:
                self._constant(left.constant, right)
            return left.constant * self._atom(right)
        scale = reduce(gcd, (c for _, c in left.parts), 0)
        if left.parts[-1][1] < 0:
            scale = -scale
        return scale * self._product_of(Term((m, c // scale) for m, c in left.parts), right).value

    def _product_of(self, left: Term, right: Atom) -> Product:
        key = f"{left.key}*{right.key}"
        known = self._known.get(key)
        if known is None:
            low, high = self._range(right)
            factors = self.term(left), self._atom(right)
            # the factors have named their own products by now
            value = self.fresh(f"factored!{len(self._known)}", real=any(z3.is_real(each) for each in factors))
            known = self._known[key] = Product(*factors, value, low, high, right.key)
            if self._composed:
                self.facts.append(value == self._made_of(left, right, value))
            self._about(known)
        return known

    def _constant(self, left: int, right: Atom) -> None:
        """A product with a number is no product; the others are held beside it."""
        key = f"{left}*{right.key}"
        if key not in self._known:
            one = z3.IntVal(left, self.context)
            known = Product(one, self._atom(right), one * self._atom(right), *self._range(right), right.key)
            self._about(known)
            self._known[key] = known

    def _made_of(self, left: Term, right: Atom, value: Any) -> Any:
        """A product by the products of its parts: a sum is multiplied part by part, a choice on either side."""
        if len(left.parts) > 1:
            total = z3.IntVal(0, self.context)
            for monomial, coefficient in left.parts:
                part = Term([(monomial, 1)]) if monomial else number(1)
                total = total + coefficient * self._times(part, right)
            return total
        monomial = next(iter(left.parts))[0]
        if len(monomial) == 1 and isinstance(monomial[0], Ite):
            choice = monomial[0]
            then, other = self._times(choice.then, right), self._times(choice.other, right)
            return z3.If(self.condition(choice.condition), then, other)
        return value

    def twins(self) -> list[tuple[Any, Any]]:
        """Pairs of products with the same right factor: whether their left factors are equal, and that they are."""
        products = list(self._known.values())
        return [
            (one.left == turned.left, one.value == turned.value)
            for i, one in enumerate(products)
            for other in products[i + 1 :]
            if one.key == other.key
            for turned in (other, other.turned)
        ]

    def _about(self, new: Product) -> None:
        """What is known of a product alone, and beside each of those before it."""
        self.facts += same_right(new.nothing, new)
        self.facts += signs(new)
        if len(self._known) > _MOST_PRODUCTS:
            return
        for old in [each for each in self._known.values() if each is not new]:
            for one in (old, old.turned):  # which sign a factor was written with says nothing
                if old.key == new.key:
                    self.facts += same_right(one, new)
                elif len(self._known) <= _FEW_PRODUCTS or _same_input(old.key, new.key):
                    self.facts += both_larger(one, new)
                    self.facts += both_larger(new, one)


def _same_input(one: str, other: str) -> bool:
    """Whether two variables are the same input of two runs of a relation."""
    return "." in one and one.partition(".")[2] == other.partition(".")[2]


def _without(monomial: Monomial, factor: Atom) -> Monomial:
    at = monomial.index(factor)
    return (*monomial[:at], *monomial[at + 1 :])
