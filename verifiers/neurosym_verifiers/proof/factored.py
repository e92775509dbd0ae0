"""Products as unknown numbers of which the order is known: enough to see that more hours at a rate cost more.

What a term multiplies with one atom is put together (``r * m + 2 * r * n`` is ``(m + 2 * n) * r``), and the
product of the two is a fresh integer. About each pair of products what follows from the order of their factors is
asserted; all of it holds of the true products, so what has no solution then has none with them either. The bounds used
are those of the universe. (For two factors within constant bounds this is McCormick's relaxation.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd
from typing import Any

import z3  # type: ignore[import-untyped]

from neurosym_verifiers.proof.z3_terms import Translation
from neurosym_verifiers.reading.terms import Atom, Bound, Ite, Monomial, Term, Var, number

_MOST_PRODUCTS = 60
_FEW_PRODUCTS = 6


@dataclass(frozen=True, slots=True)
class _Product:
    """``value`` stands for ``left * right``; ``low`` and ``high`` are bounds of the right factor."""

    left: Any
    right: Any
    value: Any
    low: Bound
    high: Bound
    key: str


class FactoredTranslation(Translation):
    """Translates into one solver's context; ``facts`` grow with the products.

    ``composed``: whether each product is also said to be the sum, or the choice, of the products of its parts.
    """

    def __init__(self, bounds: Mapping[str, tuple[Bound, Bound]], *, composed: bool = False) -> None:
        super().__init__(bounds, products=False)
        self._composed = composed
        self._known: dict[str, _Product] = {}

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
            return z3.IntVal(left.constant) * self._atom(right)
        scale = reduce(gcd, (c for _, c in left.parts), 0)
        if left.parts[-1][1] < 0:
            scale = -scale
        return z3.IntVal(scale) * self._product_of(Term((m, c // scale) for m, c in left.parts), right).value

    def _product_of(self, left: Term, right: Atom) -> _Product:
        key = f"{left.key}*{right.key}"
        known = self._known.get(key)
        if known is None:
            low, high = self._range(right)
            factors = self.term(left), self._atom(right)
            value = z3.Int(f"factored!{len(self._known)}")  # the factors have named their own products by now
            known = self._known[key] = _Product(*factors, value, low, high, right.key)
            if self._composed:
                self.facts.append(value == self._made_of(left, right, value))
            self._about(known)
        return known

    def _constant(self, left: int, right: Atom) -> None:
        """A product with a number is no product; the others are held beside it."""
        key = f"{left}*{right.key}"
        if key not in self._known:
            one = z3.IntVal(left)
            known = _Product(one, self._atom(right), one * self._atom(right), *self._range(right), right.key)
            self._about(known)
            self._known[key] = known

    def _range(self, right: Atom) -> tuple[Bound, Bound]:
        return self._universe.get(right.name, (None, None)) if isinstance(right, Var) else (None, None)

    def _made_of(self, left: Term, right: Atom, value: Any) -> Any:
        """A product by the products of its parts: a sum is multiplied part by part, a choice on either side."""
        if len(left.parts) > 1:
            total = z3.IntVal(0)
            for monomial, coefficient in left.parts:
                part = Term([(monomial, 1)]) if monomial else number(1)
                total = total + z3.IntVal(coefficient) * self._times(part, right)
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
            for turned in (other, _turned(other))
        ]

    def _about(self, new: _Product) -> None:
        """What is known of a product alone, and beside each of those before it."""
        zero = z3.IntVal(0)
        nothing = _Product(zero, new.right, zero, new.low, new.high, new.key)
        self.facts += _same_right(nothing, new)
        self.facts += _signs(new)
        if len(self._known) > _MOST_PRODUCTS:
            return
        for old in [each for each in self._known.values() if each is not new]:
            for one in (old, _turned(old)):  # which sign a factor was written with says nothing
                if old.key == new.key:
                    self.facts += _same_right(one, new)
                elif len(self._known) <= _FEW_PRODUCTS or _same_input(old.key, new.key):
                    self.facts += _both_larger(one, new)
                    self.facts += _both_larger(new, one)


def _same_input(one: str, other: str) -> bool:
    """Whether two variables are the same input of two runs of a relation."""
    return "." in one and one.partition(".")[2] == other.partition(".")[2]


def _turned(product: _Product) -> _Product:
    """The product with its left factor's sign, and so its own, turned."""
    return replace(product, left=-product.left, value=-product.value)


def _without(monomial: Monomial, factor: Atom) -> Monomial:
    at = monomial.index(factor)
    return (*monomial[:at], *monomial[at + 1 :])


def _same_right(one: _Product, other: _Product) -> list[Any]:
    """Products with the same right factor r in [low, high]: where x <= y, low (y - x) <= y r - x r <= high (y - x)."""
    found: list[Any] = []
    for a, b in ((one, other), (other, one)):
        ordered, apart, step = a.left <= b.left, b.left - a.left, b.value - a.value
        if a.low is not None:
            found.append(z3.Implies(ordered, step >= z3.IntVal(a.low) * apart))
        found.append(z3.Implies(z3.And(ordered, a.right >= 0), step >= 0))
        if a.high is not None:
            found.append(z3.Implies(ordered, step <= z3.IntVal(a.high) * apart))
    found.append(z3.Implies(one.left == other.left, one.value == other.value))
    return found


def _signs(of: _Product) -> list[Any]:
    """The sign of a product, and that a product with zero is zero."""
    return [
        z3.Implies(z3.Or(of.left == 0, of.right == 0), of.value == 0),
        z3.Implies(z3.And(of.left >= 0, of.right >= 0), of.value >= 0),
        z3.Implies(z3.And(of.left <= 0, of.right <= 0), of.value >= 0),
        z3.Implies(z3.And(of.left >= 0, of.right <= 0), of.value <= 0),
        z3.Implies(z3.And(of.left <= 0, of.right >= 0), of.value <= 0),
    ]


def _both_larger(small: _Product, large: _Product) -> list[Any]:
    """0 <= x <= y and 0 <= r <= s: x r <= y s. With equal factors the products are equal."""
    ordered = z3.And(small.left >= 0, small.left <= large.left, small.right >= 0, small.right <= large.right)
    equal = z3.And(small.left == large.left, small.right == large.right)
    return [z3.Implies(ordered, small.value <= large.value), z3.Implies(equal, small.value == large.value)]
