"""How a refuted candidate's formula differs from the reference's, around its counterexample.

Only a hint for whoever mends it: the verdict stands by the counterexample. Both are read, and compared as they are
where the counterexample lies: on its paths through the program and the spec.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from neurosym_specs.model import Spec

from neurosym_verifiers.algebra.process import Algebra
from neurosym_verifiers.algebra.translating import NeedsToKnow, NotTranslated, Translation, units_of
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import both
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.shapes import shape_of


@dataclass(frozen=True, slots=True)
class FormulaDifference:
    """``slip``: the known slip that makes the reference the candidate's formula. Where it is none, ``ratio`` (candidate
    / right) and ``difference`` (candidate - right) in a short form. Each is empty where it is not known."""

    slip: str = ""
    ratio: str = ""
    difference: str = ""


def difference(
    spec: Spec, reader: Reader, algebra: Algebra, source: str, inputs: Mapping[str, Any]
) -> FormulaDifference | None:
    """The difference on these inputs; None where either is not read, or is no formula over real numbers."""
    try:
        candidate = reader.candidate(source)
        run = candidate.run(shape_of(spec, inputs))
        evaluation = Evaluation(assigned(spec, inputs))
        if not evaluation.condition(run.admitted.accepted):
            return None
        found = [(where, value) for where, value in run.results if evaluation.condition(where)]
        rights = [(where, value) for where, value in candidate.rights(run)[0] if evaluation.condition(where)]
        if len(found) != 1 or len(rights) != 1:
            return None
        where = both(run.admitted.accepted, found[0][0], rights[0][0])
        translation = _Here(evaluation, units_of(run.inputs.values), where, run.bounds)
        one, other = translation.value(found[0][1]), translation.value(rights[0][1])
    except (NotRead, NotTranslated, NeedsToKnow, ArithmeticError, ValueError, KeyError):
        return None
    slip = algebra.slip(one, other, translation.domain())
    ratio, apart = ("", "") if slip else algebra.simplified(one, other)
    return FormulaDifference(slip, ratio, apart) if slip or ratio or apart else None


class _Here(Translation):
    """A translation that knows every condition: what it is on the counterexample."""

    def __init__(self, evaluation: Evaluation, *rest: Any) -> None:
        super().__init__(*rest)
        self._evaluation = evaluation

    def _known(self, condition: Condition) -> bool:
        return self._evaluation.condition(condition)
