"""Writes out what the spec's declarations give a candidate, so that a delivered file stands on its own."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from neurosym_specs.signature import declarations

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit
from neurosym.rewrite.mend.imports import place_of_imports


def find(draft: Draft) -> Sequence[Edit]:
    """Inserts the given imports that the module reads, and the given classes if it reads one that it lacks."""
    if not draft.is_code:
        return ()
    read = {n.id for n in ast.walk(draft.module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    own = {name for name in read if draft.names.is_bound(name)} | _imported(draft.module)
    needed = read - own
    body = ast.parse(declarations(draft.spec)).body
    classes = [each for each in body if isinstance(each, ast.ClassDef)]
    if needed & {each.name for each in classes}:
        classes = [each for each in classes if each.name not in own]
        needed |= {n.id for each in classes for n in ast.walk(each) if isinstance(n, ast.Name)} - own
    else:
        classes = []
    lines = []
    for statement in body:
        if isinstance(statement, ast.ImportFrom):
            names = [alias.name for alias in statement.names if alias.name in needed]
            lines += [f"from {statement.module} import {', '.join(names)}"] if names else []
    text = "".join(f"{line}\n" for line in lines) + "".join(f"\n\n{ast.unparse(each)}\n" for each in classes)
    at = place_of_imports(draft)
    return [Edit(at, at, text.replace("\n", draft.newline))] if text else ()


def _imported(tree: ast.Module) -> set[str]:
    return {
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
