"""What the pipeline says while it works. Reports listen; the pipeline knows none of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from neurosym_specs.model import Spec

from neurosym.admission import Required
from neurosym.result import CandidateResult, VerifyResult

if TYPE_CHECKING:
    from neurosym_verifiers.bench import Effort, SpecFault
    from neurosym_verifiers.environment import Confinement

    from neurosym.answering.plan import AskPlan
    from neurosym.answering.result import AskResult
    from neurosym.attempts import Attempt
    from neurosym.feedback import Feedback
    from neurosym.filling.result import FillResult
    from neurosym.generators import Answer
    from neurosym.generators.asking import Asked
    from neurosym.solving.ladder import Step
    from neurosym.solving.plan import Plan
    from neurosym.solving.result import SolveResult


class Stage(StrEnum):
    """The stations of a candidate's way."""

    GENERATE = "generate"
    GATE = "gate"
    REWRITE = "rewrite"
    RUN = "run"
    VERDICT = "verdict"


@dataclass(frozen=True, slots=True)
class Started:
    """The spec is loaded; the work on ``candidates`` (their names) begins, in a sandbox of that ``confinement``."""

    spec: Spec
    effort: Effort
    require: Required
    candidates: tuple[str, ...]
    confinement: Confinement | None = None


@dataclass(frozen=True, slots=True)
class SpecChecked:
    """The spec was checked against itself. With a ``fault`` no candidate follows."""

    fault: SpecFault | None
    seconds: float


@dataclass(frozen=True, slots=True)
class StageEntered:
    """A candidate has come to a station."""

    candidate: str
    stage: Stage


@dataclass(frozen=True, slots=True)
class Progress:
    """Inside a station: ``done`` of ``total`` pieces of what ``work`` names."""

    candidate: str
    work: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CandidateFinished:
    """One candidate has its verdict."""

    result: CandidateResult


@dataclass(frozen=True, slots=True)
class Finished:
    """All candidates have theirs."""

    result: VerifyResult


@dataclass(frozen=True, slots=True)
class SolveStarted:
    """The spec is loaded; models are going to be asked, as the ``plan`` says."""

    spec: Spec
    effort: Effort
    require: Required
    plan: Plan


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The next step of a run: whom it asks for how many samples."""

    number: int
    step: Step
    samples: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A generator has answered, with a reply or with none."""

    asked: Asked
    answer: Answer


@dataclass(frozen=True, slots=True)
class FeedbackGiven:
    """What is wrong with a candidate, as it is going to be told."""

    candidate: str
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """All that a round came to."""

    number: int
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class SolveFinished:
    """The run is over."""

    result: SolveResult


@dataclass(frozen=True, slots=True)
class AskStarted:
    """A question is going to be answered by programs, as the ``plan`` says; ``spec`` is what they must keep to."""

    spec: Spec
    effort: Effort
    plan: AskPlan


@dataclass(frozen=True, slots=True)
class AskFinished:
    """The question has its answer, or has none."""

    result: AskResult


@dataclass(frozen=True, slots=True)
class FillFinished:
    """A sketch was completed, or is known not to be."""

    result: FillResult


Event: TypeAlias = (
    Started
    | SpecChecked
    | StageEntered
    | Progress
    | CandidateFinished
    | Finished
    | SolveStarted
    | RoundStarted
    | Answered
    | FeedbackGiven
    | RoundFinished
    | SolveFinished
    | AskStarted
    | AskFinished
    | FillFinished
)
Listener: TypeAlias = Callable[[Event], None]


def nobody_listens(event: Event) -> None:
    """The listener that does nothing."""


def all_of(*listeners: Listener) -> Listener:
    """One listener that tells several, in order."""

    def tell(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return tell
