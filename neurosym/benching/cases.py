"""One candidate of a benchmark: what is known of it beforehand, and what came out."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from neurosym_specs.errors import NeurosymError
from neurosym_specs.verdicts import Standing

from neurosym.batch.outline import SPEC_FAULT
from neurosym.batch.tally import rows_of
from neurosym.benching.exams import CORRECT, WRONG
from neurosym.figures.wilson import Share
from neurosym.generators.request import canonical

CAUGHT = (Standing.REFUTED.value, Standing.REJECTED.value)


class BenchError(NeurosymError):
    """What cannot be a benchmark, or a run that is not in the history."""

    exit_code = 2
    code = "NS722"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """``task``: what the spec is called, ``task_sha256`` all that it says. ``label`` is empty where nobody said
    whether the candidate is right; ``failure`` the class of what is wrong with it. ``seconds``: its own wall time."""

    task: str
    task_sha256: str
    name: str
    candidate_sha256: str
    label: str
    verdict: str
    failure: str
    is_accepted: bool
    seconds: float

    @property
    def is_wrong_verdict(self) -> bool:
        """Whether the verdict says something that is not so, or the tool or the spec failed."""
        match self.label:
            case _ if self.verdict in (SPEC_FAULT, Standing.ERROR.value):
                return True
            case str(label) if label == CORRECT:
                return self.verdict in CAUGHT
            case str(label) if label == WRONG:
                return self.verdict == Standing.PROVED.value
            case _:
                return False

    @property
    def question(self) -> tuple[str, str]:
        """What is the same in another run that was asked the same: the spec and the candidate's bytes."""
        return self.task_sha256, self.candidate_sha256

    def plain(self) -> dict[str, Any]:
        """As JSON values; ``case_of`` reads them back."""
        return asdict(self)


def case_of(plain: Mapping[str, Any]) -> Case:
    """What ``Case.plain`` wrote. Raises ``TypeError`` for another thing."""
    return Case(**plain)


@dataclass(frozen=True, slots=True)
class Measure:
    """A share of the candidates with a ``label`` that is better the larger it is."""

    title: str
    label: str
    verdicts: tuple[str, ...]
    accepted: bool = False

    def share(self, cases: Sequence[Case]) -> Share:
        """Of these candidates."""
        counted = [case for case in cases if case.label == self.label]
        return Share(sum(case.is_accepted if self.accepted else case.verdict in self.verdicts for case in counted),
                     len(counted))  # fmt: skip


_PROVED = (Standing.PROVED.value,)
MEASURES = (
    Measure("right candidates proved", CORRECT, _PROVED),
    Measure("right candidates accepted", CORRECT, (), accepted=True),
    Measure("wrong candidates caught", WRONG, CAUGHT),
    Measure("candidates proved", "", _PROVED),
    Measure("candidates accepted", "", (), accepted=True),
)


def cases_in(connection: sqlite3.Connection, labels: Mapping[str, str] | None = None) -> list[Case]:
    """The jobs of a run store. ``labels``: by the jobs' ids, which name the task before a slash.

    Raises ``BenchError`` where a job has no result, and where there are no jobs.
    """
    found = []
    for row in rows_of(connection):
        if row.outline is None:
            raise BenchError(f"the job {row.id} has no result: finish the batch first (neurosym batch --resume)")
        found.append(
            Case(
                task=row.spec_name if labels is None else row.id.partition("/")[0],
                task_sha256=row.spec_sha256,
                name=row.id,
                candidate_sha256=row.sha256,
                label="" if labels is None else labels[row.id],
                verdict=row.outline.verdict,
                failure=row.outline.failure,
                is_accepted=row.outline.exit_code == 0,
                seconds=row.outline.seconds,
            )
        )
    if not found:
        raise BenchError("there is no candidate in it")
    return found


def sha256_of_questions(cases: Sequence[Case]) -> str:
    """Of all that was asked: the same for the same specs, candidates and labels, in any order."""
    asked = sorted([*case.question, case.label] for case in cases)
    return hashlib.sha256(canonical(asked).encode()).hexdigest()
