"""A part of the fifth step: constants that nobody should work out, such as ``9**9**9``.

A type checker folds constants as Python does, and Python would work on this one until its time is up. A bound on the
digits of the result is known without computing it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.gate._place import diagnose, place_of, text_of
from neurosym.source import Delivered

MOST_BITS = 1_000_000
"""About 300,000 digits, worked out in milliseconds."""

MOST_TEXT_BITS = 8 * 10_000_000

_EXACT_BITS = 4_096


@dataclass(frozen=True, slots=True)
class _Measured:
    """A whole number or a text: at most how many bits it has, and the number's value where that is small."""

    bits: int
    value: int | None = None
    is_text: bool = False


def measure_constants(tree: ast.Module, source: Delivered) -> Diagnostic | None:
    """The first constant that would be too large, or None."""
    found = _Constants()
    for statement in tree.body:
        found.visit(statement)
    if not found.too_large:
        return None
    node = min(found.too_large, key=place_of)
    said = (
        f"{text_of(node, 40)} would have more than {MOST_BITS * 3 // 10:,} digits or {MOST_TEXT_BITS // 8:,} characters"
    )
    return diagnose(node, source, "NS204", FailureClass.TIMEOUT, said, "write a bound that the calculation needs")


class _Constants(ast.NodeVisitor):
    """Measures constant arithmetic on whole numbers from the inside out; what is not that measures None."""

    def __init__(self) -> None:
        self.too_large: list[ast.expr] = []

    def visit_Constant(self, node: ast.Constant) -> _Measured | None:  # the visitor's protocol
        if isinstance(node.value, str | bytes):
            return _Measured(8 * len(node.value), is_text=True)
        return _exactly(node.value) if type(node.value) is int else None

    def visit_UnaryOp(self, node: ast.UnaryOp) -> _Measured | None:
        operand = self.visit(node.operand)
        if operand is None or operand.is_text or not isinstance(node.op, ast.USub):
            return operand if isinstance(node.op, ast.UAdd) else None
        return _Measured(operand.bits, None if operand.value is None else -operand.value)

    def visit_BinOp(self, node: ast.BinOp) -> _Measured | None:
        left, right = self.visit(node.left), self.visit(node.right)
        if left is None or right is None:
            return None
        result = _repeated(node.op, left, right) if left.is_text or right.is_text else _combined(node.op, left, right)
        if result is not None and result.bits > (MOST_TEXT_BITS if result.is_text else MOST_BITS):
            self.too_large.append(node)
            return None
        return result


def _exactly(value: int) -> _Measured:
    bits = value.bit_length()
    return _Measured(bits, value if bits <= _EXACT_BITS else None)


def _repeated(op: ast.operator, left: _Measured, right: _Measured) -> _Measured | None:
    """A text times a number, or two texts in a row."""
    text, times = (left, right) if left.is_text else (right, left)
    match op:
        case ast.Add() if times.is_text:
            return _Measured(text.bits + times.bits, is_text=True)
        case ast.Mult() if times.value is not None:
            return _Measured(text.bits * max(times.value, 0), is_text=True)
        case ast.Mult() if not times.is_text and text.bits:
            return _Measured(MOST_TEXT_BITS + 1, is_text=True)
        case _:
            return None


def _combined(op: ast.operator, left: _Measured, right: _Measured) -> _Measured | None:
    match op:
        case ast.Add() | ast.Sub():
            bits = max(left.bits, right.bits) + 1
        case ast.Mult():
            bits = left.bits + right.bits
        case ast.Pow() if right.value is not None and right.value >= 0:
            bits = left.bits * right.value if left.bits > 1 else 1
        case ast.LShift() if right.value is not None and right.value >= 0:
            bits = left.bits + right.value
        case ast.Pow() | ast.LShift() if right.value is None and left.bits > 1:
            return _Measured(MOST_BITS + 1)
        case ast.FloorDiv() | ast.Mod() | ast.RShift() | ast.BitAnd() | ast.BitOr() | ast.BitXor():
            return _Measured(max(left.bits, right.bits) + 1)
        case _:
            return None
    if bits > _EXACT_BITS or left.value is None or right.value is None:
        return _Measured(bits)
    return _exactly(_worked_out(op, left.value, right.value))


def _worked_out(op: ast.operator, left: int, right: int) -> int:
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Pow():
            return int(left**right)
        case _:
            return left << right
