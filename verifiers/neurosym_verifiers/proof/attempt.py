"""One reading of a candidate, held against its runs, and each claim about it put to the solver.

Nothing is proved on a reading that disagrees with a real execution (``holding``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from neurosym_sandbox import Outcome
from neurosym_specs.model import Spec
from neurosym_specs.obligations import obligation_id

from neurosym_verifiers.algebra.discharging import LIBRARY, Discharging, calls_library, speaks_of_reals
from neurosym_verifiers.algebra.process import Algebra
from neurosym_verifiers.cases import Case
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.proof.answering import answered
from neurosym_verifiers.proof.by_months import asked_by_months
from neurosym_verifiers.proof.by_reference import RIGHT, ReferenceReading, may_stand_for
from neurosym_verifiers.proof.claims import BY_READING, Claim, Claims, Reader, missing
from neurosym_verifiers.proof.early_ends import Sample, of_runs
from neurosym_verifiers.proof.going_on import GoingOn
from neurosym_verifiers.proof.holding import Holding
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.proofs import Proofs
from neurosym_verifiers.proof.queries import Query
from neurosym_verifiers.proof.runs import CandidateReading, Run
from neurosym_verifiers.proof.solver import UNITS, Solver
from neurosym_verifiers.proof.strategies import ENCLOSED, EQUAL, LOCKSTEP, ROUNDING, STRATEGIES, WHERE_NEAREST, WORDS
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition
from neurosym_verifiers.reading.inputs.assignments import assigned, concrete
from neurosym_verifiers.reading.inputs.in_months import has_months
from neurosym_verifiers.reading.inputs.looked_into import LookedInto
from neurosym_verifiers.reading.inputs.shapes import in_words, key_of, shape_of
from neurosym_verifiers.reading.simplification.alternatives import alternatives
from neurosym_verifiers.reading.simplification.memberships import facts_about
from neurosym_verifiers.reading.simplification.month_facts import facts_about_months
from neurosym_verifiers.reading.simplification.substituting import solved

_HELD_AGAINST = 400
"""How many of the executions a reading is held against, over all shapes; evaluating costs more than running."""

_HELD_PER_SHAPE = 10
"""So many at the least of each shape that has them."""

_CANDIDATE_UNITS = 120_000_000
"""Z3's resource units for all claims about a candidate; the clock below is only their backstop."""

_QUICK_UNITS = 1_000_000
_QUICK_S = 3.0
_GLANCE_UNITS = 1_500
_ONE_S = 15.0

_AT_FIRST_UNITS = 1_000_000
_AT_FIRST_S = 2.0
"""For one question that may wait until all others were asked: what takes long must not cost what is shown at once."""

Execution: TypeAlias = tuple[Case, Outcome]
Execute: TypeAlias = Callable[[dict[str, Any]], Execution | None]


