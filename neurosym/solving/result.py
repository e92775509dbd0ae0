"""What ``solve`` returns: every round with what was asked, answered and found out, and the best candidate so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import Standing

from neurosym.admission import EXIT_CODES, SPEC_FAULT_EXIT_CODE, Admission, Required
from neurosym.attempts import Attempt
from neurosym.result import CandidateResult, Judged, NotRun, Rejected, ToolFault, VerifyResult
from neurosym.solving.budget import Budget, Spent, StopReason
from neurosym.solving.ladder import Step

if TYPE_CHECKING:
    from neurosym_verifiers.bench import Effort, SpecFault
    from neurosym_verifiers.environment import Confinement

    from neurosym.prompts import Template

_WITHOUT_ANY = {StopReason.NO_FILLING: 1, StopReason.UNDECIDED: 3}
NO_MODEL_EXIT_CODE = 4


@dataclass(frozen=True, slots=True)
class Round:
    """The attempts of one step, in the order in which they were asked."""

    number: int
    step: Step
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveResult:
    """The whole of a run. ``best`` is the candidate of which most is known, None if no reply came.

    With a ``spec_fault`` nobody was asked.
    """

    spec: Spec
    effort: Effort
    require: Required
    confinement: Confinement
    template: Template
    models: tuple[str, ...]
    generator: str
    budget: Budget
    spent: Spent
    spec_fault: SpecFault | None
    rounds: tuple[Round, ...]
    best: CandidateResult | None
    stopped: StopReason
    preparation_s: float
    seconds: float

    @property
    def exit_code(self) -> int:
        """As for ``verify`` of the best candidate. Without one 4; of a sketch 1 if no values fit, 3 if several do."""
        if self.spec_fault is not None:
            return SPEC_FAULT_EXIT_CODE
        if self.best is None:
            return _WITHOUT_ANY.get(self.stopped, NO_MODEL_EXIT_CODE)
        return EXIT_CODES[self.best.admission(self.require)]

    @property
    def as_verified(self) -> VerifyResult:
        """The best candidate as if it had been handed to ``verify``."""
        return VerifyResult(
            spec=self.spec,
            effort=self.effort,
            require=self.require,
            confinement=self.confinement,
            spec_fault=self.spec_fault,
            candidates=() if self.best is None else (self.best,),
            preparation_s=self.preparation_s,
        )


def better(one: CandidateResult | None, other: CandidateResult | None, require: Required) -> CandidateResult | None:
    """The one of which more is known; the earlier of two that are equal."""
    if one is None or other is None:
        return one or other
    return other if _worth(other, require) > _worth(one, require) else one


def _worth(result: CandidateResult, require: Required) -> tuple[bool, str, int, int]:
    """Used before not used, then how far it came, then its verdict, then how little it offends.

    How far a rejected candidate came its code tells: they are numbered along the way.
    """
    admitted = result.admission(require) is Admission.ADMITTED
    match result.outcome:
        case Judged():
            reached = "run"
        case Rejected(diagnostics):
            reached = diagnostics[0].code
        case ToolFault() | NotRun():
            reached = ""
    return admitted, reached, [*Standing].index(result.standing), -len(result.objections)
