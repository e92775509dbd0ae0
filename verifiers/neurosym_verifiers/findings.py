"""From what calls broke to what can be shown of it. Nothing is run here: outcomes in, counterexamples out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_sandbox import Outcome
from neurosym_specs.model import Relation, Spec
from neurosym_specs.notation import call_source, inputs_to_plain
from neurosym_specs.verdicts import Counterexample, FailureClass

from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.clauses import Breach, Clauses, SpecUndefined
from neurosym_verifiers.wording import say_outcome, say_value


@dataclass(frozen=True, slots=True)
class Finding:
    """A replayed counterexample to one obligation, and how the last call of it ended in the fresh jail."""

    obligation: str
    counterexample: Counterexample
    ended: Outcome


def all_breaches(clauses: Clauses, case: Case, outcome: Outcome) -> list[Breach]:
    """The first breach of each obligation in one outcome, as far as the spec has an answer."""
    found: dict[str, Breach] = {}
    try:
        for breach in clauses.breaches(case, outcome, settled=False):
            found.setdefault(breach.obligation, breach)
    except SpecUndefined:
        pass
    return list(found.values())


def breaking_results(
    clauses: Clauses, relation: Relation, cases: Sequence[Case], outcomes: Sequence[Outcome]
) -> list[Any] | None:
    """The results, if all runs returned and together break the relation."""
    values = [clauses.result_of(outcome) for outcome in outcomes]
    if any(value is UNSTATED for value in values):
        return None
    named = dict(zip(relation.runs, cases, strict=True))
    try:
        holds = clauses.related(relation, named, dict(zip(relation.runs, values, strict=True)))
    except SpecUndefined:
        return None
    return values if holds is False else None


class FindingMaker:
    """Puts counterexamples into words, for candidates of one spec."""

    def __init__(self, spec: Spec, clauses: Clauses) -> None:
        self._spec = spec
        self._clauses = clauses

    def counterexample(self, cases: Sequence[Case], breach: Breach) -> Counterexample:
        """The calls that broke a promise, with what was right and what came out."""
        return Counterexample(
            inputs=tuple(inputs_to_plain(self._spec.inputs, case.inputs) for case in cases),
            calls=tuple(call_source(self._spec, case.inputs) for case in cases),
            expected=breach.expected,
            actual=breach.actual,
            difference=breach.difference,
            failure=breach.failure,
            line=breach.line,
        )

    def state(self, cases: Sequence[Case], alone: Outcome, after: Outcome) -> Finding:
        """The last of several calls came out differently than ``alone``."""
        breach = Breach(
            "pure",
            FailureClass.STATE,
            f"{self.said(alone)}, as when called alone",
            f"{self.said(after)} after the call{'s' if len(cases) > 2 else ''} before it",
        )
        return Finding("pure", self.counterexample(cases, breach), after)

    def differing(self, case: Case, first: Outcome, second: Outcome) -> Finding:
        """Two fresh runs of one call came out differently."""
        breach = Breach(
            "deterministic",
            FailureClass.NONDETERMINISTIC,
            f"{self.said(first)} again, as in the first run",
            f"{self.said(second)} in a process of its own with another hash seed",
        )
        return Finding("deterministic", self.counterexample([case], breach), second)

    def said(self, outcome: Outcome) -> str:
        """What a call came to."""
        value = self._clauses.result_of(outcome)
        return say_outcome(self._spec.output, outcome) if value is UNSTATED else say_value(self._spec.output, value)
