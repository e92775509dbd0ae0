"""Calls of functions whose own contracts are taken away: there the program that is judged does less than the one that
is run, which would stop at a contract that is broken inside."""

from __future__ import annotations

import ast

from neurosym.contracts.conditions import Unread
from neurosym.contracts.program import Program


def unchecked_callee(program: Program, function: ast.FunctionDef) -> Unread | None:
    """What a function comes to call of that kind, directly or through others of the module; None if there is none.

    A function of icontract that calls itself does not count: icontract checks the outermost call only.
    """
    contracted = {node.name: found for node, found in program.decorated}
    own = contracted.get(function.name, [])
    if all(program.library(each).startswith("icontract.") for each in own):
        contracted.pop(function.name, None)
    defined = {
        node.name: node
        for node in program.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    seen: set[str] = set()
    todo = [function.name]
    while todo:
        name = todo.pop()
        if name in seen or name not in defined:
            continue
        seen.add(name)
        for used in _used(defined[name]):
            if used in contracted:
                why = f"it calls {used}, whose own contracts are not checked at that call"
                return Unread(function.lineno, f"the call of {used}", why, blocks=program.catches)
            todo.append(used)
    for statement in program.tree.body:
        if not isinstance(
            statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
        ):
            for each in ast.walk(statement):
                if isinstance(each, ast.Name) and each.id in contracted:
                    why = f"the module uses {each.id}, whose own contracts are not checked there, in line {each.lineno}"
                    return Unread(function.lineno, f"the use of {each.id}", why, blocks=program.catches)
    return None


def _used(node: ast.AST) -> list[str]:
    """All names and attributes in a function or class, without those in decorators of contracts alone."""
    found: list[str] = []
    for part in [*getattr(node, "body", ()), *(x for x in ast.iter_child_nodes(node) if isinstance(x, ast.arguments))]:
        for each in ast.walk(part):
            if isinstance(each, ast.Name):
                found.append(each.id)
            elif isinstance(each, ast.Attribute):
                found.append(each.attr)
    return found
