"""One counterexample again: the same calls, in fresh jails, judged by the same clauses. Nothing is searched for.

What an obligation takes to be broken decides what is run: a relation its runs, each in a jail of its own; a dependence
on earlier calls the whole sequence in one, and its last call alone; equal calls in processes with different hash seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from neurosym_sandbox import Jail, Limits, Outcome, Package, Program
from neurosym_specs.model import Example, Relation, Spec
from neurosym_specs.obligations import Obligation, obligation_id
from neurosym_specs.signature import declarations
from neurosym_specs.verdicts import FailureClass

from neurosym_verifiers.cases import UNSTATED, Case, CaseMaker
from neurosym_verifiers.clauses import Breach, Clauses, SpecUndefined
from neurosym_verifiers.findings import Finding, FindingMaker, all_breaches
from neurosym_verifiers.noticed import Noticed
from neurosym_verifiers.runner import LoadChanged, Runner
from neurosym_verifiers.search.leaves import Inputs, key_of

_HASH_SEEDS = (0, 1)
_TIMES_MORE = 2
"""A call that is alone may take this many times its limit: a machine that is busy is no fault of the candidate's."""
_PAIRS = 5
"""So often equal calls are compared: what differs between them need not differ each time."""


@dataclass(frozen=True, slots=True)
class StillBroken:
    """The calls break promises: that of the obligation in question first, where it is among them."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """The calls break no promise; ``results``: what each of them came to."""

    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NothingPromised:
    """The spec says nothing of these calls, and ``why``."""

    why: str


@dataclass(frozen=True, slots=True)
class NoFunction:
    """The program does not load, and ``why``."""

    why: str


Replay: TypeAlias = StillBroken | Kept | NothingPromised | NoFunction


class _NotAbout(Exception):
    """The clause does not speak of these calls."""


class Replayer:
    """Replays calls of one program. ``jail`` gives the jail whose processes run with a hash seed, ``package`` is what
    the program may import of its own."""

    def __init__(
        self, spec: Spec, maker: CaseMaker, jail: Callable[[int], Jail], source: str, package: Package | None = None
    ) -> None:
        self._spec = spec
        self._cases = maker
        self._clauses = Clauses(spec, maker.evaluator)
        self._findings = FindingMaker(spec, self._clauses)
        self._program = Program(source, spec.name, declarations(spec), spec.policy.imports, package)
        policy = spec.policy
        self._limits = Limits(time_s=_TIMES_MORE * policy.time_limit_s, memory_bytes=policy.memory_limit_bytes)
        self._jail = jail
        self._runner = self._with_hash_seed(0)

    def replay(self, obligation: Obligation, inputs: Sequence[Inputs]) -> Replay:
        """What the calls come to now. Raises ``JailLost``."""
        cases: list[Case] = []
        for number, each in enumerate(inputs, start=1):
            case = self._cases.case(each)
            if case is None:
                return NothingPromised(self._why_no_case(number, len(inputs)))
            cases.append(case)
        try:
            misfit = self._misfit(obligation, cases)
            if misfit:
                return NothingPromised(misfit)
            found, outcomes = self._found(obligation, cases)
        except LoadChanged as changed:
            return NoFunction(changed.failed.reason)
        except _NotAbout as other:
            return NothingPromised(str(other))
        except SpecUndefined as undefined:
            return NothingPromised(f"a fault of the spec: {undefined.clause} has no value here: {undefined.reason}")
        if not found:
            return Kept(tuple(self._findings.said(outcome) for outcome in outcomes))
        return StillBroken(tuple(sorted(found, key=lambda each: each.obligation != obligation.id)))

    def _misfit(self, obligation: Obligation, cases: Sequence[Case]) -> str:
        """Why these are no calls that the obligation speaks of; empty where they are."""
        match obligation.clause:
            case Relation(runs=runs) if len(cases) != len(runs):
                return f"{obligation.id} speaks of {len(runs)} runs, and these are {len(cases)} calls"
            case Relation() if not all(case.accepted for case in cases):
                return f"{obligation.id} speaks of inputs that are accepted, and one of these is to be refused"
            case Example(inputs=inputs) if [case.key for case in cases] != [key_of(self._cases.in_order(inputs))]:
                return f"{obligation.id} is about other inputs"
            case _:
                return ""

    def _why_no_case(self, number: int, total: int) -> str:
        fault = self._cases.fault
        if fault is not None:
            return f"a fault of the spec: {fault.clause}: {fault.message}"
        which = f" of call {number}" if total > 1 else ""
        return f"the inputs{which} are outside of what callers guarantee"

    def _found(self, obligation: Obligation, cases: Sequence[Case]) -> tuple[list[Finding], list[Outcome]]:
        match obligation.clause:
            case Relation() as relation:
                return self._related(relation, cases)
            case _ if len(cases) > 1:
                return self._sequence(cases)
            case _ if obligation.kind == "deterministic":
                return self._repeated(cases[0])
            case clause:
                outcome = self._runner.fresh(cases[0].arguments)
                example = clause if isinstance(clause, Example) else None
                return self._broken(cases[0], outcome, example), [outcome]

    def _broken(self, case: Case, outcome: Outcome, example: Example | None = None) -> list[Finding]:
        """What one outcome breaks. Raises ``SpecUndefined`` where nothing is, and a clause has no value."""
        found: dict[str, Breach] = {}
        if example is not None and (breach := self._clauses.example_breach(example, case, outcome)):
            found[breach.obligation] = breach
        try:
            for breach in self._clauses.breaches(case, outcome, settled=False):
                found.setdefault(breach.obligation, breach)
        except SpecUndefined:
            if not found:
                raise
        return [
            Finding(each.obligation, self._findings.counterexample([case], each), outcome) for each in found.values()
        ]

    def _related(self, relation: Relation, cases: Sequence[Case]) -> tuple[list[Finding], list[Outcome]]:
        outcomes = [self._runner.fresh(case.arguments) for case in cases]
        found = [each for case, outcome in zip(cases, outcomes, strict=True) for each in self._broken(case, outcome)]
        values = [self._clauses.result_of(outcome) for outcome in outcomes]
        if any(value is UNSTATED for value in values):
            return found, outcomes
        runs = dict(zip(relation.runs, cases, strict=True))
        holds = self._clauses.related(relation, runs, dict(zip(relation.runs, values, strict=True)))
        if holds is None and not found:
            raise _NotAbout(f"what {obligation_id('relation', relation)} asks for first does not hold of these runs")
        if holds is False:
            breach = self._clauses.relation_breach(relation, values)
            found.append(Finding(breach.obligation, self._findings.counterexample(cases, breach), outcomes[-1]))
        return found, outcomes

    def _sequence(self, cases: Sequence[Case]) -> tuple[list[Finding], list[Outcome]]:
        """The last call alone, and after all before it."""
        alone = self._runner.fresh(cases[-1].arguments)
        after = self._runner.fresh(*(case.arguments for case in cases))
        found = self._broken(cases[-1], alone)
        if not self._clauses.alike(alone, after):
            found.append(self._changed(cases, alone, after))
        return found, [alone, after]

    def _changed(self, cases: Sequence[Case], alone: Outcome, after: Outcome) -> Finding:
        """As what it breaks after the others, where it breaks anything there; else as what is different."""
        breaches = all_breaches(self._clauses, cases[-1], after)
        if not breaches:
            return self._findings.state(cases, alone, after)
        changed = replace(breaches[0], obligation="pure", failure=FailureClass.STATE)
        return Finding("pure", self._findings.counterexample(cases, changed), after)

    def _repeated(self, case: Case) -> tuple[list[Finding], list[Outcome]]:
        """Equal calls, each in a process of its own."""
        one, other = (self._with_hash_seed(seed) for seed in _HASH_SEEDS)
        first = one.fresh(case.arguments)
        found = self._broken(case, first)
        for _ in range(_PAIRS):
            second = other.fresh(case.arguments)
            if not self._clauses.alike(first, second):
                found.append(self._findings.differing(case, first, second))
                break
            one, other, first = other, one, second
        return found, [first]

    def _with_hash_seed(self, seed: int) -> Runner:
        return Runner(lambda: self._jail(seed), self._program, self._limits, Noticed())
