"""A translated expression, and what names mean where it stands."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from neurosym.contracts.conditions import Meaning
from neurosym.contracts.kinds import Kind


@dataclass(frozen=True, slots=True)
class Said:
    """A translated expression and the kind of its values."""

    node: ast.expr
    kind: Kind


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean: those of the condition, and in front of them what a loop or an inlined call binds."""

    meanings: Mapping[str, Meaning]
    local: Mapping[str, Said] = field(default_factory=dict)


def function(name: str, *arguments: ast.expr) -> ast.Call:
    """A call of a function of the expression language."""
    return ast.Call(func=ast.Name(id=name), args=[*arguments], keywords=[])
