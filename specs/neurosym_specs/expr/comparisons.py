"""Closures for comparisons.

Each operator has a quick way for two whole numbers, and one for a whole number beside a literal; everything else goes
through ``Comparing``. With an observer or an oracle every comparison goes through it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import date
from typing import Any

from neurosym_specs.expr.literals import constant_value
from neurosym_specs.expr.operators import SYMBOLS
from neurosym_specs.expr.program import Frame, Run, Unit

Compare = Callable[[Any, Any], bool]


def compare_function(unit: Unit, node: ast.Compare, operator: str) -> Compare:
    """The comparison of two values, exact, told as undefined at ``node`` where there is none."""
    comparing = unit.program.comparing
    equal, contains = comparing.equal, comparing.contains
    match operator:
        case "==":
            return unit.guard2(node, equal)
        case "!=":
            return unit.guard2(node, lambda a, b: not equal(a, b))
        case "in":
            return unit.guard2(node, lambda a, b: contains(b, a))
        case "not in":
            return unit.guard2(node, lambda a, b: not contains(b, a))
        case "is":
            return lambda a, b: a is b
        case "is not":
            return lambda a, b: a is not b
        case _:
            ordered = comparing.ordered
            return unit.guard2(node, lambda a, b: ordered(operator, a, b))


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
    return unit.guard2(node, lambda a, b: oracle.compare(symbol, a, b, exact))


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
