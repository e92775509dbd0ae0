"""Closures for arithmetic and for conditions.

Each operator has a quick way for two whole numbers, and one for a whole number beside a literal; everything else goes
through ``Arithmetic``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.budget import SMALL
from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.literals import constant_value, surely_boolean
from neurosym_specs.expr.program import Frame, Run, Unit
from neurosym_specs.expr.rational import is_exact
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined

SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


def compile_binary(unit: Unit, node: ast.BinOp) -> Run:
    left, right = unit.compile(node.left), unit.compile(node.right)
    arithmetic = unit.program.arithmetic
    literal = constant_value(node.right)
    match node.op:
        case ast.Add():
            return _add(left, right, literal, unit.guard2(node, arithmetic.add))
        case ast.Sub():
            return _subtract(left, right, literal, unit.guard2(node, arithmetic.sub))
        case ast.Mult():
            return _multiply(left, right, literal, unit.guard2(node, arithmetic.mul))
        case ast.Div() if unit.program.observer is not None:
            return _watched_division(unit, node, left, right)
        case ast.Div():
            slow = unit.guard2(node, arithmetic.div)
        case ast.FloorDiv() if unit.program.observer is not None:
            return _observed_floor(unit, node, left, right)
        case ast.FloorDiv():
            return _floor_divide(left, right, literal, unit.guard2(node, arithmetic.floordiv))
        case ast.Mod() if unit.program.observer is not None:
            return _watched_modulo(unit, node, left, right)
        case ast.Mod():
            return _modulo(left, right, literal, unit.guard2(node, arithmetic.mod))
        case _:
            slow = unit.guard2(node, arithmetic.pow)
    return lambda frame: slow(left(frame), right(frame))


def _observed_floor(unit: Unit, node: ast.BinOp, left: Run, right: Run) -> Run:
    """``//``, told to the observer as a rounding of the quotient."""
    observer, slow = unit.program.observer, unit.guard2(node, unit.program.arithmetic.floordiv)
    assert observer is not None

    def watched(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        quotient = slow(a, b)
        if is_exact(a) and is_exact(b):
            observer.rounding(node, Fraction(a) / Fraction(b), Fraction(1), "floor")
        return quotient

    return watched


def _add(left: Run, right: Run, literal: Any, slow: Callable[..., Any]) -> Run:
    if type(literal) is int and -SMALL < literal < SMALL:

        def add_literal(frame: Frame) -> Any:
            a = left(frame)
            if type(a) is int and -SMALL < a < SMALL:
                return a + literal
            return slow(a, literal)

        return add_literal

    def add(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int and -SMALL < a < SMALL:
            return a + b
        return slow(a, b)

    return add


def _subtract(left: Run, right: Run, literal: Any, slow: Callable[..., Any]) -> Run:
    if type(literal) is int and -SMALL < literal < SMALL:

        def subtract_literal(frame: Frame) -> Any:
            a = left(frame)
            if type(a) is int and -SMALL < a < SMALL:
                return a - literal
            return slow(a, literal)

        return subtract_literal

    def subtract(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int and -SMALL < a < SMALL:
            return a - b
        return slow(a, b)

    return subtract


def _multiply(left: Run, right: Run, literal: Any, slow: Callable[..., Any]) -> Run:
    if type(literal) is int and -SMALL < literal < SMALL:

        def multiply_literal(frame: Frame) -> Any:
            a = left(frame)
            if type(a) is int and -SMALL < a < SMALL:
                return a * literal
            return slow(a, literal)

        return multiply_literal

    def multiply(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int and -SMALL < a < SMALL and -SMALL < b < SMALL:
            return a * b
        return slow(a, b)

    return multiply


def _floor_divide(left: Run, right: Run, literal: Any, slow: Callable[..., Any]) -> Run:
    if type(literal) is int and literal != 0:

        def divide_by_literal(frame: Frame) -> Any:
            a = left(frame)
            return a // literal if type(a) is int else slow(a, literal)

        return divide_by_literal
    return lambda frame: slow(left(frame), right(frame))


def _watched_modulo(unit: Unit, node: ast.BinOp, left: Run, right: Run) -> Run:
    """``%``, told to the observer."""
    observer, slow = unit.program.observer, unit.guard2(node, unit.program.arithmetic.mod)
    assert observer is not None

    def watched(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        value = slow(a, b)
        observer.remainder(node, a, b)
        return value

    return watched


def _watched_division(unit: Unit, node: ast.BinOp, left: Run, right: Run) -> Run:
    """``/``, told to the observer."""
    observer, slow = unit.program.observer, unit.guard2(node, unit.program.arithmetic.div)
    assert observer is not None

    def watched(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        quotient = slow(a, b)
        if is_exact(a) and is_exact(b):
            observer.division(node, Fraction(b))
        return quotient

    return watched


def _modulo(left: Run, right: Run, literal: Any, slow: Callable[..., Any]) -> Run:
    if type(literal) is int and literal != 0:

        def modulo_literal(frame: Frame) -> Any:
            a = left(frame)
            return a % literal if type(a) is int else slow(a, literal)

        return modulo_literal
    return lambda frame: slow(left(frame), right(frame))


def compile_unary(unit: Unit, node: ast.UnaryOp) -> Run:
    if isinstance(node.op, ast.Not):
        test = condition(unit, node.operand)
        return lambda frame: not test(frame)
    operand = unit.compile(node.operand)
    negate = unit.program.arithmetic.neg
    if isinstance(node.op, ast.USub):
        slow = unit.guard1(node, negate)

        def minus(frame: Frame) -> Any:
            a = operand(frame)
            return -a if type(a) is int else slow(a)

        return minus
    plus = unit.guard1(node, lambda a: negate(negate(a)))
    return lambda frame: plus(operand(frame))


def condition(unit: Unit, node: ast.expr) -> Run:
    """A closure that surely gives True or False: there is no truthiness."""
    run = unit.compile(node)
    if surely_boolean(node):
        return run

    def test(frame: Frame) -> bool:
        value = run(frame)
        if value is True or value is False:
            return value
        raise unit.undefined(node, f"a condition is a boolean, not {kind_of(value)}; there is no truthiness")

    return test


def compile_boolean(unit: Unit, node: ast.BoolOp) -> Run:
    tests = [condition(unit, value) for value in node.values]
    is_and = isinstance(node.op, ast.And)
    if unit.program.observer is not None:
        return _observed_boolean(unit, node, tests, is_and)
    if len(tests) == 2:
        first, second = tests
        if is_and:
            return lambda frame: second(frame) if first(frame) else False
        return lambda frame: True if first(frame) else second(frame)
    if is_and:

        def every(frame: Frame) -> bool:
            for test in tests:  # noqa: SIM110  # a generator costs more than the tests
                if not test(frame):
                    return False
            return True

        return every

    def some(frame: Frame) -> bool:
        for test in tests:  # noqa: SIM110  # a generator costs more than the tests
            if test(frame):
                return True
        return False

    return some


def _observed_boolean(unit: Unit, node: ast.BoolOp, tests: list[Run], is_and: bool) -> Run:
    """All operands are evaluated for the observer; the result, or the failure, is the short-circuit one."""
    observer, meter = unit.program.observer, unit.program.meter
    assert observer is not None

    def watch(frame: Frame) -> bool:
        values: list[bool | None] = []
        failure: Undefined | None = None
        answer: bool | None = None
        for test in tests:
            left = meter.left
            try:
                value: bool | None = test(frame)
            except Undefined as error:
                value = None
                if answer is None and failure is None:
                    failure = error
                elif isinstance(error, BudgetExceeded):
                    meter.left = left
            values.append(value)
            if answer is None and failure is None and value is not is_and:
                answer = value
        observer.boolean(node, values)
        if answer is not None:
            return answer
        if failure is not None:
            raise failure
        return is_and

    return watch
