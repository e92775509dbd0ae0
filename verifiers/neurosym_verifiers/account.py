"""The account of one trial: what was run, what was found, and the verdict on each obligation that follows."""

from __future__ import annotations

import platform
from collections.abc import Callable

from neurosym_sandbox import JailLost, Outcome
from neurosym_specs.model import Example, Relation, Spec
from neurosym_specs.obligations import Obligation, obligation_id, obligations
from neurosym_specs.verdicts import (
    Counterexample,
    Failed,
    FailureClass,
    Proved,
    Refuted,
    Tested,
    Undecided,
    Unknown,
    Vacuous,
    Verdict,
)

from neurosym_verifiers.cases import Case
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.findings import Finding
from neurosym_verifiers.preparation import ENOUGH, Preparation
from neurosym_verifiers.proof.proofs import Proofs
from neurosym_verifiers.proof.queries import Query
from neurosym_verifiers.refute import NotReproduced
from neurosym_verifiers.runner import LoadChanged

_LACKS = "a proof for every input"


class Account:
    """Kept during a trial. ``order`` lists the cases in the order in which they were run, each once."""

    def __init__(self, spec: Spec, prepared: Preparation, clauses: Clauses) -> None:
        self._spec = spec
        self._prepared = prepared
        self._clauses = clauses
        self._refuted: dict[str, Refuted] = {}
        self._failed: dict[str, Failed] = {}
        self._doubts: dict[str, str] = {}
        self._related: dict[str, int] = {}
        self._proofs = Proofs()
        self.undefined: dict[str, str] = {}
        self.outcomes: dict[object, Outcome] = {}
        self.order: list[Case] = []
        self.ended: dict[str, Outcome] = {}
        self.replayed = 0
        self.out_of_time = False

    @property
    def over(self) -> bool:
        """Whether the work ends: something is refuted, the tool failed, or time is up."""
        return bool(self._refuted or self._failed or self._doubts or self.out_of_time)

    @property
    def wrong_value(self) -> Counterexample | None:
        """The first counterexample of those with a wrong value."""
        found = (each.counterexample for each in self._refuted.values())
        return next((each for each in found if each.failure is FailureClass.WRONG_VALUE), None)

    def is_proved(self, obligation: str) -> bool:
        """Whether a proof of it was booked."""
        return obligation in self._proofs.proved

    def take(self, found: list[Finding] | NotReproduced, method: str) -> None:
        """Books replayed counterexamples; what was seen once and did not come back leaves a doubt."""
        if isinstance(found, NotReproduced):
            self.doubt(found.obligation, f"seen, and not again in a fresh jail: {found.detail}")
            return
        for finding in found:
            self._refuted[finding.obligation] = Refuted(finding.counterexample, method)
            self.ended[finding.obligation] = finding.ended

    def fail(self, obligation: str, message: str) -> None:
        """Books a fault of the tool."""
        self._failed[obligation] = Failed(message)

    def doubt(self, obligation: str, detail: str) -> None:
        """Books what cannot be shown again: not refuted, and not to be relied on."""
        self._doubts[obligation] = detail

    def prove(self, proofs: Proofs) -> None:
        """Books what was proved, and what the proofs of the rest lack."""
        self._proofs = proofs

    @property
    def queries(self) -> tuple[Query, ...]:
        """What solvers were asked."""
        return tuple(self._proofs.queries)

    @property
    def cut_short(self) -> bool:
        """Whether the clock left something open, or less tried, that another run may come to."""
        return self.out_of_time or self._proofs.cut_short

    @property
    def solver_units(self) -> int:
        """What Z3 spent on the answers that it gave, in its own units."""
        return self._proofs.units

    def count_relation(self, relation: Relation) -> None:
        """Books one tuple of runs on which a relation held."""
        id_ = obligation_id("relation", relation)
        self._related[id_] = self._related.get(id_, 0) + 1

    def verdicts(self, replay: Callable[[Example, Case], Finding | None]) -> dict[Obligation, Verdict]:
        """The verdict on every obligation. ``replay`` runs a failed example again in a fresh jail."""
        counts = self._counts()
        return {
            obligation: self._example_verdict(obligation, replay)
            if obligation.kind == "example"
            else self._verdict(obligation, counts.get(obligation.id, 0))
            for obligation in obligations(self._spec)
        }

    def _counts(self) -> dict[str, int]:
        """How many distinct inputs each obligation was tried on."""
        accepted = [case for case in self.order if case.accepted]
        keys = {case.key for case in accepted}
        counts = {
            "returns": len(accepted),
            "no crash": len(accepted),
            "reference": len(accepted),
            "terminates": len(self.order),
            "deterministic": self.replayed,
            "pure": self.replayed,
            **self._related,
        }
        for case in self.order:
            if case.decided_by:
                counts[case.decided_by] = counts.get(case.decided_by, 0) + 1
        for id_, applicable in self._prepared.applicable.items():
            counts[id_] = len(applicable & keys)
        return counts

    def _verdict(self, obligation: Obligation, cases: int) -> Verdict:
        if obligation.id in self._refuted:
            return self._refuted[obligation.id]
        if obligation.id in self._failed:
            return self._failed[obligation.id]
        if obligation.id in self._proofs.contradicted and not self._refuted:
            return Failed(self._proofs.contradicted[obligation.id])
        if obligation.id in self.undefined:
            return Unknown(Undecided.UNDEFINED, f"a fault of the spec: {self.undefined[obligation.id]}", cases)
        if obligation.id in self._doubts:
            return Unknown(Undecided.NOT_REPRODUCED, self._doubts[obligation.id], cases)
        if self._refuted or self._failed or self._doubts:
            return Unknown(Undecided.STOPPED, cases=cases)
        method = self._proofs.proved.get(obligation.id)
        if method is not None and cases:
            return Proved(method, self._assumptions(obligation))
        lacks = self._proofs.lacks.get(obligation.id) or self._proofs.lacks.get("*") or _LACKS
        if cases >= ENOUGH:
            return Tested(cases, _tested_by(obligation), lacks=lacks)
        if self.out_of_time:
            return Unknown(
                Undecided.TIMEOUT, f"{cases} distinct {_of(obligation)} until then; {ENOUGH} are needed", cases
            )
        if self._exhausted(obligation):
            if not cases:
                return Vacuous("no input of the universe meets its condition")
            return Tested(cases, _tested_by(obligation), exhaustive=True, lacks=lacks)
        return Unknown(Undecided.TOO_FEW, f"{cases} distinct {_of(obligation)}; {ENOUGH} are needed", cases)

    def _assumptions(self, obligation: Obligation) -> tuple[str, ...]:
        """Under what a proof holds: the interpreter, and for termination that the few steps fit the limits."""
        python = f"CPython {platform.python_version()}, decimal's default context"
        if obligation.id == "terminates":
            return python, "the steps fit the limits of time, memory and recursion, as they did when it was run"
        more = self._proofs.rests_on.get(obligation.id)
        return (python, more) if more else (python,)

    def _exhausted(self, obligation: Obligation) -> bool:
        """Whether its cases are all there are; of a relation's tuples that is never known."""
        exhausted = self._prepared.exhausted
        return obligation.id in exhausted or ("" in exhausted and obligation.kind != "relation")

    def _example_verdict(self, obligation: Obligation, replay: Callable[[Example, Case], Finding | None]) -> Verdict:
        worked = next((w for w in self._prepared.examples if w.example is obligation.clause), None)
        outcome = self.outcomes.get(worked.case.key) if worked is not None else None
        if worked is None or outcome is None:
            return Unknown(Undecided.STOPPED if self._refuted or self._failed or self._doubts else Undecided.NOT_RUN)
        if self._clauses.example_breach(worked.example, worked.case, outcome) is None:
            return Proved("run", ("equal calls give equal results",))
        try:
            finding = replay(worked.example, worked.case)
        except LoadChanged as changed:
            why = f"it failed once, and then the program loaded no more: {changed.failed.reason}"
            return Unknown(Undecided.NOT_REPRODUCED, why)
        except JailLost as lost:
            return Failed(f"it failed once, and could not be run again: {lost}")
        if finding is None:
            return Unknown(Undecided.NOT_REPRODUCED, "it failed after other calls, and not when called alone")
        self.ended[obligation.id] = finding.ended
        return Refuted(finding.counterexample, "run")


def _tested_by(obligation: Obligation) -> str:
    """The method. Whether a call changed its arguments nobody outside of the candidate's process can see (NS517)."""
    return "properties; arguments as the program's own process tells" if obligation.id == "pure" else "properties"


def _of(obligation: Obligation) -> str:
    return "sets of runs" if obligation.kind == "relation" else "valid inputs"
