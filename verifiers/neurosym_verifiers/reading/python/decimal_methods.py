"""Methods of Decimals, and those of a context, which do the same in that context."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import replace

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.decimal_contexts import DecimalContext, in_force, mode
from neurosym_verifiers.reading.data.fractions import lowest_terms
from neurosym_verifiers.reading.data.operations import binary, pick, round_decimal
from neurosym_verifiers.reading.data.values import (
    Bool,
    Dec,
    Int,
    NoneValue,
    NotRead,
    Quotient,
    Real,
    Sequence,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.arguments import check_plain, given
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats.rounded_reals import quantized, without_decimals
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, number
from neurosym_verifiers.reading.python.library import FUNCTIONS

_MOST_SCALED = 100


def decimal_method(
    value: Dec | Quotient | Real,
    name: str,
    arguments: Many[Value],
    keywords: Mapping[str, Value],
    state: State,
    line: int,
) -> Value:
    """``value.name(...)`` of a Decimal. Raises ``NotRead``."""
    match value, name, arguments:
        case _, "quantize", _:
            return _quantize(value, arguments, keywords, state, line)
        case _, "to_integral_value" | "to_integral" | "to_integral_exact", _:
            return _whole(value, mode(_only("rounding", arguments, keywords, line), line), line)
    check_plain(arguments, keywords, (0, 1), line)
    match value, name, arguments:
        case Dec(), "scaleb", [Int(term=by)]:
            return _scaled(value, by.constant, line)
        case Dec(), "as_integer_ratio", []:
            return Sequence(lowest_terms(*numbers.as_ratio(value), line), False)
        case Dec(), "copy_abs", []:
            return FUNCTIONS["abs"]([value], {}, state, line)
        case Dec(), "copy_negate", []:
            return Dec(-value.num, value.places, value.written)
        case Dec(), "normalize", []:
            return numbers.exact_decimal(value.num, value.places, "a normalize")
        case Dec(), "is_nan" | "is_infinite" | "is_snan" | "is_qnan", []:
            return Bool(FALSE)
        case Dec(), "is_finite", []:
            return Bool(TRUE)
        case Dec(), "is_zero", []:
            return Bool(numbers.compare("==", value, Int(number(0))))
        case Dec(), "compare", [(Dec() | Int()) as other]:
            above, below = (numbers.compare(op, value, other) for op in (">", "<"))
            signs = [Dec(number(sign), 0) for sign in (1, -1, 0)]
            return pick(above, signs[0], pick(below, signs[1], signs[2], line), line)
        case _:
            raise NotRead(f"the method {name} of a {type(value).__name__}", line)


def context_method(
    context: DecimalContext,
    name: str,
    arguments: Many[Value],
    keywords: Mapping[str, Value],
    state: State,
    line: int,
) -> Value:
    """``context.name(...)``: its operands are Decimals, or whole numbers in their place. Raises ``NotRead``."""
    operands = [_operand(each, line) for each in arguments]
    if keywords:
        raise NotRead(f"{name} of a decimal context with these arguments", line)
    with in_force(context):
        match name, operands:
            case "add" | "subtract" | "multiply" | "divide" | "divide_int" | "remainder", [a, b]:
                return binary(_OPERATORS[name], a, b, state, line)
            case "quantize", [(Dec() | Quotient()) as a, b]:
                return _quantize(a, [b], {}, state, line)
            case "plus" | "create_decimal", [a]:
                return binary(ast.Add(), a, Int(number(0)), state, line)
            case "minus", [a]:
                return binary(ast.Sub(), Int(number(0)), a, state, line)
            case "abs", [a]:
                return FUNCTIONS["abs"]([binary(ast.Add(), a, Int(number(0)), state, line)], {}, state, line)
            case "to_integral_value", [(Dec() | Quotient()) as a]:
                return _whole(a, context.rounding, line)
            case _:
                raise NotRead(f"the method {name} of a decimal context", line)


_OPERATORS: Mapping[str, ast.operator] = {
    "add": ast.Add(),
    "subtract": ast.Sub(),
    "multiply": ast.Mult(),
    "divide": ast.Div(),
    "divide_int": ast.FloorDiv(),
    "remainder": ast.Mod(),
}


def _operand(value: Value, line: int) -> Value:
    match value:
        case Dec() | Quotient():
            return value
        case Int(term=term):
            return Dec(term, 0)
        case _:
            raise NotRead(f"a {type(value).__name__} as an operand of a decimal context", line)


def _only(name: str, arguments: Many[Value], keywords: Mapping[str, Value], line: int) -> Value | None:
    """The one argument that may be there, by position or by name."""
    if set(keywords) - {name} or len(arguments) + len(keywords) > 1:
        raise NotRead("these arguments", line)
    return keywords.get(name, arguments[0] if arguments else None)


def _rounded(value: Dec | Quotient | Real, places: int, mode_: str, state: State, line: int) -> Value:
    if isinstance(value, Real):
        return quantized(value, places, mode_, state, line)
    return round_decimal(value, places, mode_, line)


def _quantize(
    value: Dec | Quotient | Real, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """``quantize(unit, rounding, context)``."""
    known = given(("exp", "rounding", "context"), arguments, keywords, line)
    if "exp" not in known:
        raise NotRead("quantize with these arguments", line)
    unit, within = known["exp"], known.get("context", NoneValue())
    if not isinstance(unit, Dec) or not unit.written:
        raise NotRead("quantize to a unit whose number of decimals is not certain", line)
    match within:
        case NoneValue():
            return _rounded(value, unit.places, mode(known.get("rounding"), line), state, line)
        case Thing(of=DecimalContext() as context):
            with in_force(context):
                return _rounded(value, unit.places, mode(known.get("rounding"), line), state, line)
        case _:
            raise NotRead("quantize in this context", line)


def _whole(value: Dec | Quotient | Real, mode: str, line: int) -> Value:
    """``to_integral_value``, which leaves ``Decimal("1E+2")`` as it is: what comes out has no decimals, but as a unit
    of ``quantize`` it may stand for hundreds."""
    if isinstance(value, Real):
        return without_decimals(value, mode, line)
    return replace(round_decimal(value, 0, mode, line), written=isinstance(value, Dec) and value.written)


def _scaled(value: Dec, by: int | None, line: int) -> Value:
    if by is None or abs(by) > _MOST_SCALED:
        raise NotRead("scaleb by this", line)
    places = max(value.places - by, 0)
    return numbers.exact_decimal(value.num * number(10 ** (places - value.places + by)), places, "a scaleb")
