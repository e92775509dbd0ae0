"""The eleventh step: modules, attributes and keyword arguments that the installed Python does not have.

Only what is certain is said: an import from a module of the standard library, a chain of names that starts at one, and
a method of a value whose class is certain. What stands in a ``try`` that would catch it is left alone.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import importlib
import importlib.util
import inspect
import itertools
import sys
import types
from collections.abc import Iterator

from neurosym_specs.model import DEFAULT_IMPORTS
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.gate._certain import Certain
from neurosym.gate._imports import is_never_here
from neurosym.gate._names import Names
from neurosym.gate._place import MOST_SHOWN, diagnose, place_of, text_of, words
from neurosym.source import Delivered

_LOOKED_INTO = DEFAULT_IMPORTS | words(
    "time random secrets uuid copy textwrap types cmath contextlib hashlib array queue struct"
)
"""Modules that are imported here to look at them: parts of the standard library that do nothing when they are."""

_CATCHES = words("AttributeError ImportError ModuleNotFoundError NameError TypeError Exception BaseException")
_MISSING = object()


def find_hallucinations(
    tree: ast.Module, names: Names, certain: Certain, source: Delivered, own: frozenset[str] = frozenset()
) -> tuple[Diagnostic, ...]:
    """What surely does not exist, in the order of the lines, at most ten. ``own``: modules that are the candidate's."""
    looks = _Looks(names, certain, source, own)
    nodes = sorted(_unguarded(tree), key=place_of)
    return tuple(itertools.islice((found for node in nodes for found in looks.at(node)), MOST_SHOWN))


