"""Closures for the operators: arithmetic, comparisons, conditions.

Each has a quick way for two whole numbers, and one for a whole number beside a literal; everything else goes through
``Arithmetic`` and ``Comparing``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import date
from typing import Any

from neurosym_specs.expr.budget import SMALL
from neurosym_specs.expr.datavalues import kind_of
from neurosym_specs.expr.literals import constant_value, surely_boolean
from neurosym_specs.expr.program import Frame, Run, Unit
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
            return _add(left, right, literal, unit.guard(node, arithmetic.add))
        case ast.Sub():
            return _subtract(left, right, literal, unit.guard(node, arithmetic.sub))
        case ast.Mult():
            return _multiply(left, right, literal, unit.guard(node, arithmetic.mul))
        case ast.Div():
            slow = unit.guard(node, arithmetic.div)
        case ast.FloorDiv():
            return _floor_divide(left, right, literal, unit.guard(node, arithmetic.floordiv))
        case ast.Mod():
            return _modulo(left, right, literal, unit.guard(node, arithmetic.mod))
        case _:
            slow = unit.guard(node, arithmetic.pow)
    return lambda frame: slow(left(frame), right(frame))


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
        slow = unit.guard(node, negate)

        def minus(frame: Frame) -> Any:
            a = operand(frame)
            return -a if type(a) is int else slow(a)

        return minus
    plus = unit.guard(node, lambda a: negate(negate(a)))
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


Compare = Callable[[Any, Any], bool]


def compare_function(unit: Unit, node: ast.Compare, operator: str) -> Compare:
    """The comparison of two values, exact, told as undefined at ``node`` where there is none."""
    comparing = unit.program.comparing
    equal, contains = comparing.equal, comparing.contains
    match operator:
        case "==":
            return unit.guard(node, equal)
        case "!=":
            return unit.guard(node, lambda a, b: not equal(a, b))
        case "in":
            return unit.guard(node, lambda a, b: contains(b, a))
        case "not in":
            return unit.guard(node, lambda a, b: not contains(b, a))
        case "is":
            return lambda a, b: a is b
        case "is not":
            return lambda a, b: a is not b
        case _:
            ordered = comparing.ordered
            return unit.guard(node, lambda a, b: ordered(operator, a, b))


def compile_comparison(unit: Unit, node: ast.Compare) -> Run:
    symbols = [SYMBOLS[type(operator)] for operator in node.ops]
    values = [unit.compile(value) for value in (node.left, *node.comparators)]
    watched = unit.program.observer is not None or unit.program.oracle is not None
    if len(symbols) == 1:
        return _single(unit, node, symbols[0], values[0], values[1], watched)
    compares = [_watched(unit, node, symbol) if watched else compare_function(unit, node, symbol) for symbol in symbols]
    if len(symbols) == 2:
        low, middle, high = values
        first, second = compares

        def between(frame: Frame) -> bool:
            b_left, b = low(frame), middle(frame)
            return second(b, high(frame)) if first(b_left, b) else False

        return between
    steps = list(zip(compares, values[1:], strict=True))
    start = values[0]

    def chain(frame: Frame) -> bool:
        a = start(frame)
        for compare, value in steps:
            b = value(frame)
            if not compare(a, b):
                return False
            a = b
        return True

    return chain


def _watched(unit: Unit, node: ast.Compare, symbol: str) -> Compare:
    """The comparison, told to the observer, or put to the oracle where it is too close to call."""
    exact = compare_function(unit, node, symbol)
    if symbol in ("is", "is not"):
        return exact
    observer, oracle = unit.program.observer, unit.program.oracle
    if observer is not None:

        def observed(a: Any, b: Any) -> bool:
            observer.comparison(node, symbol, a, b)
            return exact(a, b)

        return observed
    assert oracle is not None
    if symbol in ("in", "not in"):
        return exact
    return unit.guard(node, lambda a, b: oracle.compare(symbol, a, b, exact))


def _single(unit: Unit, node: ast.Compare, symbol: str, left: Run, right: Run, watched: bool) -> Run:
    if symbol == "is":
        return lambda frame: left(frame) is None
    if symbol == "is not":
        return lambda frame: left(frame) is not None
    if watched:
        compare = _watched(unit, node, symbol)
        return lambda frame: compare(left(frame), right(frame))
    slow = compare_function(unit, node, symbol)
    if symbol in ("in", "not in"):
        return _membership(unit, node, symbol == "in", left, right, slow)
    literal = constant_value(node.comparators[0])
    if type(literal) is int:
        return _AGAINST_LITERAL[symbol](left, literal, slow)
    return _PLAIN[symbol](left, right, slow)


def _membership(unit: Unit, node: ast.Compare, wanted: bool, left: Run, right: Run, slow: Compare) -> Run:
    container = node.comparators[0]
    if isinstance(container, ast.Call) and isinstance(container.func, ast.Name) and container.func.id == "range":
        if not container.keywords and 1 <= len(container.args) <= 3:
            bounds = [unit.compile(argument) for argument in container.args]
            numbers = unit.guard(container, unit.program.library.range)

            def in_range(frame: Frame) -> bool:
                item = left(frame)
                return (item in numbers(*[bound(frame) for bound in bounds])) is wanted

            return in_range
    return lambda frame: slow(left(frame), right(frame))


_QUICK_EQUAL = frozenset({int, str, date})


def _eq(left: Run, right: Run, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(a) is type(b) and type(a) in _QUICK_EQUAL:
            return bool(a == b)
        return slow(a, b)

    return compare


def _ne(left: Run, right: Run, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(a) is type(b) and type(a) in _QUICK_EQUAL:
            return bool(a != b)
        return slow(a, b)

    return compare


def _lt(left: Run, right: Run, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a < b if type(a) is int and type(b) is int else slow(a, b)

    return compare


def _le(left: Run, right: Run, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a <= b if type(a) is int and type(b) is int else slow(a, b)

    return compare


def _gt(left: Run, right: Run, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a > b if type(a) is int and type(b) is int else slow(a, b)

    return compare


def _ge(left: Run, right: Run, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a >= b if type(a) is int and type(b) is int else slow(a, b)

    return compare


_PLAIN: dict[str, Callable[[Run, Run, Compare], Run]] = {
    "==": _eq, "!=": _ne, "<": _lt, "<=": _le, ">": _gt, ">=": _ge,
}  # fmt: skip


def _eq_literal(left: Run, literal: int, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a = left(frame)
        return a == literal if type(a) is int else slow(a, literal)

    return compare


def _ne_literal(left: Run, literal: int, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a = left(frame)
        return a != literal if type(a) is int else slow(a, literal)

    return compare


def _lt_literal(left: Run, literal: int, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a = left(frame)
        return a < literal if type(a) is int else slow(a, literal)

    return compare


def _le_literal(left: Run, literal: int, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a = left(frame)
        return a <= literal if type(a) is int else slow(a, literal)

    return compare


def _gt_literal(left: Run, literal: int, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a = left(frame)
        return a > literal if type(a) is int else slow(a, literal)

    return compare


def _ge_literal(left: Run, literal: int, slow: Compare) -> Run:
    def compare(frame: Frame) -> bool:
        a = left(frame)
        return a >= literal if type(a) is int else slow(a, literal)

    return compare


_AGAINST_LITERAL: dict[str, Callable[[Run, int, Compare], Run]] = {
    "==": _eq_literal, "!=": _ne_literal, "<": _lt_literal,
    "<=": _le_literal, ">": _gt_literal, ">=": _ge_literal,
}  # fmt: skip
