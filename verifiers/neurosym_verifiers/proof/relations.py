"""Relations between several runs as claims: one for each combination of the runs' shapes.

That the order of a list does not matter is proved by swapping neighbours: every order comes of such swaps, and what
changes nothing at each step changes nothing at all. The swapped input must be accepted, and must return, as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from neurosym_specs.model import Relation

from neurosym_verifiers.proof.runs import CandidateReading, Run
from neurosym_verifiers.reading.data.values import NotRead, Sequence
from neurosym_verifiers.reading.expressions.scope import Meaning
from neurosym_verifiers.reading.formulas.narrowing import conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.inputs.inputs import SymbolicInputs
from neurosym_verifiers.reading.inputs.shapes import Shape


def relation_claims(
    relation: Relation, candidate: CandidateReading, shapes: list[Shape]
) -> Iterator[tuple[tuple[Run, ...], Condition]]:
    """What would break the relation, for all shapes of its runs, with the runs that each condition speaks of.

    Raises ``NotRead`` on the way.
    """
    if relation.slack:
        raise NotRead("a clause with slack")
    if _order_free(relation, candidate):
        for shape in shapes:
            yield from _swaps(relation, candidate, shape)
        return
    for combination in product(shapes, repeat=len(relation.runs)):
        runs = [candidate.run(shape, f"{name}.") for name, shape in zip(relation.runs, combination, strict=True)]
        with candidate.within_budget():
            if _never_given(relation, candidate, runs):
                continue
            against = broken(relation, candidate, runs)
        yield tuple(runs), against


def broken(relation: Relation, candidate: CandidateReading, runs: list[Run]) -> Condition:
    """What would break the relation of these runs, in the order in which it names them. Raises ``NotRead``."""
    expressions, empty = candidate.reading.expressions, Meaning({})
    inside: list[Condition] = []
    meanings: dict[str, Meaning] = {}
    for name, run in zip(relation.runs, runs, strict=True):
        if not run.results:
            return FALSE
        meanings[name] = run.told
        inside += [run.admitted.accepted, run.returns]
    path = both(*inside)
    given: Condition = TRUE
    if relation.given is not None:
        given, defined = expressions.condition(relation.given, empty, runs=meanings, assumed=path)
        given = either(given, negated(defined))
    if both(path, given) == FALSE:
        return FALSE
    holds, defined = expressions.condition(relation.that, empty, runs=meanings, assumed=both(path, given))
    return both(path, given, either(negated(defined), negated(holds)))


def _never_given(relation: Relation, candidate: CandidateReading, runs: list[Run]) -> bool:
    """Whether the inputs alone show that a relation does not speak of such runs, as texts of different lengths do."""
    if relation.given is None:
        return False
    meanings = {name: run.meaning for name, run in zip(relation.runs, runs, strict=True)}
    try:
        holds, defined = candidate.reading.expressions.condition(relation.given, Meaning({}), runs=meanings)
    except NotRead:  # of a result, or of what only a path makes readable
        return False
    return holds == FALSE and defined == TRUE


def _order_free(relation: Relation, candidate: CandidateReading) -> bool:
    """Whether the relation says just that some lists may be in any order."""
    spec, reference = candidate.reading.spec, candidate.reading.spec.reference
    exact = reference is None or not (reference.abs_tol or reference.rel_tol)
    if relation.short_form != "order_free" or relation.given is None or not exact:
        return False
    first, second = relation.runs
    same = [f"same_items({first}.{name}, {second}.{name})" for name in relation.varied]
    others = [f"{first}.{name} == {second}.{name}" for name in spec.inputs if name not in relation.varied]
    return relation.given.text == " and ".join((*same, *others))


def _swaps(
    relation: Relation, candidate: CandidateReading, shape: Shape
) -> Iterator[tuple[tuple[Run, ...], Condition]]:
    original = candidate.run(shape)
    if not original.results:
        return
    for name in relation.varied:
        if not isinstance(original.inputs.values[name], Sequence):
            raise NotRead(f"the order of {name}, of which only some is known")
        for i in range(shape[name] - 1):
            swapped = candidate.run_on(_swapped(original.inputs, name, i), shape)
            here = both(original.admitted.accepted, original.returns)
            there = both(swapped.admitted.accepted, swapped.returns)
            if not swapped.results:
                yield (original,), here
                continue
            meanings = dict(zip(relation.runs, (original.told, swapped.told), strict=True))
            path = both(here, there)
            holds, defined = candidate.reading.expressions.condition(
                relation.that, Meaning({}), runs=meanings, assumed=path
            )
            beyond = both(*(part for part in conjuncts(there) if part not in conjuncts(here)))
            yield (original,), both(here, either(negated(beyond), negated(defined), negated(holds)))


def _swapped(inputs: SymbolicInputs, name: str, at: int) -> SymbolicInputs:
    """The inputs with two neighbours of a list in each other's place."""
    of = inputs.values[name]
    assert isinstance(of, Sequence)
    items = list(of.items)
    items[at], items[at + 1] = items[at + 1], items[at]
    return replace(inputs, values={**inputs.values, name: replace(of, items=tuple(items))})