def _unguarded(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes outside of any ``try`` that catches what a missing name raises, and of what never runs here."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        match node:
            case ast.Try(handlers=handlers, orelse=orelse, finalbody=finalbody) if any(map(_catches, handlers)):
                todo.extend([*handlers, *orelse, *finalbody])
            case ast.If(test=test, orelse=orelse) if is_never_here(test):
                todo.extend(orelse)
            case ast.With(items=items) if any("suppress" in text_of(item.context_expr) for item in items):
                pass
            case _:
                todo.extend(ast.iter_child_nodes(node))


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(not isinstance(kind, ast.Name) or kind.id in _CATCHES for kind in kinds)


class _Looks:
    def __init__(self, names: Names, certain: Certain, source: Delivered, own: frozenset[str]) -> None:
        self._names, self._certain, self._source, self._own = names, certain, source, own
        self._probes = names.uses("hasattr") or names.uses("getattr")

    def at(self, node: ast.AST) -> Iterator[Diagnostic]:
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    yield from self._module(node, alias.name)
            case ast.ImportFrom(module=str(module), names=imported, level=0) if module != "__future__":
                yield from self._imported(node, module, [alias.name for alias in imported])
            case ast.Attribute(value=value, attr=attr, ctx=ast.Load()) if not self._probes:
                yield from self._attribute(node, value, attr)
            case ast.Call(func=func, keywords=keywords) if keywords:
                yield from self._keywords(node, func)
            case _:
                pass

    def _module(self, node: ast.AST, module: str) -> Iterator[Diagnostic]:
        root, _, rest = module.partition(".")
        if module in self._own:
            return
        if not _exists(root):
            near = difflib.get_close_matches(root, sorted(sys.stdlib_module_names), n=1, cutoff=0.7)
            yield self._say(node, "NS432", FailureClass.IMPORT, f"there is no module {root} here", _nearest(near))
        elif rest and root in _LOOKED_INTO and _found(module) is None:
            yield self._say(node, "NS432", FailureClass.IMPORT, f"there is no module {module}", f"{root} is one")

    def _imported(self, node: ast.AST, module: str, wanted: list[str]) -> Iterator[Diagnostic]:
        missing = list(self._module(node, module))
        yield from missing
        if missing or module.split(".")[0] not in _LOOKED_INTO:
            return
        owner = importlib.import_module(module)
        for name in wanted:
            if name != "*" and not hasattr(owner, name) and not _found(f"{module}.{name}"):
                near = _near(name, owner)
                said = f"the module {module} has no {name}"
                yield self._say(node, "NS432", FailureClass.IMPORT, said, _elsewhere(name) or _nearest(near))

    def _attribute(self, node: ast.AST, value: ast.expr, attr: str) -> Iterator[Diagnostic]:
        owner, said = self._owner(value)
        if owner is _MISSING or hasattr(owner, attr):
            return
        if isinstance(owner, types.ModuleType):
            if hasattr(owner, "__getattr__") or _found(f"{owner.__name__}.{attr}"):
                return
            hint = _elsewhere(attr) or _nearest(_near(attr, owner))
        else:
            hint = _nearest(_near(attr, owner))
        yield self._say(node, "NS430", FailureClass.NAME, f"{said} has no {attr}", hint)

    def _keywords(self, node: ast.Call, func: ast.expr) -> Iterator[Diagnostic]:
        called = self._called(func)
        if called is _MISSING:
            return
        accepted = _keywords_of(called)
        if accepted is None:
            return
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg not in accepted:
                near = difflib.get_close_matches(keyword.arg, sorted(accepted), n=1, cutoff=0.5)
                takes = f"it takes {', '.join(sorted(accepted))}" if accepted else "it takes none by name"
                said = f"{text_of(func)} takes no argument named {keyword.arg}"
                yield self._say(keyword, "NS431", FailureClass.TYPE, said, _nearest(near) or takes)

    def _owner(self, value: ast.expr) -> tuple[object, str]:
        """The module or class whose attribute is asked for, and how to speak of it."""
        name = self._names.dotted(value)
        if name is not None:
            found = _object(name)
            if isinstance(found, types.ModuleType):
                return found, f"the module {name}"
            if isinstance(found, type) and type(found) is type:
                return found, f"the class {name.removeprefix('builtins.')}"
            return _MISSING, ""
        found_class = self._certain.class_of(value)
        if found_class is None:
            return _MISSING, ""
        return found_class, f"a value of the class {found_class.__name__}"

    def _called(self, func: ast.expr) -> object:
        name = self._names.dotted(func)
        if name is not None:
            return _object(name)
        match func:
            case ast.Attribute(value=value, attr=attr):
                owner = self._certain.class_of(value)
                return _MISSING if owner is None else getattr(owner, attr, _MISSING)
            case _:
                return _MISSING

    def _say(self, node: ast.AST, code: str, failure: FailureClass, said: str, hint: str) -> Diagnostic:
        return diagnose(node, self._source, code, failure, said, hint)


def _object(name: str) -> object:
    """What ``decimal.Decimal.quantize`` is, going through modules and plain classes only."""
    root, *rest = name.split(".")
    if root == "builtins":
        found: object = builtins
    elif root in _LOOKED_INTO:
        found = importlib.import_module(root)
    else:
        return _MISSING
    for place, part in enumerate(rest):
        if not isinstance(found, types.ModuleType | type):
            return _MISSING
        inner = getattr(found, part, _MISSING)
        if inner is _MISSING and isinstance(found, types.ModuleType):
            module = ".".join([root, *rest[: place + 1]])
            inner = importlib.import_module(module) if _found(module) else _MISSING
        found = inner
    return found


def _exists(root: str) -> bool:
    return root in sys.builtin_module_names or root in sys.stdlib_module_names or _found(root) is not None


def _found(module: str) -> object | None:
    """The place of a module that is installed. Imports the packages around it, which are ones looked into."""
    try:
        return sys.modules.get(module) or importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None


def _keywords_of(called: object) -> frozenset[str] | None:
    """The names by which a function takes arguments; None where its signature does not say, or takes any."""
    if isinstance(called, type):
        if type(called) is not type:
            return None
    elif not isinstance(called, types.FunctionType | types.BuiltinFunctionType | types.MethodDescriptorType):
        return None
    try:
        parameters = inspect.signature(called).parameters.values()
    except (ValueError, TypeError):
        return None
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    return frozenset(each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY))


def _near(name: str, owner: object) -> list[str]:
    public = [each for each in dir(owner) if not each.startswith("_")]
    return difflib.get_close_matches(name, public, n=1, cutoff=0.55)


def _nearest(near: list[str]) -> str:
    return f"the nearest name is {near[0]}" if near else ""


def _elsewhere(name: str) -> str:
    """A hint at a module that does have the name."""
    for module in ("math", "decimal", "statistics", "itertools", "functools", "datetime", "collections", "fractions"):
        if hasattr(importlib.import_module(module), name):
            return f"the module {module} has it"
    return ""
