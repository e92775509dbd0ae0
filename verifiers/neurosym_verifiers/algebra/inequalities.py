"""Lower bounds by the inequalities that every textbook has, where a cover of boxes would have to be too fine.

For a positive b:

    1 - 1/b <= log(b) <= b - 1              1 + x <= exp(x) <= 1 / (1 - x)  for x < 1
    b**p >= 1 + p*(b - 1)  for p <= 0 or p >= 1, and <= between (Bernoulli; the same of 1/b and -p)

They are put in for the kernels of a numerator, the lower bound where the coefficient is not negative and the upper one
where it is not positive. So ``-log(1 - x) / log(1 + r) - x/r`` has a numerator of at least ``r*x - x*r``, that is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, permutations

from neurosym_verifiers.algebra.expressions import Domain
from neurosym_verifiers.algebra.kernels import Kernel, Kernels
from neurosym_verifiers.algebra.polynomials import ONE, Poly, Product, Rational, TooComplex, atom, lowest
from neurosym_verifiers.algebra.signs import ANY, NEGATIVE, NOT_NEGATIVE, NOT_POSITIVE, POSITIVE, Signs, SignsOn

_UNIT = Rational(ONE)
_MOST_ORDERS = 6


class SignsByBounds(SignsOn):
    """Signs on one domain, also of polynomials that have them by these inequalities."""

    def __init__(self, domain: Domain, kernels: Kernels) -> None:
        super().__init__(domain, kernels)
        self._plain = SignsOn(domain, kernels)

    def irreducible(self, poly: Poly) -> Signs:
        found = super().irreducible(poly)
        for bound in lower_bounds(Rational(poly), self._kernels, self._plain) if -1 in found else ():
            found &= _no_less(self._plain.of(bound))
        for bound in lower_bounds(Rational(-poly), self._kernels, self._plain) if 1 in found else ():
            found &= frozenset(-sign for sign in _no_less(self._plain.of(bound)))
        return found or ANY


def turned(poly: Poly, name: str, reciprocal: str, most: int) -> Poly:
    """A polynomial times a power of a kernel's reciprocal, at least as high as its degree: without the kernel."""
    parts: dict[Product, Fraction] = {}
    for product, coefficient in poly.parts.items():
        powers = dict(product)
        left = most - powers.pop(name, 0)
        if left:
            powers[reciprocal] = powers.get(reciprocal, 0) + left
        key = tuple(sorted(powers.items()))
        parts[key] = parts.get(key, Fraction(0)) + coefficient
    return Poly(parts)


def _no_less(signs: Signs) -> Signs:
    """The signs of what is not below a number that has one of these."""
    return POSITIVE if signs == POSITIVE else NOT_NEGATIVE if signs <= NOT_NEGATIVE else ANY


def lower_bounds(value: Rational, kernels: Kernels, signs: SignsOn) -> Iterator[Rational]:
    """Rational functions that are nowhere above this one; kernels are replaced in several orders."""
    turned_over = _over_positive(value, signs)
    if turned_over is None:
        return
    for num, den in _forms(*turned_over, kernels):
        names = [name for name in num.atoms() if name in kernels.met]
        for order in islice(permutations(names), _MOST_ORDERS if names else 0):
            found = _replaced(num, den, order, kernels, signs)
            if found is not None:
                yield found


def _replaced(num: Poly, den: Poly, order: tuple[str, ...], kernels: Kernels, signs: SignsOn) -> Rational | None:
    """``num / den`` with bounds for kernels, one after the other; None where the sign of a denominator is not known."""
    try:
        for name in order:
            found = _over_positive(_without(num, name, kernels.met[name], signs), signs)
            if found is None:
                return None
            num, den = found[0], den * found[1]
        return lowest(num, den)
    except TooComplex:
        return None


def _forms(num: Poly, den: Poly, kernels: Kernels) -> Iterator[tuple[Poly, Poly]]:
    """The same quotient as it is, and with the reciprocal of one kernel, which is positive, in its place."""
    yield num, den
    for name in num.atoms():
        kernel = kernels.met.get(name)
        if kernel is not None and kernel.exponent is not None:
            reciprocal = kernels.reciprocal(kernel)
            most = max(num.degree(name), den.degree(name))
            yield turned(num, name, reciprocal, most), turned(den, name, reciprocal, most)


def _over_positive(value: Rational, signs: SignsOn) -> tuple[Poly, Poly] | None:
    """Numerator and denominator, the latter surely positive; None where its sign is not known."""
    below = signs.of_divisor(value.den)
    if below == POSITIVE:
        return value.num, value.den
    return (-value.num, -value.den) if below == NEGATIVE else None


def _without(poly: Poly, name: str, kernel: Kernel, signs: SignsOn) -> Rational:
    """A lower bound of a polynomial in which a kernel is replaced where it stands alone and its factor has a sign."""
    alone = {product: value for product, value in poly.parts.items() if dict(product).get(name) == 1}
    rest = Poly({product: value for product, value in poly.parts.items() if product not in alone})
    factor = Poly({tuple(part for part in product if part[0] != name): value for product, value in alone.items()})
    least, most = bounds(kernel, signs)
    groups = [factor]
    if not (signs.of_poly(factor) <= NOT_NEGATIVE or signs.of_poly(factor) <= NOT_POSITIVE):
        groups = [Poly({product: value}) for product, value in factor.parts.items()]
    total = Rational(rest)
    kept = Rational(atom(name))
    for group in groups:
        known = signs.of_poly(group)
        bound = least if known <= NOT_NEGATIVE else most if known <= NOT_POSITIVE else None
        total += Rational(group) * (kept if bound is None else bound)
    return total


def bounds(kernel: Kernel, signs: SignsOn) -> tuple[Rational | None, Rational | None]:
    """What a kernel is at least, and at most, wherever it is defined."""
    base, exponent = kernel.base, kernel.exponent
    if kernel.name == "sqrt":
        return None, None
    if exponent is None:
        assert base is not None
        return (base - _UNIT) / base, base - _UNIT
    if base is None:
        return _UNIT + exponent, _inverse(_UNIT - exponent, signs)
    least = next(_at_least(base, exponent, signs), None)
    if signs.of(exponent) <= NOT_NEGATIVE and signs.of(_UNIT - exponent) <= NOT_NEGATIVE:
        return least, _UNIT + exponent * (base - _UNIT)
    below = (_inverse(each, signs) for each in _at_least(base, -exponent, signs))
    return least, next((each for each in below if each is not None), None)


def _at_least(base: Rational, exponent: Rational, signs: SignsOn) -> Iterator[Rational]:
    """Bernoulli's inequality for ``base ** exponent``, and for the reciprocals."""
    more = base - _UNIT
    if signs.of(exponent) <= NOT_POSITIVE or signs.of(exponent - _UNIT) <= NOT_NEGATIVE:
        yield _UNIT + exponent * more
    if signs.of(exponent) <= NOT_NEGATIVE or signs.of(exponent + _UNIT) <= NOT_POSITIVE:
        yield _UNIT + exponent * more / base


def _inverse(value: Rational, signs: SignsOn) -> Rational | None:
    return _UNIT / value if signs.of(value) == POSITIVE else None
