"""Arithmetic and comparison of symbolic numbers, exact, and where ``Decimal``'s context provably does not round.

A context of 28 digits rounds the result of an operation only if it needs more. Bounds show that a coefficient stays
below 10**28; where they do not, the operation is not read. A quotient that does not end is rounded, to a value
within half a unit of its 28th digit; ``settled`` shows that a later comparison or ``quantize`` cannot see that.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import combinations
from math import gcd, lcm

from neurosym_verifiers.reading.data.decimal_contexts import DEFAULT, PRECISION, current
from neurosym_verifiers.reading.data.values import Bool, Dec, Float, Int, NotRead, Quotient, Ratio, Real, Value
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, choose, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, Ite, Term, number


def as_ratio(value: Value) -> tuple[Term, Term]:
    """Any exact number as numerator and (positive) denominator."""
    match value:
        case Int(term=term):
            return term, number(1)
        case Bool(condition=condition):
            return choose(condition, number(1), number(0)), number(1)
        case Dec(num=num, places=places):
            return num, number(10**places)
        case Ratio(num=num, den=den):
            return num, den
        case Float(num=num, scale=scale) if _finite(value):
            return num, number(2**scale)
        case Float():
            raise NotRead("a float that may be NaN or infinite")
        case Real():
            raise NotRead("this of what a real function gives")
        case _:
            raise NotRead(f"a number was expected, not {type(value).__name__}")


def _finite(value: Float) -> bool:
    """Whether a float is surely neither NaN nor infinite."""
    num = value.num
    low = value.low is None or (num.low is not None and num.low >= value.low)
    return low and value.nan == FALSE and (value.high is None or (num.high is not None and num.high <= value.high))


def as_int(value: Value) -> Term:
    """An ``int`` (a ``bool`` counts as one)."""
    if isinstance(value, Bool):
        return choose(value.condition, number(1), number(0))
    if isinstance(value, Int):
        return value.term
    raise NotRead(f"an int was expected, not {type(value).__name__}")


def scaled(value: Dec, places: int) -> Term:
    """The numerator over ``10**places``, which are at least the value's own."""
    return value.num * number(10 ** (places - value.places))


def exact_decimal(num: Term, places: int, what: str) -> Dec:
    """A result of Decimal arithmetic that needs no more digits than the context has."""
    digits = current().digits
    if num.low is None or num.high is None or max(abs(num.low), abs(num.high)) >= 10**digits:
        raise NotRead(f"{what} that may need more than {digits} digits")
    return Dec(num, places)


def to_decimal(value: Value) -> Dec:
    """A Decimal operand: a Decimal, or an int beside one."""
    if isinstance(value, Dec):
        return value
    return Dec(as_int(value), 0)


def add(a: Value, b: Value) -> Value:
    if isinstance(a, Quotient) or isinstance(b, Quotient):
        return add_quotients(a, b)
    if isinstance(a, Dec) or isinstance(b, Dec):
        x, y = to_decimal(a), to_decimal(b)
        places = max(x.places, y.places)
        return exact_decimal(scaled(x, places) + scaled(y, places), places, "a sum")
    if isinstance(a, Ratio) or isinstance(b, Ratio):
        (n, d), (m, e) = as_ratio(a), as_ratio(b)
        return ratio(n + m, d) if d == e else ratio(n * e + m * d, d * e)
    return Int(as_int(a) + as_int(b))


def negative(a: Value) -> Value:
    match a:
        case Dec(num=num, places=places):
            return exact_decimal(-num, places, "a negation")
        case Ratio(num=num, den=den):
            return Ratio(-num, den)
        case Quotient(num=num):
            return replace(a, num=-num)
        case _:
            return Int(-as_int(a))


def subtract(a: Value, b: Value) -> Value:
    return add(a, negative(b)) if not isinstance(a, Bool) else add(Int(as_int(a)), negative(b))


def multiply(a: Value, b: Value) -> Value:
    if isinstance(a, Dec) or isinstance(b, Dec):
        x, y = to_decimal(a), to_decimal(b)
        return exact_decimal(x.num * y.num, x.places + y.places, "a product")
    if isinstance(a, Ratio) or isinstance(b, Ratio):
        (n, d), (m, e) = as_ratio(a), as_ratio(b)
        return ratio(n * m, d * e)
    return Int(as_int(a) * as_int(b))


def _leaves(den: Term) -> list[tuple[Condition, int]] | None:
    """A denominator that is one of a few numbers, each with its condition (365, or 366 in a leap year)."""
    constant = 0
    choice: Ite | None = None
    for monomial, coefficient in den.parts:
        if not monomial:
            constant = coefficient
        elif choice is None and coefficient == 1 and len(monomial) == 1 and isinstance(monomial[0], Ite):
            choice = monomial[0]
        else:
            return None
    if choice is None or choice.then.constant is None or choice.other.constant is None:
        return None
    return [
        (choice.condition, constant + choice.then.constant),
        (negated(choice.condition), constant + choice.other.constant),
    ]


