"""The annotations of a nested function, which are evaluated where it is made: those that surely only name types."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from neurosym_verifiers.reading.python.program import Program

_GENERIC = frozenset({"list", "dict", "tuple", "set", "frozenset", "type"})
_GENERIC_MODULES = ("typing.", "collections.abc.")


def annotations_of(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Those of its parameters, and of what it returns."""
    spec = function.args
    for each in (*spec.posonlyargs, *spec.args, spec.vararg, *spec.kwonlyargs, spec.kwarg):
        if each is not None and each.annotation is not None:
            yield each.annotation
    if function.returns is not None:
        yield function.returns


def only_names_types(node: ast.expr, program: Program, shadowed: frozenset[str]) -> bool:
    """Whether evaluating an annotation raises nothing and changes nothing. ``shadowed``: names that functions bind."""
    match node:
        case ast.Constant(value=None | str()):
            return True
        case ast.Name(id=name) if name in shadowed:
            return False
        case ast.Name(id=name) if program.binds(name):
            return True
        case ast.Name() | ast.Attribute():
            return _is_type(program.imported(node))
        case ast.Subscript(value=of, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            parts = [each for part in parts for each in (part.elts if isinstance(part, ast.List) else [part])]
            generic = only_names_types(of, program, shadowed) and _is_generic(program.imported(of))
            return generic and all(only_names_types(each, program, shadowed) for each in parts)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            nothing = [isinstance(each, ast.Constant) and each.value is None for each in (left, right)]
            texts = any(isinstance(each, ast.Constant) and each.value is not None for each in (left, right))
            return not all(nothing) and not texts and all(_joins(each, program, shadowed) for each in (left, right))
        case _:
            return False


def _joins(node: ast.expr, program: Program, shadowed: frozenset[str]) -> bool:
    """Whether it can stand beside ``|``."""
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = program.imported(node)
        known = isinstance(node, ast.Name) and (node.id in program.records or node.id in program.enums)
        return only_names_types(node, program, shadowed) and (known or "." in name or _is_type(name))
    return only_names_types(node, program, shadowed)


def _is_type(name: str) -> bool:
    return "." in name or isinstance(getattr(builtins, name, None), type)


def _is_generic(name: str) -> bool:
    return name in _GENERIC or name.startswith(_GENERIC_MODULES)
