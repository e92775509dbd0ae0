"""The functions in a class of the program that are called by their names: methods, properties, those of the class."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from neurosym_verifiers.reading.data.values import NotRead

Imported: TypeAlias = Callable[[ast.expr], str]
"""The full name of what an expression of the module stands for: that of an import (``dataclasses.field``), or of a
builtin that the program does not bind; empty for anything else."""

AFTER_INIT = "__post_init__"

_DECORATORS: Mapping[str, str] = {"property": "property", "classmethod": "class", "staticmethod": "static"}


@dataclass(frozen=True, slots=True)
class Methods:
    """Functions by name. A method takes an instance first. Those in ``kinds`` are none: a ``property`` is called by its
    name alone, a function of the ``class`` takes the class first, a ``static`` one neither."""

    functions: Mapping[str, ast.FunctionDef] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.functions

    def kind(self, name: str) -> str:
        return self.kinds.get(name, "method")


def methods_of(
    statement: ast.ClassDef, functions: Iterable[ast.FunctionDef], imported: Imported, allowed: frozenset[str]
) -> Methods:
    """The functions of a class, none of which changes what operators and Python itself do with its instances.

    ``allowed``: names that mean something to Python and may be there. Raises ``NotRead``.
    """
    _check_names(statement)
    found: dict[str, ast.FunctionDef] = {}
    kinds: dict[str, str] = {}
    for function in functions:
        name = function.name
        special = name.startswith("_") and name.endswith("_") and name not in allowed
        if special or name in found:
            raise NotRead(f"{name} in the class {statement.name}", function.lineno)
        match [imported(each) for each in function.decorator_list]:
            case []:
                pass
            case [("property" | "classmethod" | "staticmethod") as decorator] if name not in allowed:
                kinds[name] = _DECORATORS[decorator]
            case _:
                raise NotRead(f"the decorators of {statement.name}.{name}", function.lineno)
        found[name] = function
    if found and _mangles(statement):
        raise NotRead(f"the class {statement.name}", statement.lineno)
    return Methods(found, kinds)


def _check_names(statement: ast.ClassDef) -> None:
    """A default or a decorator is evaluated in the class, where a name may be that of a field or a function before it.
    Raises ``NotRead`` where it may be, since it is read as one of the module."""
    own: set[str] = set()
    evaluated: list[ast.expr] = []
    for part in statement.body:
        match part:
            case ast.FunctionDef(name=name, decorator_list=decorators):
                own.add(name)
                evaluated += decorators
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                own.add(name)
                evaluated.append(value)
            case ast.Assign(targets=targets):
                own |= {each.id for each in targets if isinstance(each, ast.Name)}
    for node in (node for each in evaluated for node in ast.walk(each)):
        if isinstance(node, ast.Name) and node.id in own:
            raise NotRead(f"{node.id} in the class {statement.name}, which has one of its own", node.lineno)


def _mangles(statement: ast.ClassDef) -> bool:
    """Whether a name in a class is a private one (``__rate``), which means another name."""
    names = (getattr(node, key, None) for node in ast.walk(statement) for key in ("id", "attr", "name", "arg"))
    return any(isinstance(name, str) and name.startswith("__") and not name.endswith("__") for name in names)
