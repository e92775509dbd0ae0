"""Static checks of a spec's clauses: names, calls, modes, kinds of values. Errors only where surely wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from neurosym_specs.errors import Place, SpecError
from neurosym_specs.expr.infer import Inference
from neurosym_specs.expr.names import NameCheck, Needs, Reach, check_own_names
from neurosym_specs.expr.syntax import Expression
from neurosym_specs.model import Spec

__all__ = ["check_spec", "expressions_of"]


def check_spec(spec: Spec) -> None:
    """Raise a ``SpecError`` for the first clause that cannot mean anything.

    Names are checked everywhere before kinds of values are, so that a misspelt name is told as such.
    """
    check_own_names(spec, _places(spec))
    needs = Needs(spec)
    clauses = list(expressions_of(spec))
    for expression, reach, _ in clauses:
        NameCheck(spec, expression, reach, needs).run()
    _check_cycles(spec, needs)
    inference = Inference(spec)
    for expression, reach, must_be_boolean in clauses:
        inference.check(expression, reach, must_be_boolean)


def expressions_of(spec: Spec) -> Iterator[tuple[Expression, Reach, bool]]:
    """Every expression of a spec, what it may name, and whether it is a condition."""
    lets = frozenset(spec.lets)
    plain, with_result = Reach(lets), Reach(lets, result=True)
    for at, expression in enumerate(spec.lets.values()):
        yield expression, Reach(frozenset(list(spec.lets)[:at])), False
    for definition in spec.definitions.values():
        yield definition.body, Reach(lets, parameters=definition.parameters, in_definition=True), False
    for require in spec.requires:
        yield require.that, plain, True
    for reject in spec.rejects:
        yield reject.when, plain, True
    reference = spec.reference
    if reference is not None:
        if reference.value is not None:
            yield reference.value, plain, False
        if reference.where is not None:
            yield reference.where, with_result, True
    for ensure in spec.ensures:
        if ensure.when is not None:
            yield ensure.when, with_result, True
        yield ensure.that, with_result, True
    for relation in spec.relations:
        in_runs = replace(plain, runs=relation.runs)
        if relation.given is not None:
            yield relation.given, in_runs, True
        yield relation.that, in_runs, True


def _places(spec: Spec) -> dict[str, Place]:
    lets = {name: expression.place for name, expression in spec.lets.items()}
    return lets | {name: definition.body.place for name, definition in spec.definitions.items()}


def _check_cycles(spec: Spec, needs: Needs) -> None:
    cycle = needs.cycle()
    if not cycle:
        return
    first = cycle[0]
    expression = spec.definitions[first[:-2]].body if first.endswith("()") else spec.lets[first]
    raise SpecError(
        f"needed for itself: {' -> '.join(cycle)}",
        expression.place,
        hint="there is no recursion; for a running state see fold and scan",
    )
