"""Runs for relations: from one case, others that stand to it as a relation's ``given`` asks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_specs.expr.evaluate import Undefined
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Relation, Spec

from neurosym_verifiers.cases import UNSTATED, Case, CaseMaker
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.search.assign import Assignment, as_input, assignments
from neurosym_verifiers.search.leaves import Inputs
from neurosym_verifiers.search.moves import Mover

ENOUGH = 130
"""Distinct tuples of runs wanted for a relation: somewhat more than TESTED needs."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Cases that together meet a relation's ``given`` (as far as the right results can tell)."""

    relation: Relation
    cases: tuple[Case, ...]

    def by_name(self) -> dict[str, Case]:
        return dict(zip(self.relation.runs, self.cases, strict=True))


class Pairing:
    """Finds runs for relations."""

    def __init__(self, spec: Spec, maker: CaseMaker, clauses: Clauses, mover: Mover) -> None:
        self._spec = spec
        self._maker = maker
        self._clauses = clauses
        self._mover = mover
        self._rng: random.Random = mover.rng

    def runs(self, relation: Relation, pool: Sequence[Case], *, tries: int) -> list[Runs]:
        """Tuples of different runs that meet the ``given``, at most ``ENOUGH``."""
        accepted = [case for case in pool if case.accepted]
        if not accepted:
            return []
        implied = assignments(relation.given, relation.runs, self._spec.inputs) if relation.given is not None else []
        found: dict[Any, Runs] = {}
        fruitful: list[Case] = []
        for attempt in range(tries):
            if len(found) >= ENOUGH:
                break
            if fruitful and self._rng.random() < 0.4:
                first = self._rng.choice(fruitful)
            else:
                first = accepted[attempt] if attempt < len(accepted) else self._rng.choice(accepted)
            for cases in self._tuples(relation, first, accepted, implied):
                key = tuple(case.key for case in cases)
                if key not in found and len(set(key)) > 1 and self._meets(relation, cases):
                    found[key] = Runs(relation, cases)
                    fruitful.append(cases[0])
                    break
        return list(found.values())

    def _tuples(
        self, relation: Relation, first: Case, accepted: Sequence[Case], implied: Sequence[Assignment]
    ) -> list[tuple[Case, ...]]:
        inputs: dict[str, Inputs] = {relation.runs[0]: first.inputs}
        for run in relation.runs[1:]:
            inputs[run] = self._other(relation, first, accepted)
        cases = self._assigned(relation, inputs, implied)
        if cases is None:
            return []
        return [cases, cases[::-1]]

    def _other(self, relation: Relation, first: Case, accepted: Sequence[Case]) -> Inputs:
        """Another run before the assignments: the first one changed a little, or mixed with another case."""
        if relation.varied and self._rng.random() < 0.9:
            part = Mover({name: self._spec.inputs[name] for name in relation.varied}, self._mover.drawer)
            changed = part.changed({name: first.inputs[name] for name in relation.varied})
            return {**first.inputs, **changed}
        kind = self._rng.random()
        if kind < 0.7:
            return self._mover.changed(first.inputs)
        other = self._rng.choice(accepted).inputs
        if kind < 0.8:
            return other
        name = self._rng.choice(list(self._spec.inputs))
        return {**first.inputs, name: other[name]}

    def _assigned(
        self, relation: Relation, inputs: dict[str, Inputs], implied: Sequence[Assignment]
    ) -> tuple[Case, ...] | None:
        evaluator, types = self._maker.evaluator, self._spec.inputs
        for assignment in implied:
            scopes = {run: evaluator.bind(values) for run, values in inputs.items()}
            try:
                value = evaluator.bind_runs(scopes).evaluate(assignment.value)
            except Undefined:
                return None
            type_ = types[assignment.name]
            try:
                fitted = as_input(type_, value)
            except (TypeError, ValueError, AttributeError, OverflowError, KeyError):
                return None
            inputs[assignment.run] = {**inputs[assignment.run], assignment.name: fitted}
        cases: list[Case] = []
        for run in relation.runs:
            values = inputs[run]
            if any(member_fault(type_, values[name]) is not None for name, type_ in types.items()):
                return None
            case = self._maker.case(values)
            if case is None or not case.accepted:
                return None
            cases.append(case)
        return tuple(cases)

    def _meets(self, relation: Relation, cases: tuple[Case, ...]) -> bool:
        if relation.given is None:
            return True
        named: Mapping[str, Case] = dict(zip(relation.runs, cases, strict=True))
        if all(case.expected is not UNSTATED for case in cases):
            values = {run: case.expected for run, case in named.items()}
            return self._clauses.related(relation, named, values) is not None
        try:
            scopes = {run: case.scope for run, case in named.items()}
            return self._maker.evaluator.bind_runs(scopes).holds(relation.given)
        except Undefined:
            return "result" in relation.given.text
