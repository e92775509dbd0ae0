"""From a broken promise to a counterexample that can be shown: made small, and failed again in a fresh jail.

Nothing is REFUTED that did not fail on the real code in a jail of its own. Where a fault does not come back there, it
depends on the calls before it (then the shortest sequence of calls is the counterexample) or on nothing that is
repeatable (then the two differing runs are).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from neurosym_sandbox import Limits, Outcome, TimedOut
from neurosym_specs.model import Example, Spec
from neurosym_specs.notation import call_source
from neurosym_specs.obligations import obligation_id
from neurosym_specs.verdicts import Counterexample, FailureClass

from neurosym_verifiers.cases import Case, runs_of
from neurosym_verifiers.clauses import Breach, Clauses, SpecUndefined
from neurosym_verifiers.findings import Finding, FindingMaker, all_breaches, breaking_results
from neurosym_verifiers.pairs import Runs
from neurosym_verifiers.runner import Runner
from neurosym_verifiers.search.leaves import Inputs
from neurosym_verifiers.search.smallest import shrink, size_key

_TRIES = 600
_SLOW_TRIES = 6


@dataclass(frozen=True, slots=True)
class NotReproduced:
    """A fault that was seen once and never again: the tool's fault until shown otherwise."""

    obligation: str
    detail: str


