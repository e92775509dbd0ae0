"""What a node's form alone tells: its value if it is a literal, whether it is surely boolean."""

from __future__ import annotations

import ast
from typing import Any


class _Unset:
    __slots__ = ()

    def __repr__(self) -> str:
        return "not set"


UNSET: Any = _Unset()
"""No value: of a node that is no literal, of a let that was not needed yet, of a result before a run."""


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


BOOLEAN_FUNCTIONS = frozenset({"any", "all", "approx", "is_nan", "is_finite", "leap", "matches", "same_items"})
BOOLEAN_METHODS = frozenset({"isdigit", "startswith", "endswith"})


def surely_boolean(node: ast.expr) -> bool:
    """Whether a node's value, if it has one, is a boolean."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=True | False):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return surely_boolean(body) and surely_boolean(orelse)
        case ast.Call(func=ast.Name(id=name)):
            return name in BOOLEAN_FUNCTIONS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in BOOLEAN_METHODS
        case _:
            return False
