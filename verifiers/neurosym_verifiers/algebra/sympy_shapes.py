"""SymPy's view of how two expressions differ: their ratio and their difference, simplified.

It is a search for a short form, shown to whoever reads the verdict; nothing is concluded from it. SymPy gets objects
that are made here from expressions, and never text.
"""

from __future__ import annotations

from typing import Any

from neurosym_verifiers.algebra.expressions import Expr, Num, Op, Sym, parts

MOST_PARTS = 200
_LONGEST = 160


def shapes(found: Expr, right: Expr) -> tuple[str, str]:
    """The ratio ``found / right`` and the difference ``found - right`` in a short form; empty where there is none."""
    if sum(1 for each in (found, right) for _ in parts(each)) > MOST_PARTS:
        return "", ""
    import sympy  # type: ignore[import-untyped]  # it has no types

    a, b = _sympy(found), _sympy(right)
    return _text(sympy.simplify(a / b)), _text(sympy.simplify(a - b))


def _text(expr: Any) -> str:
    text = str(expr)
    return text if len(text) <= _LONGEST and "zoo" not in text and "nan" not in text else ""


def _sympy(expr: Expr) -> Any:
    import sympy

    match expr:
        case Num(value=value):
            return sympy.Rational(value.numerator, value.denominator)
        case Sym(name=name):
            return sympy.Symbol(name, real=True)
        case Op(name=name, args=args):
            return _operation(name, [_sympy(arg) for arg in args])


def _operation(name: str, args: list[Any]) -> Any:
    import sympy

    match name:
        case "+":
            return args[0] + args[1]
        case "-":
            return args[0] - args[1]
        case "*":
            return args[0] * args[1]
        case "/":
            return args[0] / args[1]
        case "**":
            return args[0] ** args[1]
        case "neg":
            return -args[0]
        case "log1p":
            return sympy.log(1 + args[0])
        case "expm1":
            return sympy.exp(args[0]) - 1
        case "log2" | "log10":
            return sympy.log(args[0]) / sympy.log(int(name[3:]))
        case _:
            return {"abs": sympy.Abs, "sqrt": sympy.sqrt, "exp": sympy.exp, "log": sympy.log}[name](args[0])
