"""Rational functions over named atoms, in lowest terms.

A polynomial is a mapping from products of atoms to rational coefficients. Addition and multiplication are done here, in
the open; only common factors are found by FLINT, and a factor counts once multiplying it out gives the polynomial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

Product: TypeAlias = tuple[tuple[str, int], ...]
"""Atoms with their powers, in order of their names."""

MOST_PARTS = 2_000
_MOST_POWER = 64


class TooComplex(Exception):
    """An expression that has no normal form within the budget, or none at all."""


class Poly:
    """A polynomial; equal ones have equal ``parts``."""

    __slots__ = ("parts",)

    def __init__(self, parts: Mapping[Product, Fraction]) -> None:
        self.parts = {product: coefficient for product, coefficient in parts.items() if coefficient}
        if len(self.parts) > MOST_PARTS:
            raise TooComplex(f"a polynomial of more than {MOST_PARTS:,} parts")

    def __add__(self, other: Poly) -> Poly:
        parts = dict(self.parts)
        for product, coefficient in other.parts.items():
            parts[product] = parts.get(product, Fraction(0)) + coefficient
        return Poly(parts)

    def __neg__(self) -> Poly:
        return Poly({product: -coefficient for product, coefficient in self.parts.items()})

    def __sub__(self, other: Poly) -> Poly:
        return self + -other

    def __mul__(self, other: Poly) -> Poly:
        if len(self.parts) * len(other.parts) > 200 * MOST_PARTS:
            raise TooComplex("a product of large polynomials")
        parts: dict[Product, Fraction] = {}
        for a, c in self.parts.items():
            for b, d in other.parts.items():
                product = _times(a, b)
                parts[product] = parts.get(product, Fraction(0)) + c * d
        return Poly(parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    @property
    def constant(self) -> Fraction | None:
        """The value of a polynomial that is a number."""
        if not self.parts:
            return Fraction(0)
        return self.parts.get(()) if len(self.parts) == 1 else None

    def atoms(self) -> list[str]:
        return sorted({atom for product in self.parts for atom, _ in product})

    def degree(self, atom: str) -> int:
        return max((dict(product).get(atom, 0) for product in self.parts), default=0)

    @property
    def leading(self) -> Fraction:
        """The coefficient of the part that comes last in one fixed order."""
        return self.parts[max(self.parts)]

    @property
    def content(self) -> Fraction:
        """The positive number that leaves whole coefficients without a common divisor."""
        coefficients = list(self.parts.values())
        return Fraction(
            gcd(*(each.numerator for each in coefficients)), lcm(*(each.denominator for each in coefficients))
        )

    def over(self, by: Fraction) -> Poly:
        return Poly({product: coefficient / by for product, coefficient in self.parts.items()})

    @property
    def name(self) -> str:
        """The same for equal ones."""
        return " + ".join(
            "*".join([str(coefficient), *(f"{atom}^{power}" for atom, power in product)])
            for product, coefficient in sorted(self.parts.items())
        ) or "0"  # fmt: skip


def _times(a: Product, b: Product) -> Product:
    powers = dict(a)
    for atom, power in b:
        powers[atom] = powers.get(atom, 0) + power
        if powers[atom] > _MOST_POWER:
            raise TooComplex("a large power")
    return tuple(sorted(powers.items()))


def constant(value: Fraction | int) -> Poly:
    return Poly({(): Fraction(value)})


def atom(name: str, power: int = 1) -> Poly:
    return Poly({((name, power),): Fraction(1)})


ONE = constant(1)


@dataclass(frozen=True)
class Rational:
    """``num / den``; ``den`` is not the zero polynomial."""

    num: Poly
    den: Poly = ONE

    @property
    def number(self) -> Fraction | None:
        """The value of one that is a number."""
        num, den = self.num.constant, self.den.constant
        return None if num is None or den is None else num / den

    @property
    def name(self) -> str:
        return self.num.name if self.den == ONE else f"({self.num.name})/({self.den.name})"

    def __add__(self, other: Rational) -> Rational:
        if self.den == other.den:
            return lowest(self.num + other.num, self.den)
        return lowest(self.num * other.den + other.num * self.den, self.den * other.den)

    def __neg__(self) -> Rational:
        return Rational(-self.num, self.den)

    def __sub__(self, other: Rational) -> Rational:
        return self + -other

    def __mul__(self, other: Rational) -> Rational:
        return lowest(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Rational) -> Rational:
        if not other.num.parts:
            raise TooComplex("a division by zero")
        return lowest(self.num * other.den, self.den * other.num)

    def power(self, exponent: int) -> Rational:
        if exponent < 0:
            return Rational(ONE).__truediv__(self).power(-exponent)
        result = Rational(ONE)
        for _ in range(exponent):
            result = result * self
        return result

    def same(self, other: Rational) -> bool:
        """Whether both are one rational function, by multiplying out."""
        return self.num * other.den == other.num * self.den


def lowest(num: Poly, den: Poly) -> Rational:
    """In lowest terms: without common factors, the denominator with whole coefficients and a positive leading one."""
    if not num.parts:
        return Rational(Poly({}))
    if den.constant is None:
        common = _common(num, den)
        if common is not None:
            num, den = common
    by = den.content if den.leading > 0 else -den.content
    return Rational(num.over(by), den.over(by))


def _common(num: Poly, den: Poly) -> tuple[Poly, Poly] | None:
    """Both without their greatest common factor; None where there is none, or where it does not multiply out."""
    names = sorted({*num.atoms(), *den.atoms()})
    context = _context(len(names))
    a, b = _to_flint(num, names, context), _to_flint(den, names, context)
    factor = _from_flint(a.gcd(b), names)
    if factor.constant is not None:
        return None
    divisor = _to_flint(factor, names, context)
    one, other = _from_flint(a // divisor, names), _from_flint(b // divisor, names)
    return (one, other) if one * factor == num and other * factor == den else None


def factors(poly: Poly) -> list[tuple[Poly, int]] | None:
    """Irreducible factors with their powers, and a number among them; None where they do not multiply out."""
    names = poly.atoms()
    context = _context(len(names))
    scale, found = _to_flint(poly, names, context).factor()
    parts = [(constant(Fraction(int(scale.numer()), int(scale.denom()))), 1)]
    parts += [(_from_flint(factor, names), int(power)) for factor, power in found]
    whole = ONE
    for factor, power in parts:
        for _ in range(power):
            whole = whole * factor
    return parts if whole == poly else None


def _context(size: int) -> Any:
    from flint import fmpq_mpoly_ctx

    return fmpq_mpoly_ctx.get([f"x{i}" for i in range(max(size, 1))], "lex")


def _to_flint(poly: Poly, names: list[str], context: Any) -> Any:
    import flint

    place = {name: i for i, name in enumerate(names)}
    size = max(len(names), 1)
    terms: dict[tuple[int, ...], Any] = {}
    for product, coefficient in poly.parts.items():
        powers = [0] * size
        for name, power in product:
            powers[place[name]] = power
        terms[tuple(powers)] = flint.fmpq(coefficient.numerator, coefficient.denominator)
    return context.from_dict(terms)


def _from_flint(poly: Any, names: list[str]) -> Poly:
    parts: dict[Product, Fraction] = {}
    for powers, coefficient in poly.to_dict().items():
        product = tuple((name, int(power)) for name, power in zip(names, powers, strict=False) if power)
        parts[product] = Fraction(int(coefficient.numerator), int(coefficient.denominator))
    return Poly(parts)
