"""``math``'s real functions on floats, and those that Decimals have as methods."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.values import Dec, NotRead, Quotient, Real, Value, real_kind
from neurosym_verifiers.reading.execution.arguments import Call, check_plain
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats import arithmetic as floats
from neurosym_verifiers.reading.floats import reals


def _float(value: Value, state: State, line: int) -> Value:
    if isinstance(value, (Dec, Quotient)) or (isinstance(value, Real) and value.kind != "float"):
        raise NotRead("a function of math on a Decimal or such an int", line)
    return value if isinstance(value, Real) else floats.to_float(value, state, line)


def _of_one(name: str, function: Callable[[str, str, Value, State, int], Value]) -> Call:
    def call(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
        check_plain(arguments, keywords, (1,), line)
        return function("float", name, _float(arguments[0], state, line), state, line)

    return call


def _root(kind: str, name: str, value: Value, state: State, line: int) -> Value:
    return reals.root(kind, value, state, line)


def _log(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    """With a base it is the quotient of two logarithms, each rounded."""
    check_plain(arguments, keywords, (1, 2), line)
    logs = [reals.logarithm("float", "log", _float(each, state, line), state, line) for each in arguments]
    return logs[0] if len(logs) == 1 else reals.binary(ast.Div(), logs[0], logs[1], state, line)


def _pow(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (2,), line)
    base, exponent = (_float(each, state, line) for each in arguments)
    return reals.power("float", base, exponent, state, line, of_math=True)


REAL_FUNCTIONS: dict[str, Call] = {
    "math.log": _log,
    "math.log2": _of_one("log2", reals.logarithm),
    "math.log10": _of_one("log10", reals.logarithm),
    "math.log1p": _of_one("log1p", reals.logarithm),
    "math.exp": _of_one("exp", reals.exponential),
    "math.expm1": _of_one("expm1", reals.exponential),
    "math.sqrt": _of_one("sqrt", _root),
    "math.pow": _pow,
}


def method(
    value: Dec | Quotient | Real,
    name: str,
    arguments: Many[Value],
    keywords: Mapping[str, Value],
    state: State,
    line: int,
) -> Value | None:
    """``value.ln()`` and such of a Decimal; None for a method that is none of these."""
    if real_kind(value) != "Decimal" or name not in ("ln", "exp", "sqrt"):
        return None
    check_plain(arguments, keywords, (0,), line)
    operand = reals.decimal_operand(value, line)
    match name:
        case "ln":
            return reals.logarithm("Decimal", "log", operand, state, line)
        case "exp":
            return reals.exponential("Decimal", "exp", operand, state, line)
        case _:
            return reals.root("Decimal", operand, state, line)
