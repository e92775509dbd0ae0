"""Completes a sketch: values are proposed, judged like any candidate, and what breaks them is a demand on the next.

Where the sketch is read, the holes are variables and Z3 proposes (``synthesis.proposing``); where it is not, likely
values are tried on real runs. Neither is trusted: the verdict is that of ``judge`` on the filled text.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from neurosym_specs.errors import Place
from neurosym_specs.model import Example, Relation, Spec
from neurosym_specs.notation import call_source, from_plain, to_source
from neurosym_specs.sketch import Sketch
from neurosym_specs.verdicts import Refuted, Standing
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.synthesis.proposing import GaveUp, NoneFits, Proposal, Proposed, propose
from neurosym_verifiers.synthesis.sketch_reading import Demand, Filling, SketchReading
from neurosym_verifiers.synthesis.trying import Trying

from neurosym import events
from neurosym.diagnostics import Note
from neurosym.events import Event, Listener, nobody_listens
from neurosym.filling.questions import Questions
from neurosym.filling.result import Completion, Settled
from neurosym.options import Options
from neurosym.pipeline import judge
from neurosym.result import CandidateResult, Judged, Rejected
from neurosym.source import Source

_MOST_ROUNDS = 60
_MOST_UNLOADED = 5
_FIRST_CASES = 8
_TRIED_CASES = 24
_DOUBTED_S = 3.0

BY_READING, BY_TRYING = "the reading and Z3", "trying likely values"


def complete(
    spec: Spec,
    bench: Bench,
    sketch: Sketch,
    options: Options | None = None,
    *,
    seconds: float = 60.0,
    emit: Listener = nobody_listens,
) -> Completion:
    """The first filling that nothing is found wrong with, and whether the spec decides for it.

    ``seconds`` bounds the search, not the last verdict, whose bounds are the bench's. A spec that is at fault is asked
    about before (``Bench.spec_fault``).
    """
    with Solver() as solver:
        return Completing(spec, bench, sketch, options or Options(), solver, seconds, emit).done()


class Completing:
    """One sketch on its way. Used once."""

    def __init__(
        self,
        spec: Spec,
        bench: Bench,
        sketch: Sketch,
        options: Options,
        solver: Solver,
        seconds: float,
        emit: Listener,
    ) -> None:
        self.spec, self.bench, self.sketch = spec, bench, sketch
        self._options = replace(options, fix=False, explain=False, slices=False)
        self._deadline = time.monotonic() + seconds
        self._emit = emit
        self.trying = Trying(spec, bench, sketch)
        self.reading: SketchReading | None = None
        self.cases: dict[Any, tuple[Case, Example | None]] = {}
        self.demands: list[Demand] = []
        self._calls: list[str] = []
        self.blocked: list[Filling] = []
        self.judged = 0
        self._unread = ""
        try:
            self.reading = SketchReading(spec, sketch, solver)
        except NotRead as not_read:
            self._give_up_reading(str(not_read))
        self._begin()

    @property
    def left_s(self) -> float:
        """What is left of the time to search."""
        return self._deadline - time.monotonic()

    def done(self) -> Completion:
        """Round by round, until a filling stands or none is left."""
        unloaded = 0
        for _ in range(_MOST_ROUNDS):
            proposal = self._propose()
            if not isinstance(proposal, Proposed):
                return self._none(proposal)
            result = self.judge(proposal.filling)
            match result.outcome:
                case Judged() if result.standing is Standing.REFUTED:
                    self.learn(result, proposal.filling)
                case Rejected(diagnostics) if diagnostics[0].code == "NS501" and unloaded < _MOST_UNLOADED:
                    unloaded += 1
                    self.blocked.append(proposal.filling)
                case _:
                    return self._found(proposal.filling, result)
        return self._none(GaveUp(f"{_MOST_ROUNDS} fillings were judged, and each was wrong"))

    def judge(self, filling: Filling) -> CandidateResult:
        """The verdict on a filling, which is that on any candidate."""
        self.judged += 1
        self._emit(events.Progress(self.sketch.name, "fillings judged", self.judged, 0))
        source = Source(self.sketch.filled(filling), self.sketch.name)
        return judge(self.spec, self.bench, source, self._options, self._quietly)

    def learn(self, result: CandidateResult, filling: Filling) -> None:
        """What broke a filling is asked of the next one. Where that does not rule it out, it is ruled out itself."""
        assert isinstance(result.outcome, Judged)
        before = len(self.demands)
        for obligation, verdict in result.outcome.judgement.verdicts.items():
            if isinstance(verdict, Refuted):
                calls = [self._inputs(call) for call in verdict.counterexample.inputs]
                cases = [case for call in calls if (case := self.bench.case(call)) is not None]
                if isinstance(obligation.clause, Relation) and len(cases) == len(obligation.clause.runs):
                    self._demand_of(obligation.clause, cases)
                elif len(calls) == len(cases) == 1:
                    self.add(cases[0])
        if self.reading is not None:
            reading = self.reading
            if all(reading.holds(demand, filling) for demand in self.demands[before:]):
                self.blocked.append(filling)

    def add(self, case: Case, example: Example | None = None) -> None:
        """One more input on which a filling must be right."""
        if self.cases.get(case.key, (None, None))[1] is None:
            self.cases[case.key] = case, example
            if self.reading is not None:
                try:
                    with deep_recursion():
                        self.demands.append(self.reading.demand(case, example))
                    self._calls.append(self._said(case, example))
                except NotRead as not_read:
                    self._give_up_reading(str(not_read))

    def _begin(self) -> None:
        for example in self.spec.examples:
            case = self.bench.case(example.inputs)
            if case is not None:
                self.add(case, example)
        cases = self.bench.cases
        for case in cases[:: max(1, len(cases) // _FIRST_CASES)]:
            if self.reading is None or self.left_s < 0:
                break
            self.add(case)
        if self.reading is None:
            for case in cases[:: max(1, len(cases) // _TRIED_CASES)]:
                self.cases.setdefault(case.key, (case, None))

    def _demand_of(self, relation: Relation, cases: Sequence[Case]) -> None:
        if self.reading is not None:
            try:
                with deep_recursion():
                    self.demands.append(self.reading.demand_of(relation, cases))
                self._calls.append(" and ".join(call_source(self.spec, case.inputs) for case in cases))
            except NotRead:
                return

    def _propose(self) -> Proposal:
        if self.left_s <= 0:
            return GaveUp("the time is spent")
        if self.reading is None:
            return self.trying.propose([*self.cases.values()], seconds=self.left_s)
        conditions = [demand.condition for demand in self.demands]
        proposal = propose(self.reading, conditions, self.blocked, seconds=self.left_s)
        if isinstance(proposal, Proposed):
            return proposal
        doubted = self.trying.propose([*self.cases.values()], seconds=min(_DOUBTED_S, max(self.left_s, 0.1)))
        if isinstance(doubted, Proposed) and doubted.filling not in self.blocked:
            self._give_up_reading("real runs say otherwise than the reading")
            return doubted
        return proposal

    def _found(self, filling: dict[str, Any], result: CandidateResult) -> Completion:
        found = Completion(
            sketch=self.sketch,
            values=self.values(filling),
            text=self.sketch.filled(filling),
            result=result,
            by=self._by,
            judged=self.judged,
        )
        if result.standing not in (Standing.TESTED, Standing.PROVED):
            return found
        settled, question = Questions(self, filling).asked()
        if settled in (Settled.OPEN, Settled.NOT_KNOWN):
            note = Note("NS562", f"not proved, whatever is proved of its parts: {settled.value}")
            notes = (*result.notes, note)
            result = replace(result, standing=result.standing.worse(Standing.TESTED), notes=notes)
        return replace(found, result=result, settled=settled, question=question, judged=self.judged)

    def _none(self, proposal: Proposal) -> Completion:
        unmet: Sequence[str] = ()
        match proposal:
            case NoneFits() if self.reading is not None:
                why = "no values in the ranges of its holes fit, as the sketch is read"
                unmet = self._together(self.reading)
            case NoneFits():
                why = f"no values in the ranges of its holes fit: all {self.trying.tried:,} were tried"
            case GaveUp(why=gave):
                why = f"no values were found by {self._by}: {gave}"
            case Proposed():
                raise AssertionError("there is one")
        return Completion(sketch=self.sketch, by=self._by, why=why, unmet=tuple(unmet), judged=self.judged)

    def _together(self, reading: SketchReading) -> list[str]:
        """Few calls that no values get right together: what is left when none can be left out."""
        kept = list(range(len(self.demands)))
        for each in reversed(range(len(self.demands))):
            fewer = [at for at in kept if at != each]
            conditions = [self.demands[at].condition for at in fewer]
            if isinstance(propose(reading, conditions, self.blocked, seconds=_DOUBTED_S, nice=False), NoneFits):
                kept = fewer
        return [self._calls[at] for at in kept]

    @property
    def _by(self) -> str:
        return BY_READING if self.reading is not None else f"{BY_TRYING} ({self._unread})"

    def _give_up_reading(self, why: str) -> None:
        """Goes on with real runs."""
        self.reading, self._unread = None, why

    def _said(self, case: Case, example: Example | None) -> str:
        """A call and what is due, as Python."""
        call, due = call_source(self.spec, case.inputs), case.expected
        if case.raises:
            return f"{call} raises {' or '.join(case.raises)}"
        due = example.out if due is UNSTATED and example is not None else due
        return call if due is UNSTATED else f"{call} == {to_source(self.spec.output, due)}"

    def values(self, filling: Filling) -> Mapping[str, str]:
        """The Python of a filling, by hole."""
        return {name: self.sketch.source(name, value) for name, value in filling.items()}

    def _inputs(self, call: Mapping[str, Any]) -> dict[str, Any]:
        return {name: from_plain(type_, call[name], Place()) for name, type_ in self.spec.inputs.items()}

    def _quietly(self, event: Event) -> None:
        """Passes on where a filling is on its way, not what comes of each."""
        if isinstance(event, events.StageEntered | events.Progress):
            self._emit(event)
