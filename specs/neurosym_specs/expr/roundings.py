"""Closures for ``round`` and ``round_to``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from neurosym_specs.expr import signatures
from neurosym_specs.expr.closures import constant
from neurosym_specs.expr.dates import needs_whole
from neurosym_specs.expr.language import MODES
from neurosym_specs.expr.literals import constant_value
from neurosym_specs.expr.program import Frame, Local, Program, Run, Unit
from neurosym_specs.expr.rational import is_exact, needs_number
from neurosym_specs.expr.rounding import ROUNDINGS, round_places, round_step
from neurosym_specs.expr.undefined import BudgetExceeded, Undefined

_TOWARDS = {"floor": "floor", "ceil": "ceiling", "trunc": "down"}


def compile_to_whole(unit: Unit, node: ast.Call) -> Run:
    """``floor``, ``ceil`` and ``trunc``, which an observer is told of as roundings to whole numbers."""
    assert isinstance(node.func, ast.Name)
    observer, name = unit.program.observer, node.func.id
    x, operation = unit.compile(node.args[0]), unit.guard1(node, unit.program.library.by_name[name])
    if observer is None:
        return lambda frame: operation(x(frame))

    def watched(frame: Frame) -> Any:
        value = x(frame)
        if is_exact(value):
            observer.rounding(node, Fraction(value), Fraction(1), _TOWARDS[name])
        return operation(value)

    return watched


def _mode(unit: Unit, node: ast.expr) -> Run:
    """A rounding mode: its bare name, a text, or a value that is such a text."""
    written = _written_mode(unit, node)
    if written:
        return constant(written)
    program = unit.program
    known = isinstance(node, ast.Name) and (
        node.id in unit.names
        or node.id in program.cell_of_input
        or node.id in program.cell_of_let
        or node.id in program.data
    )
    signatures.check_mode(unit.expression, node, known)
    return unit.compile(node)


def _written_mode(unit: Unit, node: ast.expr) -> str:
    return signatures.written_mode(node, isinstance(node, ast.Name) and isinstance(unit.names.get(node.id), Local))


def _rounding_of(mode: Any) -> Callable[[int, int], int]:
    rounding = ROUNDINGS.get(mode) if isinstance(mode, str) else None
    if rounding is None:
        raise Undefined(f"{mode!r} is no rounding mode: {', '.join(MODES)}")
    return rounding


def compile_round(unit: Unit, node: ast.Call) -> Run:
    """``round(x, places, mode)`` and ``round(x, mode)``."""
    x, mode = unit.compile(node.args[0]), _mode(unit, node.args[-1])
    places = unit.compile(node.args[1]) if len(node.args) == 3 else constant(0)
    rounded = unit.guard(node, _Rounding(unit.program, node).to_places)
    static_places = constant_value(node.args[1]) if len(node.args) == 3 else 0
    static_mode = _written_mode(unit, node.args[-1])
    if unit.program.observer is None and type(static_places) is int and abs(static_places) < 100 and static_mode:
        return _round_quickly(
            x, static_places, ROUNDINGS[static_mode], lambda value: rounded(value, static_places, static_mode)
        )
    return lambda frame: rounded(x(frame), places(frame), mode(frame))


def _round_quickly(x: Run, places: int, rounding: Callable[[int, int], int], slow: Callable[[Any], Any]) -> Run:
    def to_places(frame: Frame) -> Any:
        value = x(frame)
        if type(value) is Fraction:
            return round_places(value.numerator, value.denominator, places, rounding)
        if type(value) is int and places >= 0:
            return value
        return slow(value)

    return to_places


def compile_round_to(unit: Unit, node: ast.Call) -> Run:
    x, step, mode = unit.compile(node.args[0]), unit.compile(node.args[1]), _mode(unit, node.args[2])
    rounded = unit.guard(node, _Rounding(unit.program, node).to_step)
    return lambda frame: rounded(x(frame), step(frame), mode(frame))


class _Rounding:
    """A rounding at one node, told to the observer if there is one."""

    def __init__(self, program: Program, node: ast.AST) -> None:
        self.program = program
        self.node = node

    def to_places(self, x: Any, places: Any, mode: Any) -> Any:
        rounding = _rounding_of(mode)
        whole = needs_whole(places, "the places of `round`")
        if abs(whole) > self.program.meter.budget.digits:
            raise BudgetExceeded(f"`round` to {whole} places")
        step = Fraction(1, 10**whole) if whole >= 0 else Fraction(10**-whole)
        return self._rounded(x, step, str(mode), lambda n, d: round_places(n, d, whole, rounding))

    def to_step(self, x: Any, step: Any, mode: Any) -> Any:
        rounding = _rounding_of(mode)
        exact = needs_number(step, "the step of `round_to`")
        if exact <= 0:
            raise Undefined(f"the step of `round_to` is positive, not {exact}")
        n, d = exact.numerator, exact.denominator
        return self._rounded(x, Fraction(n, d), str(mode), lambda a, b: round_step(a, b, n, d, rounding))

    def _rounded(self, x: Any, step: Fraction, mode: str, rounded: Callable[[int, int], Any]) -> Any:
        value = needs_number(x, "a rounding")
        if getattr(value, "is_real", False):
            from neurosym_specs.expr import reals  # python-flint is loaded only for real functions

            return reals.rounded(value, step, rounded)
        if self.program.observer is not None:
            self.program.observer.rounding(self.node, Fraction(value), step, mode)
        return self.program.arithmetic.bounded(rounded(value.numerator, value.denominator))
