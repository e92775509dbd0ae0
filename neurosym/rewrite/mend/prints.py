"""Takes out stray prints, and what asks for input at the top level.

A print in a function goes only where its arguments do nothing: names, literals, attributes, arithmetic, texts. What the
module's top level reads by ``input`` goes with the statements there that need it, unless a function needs it too.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit

_NAMES = ("abs", "bool", "float", "format", "int", "len", "max", "min", "repr", "round", "str", "sum")
_HARMLESS = frozenset(f"builtins.{name}" for name in _NAMES)


def find(draft: Draft) -> Sequence[Edit]:
    """Deletes ``print(...)`` statements, and top-level statements around ``input``."""
    if not draft.is_code or not ("print" in draft.text or "input" in draft.text):
        return ()
    gone = _asking(draft)
    for line in draft.all_of(cst.SimpleStatementLine):
        prints = [small for small in line.body if isinstance(small, cst.Expr) and _is_print(draft, small.value)]
        at_top = isinstance(draft.parent(line), cst.Module)
        prints = [each for each in prints if at_top or _does_nothing(draft, each.value)]
        if line not in gone and prints:
            gone += [line] if len(prints) == len(line.body) else prints
    return draft.removals(gone)


def _is_print(draft: Draft, node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and draft.dotted(node.func) == "builtins.print"


def _does_nothing(draft: Draft, call: cst.BaseExpression) -> bool:
    """Whether computing the arguments changes nothing, so that not computing them changes nothing either."""
    assert isinstance(call, cst.Call)
    abstract = draft.abstract(call)
    if abstract is None or any(isinstance(n, ast.NamedExpr | ast.Await | ast.Yield) for n in ast.walk(abstract)):
        return False
    calls = [n for n in ast.walk(abstract) if isinstance(n, ast.Call) and n is not abstract]
    return all(draft.names.dotted(each.func) in _HARMLESS for each in calls)


def _asking(draft: Draft) -> list[cst.CSTNode]:
    """The top-level statements that call ``input``, and those there that use what came of it."""
    statements = draft.concrete.body
    gone: list[cst.CSTNode] = []
    lost: set[str] = set()
    for statement in statements:
        if isinstance(statement, cst.FunctionDef | cst.ClassDef):
            continue
        calls = draft.all_of(cst.Call, statement)
        asks = any(draft.dotted(call.func) == "builtins.input" for call in calls)
        if asks or lost & _read(draft, statement):
            gone.append(statement)
            lost |= _stored(draft, statement)
    kept = [each for each in statements if each not in gone]
    still_needed = any(lost & _read(draft, each) for each in kept)
    return [] if still_needed else gone


def _read(draft: Draft, statement: cst.CSTNode) -> set[str]:
    return _names(draft, statement, ast.Load)


def _stored(draft: Draft, statement: cst.CSTNode) -> set[str]:
    return _names(draft, statement, ast.Store)


def _names(draft: Draft, statement: cst.CSTNode, context: type[ast.expr_context]) -> set[str]:
    nodes = (draft.abstract(name) for name in draft.all_of(cst.Name, statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, context)}
