"""The signs that polynomials over symbols and kernels may have on a domain, without a cover of boxes.

A set of signs is a subset of -1, 0 and 1. It comes of the signs of irreducible factors, each the sum of its parts; or
the sum of its parts with a multiple of a fact, as ``payment - principal * rate`` is positive by ``1.01 * principal *
rate <= payment`` and ``payment > 0``. All that is said holds where the kernels are defined.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from neurosym_verifiers.algebra.boxes import tightened
from neurosym_verifiers.algebra.expressions import Domain, Fact, exact
from neurosym_verifiers.algebra.kernels import Kernels
from neurosym_verifiers.algebra.polynomials import ONE, Poly, Product, Rational, TooComplex, constant, factors

Signs = frozenset[int]
ANY: Signs = frozenset((-1, 0, 1))
POSITIVE: Signs = frozenset((1,))
NEGATIVE: Signs = frozenset((-1,))
NOT_NEGATIVE: Signs = frozenset((0, 1))
NOT_POSITIVE: Signs = frozenset((-1, 0))
_MOST_FACTS = 40


class SignsOn:
    """Signs on one domain."""

    def __init__(self, domain: Domain, kernels: Kernels) -> None:
        self._ranges = tightened(domain).ranges
        self._kernels = kernels
        self._facts = [poly for fact in domain.facts[:_MOST_FACTS] for poly in polynomials(fact, kernels)]
        self._known: dict[Poly, Signs] = {}

    def of(self, value: Rational) -> Signs:
        """Those of a rational function where it is defined."""
        return _product(self.of_poly(value.num), self.of_divisor(value.den)) or ANY

    def of_divisor(self, poly: Poly) -> Signs:
        """Those of a denominator where what it divides is defined."""
        return self.of_poly(poly) - {0}

    def of_poly(self, poly: Poly) -> Signs:
        known = self._known.get(poly)
        if known is None:
            self._known[poly] = ANY  # while it is looked for
            known = self._known[poly] = self._found(poly)
        return known

    def _found(self, poly: Poly) -> Signs:
        value = poly.constant
        if value is not None:
            return frozenset(((value > 0) - (value < 0),))
        parts = factors(poly)
        if parts is None:
            return self.irreducible(poly)
        found = POSITIVE
        for part, power in parts:
            number = part.constant
            signs = self.irreducible(part) if number is None else self.of_poly(part)
            found = _product(found, _power(signs, power))
        return found

    def irreducible(self, poly: Poly) -> Signs:
        """Those of a polynomial that is taken as it is."""
        found = (self._of_parts(poly) & self._of_ends(poly)) or ANY
        for fact in self._facts:
            for product, coefficient in fact.parts.items():
                if len(found) == 1:
                    return found
                if product and product in poly.parts:
                    times = abs(poly.parts[product] / coefficient)
                    for direction, signs in ((1, NOT_NEGATIVE), (-1, NOT_POSITIVE)):
                        # poly == rest - direction * times * fact, where the fact is not positive
                        rest = poly + fact * constant(direction * times)
                        found &= _sum((signs, self._of_parts(rest)))
        return found or ANY  # facts that contradict each other say nothing here

    def _of_parts(self, poly: Poly) -> Signs:
        return _sum(self._of_product(product, coefficient) for product, coefficient in poly.parts.items())

    def _of_ends(self, poly: Poly) -> Signs:
        """By the ends between which its parts lie."""
        low = high = Fraction(0)
        for product, coefficient in poly.parts.items():
            ends = self._ends(product)
            if ends is None:
                return ANY
            least, most = (coefficient * end for end in ends)
            low, high = low + min(least, most), high + max(least, most)
        return frozenset(sign for sign, may_be in ((-1, low < 0), (0, low <= 0 <= high), (1, high > 0)) if may_be)

    def _ends(self, product: Product) -> tuple[Fraction, Fraction] | None:
        """Between which numbers a product of symbols lies; None where that is not known."""
        low = high = Fraction(1)
        for name, power in product:
            of = self._ranges.get(name)
            if of is None or of.low is None or of.high is None or of.low > of.high:
                return None
            for _ in range(power):
                ends = [a * b for a in (low, high) for b in (of.low, of.high)]
                low, high = min(ends), max(ends)
        return low, high

    def _of_product(self, product: Product, coefficient: Fraction) -> Signs:
        found = POSITIVE if coefficient > 0 else NEGATIVE
        for name, power in product:
            signs = self._of_atom(name)
            found = _product(found, _power(signs, power))
        return found

    def _of_atom(self, name: str) -> Signs:
        kernel = self._kernels.met.get(name)
        if kernel is None:
            return self._of_symbol(name)
        if kernel.name != "log":
            return NOT_NEGATIVE if kernel.name == "sqrt" else POSITIVE
        assert kernel.base is not None
        return self.of(kernel.base - Rational(ONE))

    def _of_symbol(self, name: str) -> Signs:
        if name not in self._ranges:
            return ANY
        low, high = self._ranges[name].low, self._ranges[name].high
        possible = ((-1, low is None or low < 0), (0, _reaches_zero(low, high)), (1, high is None or high > 0))
        return frozenset(sign for sign, may_be in possible if may_be) or ANY


def polynomials(fact: Fact, kernels: Kernels) -> list[Poly]:
    """What a fact without roundings says: polynomials that are not positive."""
    if fact.relation not in ("<=", "==") or exact(fact.expression) != fact.expression:
        return []
    try:
        found = kernels.rational(fact.expression)
    except TooComplex:
        return []
    den = found.den.constant
    if den is None or any(name in kernels.met for name in found.num.atoms()):
        return []
    poly = found.num.over(den)
    return [poly] if fact.relation == "<=" else [poly, -poly]


def _reaches_zero(low: Fraction | None, high: Fraction | None) -> bool:
    return (low is None or low <= 0) and (high is None or high >= 0)


def _product(one: Signs, other: Signs) -> Signs:
    return frozenset(a * b for a in one for b in other)


def _power(signs: Signs, power: int) -> Signs:
    return signs if power % 2 else frozenset(sign * sign for sign in signs)


def _sum(of: Iterable[Signs]) -> Signs:
    """Of any numbers with such signs."""
    found: Signs = frozenset((0,))
    for signs in of:
        found = frozenset(sign for a in found for b in signs for sign in ((a or b,) if a * b >= 0 else (-1, 0, 1)))
    return found
