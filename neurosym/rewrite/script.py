"""Makes the top level of a script the body of the function that the spec names.

What stands before the first statement that is no import stays where it is. The script's variables become local, so
functions in it that call them ``global`` call them ``nonlocal``.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst
from neurosym_specs.signature import signature

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit, line_starts

_INDENT = "    "


def find(draft: Draft) -> Sequence[Edit]:
    """Indents the script below the signature, and returns what it calls by ``options["result"]``."""
    result = draft.options.get("result")
    if not draft.is_code or not isinstance(result, str) or _defines(draft) or not _gives(draft.module, result):
        return ()
    if any(isinstance(node, cst.ImportStar) for node in draft.all_of(cst.ImportStar)):
        return ()  # only a module's top level may
    head = _imports_first(draft.module.body)
    body = draft.concrete.body[head:]
    newline = draft.newline
    begin = draft.line_start(draft.span(body[0])[0])
    lines = signature(draft.spec).replace("\n", newline) + newline
    edits = [Edit(begin, begin, lines)]
    inside = _inside_of_texts(draft.module)
    starts = line_starts(draft.text)
    for number, start in enumerate(starts, start=1):
        stop = starts[number] if number < len(starts) else len(draft.text)
        if start >= begin and number not in inside and draft.text[start:stop].strip():
            edits.append(Edit(start, start, _INDENT))
    for each in draft.all_of(cst.Global):
        start = draft.span(each)[0]
        edits.append(Edit(start, start + len("global"), "nonlocal"))
    end = len(draft.text)
    closed = draft.text.endswith(("\n", "\r"))
    edits.append(Edit(end, end, f"{'' if closed else newline}{_INDENT}return {result}{newline}"))
    return edits


def _defines(draft: Draft) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == draft.spec.name for each in draft.module.body)


def _gives(tree: ast.Module, name: str) -> bool:
    """Whether the top level assigns the name."""
    todo: list[ast.AST] = [*tree.body]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))
    return False


def _imports_first(body: Sequence[ast.stmt]) -> int:
    """How many statements at the head are a docstring or imports; one statement at least is left."""
    count = 0
    while count < len(body) - 1 and (
        isinstance(body[count], ast.Import | ast.ImportFrom)
        or (count == 0 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant))
    ):
        count += 1
    return count


def _inside_of_texts(tree: ast.Module) -> set[int]:
    """The lines that begin inside of a text in quotes: they keep their beginning."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno is not None
        for line in range(node.lineno + 1, node.end_lineno + 1)
    }
