"""What the inputs of one reading can be: answered by inputs that were run where that suffices, else by the solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.formulas.bounds import Bound
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, Term
from neurosym_verifiers.regions.knowing import Known

Assignment = Mapping[str, int | bool]
_QUESTION_S = 5.0


class Asking:
    """Asks about inputs inside of ``universe``. ``bounds``: those of their variables. ``samples``: assignments that are
    known to lie in it."""

    def __init__(
        self,
        universe: Condition,
        bounds: dict[str, tuple[Bound, Bound]],
        samples: Sequence[Assignment],
        solver: Solver,
    ) -> None:
        self._universe = universe
        self.bounds = bounds
        self._solver = solver
        self._samples = [(each, Evaluation(each)) for each in samples]

    def samples(self, condition: Condition) -> list[Assignment]:
        """The samples that fulfil a condition."""
        return [each for each, evaluation in self._samples if evaluation.condition(condition)]

    def possible(self, conditions: Sequence[Condition]) -> bool:
        """Whether any input fulfils all the conditions; True where that is not known."""
        whole = both(*conditions)
        return whole != FALSE and self.find(whole) is not False

    def find(self, condition: Condition) -> Assignment | bool:
        """Inputs that fulfil the condition; False if there are none, True if that is not known."""
        for each, evaluation in self._samples:
            if evaluation.condition(condition):
                return each
        answer = self._solver.ask(both(self._universe, condition), self.bounds, seconds=_QUESTION_S)
        if answer.verdict == "sat":
            return answer.model
        return answer.verdict != "unsat"

    def follows(self, condition: Condition, conclusion: Condition) -> bool:
        """Whether it is known that all inputs which fulfil the condition also fulfil the conclusion."""
        return self.find(both(condition, negated(conclusion))) is False

    def least(self, term: Term, condition: Condition) -> tuple[int, Assignment, bool] | None:
        """The least value of a term where a condition holds, inputs that have it, and whether it is surely the least.

        None if no such inputs are known.
        """
        whole = both(self._universe, condition)
        bounded = Known((whole,), self.bounds).term(term)  # its own bounds may be those of another path
        reached = self._solver.least(bounded, whole, self.bounds, seconds=_QUESTION_S)
        seen = min(
            ((e.term(term), each) for each, e in self._samples if e.condition(condition)),
            key=lambda pair: pair[0],
            default=None,
        )
        if reached is not None and (seen is None or reached.value <= seen[0]):
            return reached.value, reached.model, reached.proved
        return None if seen is None else (*seen, False)

    def greatest(self, term: Term, condition: Condition) -> tuple[int, Assignment, bool] | None:
        """The same for the greatest value."""
        found = self.least(-term, condition)
        return None if found is None else (-found[0], found[1], found[2])
