"""Measuring clauses of a spec: where the prover's claims say that a program breaks them is held against the judge.

The program of such a row keeps the clause on some inputs and breaks it on others, so that both answers are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from neurosym_sandbox import Outcome, Returned
from neurosym_specs.model import Relation, Spec
from neurosym_specs.obligations import obligation_id
from neurosym_verifiers.cases import UNSTATED, Case, CaseMaker
from neurosym_verifiers.clauses import Clauses, SpecUndefined
from neurosym_verifiers.proof.claims import Claim, Claims
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.shapes import key_of, shape_of

_INPUTS_COMBINED = 10

Call = Callable[[Case], Outcome]
Inputs = dict[str, Any]
Runs = tuple[Inputs, ...]


class Promises:
    """The obligations of one spec, and the claims about one program."""

    def __init__(self, spec: Spec, claims: Claims, maker: CaseMaker, call: Call) -> None:
        self._spec = spec
        self._claims = claims
        self._maker = maker
        self._clauses = Clauses(spec, maker.evaluator)
        self._call = call

    def first_difference(self, inputs: Sequence[Inputs]) -> tuple[str, bool]:
        """The first input on which a claim and the judge differ, empty if none; and whether the clause was broken."""
        broken = False
        for given in inputs:
            problem, here = self._on(given)
            broken |= here
            if problem:
                return f"{problem} on {given}", broken
        for relation in self._spec.relations:
            on = self._on_runs if relation.short_form != "order_free" else self._on_swaps
            for runs in _sets_of_runs(inputs, len(relation.runs)):
                problem, here = on(relation, runs)
                broken |= here
                if problem:
                    return f"{problem} on {runs}", broken
        return "", broken

    def _on(self, given: Inputs) -> tuple[str, bool]:
        self._maker.fault = None
        case = self._maker.case(given)
        if self._maker.fault is not None:
            return "", False  # the spec's own fault, where it has no right value
        undefined: list[str] = []
        found = set() if case is None else set(self._broken(case, self._call(case), undefined))
        blind = found & {"returns", "no crash", *(obligation_id("reject", r) for r in self._spec.rejects)}
        evaluation, shape = Evaluation(assigned(self._spec, given)), key_of(shape_of(self._spec, given))
        for claim in self._claims.claims:
            if len(claim.shapes) > 1 or key_of(claim.shapes[0]) != shape or claim.obligation.startswith("relation"):
                continue
            if blind and claim.obligation not in blind:
                continue  # where there is no result, the judge asks no more
            if undefined and claim.obligation not in found:
                continue  # nor where a clause has no value
            claimed = evaluation.condition(claim.against)
            if claimed != (claim.obligation in found):
                return f"{claim.obligation}: claimed {'broken' if claimed else 'kept'}, and it is not", True
        return "", bool(found)

    def _broken(self, case: Case, outcome: Outcome, undefined: list[str]) -> Iterator[str]:
        try:
            for breach in self._clauses.breaches(case, outcome, settled=False):
                yield breach.obligation
        except SpecUndefined as problem:
            undefined.append(problem.clause)
            yield problem.clause

    def _on_runs(self, relation: Relation, runs: Runs) -> tuple[str, bool]:
        broken = self._breaks(relation, runs)
        claimed = any(self._claimed(claim, runs) for claim in self._claims_of(relation, runs))
        if broken is None or claimed == broken:
            return "", bool(broken)
        return f"the relation is claimed {'broken' if claimed else 'kept'}, and it is not", broken

    def _on_swaps(self, relation: Relation, runs: Runs) -> tuple[str, bool]:
        """The claims of ``order_free`` speak of one run: some two neighbours matter in it."""
        given = runs[0]
        answers = [self._breaks(relation, (given, swapped)) for swapped in _swapped(given, relation.varied)]
        if None in answers:
            return "", False
        broken = any(answers)
        claimed = any(self._claimed(claim, runs[:1]) for claim in self._claims_of(relation, runs[:1]))
        if claimed == broken:
            return "", broken
        return f"the order is claimed {'to matter' if claimed else 'not to matter'}, and it is not so", broken

    def _breaks(self, relation: Relation, runs: Runs) -> bool | None:
        """Whether runs break a relation; None where they are not all valid with a result of the type."""
        cases = [self._maker.case(given) for given in runs]
        outcomes = [self._call(case) for case in cases if case is not None and case.accepted]
        values = [self._clauses.result_of(outcome) for outcome in outcomes if isinstance(outcome, Returned)]
        if len(values) < len(runs) or any(value is UNSTATED for value in values):
            return None
        of_runs = {run: case for run, case in zip(relation.runs, cases, strict=True) if case is not None}
        try:
            return self._clauses.related(relation, of_runs, dict(zip(relation.runs, values, strict=True))) is False
        except SpecUndefined:
            return True

    def _claims_of(self, relation: Relation, runs: Runs) -> Iterator[Claim]:
        shapes = [key_of(shape_of(self._spec, given)) for given in runs]
        for claim in self._claims.claims:
            if claim.obligation == obligation_id("relation", relation):
                if [key_of(shape) for shape in claim.shapes] == shapes:
                    yield claim

    def _claimed(self, claim: Claim, runs: Runs) -> bool:
        values: dict[str, int | bool] = {}
        for prefix, given in zip(claim.prefixes, runs, strict=True):
            values |= assigned(self._spec, given, prefix)
        return Evaluation(values).condition(claim.against)


def _swapped(given: Inputs, names: Sequence[str]) -> Iterator[Inputs]:
    """The inputs with two neighbours of one list in each other's place."""
    for name in names:
        for i in range(len(given[name]) - 1):
            items = list(given[name])
            items[i], items[i + 1] = items[i + 1], items[i]
            yield {**given, name: items}


def _sets_of_runs(inputs: Sequence[Inputs], runs: int) -> Iterator[tuple[Inputs, ...]]:
    """Inputs for so many runs, of every shape; for two runs also those that differ in one input only."""
    some = inputs[:: max(1, len(inputs) // _INPUTS_COMBINED)]
    for chosen in product(some, repeat=runs):
        yield chosen
        if runs == 2:
            one, other = chosen
            for name in one:
                yield one, {**one, name: other[name]}
