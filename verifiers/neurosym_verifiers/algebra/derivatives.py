"""Derivatives of expressions without roundings, by the rules of the calculus."""

from __future__ import annotations

from neurosym_verifiers.algebra.expressions import Expr, Num, Op, Sym, num
from neurosym_verifiers.algebra.polynomials import TooComplex

_ZERO, _ONE = num(0), num(1)


def derivative(expr: Expr, by: str) -> Expr:
    """By one symbol, all others constant. It is that of the expression wherever both it and the expression have an
    enclosure: there each base and each logarithm's argument is positive, and no divisor is zero.

    Raises ``TooComplex`` for what has no derivative everywhere (``abs``).
    """
    return _Derivation(by).of(expr)


class _Derivation:
    def __init__(self, by: str) -> None:
        self._by = by
        self._known: dict[int, tuple[Expr, Expr]] = {}

    def of(self, expr: Expr) -> Expr:
        known = self._known.get(id(expr))
        if known is None:
            known = self._known[id(expr)] = (expr, self._derived(expr))
        return known[1]

    def _derived(self, expr: Expr) -> Expr:
        match expr:
            case Num():
                return _ZERO
            case Sym(name=name):
                return _ONE if name == self._by else _ZERO
            case Op(name=name, args=args):
                inner = [self.of(arg) for arg in args]
                return _ZERO if all(each == _ZERO for each in inner) else _chained(expr, name, args, inner)


def _chained(expr: Op, name: str, args: tuple[Expr, ...], inner: list[Expr]) -> Expr:
    """``inner``: the derivatives of the arguments, of which at least one is not zero."""
    match name, args, inner:
        case "+", _, [a, b]:
            return _plus(a, b)
        case "-", _, [a, b]:
            return _minus(a, b)
        case "neg", _, [a]:
            return Op("neg", (a,))
        case "*", (u, v), [a, b]:
            return _plus(_times(a, v), _times(u, b))
        case "/", (u, v), [a, b]:
            return _minus(_over(a, v), _over(_times(u, b), _times(v, v)))
        case "**", (base, exponent), [a, b]:
            return _times(expr, _plus(_times(b, Op("log", (base,))), _over(_times(exponent, a), base)))
        case "sqrt", _, [a]:
            return _over(a, _times(num(2), expr))
        case "exp", _, [a]:
            return _times(expr, a)
        case "expm1", (u,), [a]:
            return _times(Op("exp", (u,)), a)
        case "log", (u,), [a]:
            return _over(a, u)
        case "log1p", (u,), [a]:
            return _over(a, Op("+", (_ONE, u)))
        case (("log2" | "log10"), (u,), [a]):
            return _over(a, _times(u, Op("log", (num(int(name[3:])),))))
        case _:
            raise TooComplex(name)


def _plus(a: Expr, b: Expr) -> Expr:
    return b if a == _ZERO else a if b == _ZERO else Op("+", (a, b))


def _minus(a: Expr, b: Expr) -> Expr:
    return a if b == _ZERO else Op("neg", (b,)) if a == _ZERO else Op("-", (a, b))


def _times(a: Expr, b: Expr) -> Expr:
    if _ZERO in (a, b):
        return _ZERO
    return b if a == _ONE else a if b == _ONE else Op("*", (a, b))


def _over(a: Expr, b: Expr) -> Expr:
    return _ZERO if a == _ZERO else Op("/", (a, b))
