"""What a fact says of a quotient of its own parts.

``payment > 1.01 * principal * rate`` bounds ``1 - principal * rate / payment`` from below by ``1 - 1/1.01``, which no
box of the three inputs shows. For a quotient N/D with D > 0 and a fact F <= 0, numbers c and k > 0 with
N - c*D = -k*F + m for a number m >= 0 give N/D >= c. They are found from two parts of the polynomials, and checked on
all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

from neurosym_verifiers.algebra.expressions import Domain, Expr, Fact, Op, exact, parts
from neurosym_verifiers.algebra.normal_forms import Sign, normal_forms
from neurosym_verifiers.algebra.polynomials import Poly, TooComplex

Limits = tuple[Fraction | None, Fraction | None]
_PARTS_THAT_MATTER = {"log": 0, "log1p": 0, "log2": 0, "log10": 0, "sqrt": 0, "**": 0, "/": 1}
_MOST_PARTS = 8


def limits(exprs: Iterable[Expr], domain: Domain, sign: Sign) -> dict[Expr, Limits]:
    """Bounds of the arguments, bases and divisors in some expressions, as single facts give them."""
    facts = [poly for fact in domain.facts if (poly := _polynomial(fact)) is not None]
    found: dict[Expr, Limits] = {}
    for each in exprs:
        for part in parts(each):
            if isinstance(part, Op) and part.name in _PARTS_THAT_MATTER and facts:
                argument = exact(part.args[_PARTS_THAT_MATTER[part.name]])
                if isinstance(argument, Op) and argument not in found:
                    found[argument] = _limits(argument, facts, sign)
    return {argument: pair for argument, pair in found.items() if pair != (None, None)}


def _polynomial(fact: Fact) -> Poly | None:
    """A fact ``F <= 0`` without roundings as a polynomial."""
    if fact.relation != "<=" or any(isinstance(each, Op) and each.rounding for each in parts(fact.expression)):
        return None
    try:
        (form,), atoms = normal_forms((fact.expression,), lambda poly: 0, split=False)
    except TooComplex:
        return None
    den = form.den.constant
    if den is None or atoms or len(form.num.parts) < 2:
        return None
    return form.num.over(den) if den > 0 else None


def _limits(argument: Expr, facts: list[Poly], sign: Sign) -> Limits:
    try:
        (form,), atoms = normal_forms((argument,), lambda poly: 0, split=False)
    except TooComplex:
        return None, None
    if atoms or len(form.num.parts) > _MOST_PARTS:
        return None, None
    positive = form.den.constant is not None or sign(form.den)
    if not positive:
        return None, None
    num, den = (form.num, form.den) if positive > 0 else (-form.num, -form.den)
    lows = [low for fact in facts if (low := _least(num, den, fact)) is not None]
    highs = [-low for fact in facts if (low := _least(-num, den, fact)) is not None]
    return max(lows, default=None), min(highs, default=None)


def _least(num: Poly, den: Poly, fact: Poly) -> Fraction | None:
    """A number that ``num / den`` is at least, for a positive ``den``, by ``fact <= 0``."""
    products = sorted({*num.parts, *den.parts, *fact.parts} - {()})
    if len(products) > 3 * _MOST_PARTS:
        return None
    zero = Fraction(0)
    whole = den.constant
    if whole is not None:
        ratios = {-num.parts.get(product, zero) / f for product, f in fact.parts.items() if product}
        k = ratios.pop()
        c = (num.parts.get((), zero) + k * fact.parts.get((), zero)) / whole
        return c if not ratios and k > 0 and _shown(num, den, fact, c, k) else None
    rows = [tuple(poly.parts.get(product, zero) for poly in (num, den, fact)) for product in products]
    for (n, d, f), (m, e, g) in combinations(rows, 2):
        # n - c*d + k*f == 0 and m - c*e + k*g == 0
        determinant = f * e - d * g
        if determinant == 0:
            continue
        c, k = (f * m - n * g) / determinant, (d * m - e * n) / determinant
        if k > 0 and _shown(num, den, fact, c, k):
            return c
    return None


def _shown(num: Poly, den: Poly, fact: Poly, c: Fraction, k: Fraction) -> bool:
    left = num - den * Poly({(): c}) + fact * Poly({(): k})
    constant = left.constant
    return constant is not None and constant >= 0
