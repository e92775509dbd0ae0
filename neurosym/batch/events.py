"""What a batch says while it runs. Reports listen; the run knows none of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from neurosym.batch.outline import Outline
from neurosym.batch.tally import End, Tally


@dataclass(frozen=True, slots=True)
class Reading:
    """The manifest is being read, and so many ``jobs`` were in it until now."""

    jobs: int


@dataclass(frozen=True, slots=True)
class Began:
    """The jobs are known, and those that have results from before are counted."""

    tally: Tally


@dataclass(frozen=True, slots=True)
class JobDone:
    """A job has its result, and with it its twins: ``count`` in all. ``document``: the packed result; ``is_shared``: it
    is that of a job with the same code."""

    outline: Outline
    count: int
    document: bytes = b""
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class WorkerWasLost:
    """A worker was lost over a job, which is tried once more, or was the second one."""

    job_id: str
    why: str
    again: bool


@dataclass(frozen=True, slots=True)
class Gated:
    """So many of the candidates have gone through the gate, before any is run."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Stopping:
    """No more jobs are handed out; those that run are finished."""

    why: End
    running: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Time passed. ``workers``: whether there are any just now; ``out``: how many jobs are handed out."""

    workers: bool = True
    out: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over."""

    why: End


BatchEvent: TypeAlias = Reading | Began | JobDone | WorkerWasLost | Gated | Stopping | Waiting | Ended
BatchListener: TypeAlias = Callable[[BatchEvent], None]


def nobody_listens(event: BatchEvent) -> None:
    """Hears nothing."""
