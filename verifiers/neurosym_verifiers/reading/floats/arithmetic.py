"""Arithmetic and comparison of symbolic floats, as IEEE 754 and CPython have them.

Every operation is the exact one, rounded once to the nearest float (``terms.Nearest``; where bounds show that nothing
is rounded, the exact value itself). An infinity is a number beyond all finite ones, so order needs no cases; NaN is
kept beside the number. The sign of a zero is not followed: nothing that is read can see it.
"""

from __future__ import annotations

import ast
import math
from fractions import Fraction

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.exceptions import OVERFLOW, TYPE_ERROR, VALUE_ERROR, ZERO_DIVISION
from neurosym_verifiers.reading.data.values import Bool, Dec, Float, Int, NotRead, Quotient, Ratio, Value
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, bounds_from
from neurosym_verifiers.reading.formulas.normal_forms import (
    at_most,
    below,
    both,
    choose,
    either,
    equal,
    floor_div,
    modulo,
    nearest,
    negated,
    zero,
)
from neurosym_verifiers.reading.formulas.rounding import half_even, rounded
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number

_SURE_QUOTIENT = 2**50
"""Up to here CPython's ``//`` of floats is the exact floor: its two roundings move the quotient by less than a half."""


# What a float is


def is_above(value: Float) -> Condition:
    """Whether it is positive infinity (its number, where it is no NaN)."""
    return FALSE if value.high is None else below(number(value.high), value.num)


def is_below(value: Float) -> Condition:
    """Whether it is negative infinity."""
    return FALSE if value.low is None else below(value.num, number(value.low))


def is_infinite(value: Float) -> Condition:
    return both(negated(value.nan), either(is_above(value), is_below(value)))


def is_finite(value: Float) -> Condition:
    return both(negated(value.nan), negated(is_above(value)), negated(is_below(value)))


def surely_finite(value: Float) -> bool:
    return is_finite(value) == TRUE


def known_float(value: float) -> Float:
    """A float that is known."""
    if value != value:
        return Float(number(0), 0, TRUE)
    if value in (math.inf, -math.inf):
        exact = Fraction(binary64.INFINITE if value > 0 else -binary64.INFINITE)
    else:
        exact = Fraction(value)
    return _simple(
        Float(number(exact.numerator), exact.denominator.bit_length() - 1, FALSE, *_limits(exact.denominator))
    )


def _limits(step: int) -> tuple[int, int]:
    return -binary64.LARGEST * step, binary64.LARGEST * step


def _simple(value: Float) -> Float:
    """Without limits that its bounds exclude."""
    low = None if is_below(value) == FALSE else value.low
    high = None if is_above(value) == FALSE else value.high
    return Float(value.num, value.scale, value.nan, low, high)


def rounding(num: Term, den: Term, nan: Condition = FALSE) -> Float:
    """The float nearest to ``num / den``, for a ``den`` of at least 1; what is too large becomes an infinity."""
    exact = numbers.ratio(num, den)
    num, den = exact.num, exact.den
    divisor = den.constant
    if divisor is not None and divisor & (divisor - 1) == 0:
        scale = divisor.bit_length() - 1  # rounding keeps what is a multiple of a power of two one
    elif den.high is not None:
        # A quotient that is not zero is at least 1 / den.high in size, and a float keeps 52 digits behind its first.
        scale = den.high.bit_length() + binary64.DIGITS - 1
    else:
        scale = binary64.FINEST
    scale = min(scale, binary64.FINEST)
    return _simple(Float(nearest(num, den, scale), scale, nan, *_limits(2**scale)))


def to_float(value: Value, state: State, line: int) -> Float:
    """An operand beside a float; an int or a ``Fraction`` that is too large for one raises."""
    if isinstance(value, Float):
        return value
    if not isinstance(value, (Int, Bool, Ratio)):
        raise NotRead(f"a {type(value).__name__} beside a float", line)
    return _or_overflow(rounding(*numbers.as_ratio(value)), state, line)


def _or_overflow(value: Float, state: State, line: int) -> Float:
    """A rounded exact number: where it is too large, that is an ``OverflowError``."""
    state.raise_if(is_infinite(value), OVERFLOW, line)
    return Float(value.num, value.scale)


# Operators


def _aligned(a: Float, b: Float) -> tuple[Term, Term, int]:
    scale = max(a.scale, b.scale)
    return a.num * number(2 ** (scale - a.scale)), b.num * number(2 ** (scale - b.scale)), scale


def negative(value: Float) -> Float:
    low = None if value.high is None else -value.high
    return Float(-value.num, value.scale, value.nan, low, None if value.low is None else -value.low)


