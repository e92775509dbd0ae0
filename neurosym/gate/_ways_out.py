"""A part of the seventh step: what an import or a class pattern reaches beside what its module is there for.

A module of the standard library holds those that it imports itself: ``typing.sys``, ``dataclasses.types``. A policy
that allows the one does not mean the others. And attributes that lead into the interpreter are refused wherever they
stand: also behind ``from ... import``, and in a pattern like ``case object(__globals__=names)``, where no dot is seen.
"""

from __future__ import annotations

import ast
import importlib
import itertools
import sys
from collections.abc import Iterator
from types import ModuleType

from neurosym_specs.model import DEFAULT_IMPORTS, Spec
from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic
from neurosym.gate._names import Names
from neurosym.gate._place import MOST_SHOWN, diagnose, place_of, words
from neurosym.source import Delivered

_LOOKED_INTO = DEFAULT_IMPORTS | words("copy textwrap types contextlib random time cmath string struct array queue")
"""Modules that are imported here to look at what they hold: they do nothing when they are."""

_HARMLESS = words("__version__ __all__ __name__ __doc__")


def find_ways_out(tree: ast.Module, names: Names, spec: Spec, source: Delivered) -> tuple[Diagnostic, ...]:
    """Where the candidate reaches what no import of it is allowed to, in the order of the lines, at most ten."""
    look = _Look(names, spec.policy.imports, source)
    nodes = sorted((node for node in ast.walk(tree) if isinstance(node, _LOOKED_AT)), key=place_of)
    return tuple(itertools.islice((found for node in nodes for found in look.at(node)), MOST_SHOWN))


_LOOKED_AT = (ast.ImportFrom, ast.Attribute, ast.MatchClass)


class _Look:
    def __init__(self, names: Names, allowed: frozenset[str], source: Delivered) -> None:
        self._names, self._allowed, self._source = names, allowed, source

    def at(self, node: ast.AST) -> Iterator[Diagnostic]:
        match node:
            case ast.ImportFrom(module=str(module), names=aliases, level=0) if module != "__future__":
                for alias in aliases:
                    if alias.name.startswith("__") and alias.name not in _HARMLESS:
                        yield self._hidden(node, alias.name)
                    else:
                        yield from self._held(node, f"{module}.{alias.name}")
            case ast.Attribute():
                dotted = self._names.dotted(node)
                if dotted is not None:
                    yield from self._held(node, dotted)
            case ast.MatchClass(kwd_attrs=attributes):
                for name in attributes:
                    if name.startswith("__") and name not in _HARMLESS:
                        yield self._hidden(node, name)
            case _:
                pass

    def _held(self, node: ast.AST, dotted: str) -> Iterator[Diagnostic]:
        module = _module_at(dotted)
        if module is None or self._is_allowed(dotted, module):
            return
        said = f"{dotted} is the module {module}, which is outside of what the spec allows"
        hint = f"{dotted.partition('.')[0]} only uses it; allowed: {', '.join(sorted(self._allowed))}"
        yield diagnose(node, self._source, "NS401", FailureClass.IMPORT, said, hint)

    def _is_allowed(self, dotted: str, module: str) -> bool:
        """Whether it is a package's own module, or one that may be imported by its own name."""
        parts = module.split(".")
        own = sys.modules.get(dotted) is sys.modules.get(module)
        return own or any(".".join(parts[:size]) in self._allowed for size in range(1, len(parts) + 1))

    def _hidden(self, node: ast.AST, name: str) -> Diagnostic:
        said = f"{name} leads from a value into the interpreter"
        hint = "a calculation needs none of it: use isinstance, a dict or a method"
        return diagnose(node, self._source, "NS411", FailureClass.POLICY, said, hint)


def _module_at(dotted: str) -> str | None:
    """The name of the module that ``typing.sys`` and the like end at; None where they end at something else."""
    root, *rest = dotted.split(".")
    if root not in _LOOKED_INTO or not rest:
        return None
    found: object = importlib.import_module(root)
    for part in rest:
        if not isinstance(found, ModuleType):
            return None
        found = vars(found).get(part)
    return found.__name__ if isinstance(found, ModuleType) else None
