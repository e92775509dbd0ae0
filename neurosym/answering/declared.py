"""What a program says beside its function: literals that its module gives names to. They are read, never run."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Mapping
from typing import Any

UNIT, SENTENCE, INPUTS = "UNIT", "SENTENCE", "INPUTS"
NAMES = (UNIT, SENTENCE, INPUTS)
_WORKS = (ast.BinOp, ast.AugAssign, ast.Compare, ast.BoolOp, ast.For, ast.While, ast.comprehension, ast.Subscript)
_MAKERS = frozenset({"Decimal", "Fraction", "date", "int", "str", "bool", "float"})


def literals(tree: ast.Module) -> Mapping[str, Any]:
    """The constants of ``NAMES`` that the module assigns a literal to at its top level, the last one counting."""
    found: dict[str, Any] = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in NAMES:
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name in NAMES:
                pass
            case _:
                continue
        try:
            found[name] = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            found.pop(name, None)
    return found


def text_of(declared: Mapping[str, Any], name: str, most: int) -> str:
    """A declared text on one line without invisible characters; empty where there is none, or it is too long."""
    text = declared.get(name, "")
    if not isinstance(text, str) or len(text) > most:
        return ""
    return " ".join("".join(char for char in text if char in "\n\t" or not _is_hidden(char)).split())


def computes(tree: ast.Module) -> bool:
    """Whether the module computes anything: more than to write a value down."""
    for node in ast.walk(tree):
        if isinstance(node, _WORKS):
            return True
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _MAKERS):
            return True
    return False


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
