"""Python's trees of texts that may be anything; none of its warnings reach who reads our output."""

from __future__ import annotations

import ast
import warnings


def tree_of(text: str) -> ast.Module | None:
    """The tree of a module; None for what does not parse."""
    tree = _parsed(text, "exec")
    return tree if isinstance(tree, ast.Module) else None


def expression_of(text: str) -> ast.expr | None:
    """The tree of one expression; None for anything else."""
    tree = _parsed(text, "eval")
    return tree.body if isinstance(tree, ast.Expression) else None


def _parsed(text: str, mode: str) -> ast.AST | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
