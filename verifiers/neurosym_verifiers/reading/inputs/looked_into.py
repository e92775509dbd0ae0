"""Lists that are only looked into: ``day in holidays``, ``set(holidays)``.

Where a program and its spec ask of a list of dates or whole numbers only what is in it, its length and order do not
matter, and a program is not read for each length. What is read then are questions (``members``) and what their answers
have to do with each other (``memberships``). Whatever else is asked of the list is not read.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, fields, replace

from neurosym_specs.model import Spec
from neurosym_specs.types import DateType, IntType, ListType, Type

_COPIES = frozenset({"set", "frozenset"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedInto(ListType):
    """A list of which is only asked what is in it."""


def looked_into(spec: Spec, source: str) -> Spec | None:
    """The spec with its lists that are only looked into read so; None where there is none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    function = next((f for f in tree.body if isinstance(f, ast.FunctionDef) and f.name == spec.name), None)
    if function is None:
        return None
    own = {f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)}
    parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    expressions = [each.tree for each in spec.lets.values()]
    changed: dict[str, Type] = {}
    for parameter, (name, type_) in zip(parameters, spec.inputs.items(), strict=False):
        if not _may_be_looked_into(type_):
            continue
        looks = [_only_looks(each, name, set(spec.definitions)) for each in expressions]
        if _only_looks(function, parameter, own) and all(looks):
            kept = {field.name: getattr(type_, field.name) for field in fields(type_)}
            changed[name] = LookedInto(**kept)
    return replace(spec, inputs={**spec.inputs, **changed}) if changed else None


def _may_be_looked_into(type_: Type) -> bool:
    if not isinstance(type_, ListType) or type_.max_len is None or type_.min_len or type_.form != "list":
        return False
    return isinstance(type_.item, (DateType, IntType)) and type_.item.choices is None and not type_.item.also


def _only_looks(tree: ast.AST, name: str, own: set[str]) -> bool:
    """Whether a name stands only where something is looked for in it, or where it is handed on."""
    handed_on: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=ops, comparators=rights):
                handed_on |= {r for op, r in zip(ops, rights, strict=True) if isinstance(op, (ast.In, ast.NotIn))}
            case ast.Call(func=ast.Name(id=of), args=arguments) if of in own or of in _COPIES:
                handed_on |= set(arguments)
            case ast.Assign(value=value):
                handed_on.add(value)
            case _:
                pass
    return all(
        node in handed_on
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    )
