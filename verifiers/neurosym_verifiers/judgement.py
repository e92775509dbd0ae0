"""What the verifiers found out about one candidate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import FailureClass, Verdict

from neurosym_verifiers.proof.queries import Query


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """The source did not become a callable function in the jail: nothing could be judged."""

    failure: FailureClass
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict for every obligation, and what was noticed on the way.

    ``printed``: the start of what the candidate wrote to stdout or stderr, as data, empty if nothing.
    ``calls``: how many calls were run. ``jail``: the level and active layers of the sandbox. ``queries``: what solvers
    were asked.
    """

    verdicts: Mapping[Obligation, Verdict]
    calls: int
    printed: str
    jail: str
    queries: tuple[Query, ...] = ()


Outcome = NotLoaded | Judgement
