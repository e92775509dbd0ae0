"""The smallest closures: constants, variables, cells; and which nodes are constant or surely boolean."""

from __future__ import annotations

import ast
from typing import Any

from neurosym_specs.expr.program import UNSET, Frame, Run


def constant(value: Any) -> Run:
    def read_constant(frame: Frame) -> Any:
        return value

    return read_constant


def local(slot: int) -> Run:
    def read_local(frame: Frame) -> Any:
        return frame[slot]

    return read_local


def cell(at: int) -> Run:
    def read_cell(frame: Frame) -> Any:
        return frame[0][at]

    return read_cell


def cell_of(cells: int, at: int) -> Run:
    def read_cell_of(frame: Frame) -> Any:
        return frame[cells][at]

    return read_cell_of


def constant_value(node: ast.expr) -> Any:
    """The value of a literal (a minus before a number included), UNSET for any other node."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return UNSET if value is None or isinstance(value, str | bool | bytes) else -value  # type: ignore[operator]  # a number
        case _:
            return UNSET


def is_constant(node: ast.expr) -> bool:
    """Whether a tree has literals alone at its leaves."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return is_constant(operand)
        case ast.BinOp(left=left, right=right):
            return is_constant(left) and is_constant(right)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(map(is_constant, parts))
        case _:
            return False


_BOOLEAN_FUNCTIONS = frozenset({"any", "all", "approx", "is_nan", "is_finite", "leap", "matches", "same_items"})
_BOOLEAN_METHODS = frozenset({"isdigit", "startswith", "endswith"})


def surely_boolean(node: ast.expr, hidden: object = ()) -> bool:
    """Whether a node's value, if it has one, is a boolean. ``hidden``: names that no longer are functions."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=True | False):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return surely_boolean(body) and surely_boolean(orelse)
        case ast.Call(func=ast.Name(id=name)):
            return name in _BOOLEAN_FUNCTIONS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _BOOLEAN_METHODS
        case _:
            return False
