"""Python's functions on floats: ``float``, those of ``math``, and what ``Decimal`` and ``Fraction`` make of a float."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.exceptions import OVERFLOW, VALUE_ERROR
from neurosym_verifiers.reading.data.items import items_of
from neurosym_verifiers.reading.data.values import Bool, Dec, Float, Int, NotRead, Ratio, Real, Text, Value
from neurosym_verifiers.reading.execution.arguments import Call, check_plain
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats import arithmetic as floats
from neurosym_verifiers.reading.floats.rounded_reals import as_float
from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.normal_forms import both, choose, either
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number


def _single(arguments: Many[Value], keywords: Mapping[str, Value], line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    return arguments[0]


def _converted(value: Value, state: State, line: int) -> Float:
    """``float(value)`` of a number, as the functions of ``math`` ask for it."""
    if not isinstance(value, Dec):
        return floats.to_float(value, state, line)
    made = floats.rounding(*numbers.as_ratio(value))
    if not floats.surely_finite(made):
        raise NotRead("a float of a Decimal that may be too large", line)
    return made


def _float(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if not arguments and not keywords:
        return Float(number(0), 0)
    value = _single(arguments, keywords, line)
    if isinstance(value, Real):
        return as_float(value, state, line)
    if not isinstance(value, Text):
        return _converted(value, state, line)
    try:
        return floats.known_float(float(value.value))
    except ValueError:
        state.raise_if(TRUE, VALUE_ERROR, line)
        return Float(number(0), 0)


def _asks(condition: Callable[[Float], Condition]) -> Call:
    def ask(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
        return Bool(condition(_converted(_single(arguments, keywords, line), state, line)))

    return ask


def _fabs(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    return floats.absolute(_converted(_single(arguments, keywords, line), state, line))


def _isclose(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    """``|b - a| <= |rel_tol * b|``, or the same with a, or ``<= abs_tol``; each operation rounds."""
    if len(arguments) != 2 or set(keywords) - {"rel_tol", "abs_tol"}:
        raise NotRead("isclose with these arguments", line)
    a, b = (_converted(each, state, line) for each in arguments)
    relative = _converted(keywords.get("rel_tol", floats.known_float(1e-09)), state, line)
    absolute = _converted(keywords.get("abs_tol", floats.known_float(0.0)), state, line)
    zero = Int(number(0))
    negative = either(floats.compare("<", relative, zero), floats.compare("<", absolute, zero))
    state.raise_if(negative, VALUE_ERROR, line)
    apart = floats.absolute(_operated(ast.Sub(), b, a, state, line))
    limits = [floats.absolute(_operated(ast.Mult(), relative, each, state, line)) for each in (b, a)]
    return Bool(either(floats.compare("==", a, b), *(floats.compare("<=", apart, x) for x in (*limits, absolute))))


def _operated(op: ast.operator, a: Float, b: Float, state: State, line: int) -> Float:
    made = floats.binary(op, a, b, state, line)
    assert isinstance(made, Float)
    return made


def _fsum(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    """The exact sum, rounded once."""
    total, den, largest = number(0), 1, 0
    nan: Condition = FALSE
    for there, item in items_of(state.top(_single(arguments, keywords, line)), line, any_order=True):
        each = _converted(item, state, line)
        if floats.is_infinite(each) != FALSE:
            raise NotRead("fsum of floats that may be infinite", line)
        finer = max(den, 2**each.scale)
        summand = choose(there, each.num * number(finer // 2**each.scale), number(0))
        total, den = total * number(finer // den) + summand, finer
        nan = either(nan, both(there, each.nan))
        if each.num.low is None or each.num.high is None:
            raise NotRead("fsum of floats without bounds", line)
        largest += max(-each.num.low, each.num.high) >> each.scale
    if largest >= binary64.LARGEST // 2:
        raise NotRead("fsum of floats that may become too large", line)
    return floats.rounding(total, number(den), nan)


def summed_in_order(line: int) -> None:
    """Raises ``NotRead`` where ``sum`` does more to floats than to add one after the other."""
    if sys.version_info >= (3, 12):
        raise NotRead("a sum of floats, which this Python compensates", line)


def decimal_of(value: Float, line: int) -> Dec:
    """``Decimal(value)``: exact, with all its digits."""
    if not floats.surely_finite(value):
        raise NotRead("Decimal() of a float that may be NaN or infinite", line)
    return Dec(value.num * number(5**value.scale), value.scale)


def fraction_of(value: Float, state: State, line: int) -> Ratio:
    """``Fraction(value)``: exact; NaN and the infinities have none."""
    state.raise_if(value.nan, VALUE_ERROR, line)
    state.raise_if(floats.is_infinite(value), OVERFLOW, line)
    return numbers.ratio(value.num, number(2**value.scale))


FLOAT_FUNCTIONS: dict[str, Call] = {
    "float": _float,
    "math.isnan": _asks(lambda value: value.nan),
    "math.isinf": _asks(floats.is_infinite),
    "math.isfinite": _asks(floats.is_finite),
    "math.fabs": _fabs,
    "math.isclose": _isclose,
    "math.fsum": _fsum,
}
