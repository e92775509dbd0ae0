"""The named parts of a spec (data, lets, definitions), and which of them a clause uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from neurosym_specs._faults import show
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Definition, Ensure, Reference, Reject, Relation, Require, Spec
from neurosym_specs.obligations import ObligationClause


def head(definition: Definition) -> str:
    """``days_in(y)``."""
    return f"{definition.name}({', '.join(definition.parameters)})"


def one_line(text: str) -> str:
    """An expression's text without its line breaks; string literals that hold several spaces are kept."""
    return " ".join(line.strip() for line in text.strip().splitlines()) if "\n" in text else text.strip()


def named_parts(spec: Spec) -> dict[str, tuple[str, str]]:
    """By its name, each part as a reader has it: the left side and the right side, in the spec's order."""
    return {
        **{name: (name, show(value)) for name, value in spec.data.items()},
        **{name: (name, one_line(expression.text)) for name, expression in spec.lets.items()},
        **{name: (head(each), one_line(each.body.text)) for name, each in spec.definitions.items()},
    }


def parts_used(spec: Spec, clause: ObligationClause | Require | None) -> tuple[tuple[str, str], ...]:
    """Those that a clause speaks of, and those that these speak of in turn, in the spec's order."""
    runs = frozenset(clause.runs) if isinstance(clause, Relation) else frozenset()
    bodies = {**spec.lets, **{name: each.body for name, each in spec.definitions.items()}}
    used: set[str] = set()
    queue = [name for expression in _expressions(clause) for name in _names(expression, runs)]
    parts = named_parts(spec)
    while queue:
        name = queue.pop()
        if name in parts and name not in used:
            used.add(name)
            queue += _names(bodies[name]) if name in bodies else ()
    return tuple(part for name, part in parts.items() if name in used)


def _expressions(clause: ObligationClause | Require | None) -> Iterator[Expression]:
    found: list[Expression | None] = []
    match clause:
        case Reject():
            found = [clause.when]
        case Ensure():
            found = [clause.when, clause.that]
        case Relation():
            found = [clause.given, clause.that]
        case Reference():
            found = [clause.value, clause.where]
        case Require():
            found = [clause.that]
        case _:
            pass
    yield from (each for each in found if each is not None)


def _names(expression: Expression, runs: frozenset[str] = frozenset()) -> Iterator[str]:
    """Names that an expression reads; of one about several runs, what it reads in each: ``fee`` of ``a.fee``."""
    for node in ast.walk(expression.tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in runs:
            yield node.attr