def ratio(num: Term, den: Term) -> Ratio:
    """A rational with its common whole factor taken out; a denominator that is one of two numbers becomes their least
    common multiple."""
    leaves = _leaves(den)
    if leaves is not None and all(value >= 1 for _, value in leaves):
        (first, one), (_, other) = leaves
        whole = lcm(one, other)
        num, den = num * choose(first, number(whole // one), number(whole // other)), number(whole)
    common = reduce(gcd, (c for _, c in (*num.parts, *den.parts)), 0)
    if common > 1:
        num = Term((m, c // common) for m, c in num.parts)
        den = Term((m, c // common) for m, c in den.parts)
    return Ratio(num, den)


def divide_decimals(a: Value, b: Value) -> Value:
    """``a / b`` for Decimals with a positive ``b``: exact where the quotient ends in time, else a ``Quotient``."""
    x, y = to_decimal(a), to_decimal(b)
    num, den = x.num * number(10**y.places), y.num * number(10**x.places)
    if den.constant is not None:
        places, rest = _decimals(den.constant)
        if rest == 1:
            return exact_decimal(num * number(10**places // den.constant), places, "a quotient")
    if not current().quotients_settle:
        raise NotRead("a quotient that may not end, in a context that always rounds one way")
    fraction = ratio(num, den)
    return _quotient(fraction.num, fraction.den)


def _decimals(divisor: int) -> tuple[int, int]:
    """How many decimals a quotient by a number has if it ends, and what has to divide out of the number for that."""
    twos = fives = 0
    while divisor % 2 == 0:
        divisor, twos = divisor // 2, twos + 1
    while divisor % 5 == 0:
        divisor, fives = divisor // 5, fives + 1
    return max(twos, fives), divisor


def _quotient(num: Term, den: Term) -> Quotient:
    """A quotient of terms, rounded once; counted twice in a context of its own, so that it is no other's equal."""
    roundings = 1 if current() == DEFAULT else 2
    if den.constant is None or num.low is None or num.high is None:
        return Quotient(num, den, roundings)
    places, rest = _decimals(den.constant)
    return Quotient(num, den, roundings, _at_most(num, den), (rest,), places)


def _at_most(num: Term, den: Term) -> int:
    """A whole number that a quotient is below, in size."""
    if num.low is None or num.high is None:
        raise NotRead("a quotient without bounds")
    return max(abs(num.low), abs(num.high)) // max(den.low or 1, 1) + 1


def add_quotients(a: Value, b: Value) -> Quotient:
    """A sum with quotients in it. It can be rounded later if it has an end only where each of them has."""
    x, y = (each if isinstance(each, Quotient) else _exact_part(to_decimal(each)) for each in (a, b))
    residues = (*(x.residues or ()), *(y.residues or ()))
    alike = any(gcd(one, other) > 1 for one, other in combinations(residues, 2))
    if x.residues is None or y.residues is None or alike or not current().quotients_settle:
        raise NotRead("a sum of quotients that may not end")
    total = ratio(x.num * y.den + y.num * x.den, x.den * y.den)
    largest = max(x.largest, y.largest, _at_most(total.num, total.den))
    places = max(x.places, y.places)
    return Quotient(total.num, total.den, x.roundings + y.roundings + 1, largest, residues, places)


def _exact_part(value: Dec) -> Quotient:
    """A Decimal that is not rounded, as a summand of quotients."""
    den = number(10**value.places)
    return Quotient(value.num, den, 0, _at_most(value.num, den), (), value.places)


def settled(value: Quotient, grain: int) -> None:
    """Raises ``NotRead`` unless rounding the quotient to the context's precision cannot carry it over, or on to or off,
    any multiple of ``1/grain``.

    A quotient n/d that is not such a multiple is at least 1/(d*grain) away from each. One that is smaller than 10**e in
    size is rounded by at most 10**(e - 28) / 2, a sum of them once for each and once more. One that is such a multiple
    is not rounded if it has at most 28 digits; nor is then a quotient in the sum, which ends if the sum does. A third
    has no end, and a small binary fraction more digits than that.
    """
    num, den = value.num, value.den
    if den.high is None:
        raise NotRead("a quotient without bounds")
    exponent = len(str(max(_at_most(num, den), value.largest)))
    places, endless = _decimals(grain)
    # roundings * 10**(exponent - 28) / 2 < 1 / (den.high * grain)
    wide = endless > 1 or exponent + places > PRECISION
    wide = wide or (value.roundings > 1 and exponent + value.places > PRECISION)
    if wide or value.roundings * den.high * grain * 10**exponent >= 2 * 10**PRECISION:
        raise NotRead(f"a quotient whose {PRECISION} digits may not settle what is done with it")


def compare(op: str, a: Value, b: Value) -> Condition:
    """``a op b`` for numbers; op is one of ``== != < <= > >=``."""
    if isinstance(a, Quotient) or isinstance(b, Quotient):
        return _compare_quotient(op, a, b)
    (n, d), (m, e) = as_ratio(a), as_ratio(b)
    left, right = (n, m) if d == e else (n * e, m * d)
    return ordered(op, left, right)


def ordered(op: str, left: Term, right: Term) -> Condition:
    match op:
        case "==":
            return equal(left, right)
        case "!=":
            return negated(equal(left, right))
        case "<":
            return below(left, right)
        case "<=":
            return at_most(left, right)
        case ">":
            return below(right, left)
        case ">=":
            return at_most(right, left)
        case _:
            raise NotRead(f"the comparison {op}")


def _compare_quotient(op: str, a: Value, b: Value) -> Condition:
    """A quotient against a constant with few decimals, where rounding cannot change the answer."""
    quotient, other = (a, b) if isinstance(a, Quotient) else (b, a)
    if not isinstance(quotient, Quotient) or isinstance(other, Quotient):
        raise NotRead("a comparison of two quotients that may not end")
    n, d = as_ratio(other)
    grain = d.constant
    if grain is None or n.constant is None:
        raise NotRead("a comparison of a quotient that may not end with something that varies")
    settled(quotient, grain)
    left, right = quotient.num * d, n * quotient.den
    return ordered(op, left, right) if isinstance(a, Quotient) else ordered(op, right, left)
