"""Preconditions that can fail, behind those that cannot.

In Python a call is invalid where any precondition is false or raises. In the spec format a clause that fails is a fault
of the spec. So one that may fail is asked only where all those hold that cannot: the valid inputs are the same.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import replace

from neurosym.contracts.writing import Clause


def guarded(clauses: Sequence[Clause], optional: Collection[str]) -> list[Clause]:
    """The clauses, in their order. ``optional`` are the inputs that may be None, which most operations fail with."""
    safe = [
        each.text
        for each in clauses
        if each.table == "require" and not may_fail(ast.parse(each.text, mode="eval"), optional)
    ]
    if not safe:
        return [*clauses]
    all_safe = " and ".join(f"({text})" for text in safe)
    return [
        replace(each, text=f"not ({all_safe}) or ({each.text})")
        if each.table == "require" and each.text not in safe
        else each
        for each in clauses
    ]


def may_fail(expression: ast.AST, optional: Collection[str]) -> bool:
    """Whether an expression of the language may be undefined for some values; ``optional`` are the names of those
    that may be None."""
    for node in ast.walk(expression):
        match node:
            case ast.BinOp(op=ast.FloorDiv() | ast.Mod() | ast.Div(), right=right):
                if not (isinstance(right, ast.Constant) and right.value):
                    return True
            case ast.Subscript(slice=ast.Slice()):
                pass
            case ast.Subscript():
                return True
            case ast.Call(func=ast.Name(id="date")) | ast.Call(func=ast.Name(id="min" | "max"), args=[_]):
                return True
            case ast.Name(id=name) if name in optional:
                return True
            case _:
                pass
    return False
