"""Parts of an expression in a shorter form: what ``exp(-n * log(1 + rate))`` is, where n was a quotient of logarithms.

Enclosures do not see that two factors cancel; the normal form does. Where a part has a normal form that is shorter, its
exact value lies in the enclosures of both, on every box on which the part itself is defined.
"""

from __future__ import annotations

from collections.abc import Iterable

from neurosym_verifiers.algebra.expressions import Expr, Num, Op, Sym, exact, num, parts
from neurosym_verifiers.algebra.normal_forms import Atoms, Sign, normal_forms
from neurosym_verifiers.algebra.polynomials import Poly, Rational, TooComplex

_MOST_PARTS = 60


def shorter(exprs: Iterable[Expr], sign: Sign) -> dict[Expr, Expr]:
    """For parts without their roundings, a shorter expression of the same value."""
    found: dict[Expr, Expr] = {}
    candidates = {exact(part) for each in exprs for part in parts(each) if isinstance(part, Op)}
    candidates = {each for each in candidates if isinstance(each, Op) and _size(each) <= _MOST_PARTS}
    for each in candidates:
        try:
            (form,), atoms = normal_forms((each,), sign, split=False)
        except TooComplex:
            continue
        short = expression_of(form, atoms)
        if _size(short) < _size(each):
            found[each] = short
    return found


def _size(expr: Expr) -> int:
    return 1 + sum(map(_size, expr.args)) if isinstance(expr, Op) else 1


def expression_of(form: Rational, atoms: Atoms) -> Expr:
    """The expression that a normal form over these atoms is."""
    top = _polynomial(form.num, atoms)
    return top if form.den.constant == 1 else Op("/", (top, _polynomial(form.den, atoms)))


def _polynomial(poly: Poly, atoms: Atoms) -> Expr:
    total: Expr = num(0)
    for product, coefficient in poly.parts.items():
        part: Expr = num(coefficient)
        for name, power in product:
            factor = _atom(name, atoms)
            factor = factor if power == 1 else Op("**", (factor, num(power)))
            part = factor if part == num(1) else Op("*", (part, factor))
        total = part if total == num(0) else Op("+", (total, part))
    return total


def _atom(name: str, atoms: Atoms) -> Expr:
    if name in atoms.logarithms:
        return Op("log", (expression_of(atoms.logarithms[name], atoms),))
    if name in atoms.roundings:
        operation, of = atoms.roundings[name]
        return Op(operation, (expression_of(of, atoms),))
    power = atoms.powers.get(name)
    if power is None:
        return Sym(name)
    exponent = expression_of(power.share, atoms)
    if power.base is None:
        return Op("exp", (exponent,))
    base = expression_of(power.base, atoms)
    return base if exponent == Num(num(1).value) else Op("**", (base, exponent))
