"""Whether the spec decides for a filling; if it does not, the call on which a second one answers otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from neurosym_sandbox import Limits, LoadFailed, Outcome, Program
from neurosym_specs.notation import call_source
from neurosym_specs.signature import declarations
from neurosym_specs.verdicts import Standing
from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.synthesis.proposing import NoneFits, Proposed
from neurosym_verifiers.synthesis.sketch_reading import Filling, SketchReading
from neurosym_verifiers.synthesis.telling_apart import Apart, NoOther, second
from neurosym_verifiers.wording import say_outcome, say_value

from neurosym.filling.result import Question, Settled
from neurosym.result import Judged

if TYPE_CHECKING:
    from neurosym.filling.completing import Completing

_MOST_SECONDS = 10
_TRIED_S = 5.0
_COMPARED = 60
_LEAST_S = 10.0
"""There is so much time for the question, however long the first filling took."""


class Questions:
    """Looks for a second filling beside the one that was found."""

    def __init__(self, completing: Completing, filling: Filling) -> None:
        self._of, self._first = completing, filling
        self._spec, self._bench, self._sketch = completing.spec, completing.bench, completing.sketch
        self._is_sure = True
        """Whether all that was ruled out is known to be wrong, and the reading right where it was looked at."""

    def asked(self) -> tuple[Settled, Question | None]:
        """Whether the spec decides, and the question where it is known that it does not."""
        reference = self._spec.reference
        if reference is not None and reference.where is None:
            return Settled.BY_REFERENCE, None
        if self._of.reading is not None:
            return self._by_reading(self._of.reading)
        return self._by_trying()

    def _by_reading(self, reading: SketchReading) -> tuple[Settled, Question | None]:
        program = self._sketch.filled(self._first)
        self._is_sure = all(reading.holds(demand, self._first) for demand in self._of.demands)
        for _ in range(_MOST_SECONDS):
            demands = [demand.condition for demand in self._of.demands]
            left = max(self._of.left_s, _LEAST_S)
            found = second(reading, program, demands, self._of.blocked, self._bench.cases, seconds=left)
            if not isinstance(found, Apart):
                settled = isinstance(found, NoOther) and self._is_sure and self._of.reading is not None
                return (Settled.NO_OTHER if settled else Settled.NOT_KNOWN), None
            question = self._question(found.filling, self._bench.case(found.inputs))
            if question is not None and self._stands(found.filling):
                return Settled.OPEN, question
            if question is None:
                self._of.blocked.append(found.filling)
                self._is_sure = False  # what was read to differ does not
        return Settled.NOT_KNOWN, None

    def _by_trying(self) -> tuple[Settled, Question | None]:
        for _ in range(_MOST_SECONDS):
            proposal = self._of.trying.propose([*self._of.cases.values()], seconds=_TRIED_S)
            if not isinstance(proposal, Proposed):
                every = isinstance(proposal, NoneFits) and self._is_sure
                return (Settled.NO_OTHER if every else Settled.NOT_KNOWN), None
            if self._stands(proposal.filling):
                self._is_sure = False  # it may differ where nobody looks
                accepted = [case for case in self._bench.cases if case.accepted]
                for case in accepted[:: max(1, len(accepted) // _COMPARED)]:
                    if (question := self._question(proposal.filling, case)) is not None:
                        return Settled.OPEN, question
        return Settled.NOT_KNOWN, None

    def _stands(self, filling: Filling) -> bool:
        """Whether nothing is found wrong with a filling; else what is found is asked of the next one."""
        result = self._of.judge(filling)
        if isinstance(result.outcome, Judged) and result.standing is Standing.REFUTED:
            self._of.learn(result, filling)
            return False
        if result.standing not in (Standing.TESTED, Standing.PROVED):
            self._of.blocked.append(filling)
            self._is_sure = False  # nobody knows whether it is wrong
            return False
        return True

    def _question(self, filling: Filling, case: Case | None) -> Question | None:
        """The question about an input, if both fillings, run on it, give results that differ."""
        if case is None or not case.accepted:
            return None
        one, other = self._run(self._first, case), self._run(filling, case)
        if one is None or other is None or self._bench.clauses.alike(one, other):
            return None
        call = call_source(self._spec, case.inputs)
        return Question(self._of.values(filling), call, self._said(one), self._said(other))

    def _said(self, outcome: Outcome) -> str:
        value = self._bench.clauses.result_of(outcome)
        output = self._spec.output
        return say_outcome(output, outcome) if value is UNSTATED else say_value(output, value)

    def _run(self, filling: Mapping[str, Any], case: Case) -> Outcome | None:
        spec = self._spec
        program = Program(self._sketch.filled(filling), spec.name, declarations(spec), spec.policy.imports)
        limits = Limits(time_s=spec.policy.time_limit_s, memory_bytes=spec.policy.memory_limit_bytes)
        with self._bench.jail().open(program, limits) as session:
            return None if isinstance(session.loaded, LoadFailed) else session.call(case.arguments)