def absolute(value: Float) -> Float:
    positive = at_most(number(0), value.num)
    if positive == TRUE:
        return value
    _, largest = _limits(2**value.scale)
    if value.low not in (None, -largest) or value.high not in (None, largest):
        raise NotRead("abs() of an input that may be infinite")
    here, there = (Narrowing(bounds_from(where)).term(value.num) for where in (positive, negated(positive)))
    return _simple(Float(choose(positive, here, -there), value.scale, value.nan, None, largest))


def binary(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    """``a op b`` where at least one is a float."""
    if isinstance(a, Dec) or isinstance(b, Dec):
        state.raise_if(TRUE, TYPE_ERROR, line)
        return Float(number(0), 0)
    x, y = to_float(a, state, line), to_float(b, state, line)
    match op:
        case ast.Add():
            return _sum(x, y, line)
        case ast.Sub():
            return _sum(x, negative(y), line)
        case ast.Mult():
            return _product(x, y, line)
        case ast.Div():
            return _quotient(x, y, state, line)
        case ast.FloorDiv() | ast.Mod():
            return _whole_quotient(op, x, y, state, line)
        case _:
            raise NotRead(f"the operator {type(op).__name__} of floats", line)


def _finite(value: Float, line: int) -> Term:
    if is_infinite(value) != FALSE:
        raise NotRead("arithmetic on a float that may be infinite", line)
    return value.num


def _sum(a: Float, b: Float, line: int) -> Float:
    _finite(a, line)
    _finite(b, line)
    x, y, scale = _aligned(a, b)
    return rounding(x + y, number(2**scale), either(a.nan, b.nan))


def _product(a: Float, b: Float, line: int) -> Float:
    return rounding(_finite(a, line) * _finite(b, line), number(2 ** (a.scale + b.scale)), either(a.nan, b.nan))


def _quotient(a: Float, b: Float, state: State, line: int) -> Float:
    _finite(a, line)
    _finite(b, line)
    num, den, _ = _aligned(a, b)
    state.raise_if(both(negated(b.nan), zero(den)), ZERO_DIVISION, line)
    return _divided(num, den, either(a.nan, b.nan), state)


def _divided(num: Term, den: Term, nan: Condition, state: State) -> Float:
    """The quotient, rounded, by a divisor that is not zero: of both with their signs turned where it is negative."""
    den = Narrowing(bounds_from(state.live)).term(den)
    if den.constant == 0:
        return Float(number(0), 0)  # on a path that the check for zero has ended
    if den.low is not None and den.low >= 0:
        return rounding(num, den, nan)
    if den.high is not None and den.high <= 0:
        return rounding(-num, -den, nan)
    positive = below(number(0), den)
    here, there = (Narrowing(bounds_from(where)).term(den) for where in (positive, negated(positive)))
    one, other = rounding(num, here, nan), rounding(-num, -there, nan)
    try:
        made = merged(positive, one, other)
    except CannotMerge as problem:
        raise NotRead(f"a quotient that is one of {problem}") from None
    assert isinstance(made, Float)
    return made


def divide_ints(num: Term, den: Term, state: State, line: int) -> Float:
    """``/`` of two ints: their exact quotient, rounded once."""
    state.raise_if(zero(den), ZERO_DIVISION, line)
    return _or_overflow(_divided(num, den, FALSE, state), state, line)


def _whole_quotient(op: ast.operator, a: Float, b: Float, state: State, line: int) -> Float:
    """``//`` and ``%`` of a float that is not negative by a positive one: the remainder is a float itself."""
    _finite(a, line)
    _finite(b, line)
    num, den, scale = _aligned(a, b)
    state.raise_if(both(negated(b.nan), zero(den)), ZERO_DIVISION, line)
    narrowing = Narrowing(bounds_from(state.live))
    num, den = narrowing.term(num), narrowing.term(den)
    if a.nan != FALSE or b.nan != FALSE or num.low is None or num.low < 0 or den.low is None or den.low < 0:
        raise NotRead(f"{type(op).__name__} of floats that may be negative", line)
    quotient = floor_div(num, den)
    if isinstance(op, ast.Mod):
        return Float(modulo(num, den), scale)
    if quotient.high is None or quotient.high >= _SURE_QUOTIENT:
        raise NotRead("// of floats whose quotient may be large", line)
    return Float(quotient, 0)


# Comparison


def truth(value: Float) -> Condition:
    """What ``if value`` asks."""
    return either(value.nan, negated(zero(value.num)))


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compare(op: str, a: Value, b: Value) -> Condition:
    """``a op b`` of exact numbers, where at least one is a float; op is one of ``== < <= > >=``."""
    if isinstance(a, Quotient) or isinstance(b, Quotient):
        raise NotRead("a comparison of a float and a quotient that may not end")
    if not isinstance(a, Float):
        a, b, op = b, a, _TURNED.get(op, op)
    assert isinstance(a, Float)
    if isinstance(b, Dec) and op != "==" and a.nan != FALSE:
        raise NotRead("the order of a Decimal and a float that may be NaN")
    if not isinstance(b, Float):
        n, d = numbers.as_ratio(b)
        if n.constant is not None and d.constant is not None:
            return both(negated(a.nan), _against(op, a, Fraction(n.constant, d.constant)))
        return both(negated(a.nan), _ordered(op, a, is_above(a), is_below(a), n, d))
    no_nan = both(negated(a.nan), negated(b.nan))
    if _known(a) is not None:
        a, b, op = b, a, _TURNED.get(op, op)
    known = _known(b)
    if known is not None:
        return both(no_nan, _against(op, a, known))
    if b.num.constant is not None and b.nan == FALSE:
        return both(no_nan, _against_infinity(op, a, above=b.num.constant > 0))
    if _alike(a, b):
        x, y, _ = _aligned(a, b)
        return both(no_nan, numbers.ordered(op, x, y))
    raise NotRead("a comparison of floats that may be infinite")


def _alike(a: Float, b: Float) -> bool:
    """Whether the order of the numbers is that of the floats: an infinity is beyond all of the other's finite ones."""
    if is_infinite(a) == FALSE and is_infinite(b) == FALSE:
        return True
    return a.scale == b.scale and (a.low, a.high) == (b.low, b.high)


def _known(value: Float) -> Fraction | None:
    if value.num.constant is None or is_infinite(value) != FALSE:
        return None
    return Fraction(value.num.constant, 2**value.scale)


def _against(op: str, value: Float, limit: Fraction) -> Condition:
    """A comparison with a known number: a bound on the float's own, which lies inside of its finite ones."""
    edge = limit * 2**value.scale
    floor = edge.numerator // edge.denominator
    exact = edge.denominator == 1
    match op:
        case "<=":
            return _at_most(value, floor)
        case "<":
            return _at_most(value, floor - 1 if exact else floor)
        case ">":
            return negated(_at_most(value, floor))
        case ">=":
            return negated(_at_most(value, floor - 1 if exact else floor))
        case "==":
            if (
                not exact
                or (value.high is not None and floor > value.high)
                or (value.low is not None and floor < value.low)
            ):
                return FALSE
            return equal(value.num, number(floor))
        case _:
            raise NotRead(f"the comparison {op}")


def _against_infinity(op: str, value: Float, *, above: bool) -> Condition:
    """A comparison with an infinity."""
    there = is_above(value) if above else is_below(value)
    match op:
        case "==":
            return there
        case "<" | ">":
            return negated(there) if (op == "<") == above else FALSE
        case _:
            return TRUE if (op == "<=") == above else there


def _at_most(value: Float, limit: int) -> Condition:
    if value.high is not None:
        limit = min(limit, value.high)
    if value.low is not None:
        limit = max(limit, value.low - 1)
    return at_most(value.num, number(limit))


def _ordered(op: str, a: Float, above: Condition, below_: Condition, n: Term, d: Term) -> Condition:
    """A comparison with an exact number that varies."""
    compared = numbers.ordered(op, a.num * d, n * number(2**a.scale))
    finite = both(negated(above), negated(below_), compared)
    if op == "==":
        return finite
    return either(finite, above if op in (">", ">=") else below_)


# Whole numbers


def to_int(value: Float, mode: str, state: State, line: int) -> Int:
    """A float as a whole number; NaN and the infinities have none."""
    state.raise_if(value.nan, VALUE_ERROR, line)
    state.raise_if(is_infinite(value), OVERFLOW, line)
    den = number(2**value.scale)
    whole = half_even(value.num, den) if mode == "half_even" else rounded(value.num, den, mode)
    assert whole is not None
    return Int(whole)


def round_to_places(value: Float, places: int, line: int) -> Float:
    """``round(value, places)``: the float nearest to the decimal number that is nearest to the float's exact value."""
    if not -20 <= places <= 20 or is_infinite(value) != FALSE:
        raise NotRead("round() of this float to so many decimals", line)
    num, den = value.num * number(10 ** max(places, 0)), 2**value.scale * 10 ** max(-places, 0)
    whole = half_even(num, number(den)) * number(10 ** max(-places, 0))
    result = rounding(whole, number(10 ** max(places, 0)), value.nan)
    if is_infinite(result) != FALSE:
        raise NotRead("round() of a float that may become too large", line)
    return result
