"""Gives the function the name that the spec gives it, where exactly one function can be meant."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst
from libcst.metadata import GlobalScope, ScopeProvider

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit


def find(draft: Draft) -> Sequence[Edit]:
    """Renames the one function that takes the spec's inputs and that no other function calls, with all its uses."""
    wanted = draft.spec.name
    if not draft.is_code or _occurs(draft, wanted):
        return ()
    fitting = [each for each in draft.concrete.body if isinstance(each, cst.FunctionDef) and _fits(draft, each)]
    called = _called(draft)
    meant = fitting if len(fitting) == 1 else [each for each in fitting if each.name.value not in called]
    if len(meant) != 1:
        return ()
    old = meant[0].name.value
    uses = uses_of(draft, old)
    return [] if uses is None else [Edit(*draft.span(node), wanted) for node in dict.fromkeys([meant[0].name, *uses])]


def uses_of(draft: Draft, name: str) -> list[cst.Name] | None:
    """The places that read a name of the top level which is bound just once; None where they are not sure."""
    scopes = {scope for scope in draft.resolve(ScopeProvider).values() if isinstance(scope, GlobalScope)}
    if len(scopes) != 1:
        return None
    (scope,) = scopes
    assignments = list(scope[name])
    if len(assignments) != 1:
        return None
    uses = [access.node for access in assignments[0].references if isinstance(access.node, cst.Name)]
    return list(dict.fromkeys(uses)) if len(uses) == len(assignments[0].references) else None


def _occurs(draft: Draft, name: str) -> bool:
    """Whether the name stands for anything anywhere, so that renaming something to it could change a meaning."""
    if draft.names.is_bound(name) or draft.names.is_imported(name):
        return True
    declared = (n for n in ast.walk(draft.module) if isinstance(n, ast.Global | ast.Nonlocal))
    return any(name in node.names for node in declared)


def _fits(draft: Draft, function: cst.FunctionDef) -> bool:
    """Whether it can be called with the inputs of the spec, by position."""
    if function.asynchronous or function.decorators:
        return False
    params, count = function.params, len(draft.spec.inputs)
    positional = [*params.posonly_params, *params.params]
    needed = sum(each.default is None for each in positional)
    forced = any(each.default is None for each in params.kwonly_params)
    most = len(positional) if isinstance(params.star_arg, cst.MaybeSentinel | cst.ParamStar) else 1_000
    return needed <= count <= most and not forced


def _called(draft: Draft) -> set[str]:
    """The names that functions and classes of the module read, but not each function its own."""
    found: set[str] = set()
    for statement in draft.module.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            read = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            found |= read - {statement.name}
    return found
