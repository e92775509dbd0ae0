"""Proving what was tested: one reading after the other, until nothing is left open."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from neurosym_specs.model import Spec

from neurosym_verifiers.algebra.differing import FormulaDifference, difference
from neurosym_verifiers.algebra.process import Algebra
from neurosym_verifiers.clauses import Clauses
from neurosym_verifiers.proof.attempt import Attempt, Execute, Execution
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.proofs import Proofs
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.items import MOST_ROUNDS
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.inputs.in_months import in_months, steps_by_days
from neurosym_verifiers.reading.inputs.looked_into import looked_into
from neurosym_verifiers.reading.inputs.seen_texts import seen_through
from neurosym_verifiers.reading.long_loops.looping import MANY_ROUNDS


class Prover:
    """Proves claims about candidates of one spec. ``texts``: whether the queries are kept as SMT-LIB."""

    def __init__(self, spec: Spec, clauses: Clauses, *, texts: bool = False) -> None:
        self._spec = spec
        self._clauses = clauses
        self._reader = Reader(spec)
        self._solver = Solver()
        self._algebra = Algebra()
        self._texts = texts

    def close(self) -> None:
        """Ends the processes of the solver and of the algebra."""
        self._solver.close()
        self._algebra.close()

    def prove(self, source: str, runs: Sequence[Execution], execute: Execute, *, seconds: float) -> Proofs:
        """What can be proved of a program in the time, after these runs of it broke nothing.

        ``execute`` runs it once more, on an input of a shape that these runs did not have. A failure of the prover
        itself proves nothing, and costs nothing that was tested.
        """
        unanswered, spent = self._unanswered, self._solver.spent
        try:
            with deep_recursion():
                deadline = time.monotonic() + seconds
                proofs = self._prove(source, runs, execute, deadline)
        except Exception as error:
            self._solver.close()
            lacks = f"a prover that does not fail ({type(error).__name__}: {str(error)[:120]})"
            return Proofs(lacks={"*": lacks}, cut_short=True, units=self._solver.spent - spent)
        proofs.units = self._solver.spent - spent
        proofs.cut_short = self._unanswered > unanswered or time.monotonic() > deadline
        return proofs

    @property
    def _unanswered(self) -> int:
        return self._solver.unanswered + self._algebra.unanswered

    def _prove(self, source: str, runs: Sequence[Execution], execute: Execute, deadline: float) -> Proofs:
        """Reads the program in one way after the other, until nothing is left open; what any of them shows is shown.

        First with texts as one method shows them, where program and spec look at them through one, and with lists as
        sets, where they only look into them; then as they are.
        """
        proofs = Proofs()
        seen = seen_through(self._spec, source)
        lists = looked_into(seen or self._spec, source)
        seen = lists or seen
        by_days = lists is not None or steps_by_days(self._spec, source)
        if by_days and (by_months := in_months(seen or self._spec)) is not None:
            proofs = self._attempt(source, deadline, MANY_ROUNDS, spec=by_months).prove(runs, execute)
            if not proofs.is_open:
                return proofs
        if seen is not None:
            attempt = self._attempt(source, deadline, MANY_ROUNDS, frozenset(proofs.proved), spec=seen)
            proofs = proofs.and_then(attempt.prove(runs, execute))
            if not proofs.is_open:
                return proofs
        attempt = self._attempt(source, deadline, MANY_ROUNDS, frozenset(proofs.proved))
        proofs = proofs.and_then(attempt.prove(runs, execute))
        if attempt.may_go_through_loops:
            again = self._attempt(source, deadline, MOST_ROUNDS, frozenset(proofs.proved))
            proofs = proofs.and_then(again.prove(runs, execute))
        return proofs

    def difference(self, source: str, inputs: Mapping[str, Any]) -> FormulaDifference | None:
        """How the formula of a refuted candidate differs from the reference's around these inputs, if that is seen."""
        try:
            with deep_recursion():
                return difference(self._spec, self._reader, self._algebra, source, inputs)
        except Exception:
            self._algebra.close()
            return None

    def _attempt(
        self,
        source: str,
        deadline: float,
        many_rounds: int,
        settled: frozenset[str] = frozenset(),
        spec: Spec | None = None,
    ) -> Attempt:
        spec, reader = (self._spec, self._reader) if spec is None else (spec, Reader(spec))
        parts = (spec, reader, self._solver, self._algebra, self._clauses)
        return Attempt(*parts, source, deadline, self._texts, many_rounds, settled)
