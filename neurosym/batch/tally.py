"""How far a run is: what its store counts, for whoever follows it and for its summary."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from neurosym.batch.outline import Outline, worst
from neurosym.batch.store import facts_of

UNDECIDED = 3
INTERRUPTED = 130
BAD_LINES = 2


class End(StrEnum):
    """Why a run ended."""

    DONE = "done"
    INTERRUPTED = "interrupted"
    OVER_BUDGET = "budget"
    FAILED_FAST = "fail-fast"


@dataclass(slots=True)
class Tally:
    """``jobs`` in all; ``classes``: how many have which verdict and class of failure; ``codes``: which exit code."""

    jobs: int
    classes: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    admitted: int = 0

    @property
    def done(self) -> int:
        """How many have a result."""
        return sum(self.classes.values())

    @property
    def left(self) -> int:
        """How many have none."""
        return self.jobs - self.done

    def add(self, outline: Outline, count: int) -> None:
        """Counts a result, of ``count`` jobs."""
        self.classes[outline.verdict, outline.failure] += count
        self.codes[outline.exit_code] += count
        self.admitted += count if outline.exit_code == 0 else 0

    def exit_code(self, end: End, skipped: int) -> int:
        """Of a run that ended so: that of the worst job; of one with jobs left that of nothing known, at least."""
        if end is End.INTERRUPTED:
            return INTERRUPTED
        found = worst([*self.codes])
        if self.left and found in (0, 5):
            return UNDECIDED
        return BAD_LINES if skipped and found == 0 else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One job with its result, as exports have it. ``twin``: the id of the job whose result this is; ``sibling``: that
    of the job with the same code, from whose result this one is made; ``script``: the variable with the result, of a
    candidate that is no function."""

    id: str
    line: int
    spec: str
    spec_name: str
    spec_sha256: str
    candidate: str
    sha256: str
    twin: str
    sibling: str
    losses: int
    script: str
    outline: Outline | None
    document: bytes | None


def tally_of(connection: sqlite3.Connection) -> Tally:
    """What the store counts now."""
    tally = Tally(facts_of(connection)["jobs"])
    rows = connection.execute(
        "SELECT verdict, failure, exit_code, count(*) FROM results GROUP BY verdict, failure, exit_code"
    )
    for verdict, failure, code, count in rows:
        tally.classes[verdict, failure] += count
        tally.codes[code] += count
        tally.admitted += count if code == 0 else 0
    return tally


def skipped_of(connection: sqlite3.Connection) -> int:
    """How many bad lines were left out."""
    return int(connection.execute("SELECT count(*) FROM skipped").fetchone()[0])


def shared_of(connection: sqlite3.Connection) -> int:
    """How many jobs have the result of another with the same code."""
    return int(connection.execute("SELECT count(*) FROM results WHERE is_shared").fetchone()[0])


def rows_of(connection: sqlite3.Connection, where: str = "1", *, limit: int = -1) -> Iterator[Row]:
    """The jobs in the order of the manifest. ``where``: a condition of ours on ``results``."""
    rows = connection.execute(
        "SELECT jobs.id, jobs.line, specs.path, specs.name, specs.sha256, jobs.name, jobs.text, twins.id, "
        "siblings.id, coalesce(twins.losses, jobs.losses), asked.plain, results.verdict, results.failure, "
        "results.code, results.admission, results.exit_code, results.seconds, results.says, "
        "coalesce(results.document, first.document) FROM jobs "
        "JOIN specs ON specs.number = jobs.spec JOIN asked ON asked.number = jobs.asked "
        "LEFT JOIN results ON results.job = jobs.number "
        "LEFT JOIN jobs AS twins ON twins.number = jobs.twin "
        "LEFT JOIN jobs AS siblings ON siblings.number = jobs.kin AND results.is_shared "
        "LEFT JOIN results AS first ON first.job = jobs.twin "
        f"WHERE {where} ORDER BY jobs.line, jobs.number LIMIT ?",
        (limit,),
    )
    for row in rows:
        yield _row(row)


def _row(values: tuple[Any, ...]) -> Row:
    (job_id, line, path, name, spec_sha256, candidate, sha256, twin, sibling, losses, asked, verdict, *rest,
     document) = values  # fmt: skip
    outline = None
    if verdict is not None:
        failure, code, admission, exit_code, seconds, says = rest
        outline = Outline(verdict=verdict, failure=failure, code=code, admission=admission, exit_code=exit_code,
                          seconds=seconds, says=says)  # fmt: skip
    return Row(id=job_id, line=line, spec=path, spec_name=name, spec_sha256=spec_sha256, candidate=candidate,
               sha256=sha256, twin=twin or "", sibling=sibling or "", losses=losses,
               script=json.loads(asked)["script"], outline=outline, document=document)  # fmt: skip


def by_verdict(classes: Mapping[tuple[str, str], int]) -> list[tuple[str, int, list[tuple[str, int]]]]:
    """For each verdict how many have it, and of which classes, the most frequent first; worst verdicts last."""
    order = ("PROVED", "TESTED", "UNKNOWN", "REFUTED", "REJECTED", "SPEC FAULT", "ERROR")
    found = []
    for verdict in sorted({each for each, _ in classes}, key=lambda each: order.index(each) if each in order else 99):
        parts = [(failure, count) for (each, failure), count in classes.items() if each == verdict and failure]
        total = sum(count for (each, _), count in classes.items() if each == verdict)
        found.append((verdict, total, sorted(parts, key=lambda part: (-part[1], part[0]))))
    return found
