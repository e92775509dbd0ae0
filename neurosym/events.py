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


class Stage(StrEnum):
    """The stations of a candidate's way that exist today."""

    GATE = "gate"
    REWRITE = "rewrite"
    RUN = "run"
    VERDICT = "verdict"


@dataclass(frozen=True, slots=True)
class Started:
    """The spec is loaded; the work on ``candidates`` (their names) begins."""

    spec: Spec
    effort: Effort
    require: Required
    candidates: tuple[str, ...]


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


Event: TypeAlias = Started | SpecChecked | StageEntered | Progress | CandidateFinished | Finished
Listener: TypeAlias = Callable[[Event], None]


def nobody_listens(event: Event) -> None:
    """The listener that does nothing."""


def all_of(*listeners: Listener) -> Listener:
    """One listener that tells several, in order."""

    def tell(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return tell
