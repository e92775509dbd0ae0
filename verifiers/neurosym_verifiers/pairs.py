"""Runs for relations: from one case, others that stand to it as a relation's ``given`` asks.

Three ways, tried in turn: the first run changed a little, with what the ``given`` equates then assigned; two known
cases mixed; and, once some runs are found, the same value changed in all of them at once, which mostly keeps what the
``given`` asks for.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_specs.expr.evaluate import Scope, Undefined
from neurosym_specs.model import Relation, Spec

from neurosym_verifiers.cases import UNSTATED, Case, CaseMaker
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.search.assign import Assignment, as_input, assignments
from neurosym_verifiers.search.leaves import Inputs, Path, key_of, leaves, replaced, value_at
from neurosym_verifiers.search.moves import Mover
from neurosym_verifiers.search.strata import Strata

ENOUGH = 130
"""Distinct tuples of runs wanted for a relation: somewhat more than TESTED needs."""

_FIRST_TRIES = 500
_USUAL_TRIES = 2_000
_MOST_TRIES = 4 * _USUAL_TRIES
"""Where some were found, but not enough, and going on at that rate comes to enough."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Cases that together meet a relation's ``given`` (as far as the right results can tell)."""

    relation: Relation
    cases: tuple[Case, ...]

    def by_name(self) -> dict[str, Case]:
        return dict(zip(self.relation.runs, self.cases, strict=True))


class Pairing:
    """Finds runs for one relation. ``mover`` lends its types and its drawer."""

    def __init__(self, spec: Spec, relation: Relation, maker: CaseMaker, clauses: Clauses, mover: Mover) -> None:
        self._spec = spec
        self._relation = relation
        self._maker = maker
        self._clauses = clauses
        self._mover = mover.alike()
        self._varied = Mover({name: spec.inputs[name] for name in relation.varied}, mover.drawer)
        self._rng: random.Random = mover.rng
        self._implied: Sequence[Assignment] = (
            assignments(relation.given, relation.runs, spec.inputs) if relation.given is not None else ()
        )
        self._found: dict[Any, Runs] = {}

    def runs(self, pool: Sequence[Case]) -> list[Runs]:
        """Tuples of different runs that meet the ``given``, at most ``ENOUGH``.

        The tries are counted, not timed; a relation that nothing met yet gets fewer, and one that is met rarely more.
        """
        accepted = [case for case in pool if case.accepted]
        if not accepted:
            return []
        strata = Strata(accepted, self._rng)
        for attempt in range(_MOST_TRIES):
            found = len(self._found)
            if found >= ENOUGH or (attempt >= _FIRST_TRIES and not found):
                break
            if attempt >= _USUAL_TRIES and found * _MOST_TRIES < ENOUGH * attempt:
                break
            self._mover.last = self._varied.last = ()
            useful = self._keep(self._proposed(strata))
            self._mover.reward(useful)
            self._varied.reward(useful)
        return list(self._found.values())

    def _proposed(self, strata: Strata) -> tuple[Case, ...] | None:
        kind = self._rng.random()
        if self._found and kind < 0.35:
            return self._in_step(self._rng.choice(list(self._found.values())))
        if self._found and kind < 0.55:
            first = self._rng.choice(list(self._found.values())).cases[0]
        else:
            first = strata.choice()
        runs = self._relation.runs
        inputs: dict[str, Inputs] = {runs[0]: first.inputs}
        inputs |= {run: self._other(first, strata) for run in runs[1:]}
        return self._assigned(inputs)

    def _keep(self, cases: tuple[Case, ...] | None) -> bool:
        """Keeps runs that meet the ``given``, in this order or the other way round; whether they did."""
        if cases is None:
            return False
        for ordered in (cases, cases[::-1]):
            key = tuple(case.key for case in ordered)
            if key not in self._found and len(set(key)) > 1 and self._meets(ordered):
                self._found[key] = Runs(self._relation, ordered)
                return True
        return False

    def _other(self, first: Case, strata: Strata) -> Inputs:
        """Another run before the assignments: the first one changed a little, or mixed with another case."""
        kind = self._rng.random()
        if self._relation.varied and kind < 0.9:
            return {**first.inputs, **self._varied.changed({name: first.inputs[name] for name in self._varied.types})}
        if kind < 0.8:
            return self._mover.changed(first.inputs)
        other = strata.choice().inputs
        if kind < 0.87:
            return other
        name = self._rng.choice(list(self._spec.inputs))
        return {**first.inputs, name: other[name]}

    def _in_step(self, runs: Runs) -> tuple[Case, ...] | None:
        """Known runs with one value that they share changed in all of them."""
        types = self._spec.inputs
        shared = [leaf for leaf in leaves(types, runs.cases[0].inputs) if _shared(leaf.path, leaf.value, runs.cases)]
        if not shared:
            return None
        leaf = self._rng.choice(shared)
        new = self._mover.drawer.value(leaf.type)
        return self._cases({run: replaced(case.inputs, leaf.path, new) for run, case in runs.by_name().items()})

    def _assigned(self, inputs: dict[str, Inputs]) -> tuple[Case, ...] | None:
        evaluator = self._maker.evaluator
        for assignment in self._implied:
            scopes = {run: self._scope(values) for run, values in inputs.items()}
            try:
                value = evaluator.bind_runs(scopes).evaluate(assignment.value)
                fitted = as_input(self._spec.inputs[assignment.name], value)
            except (Undefined, TypeError, ValueError, AttributeError, OverflowError, KeyError):
                return None
            inputs[assignment.run] = {**inputs[assignment.run], assignment.name: fitted}
        return self._cases(inputs)

    def _scope(self, inputs: Inputs) -> Scope:
        """A run's scope, with the right result where an assignment asks for it."""
        if any("result" in assignment.value.text for assignment in self._implied) and self._maker.belongs(inputs):
            case = self._maker.case(inputs)
            if case is not None and case.accepted and case.expected is not UNSTATED:
                return case.scope.with_result(case.expected)
        return self._maker.evaluator.bind(inputs)

    def _cases(self, inputs: Mapping[str, Inputs]) -> tuple[Case, ...] | None:
        cases: list[Case] = []
        for run in self._relation.runs:
            case = self._maker.case(inputs[run]) if self._maker.belongs(inputs[run]) else None
            if case is None or not case.accepted:
                return None
            cases.append(case)
        return tuple(cases)

    def _meets(self, cases: tuple[Case, ...]) -> bool:
        given = self._relation.given
        if given is None:
            return True
        named: Mapping[str, Case] = dict(zip(self._relation.runs, cases, strict=True))
        if all(case.expected is not UNSTATED for case in cases):
            values = {run: case.expected for run, case in named.items()}
            return self._clauses.related(self._relation, named, values) is not None
        try:
            scopes = {run: case.scope for run, case in named.items()}
            return self._maker.evaluator.bind_runs(scopes).holds(given)
        except Undefined:
            return "result" in given.text


def _shared(path: Path, value: Any, cases: Sequence[Case]) -> bool:
    """Whether all runs have the same value at a place."""
    try:
        return all(key_of(value_at(case.inputs, path)) == key_of(value) for case in cases[1:])
    except (LookupError, AttributeError, TypeError):
        return False
