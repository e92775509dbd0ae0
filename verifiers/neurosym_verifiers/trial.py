"""The trial of one candidate: its way through load, cases, relations and replay to a verdict on each obligation."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from neurosym_sandbox import (
    Jail,
    JailLost,
    Limits,
    Loaded,
    LoadFailed,
    Outcome,
    Program,
    Raised,
    TimedOut,
)
from neurosym_specs.model import Spec
from neurosym_specs.obligations import Obligation, obligation_id, obligations
from neurosym_specs.signature import declarations
from neurosym_specs.verdicts import (
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

from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.clauses import Breach, SpecUndefined, failure_class
from neurosym_verifiers.judgement import Judgement, NotLoaded
from neurosym_verifiers.preparation import ENOUGH, Preparation
from neurosym_verifiers.refute import Finding, NotReproduced, Refuter
from neurosym_verifiers.runner import LoadChanged, Runner
from neurosym_verifiers.search.constants import source_constants
from neurosym_verifiers.search.leaves import Inputs

_REPLAYED = 150
_REPEATED = 50
_LACKS = "a proof: only inputs were run"
_RELOADED = 1


@dataclass(slots=True)
class _Findings:
    """What has been found out so far, by obligation id."""

    refuted: dict[str, Refuted] = field(default_factory=dict)
    failed: dict[str, Failed] = field(default_factory=dict)
    undefined: dict[str, str] = field(default_factory=dict)
    out_of_time: bool = False

    @property
    def over(self) -> bool:
        return bool(self.refuted or self.failed or self.out_of_time)


class Trial:
    """Runs one candidate against a preparation. Used once."""

    def __init__(
        self,
        spec: Spec,
        preparation: Preparation,
        jail: Callable[[int], Jail],
        source: str,
        *,
        time_limit_s: float,
        on_progress: Callable[[str, int, int], None] | None,
    ) -> None:
        self._spec = spec
        self._prepared = preparation
        self._clauses = preparation.clauses
        self._jail = jail
        self._deadline = time.monotonic() + time_limit_s
        self._on_progress = on_progress or (lambda stage, done, total: None)
        self._source = source
        self._program = Program(source, spec.name, declarations(spec), spec.policy.imports)
        self._limits = Limits(time_s=spec.policy.time_limit_s, memory_bytes=spec.policy.memory_limit_bytes)
        self._runner = Runner(lambda: jail(0), self._program, self._limits)
        self._refuter = Refuter(spec, self._clauses, self._runner, self._limits, self._case, preparation.by_size)
        self._outcomes: dict[object, Outcome] = {}
        self._order: list[Case] = []
        self._related: dict[str, int] = {}
        self._replayed = 0
        self._found = _Findings()

    def judged(self) -> Judgement | NotLoaded:
        """The verdicts. Raises nothing that the candidate could cause."""
        try:
            loaded = self._runner.load()
            fault = _load_fault(loaded, len(self._spec.inputs))
            if fault is not None:
                return fault
            for stage in (self._run_cases, self._run_relations, self._run_again):
                if not self._found.over:
                    stage()
        except LoadChanged as changed:
            self._fail("deterministic", f"the program loaded once and then no more: {changed.failed.reason}")
        except JailLost as lost:
            self._fail("no crash", f"the jail was lost: {lost}")
        finally:
            self._runner.close()
        jail = self._jail(0)
        return Judgement(self._verdicts(), self._runner.calls, self._runner.printed, str(jail.level))

    def _case(self, inputs: Inputs) -> Case | None:
        """The case of inputs that the shrinker proposes."""
        if time.monotonic() > self._deadline + 2 or not self._prepared.maker.belongs(inputs):
            return None
        return self._prepared.maker.case(inputs)

    def _cases(self) -> Iterator[Case]:
        """The prepared cases, and before the drawn ones those for the candidate's own constants."""
        prepared, own = self._prepared.cases, self._own_cases()
        early = min(len(prepared), 60)
        yield from prepared[:early]
        yield from own
        yield from prepared[early:]

    def _own_cases(self) -> Sequence[Case]:
        try:
            constants = source_constants(ast.parse(self._source))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        return self._prepared.pool.for_constants(constants)

    def _run_cases(self) -> None:
        total = len(self._prepared.cases)
        for case in self._cases():
            if case.key in self._outcomes:
                continue
            if self._late():
                return
            self._run(case)
            if len(self._order) % 64 == 0:
                self._on_progress("inputs", min(len(self._order), total), total)
            if self._found.over:
                return

    def _run(self, case: Case) -> Outcome:
        outcome = self._outcomes.get(case.key)
        if outcome is None:
            outcome = self._outcomes[case.key] = self._runner.call(case.arguments)
            self._order.append(case)
            self._check(case, outcome)
        return outcome

    def _check(self, case: Case, outcome: Outcome) -> None:
        breach = self._first_breach(case, outcome)
        if breach is not None:
            found = self._refuter.single(case, breach, outcome, self._order[:-1])
            if isinstance(found, NotReproduced) and isinstance(outcome, TimedOut):
                return
            self._take(found, "properties")

    def _first_breach(self, case: Case, outcome: Outcome) -> Breach | None:
        try:
            return next(self._clauses.breaches(case, outcome, settled=case.key in self._prepared.settled), None)
        except SpecUndefined as undefined:
            self._found.undefined.setdefault(undefined.clause, undefined.reason)
            return None

    def _run_relations(self) -> None:
        total = len(self._prepared.runs)
        for done, runs in enumerate(self._prepared.runs):
            if self._late():
                return
            if done % 64 == 0:
                self._on_progress("relations", done, total)
            values = []
            for case in runs.cases:
                values.append(self._clauses.result_of(self._run(case)))
                if self._found.over:
                    return
            relation = runs.relation
            if any(value is UNSTATED for value in values):
                continue
            try:
                named = runs.by_name()
                holds = self._clauses.related(relation, named, dict(zip(relation.runs, values, strict=True)))
            except SpecUndefined as undefined:
                self._found.undefined.setdefault(undefined.clause, undefined.reason)
                continue
            if holds is False:
                self._take(self._refuter.related(runs, values), "properties")
                return
            if holds is True:
                id_ = obligation_id("relation", relation)
                self._related[id_] = self._related.get(id_, 0) + 1

    def _run_again(self) -> None:
        """The same calls in another order, some twice, in a process with another hash seed: is anything different?"""
        step = max(1, len(self._order) // _REPLAYED)
        backwards = self._order[::-1][::step]
        again = [*backwards, *backwards[: -_REPEATED - 1 : -1]]
        other = Runner(lambda: self._jail(_RELOADED), self._program, self._limits)
        try:
            loaded = other.load()
            if isinstance(loaded, LoadFailed):
                self._fail("deterministic", f"does not load with another hash seed: {loaded.reason}")
                return
            for done, case in enumerate(again):
                if self._late():
                    return
                if done % 64 == 0:
                    self._on_progress("replay", done, len(again))
                second = other.call(case.arguments)
                if not self._clauses.alike(self._outcomes[case.key], second):
                    self._different(case, other)
                    if self._found.over:
                        return
            self._replayed = len(backwards)
        finally:
            other.close()

    def _different(self, case: Case, other: Runner) -> None:
        first, second = self._runner.fresh(case.arguments), other.fresh(case.arguments)
        if not self._clauses.alike(first, second):
            self._take([self._refuter.differing(case, first, second)], "replay")
            return
        expected = self._outcomes[case.key]
        before = self._order[: self._order.index(case)]
        for order in (before, [c for c in self._order[::-1] if c is not case]):
            finding = self._refuter.state(case, first, order)
            if finding is not None:
                self._take([finding], "replay")
                return
        if not isinstance(expected, TimedOut):
            self._fail("deterministic", "one call came out differently once, and never again")

    def _late(self) -> bool:
        self._found.out_of_time = self._found.out_of_time or time.monotonic() > self._deadline
        return self._found.out_of_time

    def _take(self, found: list[Finding] | NotReproduced, method: str) -> None:
        if isinstance(found, NotReproduced):
            self._fail(found.obligation, f"seen but not reproduced in a fresh jail: {found.detail}")
            return
        for finding in found:
            self._found.refuted[finding.obligation] = Refuted(finding.counterexample, method)

    def _fail(self, obligation: str, message: str) -> None:
        self._found.failed[obligation] = Failed(message)

    def _verdicts(self) -> dict[Obligation, Verdict]:
        counts = self._counts()
        return {o: self._verdict(o, counts.get(o.id, 0)) for o in obligations(self._spec)}

    def _counts(self) -> dict[str, int]:
        """How many distinct inputs each obligation was tried on."""
        accepted = [case for case in self._order if case.accepted]
        keys = {case.key for case in accepted}
        counts = {
            "returns": len(accepted),
            "no crash": len(accepted),
            "reference": len(accepted),
            "terminates": len(self._order),
            "deterministic": self._replayed,
            "pure": self._replayed,
        }
        for case in self._order:
            if case.decided_by:
                counts[case.decided_by] = counts.get(case.decided_by, 0) + 1
        for id_, applicable in self._prepared.applicable.items():
            counts[id_] = len(applicable & keys)
        for id_, number in self._related.items():
            counts[id_] = number
        return counts

    def _verdict(self, obligation: Obligation, cases: int) -> Verdict:
        found = self._found
        if obligation.id in found.refuted:
            return found.refuted[obligation.id]
        if obligation.id in found.failed:
            return found.failed[obligation.id]
        if obligation.kind == "example":
            return self._example_verdict(obligation)
        if obligation.id in found.undefined:
            return Unknown(Undecided.UNDEFINED, f"a fault of the spec: {found.undefined[obligation.id]}", cases)
        if found.refuted or found.failed:
            return Unknown(Undecided.STOPPED, cases=cases)
        if cases >= ENOUGH:
            return Tested(cases, "properties", lacks=_LACKS)
        everything = "" if obligation.kind != "relation" else obligation.id
        if not found.out_of_time and self._prepared.exhausted & {everything, obligation.id}:
            if not cases:
                return Vacuous("no input of the universe meets its condition")
            return Tested(cases, "properties", exhaustive=True, lacks=_LACKS)
        reason = Undecided.TIMEOUT if found.out_of_time else Undecided.TOO_FEW
        return Unknown(reason, f"{cases} distinct valid inputs; {ENOUGH} are needed", cases)

    def _example_verdict(self, obligation: Obligation) -> Verdict:
        worked = next((w for w in self._prepared.examples if w.example is obligation.clause), None)
        outcome = self._outcomes.get(worked.case.key) if worked is not None else None
        if worked is None or outcome is None:
            return Unknown(Undecided.NOT_RUN)
        if self._clauses.example_breach(worked.example, worked.case, outcome) is None:
            return Proved("run", ("equal calls give equal results",))
        counterexample = self._refuter.example(worked.example, worked.case)
        if counterexample is None:
            return Failed("failed once, and not in a fresh jail")
        return Refuted(counterexample, "run")


def _load_fault(loaded: Loaded | LoadFailed, parameters: int) -> NotLoaded | None:
    if isinstance(loaded, LoadFailed):
        outcome = loaded.outcome
        if outcome is None:
            return NotLoaded(FailureClass.SIGNATURE, loaded.reason)
        failure = failure_class(outcome)
        if isinstance(outcome, Raised):
            exception = outcome.exception
            if exception.name in ("SyntaxError", "IndentationError", "TabError"):
                failure = FailureClass.SYNTAX
            return NotLoaded(failure, f"{exception.name}: {exception.message}", exception.line)
        return NotLoaded(failure, loaded.reason)
    if loaded.required > parameters or (loaded.maximum is not None and loaded.maximum < parameters):
        takes = f"{loaded.required}" if loaded.maximum == loaded.required else f"{loaded.required} to {loaded.maximum}"
        return NotLoaded(
            FailureClass.SIGNATURE, f"the function takes {takes} positional arguments instead of {parameters}"
        )
    return None
