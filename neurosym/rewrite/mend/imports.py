"""Adds imports that are missing, from the modules that the spec allows.

Only names that nothing in the module binds, and of which exactly one allowed module is the home. The public names of a
module are those that the installed version has.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
from collections.abc import Iterable, Sequence
from importlib import import_module
from types import ModuleType

from neurosym_specs.model import DEFAULT_IMPORTS

from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit

_NEVER_BARE = frozenset({"operator", "re", "string", "json", "heapq", "bisect", "calendar", "graphlib", "numbers"})
"""Their names say little without the module (``add``, ``match``, ``capwords``): a name of theirs is no hint enough."""

_PREFERRED = {"typing": 1, "collections": 0, "collections.abc": 0}
_SUBMODULES = {"collections": ("collections.abc",)}


def find(draft: Draft) -> Sequence[Edit]:
    """Inserts one import for each module whose names are missing."""
    if not draft.is_code or draft.names.has_star:
        return ()
    wanted: dict[str, list[str]] = {}
    for name, attributes in sorted(_missing(draft).items()):
        home = _home(name, attributes, draft.spec.policy.imports)
        if home:
            wanted.setdefault(home, []).append(name)
    lines = [f"import {name}" for name in wanted.pop("import", [])]
    lines += [f"from {module} import {', '.join(names)}" for module, names in sorted(wanted.items())]
    if not lines:
        return ()
    newline = draft.newline
    at = place_of_imports(draft)
    text = newline.join(lines) + newline
    if at == len(draft.text) and draft.text and not draft.text.endswith(("\n", "\r")):
        text = newline + text
    return [Edit(at, at, text)]


def _missing(draft: Draft) -> dict[str, list[str | None]]:
    """The names that are read and bound nowhere, each with the attributes that are taken of it; None where none is."""
    names = draft.names
    found: dict[str, list[str | None]] = {}
    inner = {id(n.value): n.attr for n in ast.walk(draft.module) if isinstance(n, ast.Attribute)}
    for node in ast.walk(draft.module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            known = names.is_bound(node.id) or names.is_imported(node.id) or node.id in draft.given_classes
            if not known and not hasattr(builtins, node.id) and not node.id.startswith("__"):
                found.setdefault(node.id, []).append(inner.get(id(node)))
    return found


def _home(name: str, attributes: Sequence[str | None], allowed: frozenset[str]) -> str:
    """The module to import the name from, ``import`` where it is a module, empty where that is not certain."""
    as_module = name in allowed and all(each is not None for each in attributes)
    as_module = as_module and all(hasattr(_module(name), str(each)) for each in attributes)
    homes = [module for module in _modules(allowed) if _offers(module, name, attributes)]
    if as_module:
        return "" if homes else "import"
    best = min((_PREFERRED.get(module, 0) for module in homes), default=0)
    homes = [module for module in homes if _PREFERRED.get(module, 0) == best]
    return homes[0] if len(homes) == 1 else ""


def _modules(allowed: Iterable[str]) -> list[str]:
    standard = [module for module in sorted(allowed) if module in DEFAULT_IMPORTS and module not in _NEVER_BARE]
    return [each for module in standard for each in (module, *_SUBMODULES.get(module, ()))]


def _offers(module: str, name: str, attributes: Sequence[str | None]) -> bool:
    """Whether the name is a public one of the module's own, with all those attributes."""
    if name not in _public(module):
        return False
    value = getattr(_module(module), name)
    return all(each is None or hasattr(value, each) or not inspect.isclass(value) for each in attributes)


@functools.cache
def _module(name: str) -> ModuleType:
    return import_module(name)


@functools.cache
def _public(name: str) -> frozenset[str]:
    module = _module(name)
    offered: Iterable[str] = getattr(module, "__all__", None) or (n for n in dir(module) if not n.startswith("_"))
    return frozenset(each for each in offered if not inspect.ismodule(getattr(module, each)))


def place_of_imports(draft: Draft) -> int:
    """Where imports go: before the first statement behind the docstring and the imports from ``__future__``."""
    body = draft.module.body
    first = 0
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        first += isinstance(body[0].value.value, str)
    while first < len(body) and _is_future(body[first]):
        first += 1
    if first == 0:
        return 0 if not body else draft.line_start(draft.span(draft.concrete.body[0])[0])
    statement = draft.concrete.body[first - 1]
    start, stop = draft.span(statement)
    return draft.line_end(start + max(0, len(draft.text[start:stop].rstrip()) - 1))


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
