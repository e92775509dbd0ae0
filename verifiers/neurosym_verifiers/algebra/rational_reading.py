"""Expressions read as rational functions: arithmetic here, what becomes of powers and functions in who inherits it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from neurosym_verifiers.algebra.expressions import Expr, Num, Op, Sym
from neurosym_verifiers.algebra.polynomials import ONE, Rational, TooComplex, atom, constant

UNIT = Rational(ONE)


class RationalReading(ABC):
    """Reads each expression once."""

    def __init__(self) -> None:
        self._known: dict[Expr, Rational] = {}

    def rational(self, expr: Expr) -> Rational:
        """An expression without roundings. Raises ``TooComplex``."""
        known = self._known.get(expr)
        if known is None:
            known = self._known[expr] = self._read(expr)
        return known

    @abstractmethod
    def _power(self, base: Rational, exponent: Rational) -> Rational: ...

    @abstractmethod
    def _root(self, of: Rational) -> Rational: ...

    @abstractmethod
    def _exponential(self, of: Rational) -> Rational: ...

    @abstractmethod
    def _logarithm(self, of: Rational) -> Rational: ...

    def _read(self, expr: Expr) -> Rational:
        match expr:
            case Num(value=value):
                return Rational(constant(value))
            case Sym(name=name):
                return Rational(atom(name))
            case Op(name="**", args=(base, exponent)):
                return self._power(self.rational(base), self.rational(exponent))
            case Op(name=name, args=args):
                return self._apply(name, [self.rational(arg) for arg in args])

    def _apply(self, name: str, args: list[Rational]) -> Rational:
        match name, args:
            case "+", [a, b]:
                return a + b
            case "-", [a, b]:
                return a - b
            case "*", [a, b]:
                return a * b
            case "/", [a, b]:
                return a / b
            case "neg", [a]:
                return -a
            case "sqrt", [a]:
                return self._root(a)
            case "exp", [a]:
                return self._exponential(a)
            case "expm1", [a]:
                return self._exponential(a) - UNIT
            case "log", [a]:
                return self._logarithm(a)
            case "log1p", [a]:
                return self._logarithm(a + UNIT)
            case (("log2" | "log10"), [a]):
                return self._logarithm(a) / self._logarithm(Rational(constant(int(name[3:]))))
            case _:
                raise TooComplex(name)
