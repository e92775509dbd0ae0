"""What a name in a candidate stands for, where that is certain.

A name that is bound in more than one way anywhere in the module stands for nothing: the steps that ask are silent then.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from types import MappingProxyType

_BUILTINS = frozenset(vars(builtins)) | {"__builtins__", "__loader__", "__spec__"}


class Names:
    """The names of one module: ``dotted`` says which object of a module or of ``builtins`` an expression is.

    ``given`` are names that the spec's declarations bind before the candidate, as ``{"Decimal": "decimal.Decimal"}``.
    """

    def __init__(self, tree: ast.Module, given: Mapping[str, str] = MappingProxyType({})) -> None:
        self._imported: dict[str, str | None] = {}
        self._bound: set[str] = set()
        self.functions: set[str] = set()
        self.has_star = False
        self._used: set[str] = set()
        self._tree = tree  # alive, so that its nodes keep their ids
        self._dotted: dict[int, str | None] = {}
        for node in ast.walk(tree):
            self._bind(node)
        free = {name: target for name, target in given.items() if name not in self._imported}
        self._imported |= free

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    target = alias.name if alias.asname else alias.name.split(".")[0]
                    self._import(alias.asname or target, target)
            case ast.ImportFrom(module=module, names=names, level=level):
                for alias in names:
                    if alias.name == "*":
                        self.has_star = True
                    else:
                        self._import(alias.asname or alias.name, None if level else f"{module}.{alias.name}")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self.functions.add(name)
                self._bound.add(name)
            case ast.ClassDef(name=name):
                self._bound.add(name)
            case ast.Name(id=name, ctx=ast.Load()):
                self._used.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                self._bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                self._bound.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self._bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                self._bound.add(name)
            case _:
                pass

    def _import(self, name: str, target: str | None) -> None:
        known = self._imported.setdefault(name, target)
        if known != target:
            self._imported[name] = None

    def uses(self, name: str) -> bool:
        """Whether the name is read anywhere."""
        return name in self._used

    def is_bound(self, name: str) -> bool:
        """Whether the candidate binds the name by anything but an import."""
        return name in self._bound

    def is_imported(self, name: str) -> bool:
        """Whether an import, the candidate's or the spec's, binds the name."""
        return name in self._imported

    def dotted(self, node: ast.expr) -> str | None:
        """``decimal.Decimal``, ``builtins.eval``, ``datetime.datetime.now``; None where that is not certain."""
        match node:
            case ast.Name(id=name):
                if name in self._bound:
                    return None
                if name in self._imported:
                    return self._imported[name]
                return f"builtins.{name}" if name in _BUILTINS and not self.has_star else None
            case ast.Attribute(value=value, attr=attr):
                if id(node) not in self._dotted:
                    owner = self.dotted(value)
                    self._dotted[id(node)] = None if owner is None else f"{owner}.{attr}"
                return self._dotted[id(node)]
            case _:
                return None


def given_names(declarations: str) -> dict[str, str]:
    """The imports at the head of a spec's declarations, as ``{"Decimal": "decimal.Decimal"}``."""
    return {
        alias.asname or alias.name: f"{statement.module}.{alias.name}"
        for statement in ast.parse(declarations).body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
