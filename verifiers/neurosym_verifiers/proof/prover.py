"""Proving what was tested: the reading held against the runs, then each claim put to the solver.

Nothing is proved on a reading that disagrees with a real execution: on the inputs that were run it must come to the
same result or exception as the jail, and of the spec to the same admission and right value as the evaluator.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from neurosym_sandbox import Outcome
from neurosym_specs.model import Spec
from neurosym_specs.obligations import obligation_id
from neurosym_specs.semantics import same_value

from neurosym_verifiers.cases import UNSTATED, Case
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.proof.agreement import end_differs, known
from neurosym_verifiers.proof.claims import Claims, Reader, Run, in_spec, unread_of
from neurosym_verifiers.proof.queries import Query
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.evaluating import Evaluation
from neurosym_verifiers.reading.expressions import ExpressionReading
from neurosym_verifiers.reading.inputs import assigned, concrete, symbolic_inputs
from neurosym_verifiers.reading.terms import Bound, Term, Var
from neurosym_verifiers.reading.values import (
    Day,
    Dec,
    Int,
    Member,
    NotRead,
    Value,
)

_HELD_AGAINST = 400
"""How many of the executions a reading is held against, spread over all; evaluating costs more than running."""


@dataclass(slots=True)
class Proofs:
    """``proved``: by obligation, the method. ``lacks``: what a proof of the others lacks. ``models``: inputs on which
    the reading breaks an obligation; not trusted, to be run. ``disagreement``: where reading and execution differ.
    ``queries``: what the solver was asked. ``contradicted``: by obligation, how a second solver contradicts it."""

    proved: dict[str, str] = field(default_factory=dict)
    lacks: dict[str, str] = field(default_factory=dict)
    models: list[dict[str, Any]] = field(default_factory=list)
    disagreement: str = ""
    queries: list[Query] = field(default_factory=list)
    contradicted: dict[str, str] = field(default_factory=dict)

    def with_opinions(self, queries: list[Query]) -> None:
        """Takes a second solver's opinions. One that contradicts Z3 leaves nothing proved."""
        self.queries = queries
        for query in queries:
            if query.opinion is not None and query.opinion.contradicts:
                how = f"Z3 says that nothing breaks it, and {query.opinion.solver} that something does"
                self.contradicted[query.obligation] = f"{how}; nothing counts as proved"
        if self.contradicted:
            self.proved, self.lacks = {}, {"*": "solvers that agree"}


class Prover:
    """Proves claims about candidates of one spec. ``texts``: whether the queries are kept as SMT-LIB."""

    def __init__(self, spec: Spec, clauses: Clauses, *, texts: bool = False) -> None:
        self._spec = spec
        self._clauses = clauses
        self._reader = Reader(spec)
        self._expressions = ExpressionReading(spec)
        self._solver = Solver(texts=texts)

    def close(self) -> None:
        """Ends the solver's process."""
        self._solver.close()

    def prove(self, source: str, runs: Sequence[tuple[Case, Outcome]], *, seconds: float) -> Proofs:
        """What can be proved of a program in the time, after these runs of it broke nothing.

        A failure of the prover itself proves nothing, and costs nothing that was tested.
        """
        try:
            return self._prove(source, runs, seconds)
        except Exception as error:
            self._solver.close()
            return Proofs(lacks={"*": f"a prover that does not fail ({type(error).__name__}: {str(error)[:120]})"})

    def _prove(self, source: str, runs: Sequence[tuple[Case, Outcome]], seconds: float) -> Proofs:
        proofs = Proofs()
        claims, run = self._reader.claims(source)
        if run is None:
            proofs.lacks["*"] = claims.unread["*"]
            return proofs
        proofs.disagreement = self._disagreement(run, runs)
        if proofs.disagreement:
            proofs.lacks["*"] = "a reading that agrees with the executions"
            return proofs
        self._ask_all(claims, proofs, seconds)
        for obligation in claims.by_reading:
            proofs.proved[obligation] = "reading"
        for obligation in claims.unread:
            proofs.lacks[obligation] = unread_of(claims, obligation)
        return proofs

    def _ask_all(self, claims: Claims, proofs: Proofs, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        bounds = variable_bounds(self._spec)
        for claim in claims.claims:
            reply = self._solver.ask(claim.against, bounds, seconds=deadline - time.monotonic())
            proofs.queries.append(Query(claim.obligation, "", reply.verdict, reply.strategy, reply.text))
            if reply.verdict == "unsat":
                how = "reading" if reply.strategy == "reading" else f"Z3, {reply.strategy} integer arithmetic"
                proofs.proved[claim.obligation] = how
            elif reply.verdict == "sat":
                proofs.lacks[claim.obligation] = "a solver's counterexample that the real code does not show"
                names = _run_names(self._spec, claim.obligation)
                for prefix in [f"{name}." for name in names] or [""]:
                    proofs.models.append(concrete(self._spec, reply.model, prefix))
            else:
                proofs.lacks[claim.obligation] = f"the solver gave up ({reply.strategy or 'budget'})"

    def _disagreement(self, run: Run, runs: Sequence[tuple[Case, Outcome]]) -> str:
        """The first input on which the reading differs from the execution or the evaluator; empty if none."""
        right = self._right_value(run)
        step = max(1, len(runs) // _HELD_AGAINST)
        for case, outcome in runs[::step]:
            evaluation = Evaluation(assigned(self._spec, case.inputs))
            try:
                problem = self._differs(evaluation, run, right, case, outcome)
            except (ZeroDivisionError, OverflowError, ValueError, KeyError) as error:
                problem = f"{type(error).__name__} while evaluating the reading"
            if problem:
                return f"{problem} on {dict(case.inputs)}"
        return ""

    def _differs(self, evaluation: Evaluation, run: Run, right: Value | None, case: Case, outcome: Outcome) -> str:
        if evaluation.condition(run.admitted.accepted) != case.accepted:
            return "the spec's admission is read differently"
        if right is not None and case.expected is not UNSTATED and case.accepted:
            if not same_value(known(in_spec(right), evaluation), case.expected):
                return "the reference is read differently"
        return end_differs(run.exits, evaluation, outcome, self._clauses)

    def _right_value(self, run: Run) -> Value | None:
        reference = self._spec.reference
        if reference is None or reference.value is None:
            return None
        try:
            return self._expressions.value(reference.value, run.meaning, assumed=run.admitted.accepted)[0]
        except NotRead:
            return None


def variable_bounds(spec: Spec) -> dict[str, tuple[Bound, Bound]]:
    """The bounds of the variables of a run, under its name and under the names of the runs of relations."""
    found: dict[str, tuple[Bound, Bound]] = {}
    prefixes = {"", *(f"{name}." for relation in spec.relations for name in relation.runs)}
    for prefix in sorted(prefixes):
        for value in symbolic_inputs(spec, prefix).values.values():
            for term in _terms(value):
                for monomial, _ in term.parts:
                    for atom in monomial:
                        if isinstance(atom, Var):
                            found[atom.name] = (atom.low, atom.high)
    return found


def _terms(value: Value) -> tuple[Term, ...]:
    match value:
        case Int(term=term):
            return (term,)
        case Dec(num=num):
            return (num,)
        case Day(year=year, month=month, day=day):
            return year, month, day
        case Member(index=index):
            return (index,)
        case _:
            return ()


def _run_names(spec: Spec, obligation: str) -> tuple[str, ...]:
    return next((r.runs for r in spec.relations if obligation_id("relation", r) == obligation), ())
