"""Real functions of symbolic numbers: powers with an exponent that varies, roots, exponentials and logarithms.

What they give is no quotient of terms. It is kept as the computation that it is (``Real``), and so is what is computed
from it. What a path or a clause asks of such a number is a ``RealTest``: to a solver a flag of which it knows nothing,
so that what has no counterexample has none whatever the flag is; ``algebra`` decides some of them.

An operation of a float or a Decimal rounds, and raises where Python's raises; one of the spec's language is exact, and
undefined where the evaluator's is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.decimal_contexts import DEFAULT, current
from neurosym_verifiers.reading.data.exceptions import (
    DECIMAL_OVERFLOW,
    DECIMAL_ZERO_DIVISION,
    INVALID_OPERATION,
    OVERFLOW,
    TYPE_ERROR,
    VALUE_ERROR,
    ZERO_DIVISION,
)
from neurosym_verifiers.reading.data.values import (
    Bool,
    Dec,
    Float,
    Int,
    NotRead,
    Quotient,
    Ratio,
    Real,
    Value,
    key_of,
    real_kind,
)
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats import arithmetic as floats
from neurosym_verifiers.reading.formulas.budget import spend
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, number

UNDEFINED = ("undefined",)
NOTHING = Int(number(0))
REAL = "real!"
"""How the names of questions about real numbers begin, and those of no input."""
_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


@dataclass(eq=False, init=False)
class RealTest(Flag):
    """A question about numbers of which at least one is a ``Real``. For floats and Decimals it is one about what was
    computed, with its roundings.

    ``question``: ``<``, ``<=`` or ``==`` of two parts; ``within``: the first is no further from the second than
    ``abs_tol + rel_tol * |second|``, and finite; ``finite``; ``overflow``: computing it raises since it is too large.
    """

    question: str
    parts: tuple[Value, ...]
    abs_tol: Fraction
    rel_tol: Fraction

    def __init__(
        self, question: str, parts: tuple[Value, ...], abs_tol: Fraction = Fraction(0), rel_tol: Fraction = Fraction(0)
    ) -> None:
        self.question, self.parts, self.abs_tol, self.rel_tol = question, parts, abs_tol, rel_tol
        text = "\0".join((question, str(abs_tol), str(rel_tol), *map(key_of, parts)))
        self.name = REAL + blake2b(text.encode(), digest_size=12).hexdigest()
        self.key = f"b:{self.name}"
        spend(1)

    @cached_property
    def names(self) -> frozenset[str]:
        """Its own as a flag, and the variables and flags that it speaks of."""
        return frozenset((self.name, *_names_of(self.parts)))

    def rewritten(self, term: Callable[[Value], Value], condition: Callable[[Condition], Condition]) -> RealTest:
        """The same question about other numbers: ``term`` rewrites those that are no computations."""
        known: dict[str, Value] = {}

        def value(of: Value) -> Value:
            if not isinstance(of, Real):
                return term(of)
            if of.key not in known:
                known[of.key] = Real(of.kind, of.operation, tuple(map(value, of.parts)), condition(of.condition))
            return known[of.key]

        return RealTest(self.question, tuple(map(value, self.parts)), self.abs_tol, self.rel_tol)


def _names_of(parts: tuple[Value, ...]) -> set[str]:
    found: set[str] = set()
    seen: set[str] = set()
    todo = list(parts)
    while todo:
        match todo.pop():
            case Real() as real if real.key not in seen:
                seen.add(real.key)
                found |= real.condition.names
                todo += real.parts
            case Int(term=term):
                found |= term.names
            case Dec(num=num):
                found |= num.names
            case Float(num=num, nan=nan):
                found |= num.names | nan.names
            case Ratio(num=num, den=den) | Quotient(num=num, den=den):
                found |= num.names | den.names
            case _:
                pass
    return found


def is_real(*values: Value) -> bool:
    """Whether one of them is known as a computation only."""
    return any(isinstance(value, Real) for value in values)


def is_varying(exponent: Value) -> bool:
    """Whether an exponent is no number that is known."""
    return not isinstance(exponent, Int) or exponent.term.constant is None


def made(kind: str, operation: str, *parts: Value) -> Real:
    """The number that an operation gives."""
    spend(1)
    return Real(kind, operation, parts)


def compared(op: str, a: Value, b: Value) -> Condition:
    """``a op b``; op is one of ``== != < <= > >=``."""
    if isinstance(a, Bool) or isinstance(b, Bool):
        a, b = (Int(numbers.as_int(each)) if isinstance(each, Bool) else each for each in (a, b))
    if not is_real(a, b):
        if isinstance(a, Float) or isinstance(b, Float):
            return floats.compare(op, a, b)
        return numbers.compare(op, a, b)
    match op:
        case "!=":
            return negated(RealTest("==", (a, b)))
        case ">":
            return RealTest("<", (b, a))
        case ">=":
            return RealTest("<=", (b, a))
        case _:
            return RealTest(op, (a, b))


def within(value: Value, right: Value, abs_tol: Fraction, rel_tol: Fraction) -> Condition:
    """Whether a result is finite and within a tolerance of the right value."""
    return RealTest("within", (value, right), abs_tol, rel_tol)


def finite(value: Value) -> Condition:
    """Whether a float or Decimal is neither NaN nor infinite."""
    if isinstance(value, Real):
        return RealTest("finite", (value,)) if value.kind in ("float", "Decimal") else TRUE
    return floats.is_finite(value) if isinstance(value, Float) else TRUE


# Python's operators


def binary(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    """``a op b`` in Python, for numbers of which at least one is a float or Decimal known as a computation, or that
    make one."""
    kinds = {real_kind(a), real_kind(b)} - {""}
    if kinds == {"int"}:
        return _binary_of_whole(op, a, b, state, line)
    kinds -= {"int"}
    if len(kinds) > 1:
        state.raise_if(TRUE, TYPE_ERROR, line)
        return NOTHING
    kind = kinds.pop()
    a, b = (_operand(kind, each, state, line) for each in (a, b))
    if isinstance(op, ast.Pow):
        return power(kind, a, b, state, line)
    if type(op) not in _SIGNS:
        raise NotRead(f"the operator {type(op).__name__} of what a real function gives", line)
    if isinstance(op, ast.Div):
        _not_by_zero(kind, a, b, state, line)
    if isinstance(op, ast.Sub) and compared("==", a, NOTHING) == TRUE:
        return made(kind, "neg", b)
    return made(kind, _SIGNS[type(op)], a, b)


def _binary_of_whole(op: ast.operator, a: Value, b: Value, state: State, line: int) -> Value:
    """``a op b`` of ints, which are exact; their quotient is a float, rounded once."""
    a, b = (Int(numbers.as_int(each)) if isinstance(each, Bool) else each for each in (a, b))
    if not all(isinstance(each, Int) or (isinstance(each, Real) and each.kind == "int") for each in (a, b)):
        raise NotRead("arithmetic that mixes an int and this", line)
    if type(op) not in _SIGNS:
        raise NotRead(f"the operator {type(op).__name__} of what a real function gives", line)
    if isinstance(op, ast.Div):
        state.raise_if(compared("==", b, NOTHING), ZERO_DIVISION, line)
        return if_not_too_large(made("float", "/", a, b), state, line)
    return made("int", _SIGNS[type(op)], a, b)


def _operand(kind: str, value: Value, state: State, line: int) -> Value:
    if kind == "float":
        if isinstance(value, Real):
            return value if value.kind == kind else if_not_too_large(made(kind, "=", value), state, line)
        return floats.to_float(value, state, line)
    return decimal_operand(value, line)


def decimal_operand(value: Value, line: int) -> Value:
    """A number beside a Decimal, or the Decimal itself; only in the default context, and no sum of quotients."""
    if current() != DEFAULT:
        raise NotRead("a real function in a decimal context of the program's own", line)
    if isinstance(value, Quotient) and value.roundings != 1:
        raise NotRead("a sum of quotients in a real function", line)
    if isinstance(value, Bool):
        return Int(numbers.as_int(value))
    if not isinstance(value, (Real, Dec, Quotient, Int)):
        raise NotRead("arithmetic that mixes Decimal with this", line)
    return value


def _not_by_zero(kind: str, a: Value, b: Value, state: State, line: int) -> None:
    none = compared("==", b, NOTHING)
    if kind == "Decimal":
        state.raise_if(both(none, compared("==", a, NOTHING)), INVALID_OPERATION, line)
    state.raise_if(none, ZERO_DIVISION if kind == "float" else DECIMAL_ZERO_DIVISION, line)


def power(kind: str, base: Value, exponent: Value, state: State, line: int, *, of_math: bool = False) -> Value:
    """``base ** exponent``, or ``math.pow``; what has no real value is not read."""
    if kind == "Decimal":
        return _decimal_power(base, exponent, state, line)
    negative = FALSE if _never_negative(base) else compared("<", base, NOTHING)
    if not _is_whole(exponent) and both(state.live, negative) != FALSE:
        raise NotRead("a power of a float that may be negative, with an exponent that may not be whole", line)
    none = both(compared("==", base, NOTHING), compared("<", exponent, NOTHING))
    state.raise_if(none, VALUE_ERROR if of_math else ZERO_DIVISION, line)
    return if_not_too_large(made(kind, "**", base, exponent), state, line)


def _decimal_power(base: Value, exponent: Value, state: State, line: int) -> Value:
    if both(state.live, compared("<=", base, NOTHING)) != FALSE:
        raise NotRead("a power of a Decimal that may not be positive", line)
    return if_not_too_large(made("Decimal", "**", base, exponent), state, line)


def _never_negative(value: Value) -> bool:
    """Whether what is computed is surely no negative number: exact results are not, and rounding keeps that."""
    match value:
        case Real(operation="exp" | "sqrt" | "abs"):
            return True
        case Real(operation="+" | "*" | "/" | "**" | "if", parts=parts):
            return all(map(_never_negative, parts[:1] if value.operation == "**" else parts))
        case _:
            return not isinstance(value, Real) and compared("<", value, NOTHING) == FALSE


def _is_whole(value: Value) -> bool:
    match value:
        case Int():
            return True
        case Float(num=num, scale=scale):
            return all(coefficient % 2**scale == 0 for _, coefficient in num.parts)
        case _:
            return False


def if_not_too_large(value: Real, state: State, line: int) -> Real:
    """The number; where it is too large, computing it raises."""
    state.raise_if(RealTest("overflow", (value,)), OVERFLOW if value.kind == "float" else DECIMAL_OVERFLOW, line)
    return value


# Python's functions


def logarithm(kind: str, name: str, value: Value, state: State, line: int) -> Value:
    """``log``, ``log2``, ``log10`` or ``log1p`` of a float; ``ln`` of a Decimal."""
    least = Int(number(-1 if name == "log1p" else 0))
    outside = compared("<=", value, least)
    if kind == "Decimal":
        if both(state.live, outside) != FALSE:
            raise NotRead("the logarithm of a Decimal that may not be positive", line)
    else:
        state.raise_if(outside, VALUE_ERROR, line)
    return made(kind, name, value)


def root(kind: str, value: Value, state: State, line: int) -> Value:
    state.raise_if(compared("<", value, NOTHING), VALUE_ERROR if kind == "float" else INVALID_OPERATION, line)
    return made(kind, "sqrt", value)


def exponential(kind: str, name: str, value: Value, state: State, line: int) -> Value:
    """``exp`` or ``expm1``."""
    return if_not_too_large(made(kind, name, value), state, line)


def absolute(value: Real) -> Value:
    return made(value.kind, "abs", value)


# The spec's language


def exact_binary(op: ast.operator, a: Value, b: Value, state: State) -> Value:
    """``a op b`` of exact numbers; undefined where the evaluator's is."""
    a, b = (Int(numbers.as_int(each)) if isinstance(each, Bool) else each for each in (a, b))
    match op:
        case ast.Pow():
            return _exact_power(a, b, state)
        case ast.Div():
            state.raise_if(compared("==", b, NOTHING), UNDEFINED, 0)
        case ast.Add() | ast.Sub() | ast.Mult():
            pass
        case _:
            raise NotRead(f"{type(op).__name__} of what a real function gives")
    return made("", _SIGNS[type(op)], a, b)


def _exact_power(base: Value, exponent: Value, state: State) -> Value:
    if not isinstance(exponent, Int):
        raise NotRead("a power whose exponent may not be whole")
    below_one = compared("<", exponent, NOTHING)
    state.raise_if(both(compared("==", base, NOTHING), below_one), UNDEFINED, 0)
    return made("", "**", base, exponent)


def exact_function(name: str, value: Value, state: State) -> Value:
    """``sqrt``, ``exp`` or ``log`` of the spec's language."""
    if name == "log":
        state.raise_if(compared("<=", value, NOTHING), UNDEFINED, 0)
    if name == "sqrt":
        state.raise_if(compared("<", value, NOTHING), UNDEFINED, 0)
    return made("", name, value)


def exact_defined(value: Real, state: State) -> Value:
    """A result to compute with: an infinite one has no number."""
    state.raise_if(negated(finite(value)), UNDEFINED, 0)
    return value
