"""The trial of one candidate: its way through load, cases, relations and replay to a verdict on each obligation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from neurosym_sandbox import (
    Jail,
    JailLost,
    Limits,
    Loaded,
    LoadFailed,
    Outcome,
    Package,
    Program,
    Raised,
    TimedOut,
)
from neurosym_specs.errors import Place
from neurosym_specs.model import Spec
from neurosym_specs.notation import from_plain
from neurosym_specs.obligations import Obligation
from neurosym_specs.signature import declarations
from neurosym_specs.verdicts import FailureClass, Refuted, Verdict

from neurosym_verifiers.account import Account
from neurosym_verifiers.algebra.differing import FormulaDifference
from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.clauses import Breach, SpecUndefined, failure_class
from neurosym_verifiers.frequency import (
    Frequency,
    OutOfTime,
    Seen,
    computes_with_floats,
    counted,
    first_wrong,
    names_floats,
)
from neurosym_verifiers.judgement import Judgement, NotLoaded, RunRecord
from neurosym_verifiers.noticed import Noticed
from neurosym_verifiers.preparation import Preparation
from neurosym_verifiers.proof.proofs import Proofs
from neurosym_verifiers.proof.prover import Prover
from neurosym_verifiers.proof.second_opinion import SecondOpinion
from neurosym_verifiers.refute import NotReproduced, Refuter
from neurosym_verifiers.runner import LoadChanged, Runner
from neurosym_verifiers.search.constants import source_constants
from neurosym_verifiers.search.leaves import Inputs

_REPLAYED = 150
_REPEATED = 50
_RELOADED = 1


class Trial:
    """Runs one candidate against a preparation. Used once."""

    def __init__(
        self,
        spec: Spec,
        preparation: Preparation,
        jail: Callable[[int], Jail],
        prover: Prover | None,
        second: SecondOpinion | None,
        source: str,
        package: Package | None,
        *,
        time_limit_s: float,
        on_progress: Callable[[str, int, int], None] | None,
    ) -> None:
        self._spec = spec
        self._prepared = preparation
        self._clauses = preparation.clauses
        self._jail = jail
        self._prover = prover
        self._second = second
        self._deadline = time.monotonic() + time_limit_s
        self._on_progress = on_progress or (lambda stage, done, total: None)
        self._source = source
        self._program = Program(source, spec.name, declarations(spec), spec.policy.imports, package)
        self._limits = Limits(time_s=spec.policy.time_limit_s, memory_bytes=spec.policy.memory_limit_bytes)
        self._noticed = Noticed()
        self._runner = Runner(lambda: jail(0), self._program, self._limits, self._noticed)
        self._refuter = Refuter(
            spec, self._clauses, self._runner, self._limits, self._case, preparation.by_size, self._late
        )
        self._account = Account(spec, preparation, self._clauses)

    def judged(self) -> Judgement | NotLoaded:
        """The verdicts. Raises nothing that the candidate could cause."""
        frequency: Frequency | None = None
        try:
            loaded = self._runner.load()
            fault = _load_fault(loaded, len(self._spec.inputs))
            if fault is not None:
                return replace(fault, run=self._record())
            stages = (self._run_examples, self._run_cases, self._run_relations, self._run_again, self._prove)
            for stage in stages:
                if not self._account.over:
                    stage()
            frequency = self._frequency()
        except LoadChanged as changed:
            self._account.doubt("deterministic", f"the program loaded once and then no more: {changed.failed.reason}")
        except JailLost as lost:
            self._account.fail("no crash", f"the jail was lost: {lost}")
        finally:
            self._runner.close()
        verdicts = self._account.verdicts(self._refuter.example)
        account = self._account
        cut_short = account.cut_short or time.monotonic() > self._deadline
        formula = self._formula_difference(verdicts)
        return Judgement(
            verdicts,
            self._record(),
            ended=account.ended,
            queries=account.queries,
            formula=formula,
            frequency=frequency,
            cut_short=cut_short,
            solver_units=account.solver_units,
        )

    def _frequency(self) -> Frequency | None:
        """How often a candidate that computes with floats comes to another value.

        That changes no verdict on one that is refuted. One that is not, though its floats are objected to, is refuted
        by what is found here, as by any other run.
        """
        if self._account.wrong_value is None:
            doubtful = not self._spec.policy.allow_float and names_floats(self._source)
            if self._account.over or self._account.is_proved("reference") or not doubtful:
                return None
            return self._counted()
        if not computes_with_floats(self._spec, self._source):
            return None
        try:
            return self._counted()
        except (LoadChanged, JailLost):
            return None

    def _counted(self) -> Frequency | None:
        found = counted(self._spec, self._seen)
        wrong = self._account.wrong_value
        if found is None or wrong is None or len(wrong.inputs) != 1:
            return found
        try:
            return replace(found, first=first_wrong(self._spec, self._read(wrong.inputs[0]), self._seen))
        except OutOfTime:
            return found

    def _seen(self, inputs: Inputs) -> Seen:
        """What the candidate does on an input."""
        if time.monotonic() > self._deadline:
            raise OutOfTime
        self._prepared.maker.fault = None
        case = self._prepared.maker.case(inputs)
        if case is None or not case.accepted:
            return Seen.OUTSIDE if self._prepared.maker.fault is None else Seen.OPEN
        outcome = self._account.outcomes.get(case.key)
        if outcome is None:
            outcome = self._runner.call(case.arguments) if self._account.over else self._run(case)
        try:
            return Seen.WRONG if any(self._clauses.breaches(case, outcome, settled=False)) else Seen.RIGHT
        except SpecUndefined:
            return Seen.OPEN

    def _read(self, plain: Mapping[str, object]) -> Inputs:
        return {name: from_plain(type_, plain[name], Place()) for name, type_ in self._spec.inputs.items()}

    def _formula_difference(self, verdicts: Mapping[Obligation, Verdict]) -> FormulaDifference | None:
        """How the formula differs from the reference's on the first refuted call."""
        reference = self._spec.reference
        if self._prover is None or reference is None or reference.where is not None:
            return None
        if not (reference.abs_tol or reference.rel_tol):
            return None  # results that are rounded are no formulas over real numbers
        refuted = (verdict.counterexample for verdict in verdicts.values() if isinstance(verdict, Refuted))
        call = next((found.inputs[0] for found in refuted if found.failure is FailureClass.WRONG_VALUE), None)
        if call is None:
            return None
        return self._prover.difference(self._source, self._read(call))

    def _record(self) -> RunRecord:
        return self._noticed.record(self._jail(0).record, self._limits)

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
        """Cases for the candidate's own constants; where the spec turns out to be undefined on one, that is booked."""
        self._prepared.maker.fault = None
        cases = self._prepared.pool.for_constants(source_constants(*self._program.texts))
        fault = self._prepared.maker.fault
        if fault is not None:
            self._account.undefined.setdefault(fault.clause, fault.message)
        return cases

    def _run_examples(self) -> None:
        """All examples are run, whatever becomes of the first: each is decided by running it."""
        cases = [worked.case for worked in self._prepared.examples]
        for case in cases:
            if case.key not in self._account.outcomes:
                self._call(case)
        for at, case in enumerate(cases):
            if not self._account.over:
                self._check(case, self._account.outcomes[case.key], cases[:at])

    def _run_cases(self) -> None:
        total = len(self._prepared.cases)
        for case in self._cases():
            if case.key in self._account.outcomes:
                continue
            if self._late():
                return
            self._run(case)
            if len(self._account.order) % 64 == 0:
                self._on_progress("inputs", min(len(self._account.order), total), total)
            if self._account.over:
                return

    def _run(self, case: Case) -> Outcome:
        outcome = self._account.outcomes.get(case.key)
        if outcome is None:
            outcome = self._call(case)
            self._check(case, outcome, self._account.order[:-1])
        return outcome

    def _call(self, case: Case) -> Outcome:
        outcome = self._account.outcomes[case.key] = self._runner.call(case.arguments)
        self._account.order.append(case)
        return outcome

    def _check(self, case: Case, outcome: Outcome, earlier: Sequence[Case]) -> None:
        breach = self._first_breach(case, outcome)
        if breach is not None:
            found = self._refuter.single(case, breach, outcome, earlier)
            if isinstance(found, NotReproduced) and isinstance(outcome, TimedOut):
                return
            self._account.take(found, "properties")

    def _first_breach(self, case: Case, outcome: Outcome) -> Breach | None:
        try:
            return next(self._clauses.breaches(case, outcome, settled=case.key in self._prepared.settled), None)
        except SpecUndefined as undefined:
            self._account.undefined.setdefault(undefined.clause, undefined.reason)
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
                if self._account.over:
                    return
            relation = runs.relation
            if any(value is UNSTATED for value in values):
                continue
            try:
                named = runs.by_name()
                holds = self._clauses.related(relation, named, dict(zip(relation.runs, values, strict=True)))
            except SpecUndefined as undefined:
                self._account.undefined.setdefault(undefined.clause, undefined.reason)
                continue
            if holds is False:
                self._account.take(self._refuter.related(runs, values), "properties")
                return
            if holds is True:
                self._account.count_relation(relation)

    def _run_again(self) -> None:
        """The same calls in another order, some twice, in a process with another hash seed: is anything different?"""
        step = max(1, len(self._account.order) // _REPLAYED)
        backwards = self._account.order[::-1][::step]
        again = [*backwards, *backwards[: -_REPEATED - 1 : -1]]
        other = Runner(lambda: self._jail(_RELOADED), self._program, self._limits, self._noticed)
        try:
            loaded = other.load()
            if isinstance(loaded, LoadFailed):
                self._account.fail("deterministic", f"does not load with another hash seed: {loaded.reason}")
                return
            for done, case in enumerate(again):
                if self._late():
                    return
                if done % 64 == 0:
                    self._on_progress("replay", done, len(again))
                second = other.call(case.arguments)
                if not self._clauses.alike(self._account.outcomes[case.key], second):
                    self._different(case, other)
                    if self._account.over:
                        return
            self._account.replayed = len(backwards)
        finally:
            other.close()

    def _prove(self) -> None:
        """What broke nothing is put to the prover. Its counterexamples are run before they count, like any input."""
        if self._prover is None:
            if self._program.package is not None:
                self._account.prove(Proofs().all_lack("a reading of what it imports of its own package"))
            return
        self._on_progress("proof", 0, 1 if self._second is None else 2)
        runs = [(case, self._account.outcomes[case.key]) for case in self._account.order]
        seconds = self._deadline - time.monotonic()
        proofs = self._prover.prove(self._source, runs, self._executed, seconds=seconds)
        self._account.prove(proofs)
        for inputs in proofs.models:
            case = self._case(inputs)
            if case is not None:
                self._run(case)
            if self._account.over:
                return
        if self._second is not None:  # after the counterexamples: it has a time of its own, and they have not
            self._on_progress("proof", 1, 2)
            proofs.with_opinions(self._second.on(proofs.queries))

    def _executed(self, inputs: Inputs) -> tuple[Case, Outcome] | None:
        """A run on inputs that the prover asks for, checked like any other."""
        case = self._case(inputs)
        return None if case is None else (case, self._run(case))

    def _different(self, case: Case, other: Runner) -> None:
        first, second = self._runner.fresh(case.arguments), other.fresh(case.arguments)
        if not self._clauses.alike(first, second):
            self._account.take([self._refuter.differing(case, first, second)], "replay")
            return
        expected = self._account.outcomes[case.key]
        before = self._account.order[: self._account.order.index(case)]
        for order in (before, [c for c in self._account.order[::-1] if c is not case]):
            finding = self._refuter.state(case, first, order)
            if finding is not None:
                self._account.take([finding], "replay")
                return
        if not isinstance(expected, TimedOut):
            self._account.doubt("deterministic", "one call came out differently once, and never again")

    def _late(self) -> bool:
        self._account.out_of_time = self._account.out_of_time or time.monotonic() > self._deadline
        return self._account.out_of_time


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
            return NotLoaded(failure, f"{exception.name}: {exception.message}", exception.line, ended=outcome)
        return NotLoaded(failure, loaded.reason, ended=outcome)
    if loaded.required > parameters or (loaded.maximum is not None and loaded.maximum < parameters):
        takes = f"{loaded.required}" if loaded.maximum == loaded.required else f"{loaded.required} to {loaded.maximum}"
        return NotLoaded(
            FailureClass.SIGNATURE, f"the function takes {takes} positional arguments instead of {parameters}"
        )
    return None