class Refuter:
    """Turns breaches of one candidate into findings."""

    def __init__(
        self,
        spec: Spec,
        clauses: Clauses,
        runner: Runner,
        limits: Limits,
        make_case: Callable[[Inputs], Case | None],
        by_size: Callable[[], Sequence[tuple[Any, Case]]],
        late: Callable[[], bool],
    ) -> None:
        self._spec = spec
        self._clauses = clauses
        self._runner = runner
        self._limits = limits
        self._make_case = make_case
        self._by_size = by_size
        self._late = late
        self._maker = FindingMaker(spec, clauses)

    def breach(self, case: Case, outcome: Outcome, obligation: str | None = None) -> Breach | None:
        """The first breach (of that obligation) in an outcome; none where the spec has no answer."""
        try:
            for breach in self._clauses.breaches(case, outcome, settled=False):
                if obligation is None or breach.obligation == obligation:
                    return breach
        except SpecUndefined:
            return None
        return None

    def single(
        self, case: Case, breach: Breach, outcome: Outcome, earlier: Sequence[Case]
    ) -> list[Finding] | NotReproduced:
        """Findings for a breach seen on one call: the obligation's, and all others broken by the same input.

        ``earlier``: the cases run before it in the same session.
        """
        if isinstance(outcome, TimedOut):
            return self._time_out(case, breach)
        if breach.obligation != "pure" and self._replayed(case, breach.obligation) is None:
            return self.sequence(case, breach, earlier)
        small = self._shrunk(self._smallest_known(case, breach.obligation), breach.obligation)
        for candidate in (small, case):
            outcome = self._runner.fresh(candidate.arguments)
            found = all_breaches(self._clauses, candidate, outcome)
            if any(b.obligation == breach.obligation for b in found):
                return [Finding(b.obligation, self._counterexample([candidate], b), outcome) for b in found]
        return NotReproduced(breach.obligation, f"{self._call(case)} failed once: {breach.actual}")

    def _replayed(self, case: Case, obligation: str) -> Breach | None:
        return self.breach(case, self._runner.fresh(case.arguments), obligation)

    def _smallest_known(self, case: Case, obligation: str) -> Case:
        """The smallest of the prepared cases that breaks the obligation too; a better place to start from."""
        types = self._spec.inputs
        limit = size_key(types, case.inputs)
        for key, known in self._by_size():
            if key >= limit or self._late():
                return case
            if self.breach(known, self._runner.call(known.arguments), obligation) is not None:
                return known
        return case

    def _shrunk(self, case: Case, obligation: str) -> Case:
        known: dict[int, Case] = {}

        def still_fails(inputs: Inputs) -> bool:
            smaller = self._make_case(inputs)
            if smaller is None or self.breach(smaller, self._runner.call(smaller.arguments), obligation) is None:
                return False
            known[id(inputs)] = smaller
            return True

        inputs = shrink(self._spec.inputs, case.inputs, still_fails, tries=_TRIES)
        return known.get(id(inputs), case)

    def _time_out(self, case: Case, breach: Breach) -> list[Finding] | NotReproduced:
        """A time-out counts only after a run alone with twice the limit; few tries to make it smaller."""
        twice = replace(self._limits, time_s=2 * self._limits.time_s)
        ended = self._runner.fresh(case.arguments, limits=twice)
        if not isinstance(ended, TimedOut):
            return NotReproduced(breach.obligation, "slow once, within twice the limit when run alone")
        known: dict[int, Case] = {}

        def still_hangs(inputs: Inputs) -> bool:
            smaller = self._make_case(inputs)
            if smaller is None or not isinstance(self._runner.call(smaller.arguments), TimedOut):
                return False
            known[id(inputs)] = smaller
            return True

        inputs = shrink(self._spec.inputs, case.inputs, still_hangs, tries=_SLOW_TRIES)
        small = known.get(id(inputs), case)
        if small is not case:
            again = self._runner.fresh(small.arguments, limits=twice)
            small, ended = (small, again) if isinstance(again, TimedOut) else (case, ended)
        return [Finding("terminates", self._counterexample([small], breach), ended)]

    def sequence(self, case: Case, breach: Breach, earlier: Sequence[Case]) -> list[Finding] | NotReproduced:
        """A fault that one call alone does not show: the shortest sequence of earlier calls that brings it out."""

        def after(before: Sequence[Case]) -> Outcome:
            return self._runner.fresh(*(c.arguments for c in before), case.arguments)

        def broken(outcome: Outcome) -> Breach | None:
            return self.breach(case, outcome, breach.obligation)

        before = self._shortest(earlier, case, lambda tried: broken(after(tried)) is not None)
        ended = after(before) if before is not None else None
        last = broken(ended) if ended is not None else None
        if before is None or ended is None or last is None:
            return NotReproduced(breach.obligation, f"{self._call(case)} failed once: {breach.actual}")
        changed = replace(last, obligation="pure", failure=FailureClass.STATE)
        return [Finding("pure", self._counterexample([*before, case], changed), ended)]

    def _shortest(
        self, earlier: Sequence[Case], case: Case, fails: Callable[[Sequence[Case]], bool]
    ) -> Sequence[Case] | None:
        """The call itself before itself; one earlier call; else the whole history cut down by halves (ddmin)."""
        for one in (case, *earlier[:-9:-1]):
            if self._late():
                return None
            if fails([one]):
                return [one]
        if not earlier or not fails(earlier):
            return None
        sequence, size = list(earlier), len(earlier) // 2
        while size >= 1:
            for start in range(0, len(sequence), size):
                if self._late():
                    return sequence
                shorter = sequence[:start] + sequence[start + size :]
                if len(shorter) < len(sequence) and fails(shorter):
                    sequence = shorter
                    break
            else:
                size //= 2
        return sequence

    def related(self, runs: Runs, values: Sequence[Any]) -> list[Finding] | NotReproduced:
        """Findings for a relation that several runs break, made small as one joint input."""
        relation = runs.relation
        types = {f"{run}.{name}": type_ for run in relation.runs for name, type_ in self._spec.inputs.items()}
        joint = {f"{run}.{name}": value for run, case in runs.by_name().items() for name, value in case.inputs.items()}
        known: dict[int, tuple[list[Case], list[Any]]] = {}

        def still_fails(inputs: Inputs) -> bool:
            parts = runs_of(inputs, relation.runs)
            cases = [case for run in relation.runs if (case := self._make_case(parts[run])) is not None]
            if len(cases) < len(relation.runs) or not all(case.accepted for case in cases):
                return False
            outcomes = [self._runner.call(case.arguments) for case in cases]
            results = breaking_results(self._clauses, relation, cases, outcomes)
            if results is None:
                return False
            known[id(inputs)] = (cases, results)
            return True

        small = shrink(types, joint, still_fails, tries=_TRIES)
        cases, _ = known.get(id(small), (list(runs.cases), list(values)))
        for tried in (cases, list(runs.cases)):
            outcomes = [self._runner.fresh(case.arguments) for case in tried]
            results = breaking_results(self._clauses, relation, tried, outcomes)
            if results is not None:
                breach = self._clauses.relation_breach(relation, results)
                return [Finding(breach.obligation, self._counterexample(tried, breach), outcomes[-1])]
        return NotReproduced(obligation_id("relation", relation), "the runs no longer break it in fresh jails")

    def example(self, example: Example, case: Case) -> Finding | None:
        """The finding that a worked example is, if it fails in a fresh jail too."""
        ended = self._runner.fresh(case.arguments)
        breach = self._clauses.example_breach(example, case, ended)
        return None if breach is None else Finding(breach.obligation, self._counterexample([case], breach), ended)

    def state(self, case: Case, alone: Outcome, earlier: Sequence[Case]) -> Finding | None:
        """A call that comes out differently after earlier calls than ``alone``: the shortest such sequence."""

        def differs(before: Sequence[Case]) -> bool:
            outcome = self._runner.fresh(*(c.arguments for c in before), case.arguments)
            return not self._clauses.alike(alone, outcome)

        before = self._shortest(earlier, case, differs)
        if before is None:
            return None
        after = self._runner.fresh(*(c.arguments for c in before), case.arguments)
        return self._maker.state([*before, case], alone, after)

    def differing(self, case: Case, first: Outcome, second: Outcome) -> Finding:
        """Two fresh runs of one call that came out differently."""
        return self._maker.differing(case, first, second)

    def _counterexample(self, cases: Sequence[Case], breach: Breach) -> Counterexample:
        return self._maker.counterexample(cases, breach)

    def _call(self, case: Case) -> str:
        return call_source(self._spec, case.inputs)
