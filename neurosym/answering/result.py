"""What ``ask`` returns: every program with what came of it, the answer, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import Standing

from neurosym.admission import EXIT_CODES, SPEC_FAULT_EXIT_CODE, Admission, Required
from neurosym.answering.agreement import Given, Group, Trust
from neurosym.answering.plan import AskPlan
from neurosym.answering.sentence import Sentence
from neurosym.attempts import Attempt
from neurosym.diagnostics import Note
from neurosym.explaining import TraceStep
from neurosym.solving.budget import Spent
from neurosym.solving.result import NO_MODEL_EXIT_CODE

if TYPE_CHECKING:
    from neurosym_verifiers.bench import SpecFault


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One program that was asked for, and what came of it.

    ``attempts``: each question with its answer and verdict, the last verdict counts. ``given`` is the answer, None
    where it came to none that counts: ``why_not`` says why. ``sentence``: the model's, with its placeholder.
    """

    number: int
    template: str
    model: str
    temperature: float
    attempts: tuple[Attempt, ...]
    given: Given | None = None
    why_not: str = ""
    sentence: str = ""
    inputs: Mapping[str, Any] | None = None
    trace: tuple[TraceStep, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def last(self) -> Attempt:
        """The last question to which a reply came, else the last one."""
        judged = [each for each in self.attempts if each.result is not None]
        return (judged or self.attempts)[-1]

    @property
    def standing(self) -> Standing | None:
        """The verdict on the program itself; None where no reply came."""
        result = self.last.result
        return None if result is None else result.standing

    @property
    def code(self) -> str:
        """What was run; empty where nothing was."""
        result = self.last.result
        return result.source.text if result is not None and result.source is not None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskResult:
    """A question, its programs, and their answers in ``groups`` that agree, the largest first.

    ``sentence`` is about the first group's answer, where that is one number or date; ``document`` is the answer as
    JSON, where a schema was given. ``notes`` are what was noticed about the whole.
    """

    plan: AskPlan
    spec: Spec
    spec_fault: SpecFault | None
    programs: tuple[Program, ...]
    groups: tuple[Group, ...]
    trust: Trust
    sentence: Sentence | None
    document: str | None
    notes: tuple[Note, ...]
    spent: Spent
    seconds: float

    @property
    def shown(self) -> Program | None:
        """The program whose answer, sentence and code are shown; None where no program came to an answer."""
        return self.programs[self.groups[0].lead.number - 1] if self.groups else None

    @property
    def disagrees(self) -> bool:
        """Whether programs came to different answers."""
        return len(self.groups) > 1

    @property
    def admission(self) -> Admission:
        """Whether the answer may be used where so much trust is asked for; two answers are none."""
        if self.groups:
            reached = self.trust.reaches(self.plan.require) and not self.disagrees
            return Admission.ADMITTED if reached else Admission.UNDECIDED
        found = {each.last.result.admission(Required.TESTED) for each in self.programs if each.last.result is not None}
        if found & {Admission.ADMITTED, Admission.UNDECIDED}:
            return Admission.UNDECIDED  # a program ran, and its answer does not count
        return Admission.FAILED if Admission.FAILED in found else Admission.REFUSED

    @property
    def exit_code(self) -> int:
        """As for every command; 4 where no model gave a reply."""
        if self.spec_fault is not None:
            return SPEC_FAULT_EXIT_CODE
        if all(each.standing is None for each in self.programs):
            return NO_MODEL_EXIT_CODE
        return EXIT_CODES[self.admission]
