"""What comes of a sketch: a filling with its verdict, or why there is none; and the question that it leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from neurosym_specs.model import Spec
from neurosym_specs.sketch import Sketch
from neurosym_specs.verdicts import Standing
from neurosym_verifiers.bench import Effort, SpecFault
from neurosym_verifiers.environment import Confinement

from neurosym.admission import EXIT_CODES, SPEC_FAULT_EXIT_CODE, Admission, Required
from neurosym.result import CandidateResult, VerifyResult


class Settled(StrEnum):
    """Whether the spec decides between fillings; only where it does can one be proved."""

    BY_REFERENCE = "the spec says the right result of every input"
    NO_OTHER = "every other filling that keeps what the spec says computes the same"
    OPEN = "another filling keeps what the spec says as well, and computes something else"
    NOT_KNOWN = "it is not known whether another filling would do as well"


@dataclass(frozen=True, slots=True)
class Question:
    """Two fillings keep all that the spec says, and differ on one call: which is meant?

    ``values`` are those of the second, as Python by hole. ``first`` and ``second``: what the call gives, in words.
    """

    values: Mapping[str, str]
    call: str
    first: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What was found. ``result`` is the verdict on the ``text``, None where no values fit, and ``why``.

    ``by``: how values were found. ``unmet``: calls that no values get right together, as far as they are known.
    """

    sketch: Sketch
    values: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    result: CandidateResult | None = None
    settled: Settled = Settled.NOT_KNOWN
    question: Question | None = None
    by: str = ""
    why: str = ""
    unmet: tuple[str, ...] = ()
    judged: int = 0

    def admission(self, require: Required) -> Admission:
        """Whether the filling may be used: not while a question is open, whatever its verdict."""
        if self.result is None:
            return Admission.REFUSED
        found = self.result.admission(require)
        return Admission.UNDECIDED if found is Admission.ADMITTED and self.question is not None else found

    @property
    def standing(self) -> Standing | None:
        """The verdict on the filling."""
        return None if self.result is None else self.result.standing


@dataclass(frozen=True, slots=True, kw_only=True)
class FillResult:
    """What ``fill`` returns. With a ``spec_fault`` nothing was filled, and ``completion`` is None."""

    spec: Spec
    effort: Effort
    require: Required
    confinement: Confinement
    spec_fault: SpecFault | None
    completion: Completion | None
    preparation_s: float
    seconds: float

    @property
    def exit_code(self) -> int:
        """As for ``verify`` of the filling; 1 where no values fit, 3 while a question is open."""
        if self.spec_fault is not None or self.completion is None:
            return SPEC_FAULT_EXIT_CODE
        return EXIT_CODES[self.completion.admission(self.require)]

    @property
    def as_verified(self) -> VerifyResult:
        """The completed program as if it had been handed to ``verify``."""
        result = self.completion.result if self.completion is not None else None
        return VerifyResult(
            spec=self.spec,
            effort=self.effort,
            require=self.require,
            confinement=self.confinement,
            spec_fault=self.spec_fault,
            candidates=() if result is None else (result,),
            preparation_s=self.preparation_s,
        )