class Attempt:
    """One candidate's proofs, shape by shape, the smallest first. An obligation that fails is not asked again.

    One whose question takes long waits until all others have been asked, in all shapes.
    """

    def __init__(
        self,
        spec: Spec,
        reader: Reader,
        solver: Solver,
        algebra: Algebra,
        clauses: Clauses,
        source: str,
        deadline: float,
        texts: bool,
        many_rounds: int,
        settled: frozenset[str],
    ) -> None:
        self._spec = spec
        self._reader = reader
        self._solver = solver
        self._clauses = clauses
        self._texts = texts
        self._deadline = deadline
        self._settled = settled
        self._candidate = reader.candidate(source, self._may_be, many_rounds=many_rounds)
        self._proofs = Proofs()
        self._how: dict[str, str] = {}
        self._last: dict[str, Answer] = {}
        self._by_algebra: set[str] = set()
        self._where_nearest: set[str] = set()
        self._invariants: dict[str, tuple[str, ...]] = {}
        self._samples: list[Sample] = []
        self._in_months = has_months(spec)
        self._of_results = frozenset(obligation_id("ensure", each) for each in spec.ensures)
        self._going_on = GoingOn(self._may_hold, deadline)
        self._looks_into = any(isinstance(type_, LookedInto) for type_ in spec.inputs.values())
        self._units = _CANDIDATE_UNITS
        self._waiting: dict[str, Iterator[Claim]] | None = {}
        self._reals = Discharging(algebra, self._at_a_glance, lambda: deadline - time.monotonic())

    def prove(self, runs: Sequence[Execution], execute: Execute) -> Proofs:
        """What can be proved in the time; held against executions of every shape."""
        proofs = self._proofs
        try:
            shapes = self._reader.shapes()
            held = self._by_shape(runs)
            for shape in shapes:
                if time.monotonic() > self._deadline:
                    return proofs.all_lack(f"the time to read inputs of all {len(shapes)} shapes")
                run = self._candidate.run(shape)
                executions = held.get(key_of(shape)) or self._executed(run, execute)
                if executions is None:
                    return proofs.all_lack("an execution of inputs of every shape")
                self._samples += [assigned(self._spec, case.inputs) for case, _ in executions]
                holding = Holding(self._spec, self._clauses, self._candidate, run)
                proofs.disagreement = holding.first_difference(executions)
                if proofs.disagreement:
                    return proofs.all_lack("a reading that agrees with the executions")
                self._ask_about(run)
                if proofs.models:
                    break  # to be run first: what they show decides
        except NotRead as not_read:
            return proofs.all_lack(missing(not_read))
        if not proofs.models and self._in_months:
            self._ask_of_results()
        elif not proofs.models:
            self._ask_about_relations(self._candidate)
        if not proofs.models:
            self._ask_what_waits()
        if self._reals.fault:
            proofs.fault = self._reals.fault
            return proofs.all_lack(f"an algebra that agrees with itself ({self._reals.fault[:120]})")
        if not proofs.models:
            self._conclude(len(shapes))
        return proofs

    @property
    def _has_tolerance(self) -> bool:
        reference = self._spec.reference
        return reference is not None and bool(reference.abs_tol or reference.rel_tol)

    @property
    def may_go_through_loops(self) -> bool:
        """Whether something is left open that another reading may show, which goes through loops round by round."""
        return self._proofs.is_open and self._candidate.short_enough and time.monotonic() < self._deadline

    def _by_shape(self, runs: Sequence[Execution]) -> dict[object, list[Execution]]:
        """The executions of each shape, spread over all that it has where these are many."""
        found: dict[object, list[Execution]] = {}
        for case, outcome in runs:
            found.setdefault(key_of(shape_of(self._spec, case.inputs)), []).append((case, outcome))
        most = max(_HELD_PER_SHAPE, _HELD_AGAINST // max(len(found), 1))
        return {key: each[:: -(-len(each) // most)] for key, each in found.items()}

    def _executed(self, run: Run, execute: Execute) -> list[Execution] | None:
        """An execution of an input that the solver finds for the shape of a run; none where it has no input at all.

        None where it is not known whether it has any, or where it could not be run.
        """
        for where in (run.admitted.accepted, run.admitted.required):
            reply = self._solved(where, run.bounds, units=UNITS, seconds=_ONE_S)
            if reply.verdict == "sat":
                execution = execute(concrete(self._spec, run.shape, reply.model))
                return None if execution is None else [execution]
            if reply.verdict != "unsat":
                return None
        return []

    def _conclude(self, shapes: int) -> None:
        proofs = self._proofs
        for obligation in BY_READING:
            self._how.setdefault(obligation, "reading")
        for obligation, strategy in self._how.items():
            if obligation not in proofs.lacks:
                how = "reading" if strategy == "reading" else f"Z3, {WORDS[strategy]}"
                if kept := self._invariants.get(obligation):
                    how = f"{how}, each of which keeps that {', that '.join(kept)}"
                elif obligation == "reference" and strategy == "reading" and self._candidate.has_long_loops:
                    how = LOCKSTEP
                if obligation in self._by_algebra:
                    clause = WHERE_NEAREST if obligation in self._where_nearest else ENCLOSED
                    algebra = EQUAL if obligation == "reference" and self._has_tolerance else clause
                    how = algebra if strategy == "reading" else f"{algebra}; {how}"
                proofs.proved[obligation] = how if shapes == 1 else f"{how}, in {shapes} shapes of the inputs"

    def _may_be(self, condition: Condition, bounds: Spans) -> bool:
        """Whether anything may fulfil a condition; a quick question, and true where it finds no answer."""
        if condition == FALSE:
            return False
        return self._going_on.may_be(condition, bounds) if self._in_months else self._may_hold(condition, bounds)

    def _may_hold(self, condition: Condition, bounds: Spans) -> bool:
        return self._solved(condition, bounds, units=_QUICK_UNITS, seconds=_QUICK_S).verdict != "unsat"

    def _at_a_glance(self, condition: Condition, bounds: Spans) -> bool:
        """The same, by what the solver sees at once."""
        return self._solved(condition, bounds, units=_GLANCE_UNITS, seconds=_ONE_S).verdict != "unsat"

    def _solved(
        self,
        condition: Condition,
        bounds: Spans,
        *,
        units: int,
        seconds: float,
        text: bool = False,
        like: Answer | None = None,
        at_once: bool = False,
    ) -> Answer:
        """The solver's answer, within what is left of the candidate's units and time."""
        if self._looks_into:
            condition = both(condition, facts_about(condition, bounds))
        if self._in_months:
            condition = both(condition, facts_about_months(condition, bounds))
        left = min(self._deadline - time.monotonic(), seconds)
        units = min(units, self._units)
        reply = self._solver.ask(condition, bounds, units=units, seconds=left, text=text, like=like, at_once=at_once)
        self._units -= reply.spent
        return reply

    def _ask_about(self, run: Run) -> None:
        waiting = frozenset(self._waiting or {})
        later = waiting | (self._of_results if self._in_months else frozenset())
        for obligation in waiting:
            self._ask_in_turn(obligation, self._claims_later(self._candidate, run, obligation))
        found = Claims(unread=dict(self._proofs.lacks))
        self._reader.claims_of(self._candidate, run, found, of=lambda obligation: obligation not in later)
        self._proofs.lacks |= found.unread
        for claim in found.claims:
            if claim.obligation not in self._proofs.lacks and claim.obligation not in self._settled:
                self._ask_in_turn(claim.obligation, iter((claim,)))

    def _claims_later(self, reading: CandidateReading, run: Run, obligation: str) -> Iterator[Claim]:
        """What a run has to be asked about an obligation, read when it is asked."""
        found = Claims()
        self._reader.claims_of(reading, run, found, of=lambda each: each == obligation)
        if obligation in found.unread:
            self._proofs.lacks[obligation] = found.unread[obligation]
        yield from found.claims

    def _ask_about_relations(self, reading: CandidateReading) -> None:
        for relation in self._spec.relations:
            obligation = obligation_id("relation", relation)
            if obligation in self._settled:
                continue
            self._ask_in_turn(obligation, self._reader.relation(reading, obligation))

    def _ask_in_turn(self, obligation: str, claims: Iterator[Claim]) -> None:
        """Asks one claim after the other, until one fails or takes long: then it waits with those behind it."""
        if self._waiting is not None and obligation in self._waiting:
            self._waiting[obligation] = chain(self._waiting[obligation], claims)
            return
        try:
            while obligation not in self._proofs.lacks:
                if time.monotonic() > self._deadline:
                    self._proofs.lacks[obligation] = "the time to ask about it"
                elif (claim := next(claims, None)) is None:
                    self._how.setdefault(obligation, "reading")
                    break
                elif not self._ask(claim) and self._waiting is not None:
                    self._waiting[obligation] = chain((claim,), claims)
                    break
        except NotRead as not_read:
            self._proofs.lacks[obligation] = missing(not_read)

    def _ask_what_waits(self) -> None:
        waiting, self._waiting = self._waiting or {}, None
        for obligation, claims in waiting.items():
            if not self._proofs.models:
                self._ask_in_turn(obligation, claims)

    def _ask(self, claim: Claim) -> bool:
        """Whether that is settled: false where it takes long, and may wait."""
        self._reals.where_nearest, asked = False, len(self._proofs.queries)
        settled = self._ask_whole(claim)
        if not settled:
            del self._proofs.queries[asked:]  # all of it is asked again
        if self._reals.where_nearest:
            self._where_nearest.add(claim.obligation)
        return settled

    def _ask_whole(self, claim: Claim) -> bool:
        against = self._reals.without_settled(claim.against, claim.bounds, claim.inputs)
        if claim.as_reals is not None:
            rest = self._reals.without_settled(claim.as_reals, claim.bounds, claim.inputs)
            against = against if speaks_of_reals(rest) else rest
        if against != claim.against:
            self._by_algebra.add(claim.obligation)
            if calls_library(claim.against):
                self._proofs.rests_on[claim.obligation] = LIBRARY
        if self._in_months:
            self._ask_by_months(claim, against)
            return True
        if self._looks_into:
            against = both(against, facts_about(against, claim.bounds))
        cases = alternatives(solved(against, claim.bounds))
        for number, against in enumerate(cases, 1):
            if not self._ask_case(claim, against, number if len(cases) > 1 else 0):
                return False
            if claim.obligation in self._proofs.lacks:
                break
        return True

    def _ask_by_months(self, claim: Claim, against: Condition) -> None:
        def ask(condition: Condition, bounds: Spans, each: str) -> Answer:
            units, left = min(self._units, UNITS), min(self._deadline - time.monotonic(), _ONE_S)
            reply = self._solver.ask_for_each(each, condition, bounds, units=units, seconds=left, text=self._texts)
            self._units -= reply.spent
            return reply

        obligation = claim.obligation
        if obligation == "no crash":  # where a count has ended loops, it need not be made again
            against = both(against, *map(negated, self._going_on.never))
        reply = asked_by_months(against, claim.bounds, ask)
        self._proofs.queries += _queries(claim, 0, reply, algebra=obligation in self._by_algebra)
        if reply.verdict == "unsat":
            self._how[obligation] = max(self._how.get(obligation, "reading"), reply.strategy, key=STRATEGIES.index)
        else:
            self._proofs.lacks[obligation] = f"an answer of the solver, which gave up ({reply.strategy or 'budget'})"

    def _ask_of_results(self) -> None:
        """Asks what is promised of results; of the reference's value where that is shown to be the result."""
        reading, lacks = self._candidate, self._proofs.lacks
        if may_stand_for(self._spec, {each for each in RIGHT if each in self._how and each not in lacks}):
            reading = ReferenceReading(self._reader.reading, "", self._may_be, many_rounds=None)
        for ensure in self._spec.ensures:
            obligation = obligation_id("ensure", ensure)
            for shape in () if obligation in self._settled else self._reader.shapes():
                self._ask_in_turn(obligation, self._claims_later(reading, reading.run(shape), obligation))
        self._ask_about_relations(reading)

    def _ask_case(self, claim: Claim, against: Condition, case: int) -> bool:
        proofs, may_wait = self._proofs, self._waiting is not None
        most, seconds = (_AT_FIRST_UNITS, _AT_FIRST_S) if may_wait else (UNITS, _ONE_S)

        def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
            like, units = self._last.get(claim.obligation), min(units or UNITS, most)
            texts = self._texts
            return self._solved(
                condition, bounds, units=units, seconds=seconds, text=texts, like=like, at_once=may_wait
            )

        def samples() -> Sequence[Sample]:
            return of_runs(self._samples, claim.prefixes)

        reply, invariants = answered(against, claim.bounds, claim.prefixes, ask, samples, may_wait=may_wait)
        if reply.verdict == "unknown" and self._settled_as_quotients(claim, against):
            against = FALSE
            reply, invariants = answered(against, claim.bounds, claim.prefixes, ask, samples, may_wait=may_wait)
        if reply.verdict == "unknown" and may_wait:
            return False
        if invariants:
            self._invariants[claim.obligation] = invariants
        proofs.queries += _queries(claim, case, reply, algebra=claim.obligation in self._by_algebra)
        if reply.verdict == "unsat":
            before = self._how.get(claim.obligation, "reading")
            self._how[claim.obligation] = max(before, reply.strategy, key=STRATEGIES.index)
            if reply.strategy not in ("reading", "linear"):
                self._last[claim.obligation] = reply
        elif speaks_of_reals(against):
            proofs.lacks[claim.obligation] = "an algebraic proof of what real functions give"
        elif reply.verdict == "sat":
            proofs.lacks[claim.obligation] = (
                "the solver's proof: it has a counterexample, and the real code is right there"
            )
            for prefix, shape in zip(claim.prefixes if not self._looks_into else (), claim.shapes, strict=False):
                proofs.models.append(concrete(self._spec, shape, reply.model, prefix))
        elif reply.strategy == ROUNDING:
            proofs.lacks[claim.obligation] = "a closer bound of what floats round"
        else:
            proofs.lacks[claim.obligation] = f"an answer of the solver, which gave up ({reply.strategy or 'budget'})"
        return True

    def _settled_as_quotients(self, claim: Claim, against: Condition) -> bool:
        """Whether the algebra shows that nothing fulfils it, by what rounded quotients may be."""
        if speaks_of_reals(against):
            return False
        settled = self._reals.without_settled(against, claim.bounds, claim.inputs, quotients=True) == FALSE
        if settled:
            self._by_algebra.add(claim.obligation)
        return settled


def _queries(claim: Claim, case: int, reply: Answer, *, algebra: bool) -> list[Query]:
    """What was asked about a claim: the lemmas on the way, and then the claim itself."""
    runs = zip(claim.prefixes, claim.shapes, strict=False)
    shape = ", ".join(text for prefix, each in runs if (text := in_words(each, prefix)))
    lemmas = [
        Query(claim.obligation, shape, "unsat", reply.strategy, text, lemma=number, case=case)
        for number, text in enumerate(reply.lemmas, 1)
    ]
    whole = Query(claim.obligation, shape, reply.verdict, reply.strategy, reply.text, case=case, algebra=algebra)
    return [*lemmas, whole]
