"""The rounding rules of a spec in words: which modes its expressions name, and what each means in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from neurosym_specs.expr.language import MODES
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec

_ROUNDINGS = frozenset({"round", "round_to"})


def rounding_words(spec: Spec) -> tuple[str, ...]:
    """A sentence for each mode by which the rule rounds. It names the convention, and not where it is used."""
    used = {mode for expression in _expressions(spec) for mode in _modes(expression.tree)}
    return tuple(f"{mode}: {MODES[mode]}; decimal.ROUND_{mode.upper()}" for mode in MODES if mode in used)


def _modes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[*_, ast.Name(id=mode)]) if name in _ROUNDINGS and mode in MODES:
                yield mode
            case _:
                pass


def _expressions(spec: Spec) -> Iterator[Expression]:
    yield from spec.lets.values()
    yield from (definition.body for definition in spec.definitions.values())
    yield from (reject.when for reject in spec.rejects)
    if spec.reference is not None:
        yield from (each for each in (spec.reference.value, spec.reference.where) if each is not None)
    for ensure in spec.ensures:
        yield from (each for each in (ensure.when, ensure.that) if each is not None)
    yield from (relation.that for relation in spec.relations)
