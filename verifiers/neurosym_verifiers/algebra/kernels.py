"""Expressions as rational functions over symbols and kernels: logarithms, exponentials and powers, each kept whole.

A kernel stands for one number wherever it is defined, so what is an identity in kernels is one of the numbers. Unlike
the atoms of ``normal_forms``, a kernel keeps its argument in one piece, ``log(1 + rate/12)``, as an inequality about it
needs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from neurosym_verifiers.algebra.expressions import Expr, Op, Sym, num, replaced
from neurosym_verifiers.algebra.polynomials import ONE, Poly, Rational, atom, constant
from neurosym_verifiers.algebra.rational_reading import UNIT, RationalReading

_MOST_EXPANDED = 40


@dataclass(frozen=True)
class Kernel:
    """``log`` or ``sqrt`` of its base, ``exp`` of its exponent, or ``**``, its base to its exponent; the other is None.

    Where it is defined, the base is positive; that of ``sqrt`` may be zero.
    """

    name: str
    base: Rational | None
    exponent: Rational | None


class Kernels(RationalReading):
    """Those that were ``met``, by the names that they have as atoms of polynomials."""

    def __init__(self) -> None:
        super().__init__()
        self.met: dict[str, Kernel] = {}

    def expression(self, of: Rational) -> Expr:
        """A rational function as an expression again."""
        top = self._expanded(of.num)
        return top if of.den == ONE else Op("/", (top, self._expanded(of.den)))

    def reciprocal(self, of: Kernel) -> str:
        """The name of the kernel that is one over an exponential or a power."""
        assert of.exponent is not None
        (name,) = self._kernel(of.name, of.base, -of.exponent).num.atoms()
        return name

    def _expanded(self, poly: Poly) -> Expr:
        by: dict[Expr, Expr] = {}
        for name in poly.atoms():
            if (kernel := self.met.get(name)) is not None:
                by[Sym(name)] = self._of_kernel(kernel)
        return replaced(of_polynomial(poly), by)

    def _of_kernel(self, kernel: Kernel) -> Expr:
        """A logarithm as one of 1 + x, whose enclosure is close where x is small."""
        if kernel.name == "log" and kernel.base is not None:
            return Op("log1p", (self.expression(kernel.base - UNIT),))
        args = tuple(self.expression(each) for each in (kernel.base, kernel.exponent) if each is not None)
        return Op(kernel.name, args)

    def _root(self, of: Rational) -> Rational:
        return self._kernel("sqrt", of, None)

    def _exponential(self, of: Rational) -> Rational:
        return self._kernel("exp", None, of)

    def _logarithm(self, of: Rational) -> Rational:
        return self._kernel("log", of, None)

    def _power(self, base: Rational, exponent: Rational) -> Rational:
        """What of the exponent is a whole number becomes factors: where the power is defined, its base is positive."""
        whole = exponent.num.parts.get((), Fraction(0)) if exponent.den == ONE else Fraction(0)
        whole = Fraction(whole.numerator // whole.denominator)
        if abs(whole) <= _MOST_EXPANDED and whole:
            return base.power(int(whole)) * self._power(base, exponent - Rational(constant(whole)))
        if not exponent.num.parts:
            return UNIT
        if exponent.num.leading < 0:
            return UNIT / self._kernel("**", base, -exponent)
        return self._kernel("**", base, exponent)

    def _kernel(self, name: str, base: Rational | None, exponent: Rational | None) -> Rational:
        parts = ", ".join(each.name for each in (base, exponent) if each is not None)
        label = f"{name}({parts})"
        self.met[label] = Kernel(name, base, exponent)
        return Rational(atom(label))


def of_polynomial(poly: Poly) -> Expr:
    """A polynomial as an expression, its atoms as symbols."""
    total: Expr = num(0)
    for product, coefficient in poly.parts.items():
        part: Expr = num(coefficient)
        for name, power in product:
            factor = Sym(name) if power == 1 else Op("**", (Sym(name), num(power)))
            part = factor if part == num(1) else Op("*", (part, factor))
        total = part if total == num(0) else Op("+", (total, part))
    return total
