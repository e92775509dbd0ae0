"""The page of a batch: how many of what, by class and by spec, and the jobs that are not accepted, the first of them.

It has one size whatever the size of the batch, and no more of the batch is held than a row: sqlite counts and sorts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurosym.batch.store import facts_of
from neurosym.batch.tally import Row, Tally, by_verdict, shared_of, skipped_of, tally_of
from neurosym.reports.batch.progress import duration
from neurosym.reports.batch.stored import Stored, replay_of
from neurosym.reports.json import tool
from neurosym.reports.page.rendering import streamed

_MOST_ROWS = 200
_MOST_SPECS = 100
_MOST_CHARS = 600


@dataclass(frozen=True, slots=True)
class Kind:
    """A verdict with a class of failures and its code: how many jobs have it, and the first of them."""

    verdict: str
    failure: str
    code: str
    jobs: int
    first: str


@dataclass(frozen=True, slots=True)
class OfSpec:
    """The jobs of one spec."""

    name: str
    path: str
    jobs: int
    accepted: int
    refuted: int
    left: int

    @property
    def share(self) -> str:
        """Of its jobs, how many are accepted."""
        return percent(self.accepted, self.jobs)


class Batch:
    """What a page says of a store, asked of it when it is said."""

    def __init__(self, stored: Stored) -> None:
        self._stored, self._connection = stored, stored.connection
        connection = stored.connection
        facts, tally = facts_of(connection), tally_of(connection)
        self._tally = tally
        self.manifest: str = facts["manifest"]
        self.manifest_sha256: str = facts["manifest_sha256"]
        self.twins: int = facts["twins"]
        self.shared = shared_of(connection)
        self.missing: list[str] = facts.get("missing", [])
        self.tool: dict[str, Any] = tool()
        self.skipped = skipped_of(connection)
        self.jobs, self.left, self.accepted = tally.jobs, tally.left, tally.admitted
        self.refused = tally.done - tally.admitted
        self.by_waiver = stored.by_waiver()
        self.more_refused = max(0, self.refused - _MOST_ROWS)
        (_, _, file), *_ = connection.execute("PRAGMA database_list").fetchall()
        self.store = Path(file).name
        (self.lost,) = connection.execute("SELECT coalesce(sum(losses), 0) FROM jobs").fetchone()
        (specs,) = connection.execute("SELECT count(*) FROM specs").fetchone()
        self.more_specs = max(0, specs - _MOST_SPECS)
        worked, first, last = connection.execute(
            "SELECT coalesce(sum(seconds), 0), coalesce(min(at), 0), coalesce(max(at), 0) FROM results "
            "WHERE document IS NOT NULL"
        ).fetchone()
        self.worked = duration(worked)
        self.rate = f"{tally.done / (last - first):,.1f}" if tally.done > 1 and last > first else ""

    @property
    def tone(self) -> str:
        """How the whole is to be taken."""
        return _tone(self._tally, whole=not self.missing and not self.skipped)

    @property
    def kinds(self) -> Iterator[Kind]:
        """Every verdict with its classes, the best verdict first, the most frequent class first."""
        order = {verdict: place for place, (verdict, _, _) in enumerate(by_verdict(self._tally.classes))}
        found = self._connection.execute(
            "SELECT verdict, failure, code, number_of, id FROM (SELECT verdict, failure, code, count(*) AS number_of, "
            "min(job) AS first FROM results GROUP BY verdict, failure, code) JOIN jobs ON jobs.number = first "
            "ORDER BY number_of DESC, failure, code"
        )
        kinds = [Kind(*row) for row in found]
        return iter(sorted(kinds, key=lambda kind: order[kind.verdict]))

    def specs(self) -> Iterator[OfSpec]:
        """The specs with the most jobs that are not accepted."""
        rows = self._connection.execute(
            "SELECT specs.name, specs.path, count(*), coalesce(sum(results.exit_code = 0), 0), "
            "coalesce(sum(results.verdict = 'REFUTED'), 0), sum(results.job IS NULL) FROM jobs "
            "JOIN specs ON specs.number = jobs.spec LEFT JOIN results ON results.job = jobs.number "
            "GROUP BY specs.number ORDER BY count(*) - coalesce(sum(results.exit_code = 0), 0) DESC, specs.path "
            "LIMIT ?",
            (_MOST_SPECS,),
        )
        return (OfSpec(*row) for row in rows)

    def rows(self) -> Iterator[tuple[Row, str]]:
        """The jobs that are shown, each with the command that runs its refutation again: those that are refuted, then
        others that are not accepted."""
        refuted = "results.verdict = 'REFUTED' AND results.exit_code != 0"
        shown = 0
        for row, result in self._stored.rows(refuted, limit=_MOST_ROWS):
            shown += 1
            yield row, replay_of(result)
        others = "results.verdict != 'REFUTED' AND results.exit_code != 0"
        yield from ((row, "") for row, _ in self._stored.rows(others, limit=_MOST_ROWS - shown))

    def share(self, jobs: int) -> str:
        """So many of all jobs."""
        return percent(jobs, self.jobs)

    @staticmethod
    def said(row: Row) -> str:
        """What is wrong with a job, as long as a line in a table may be."""
        said = row.outline.says if row.outline else ""
        return said if len(said) <= _MOST_CHARS else f"{said[:_MOST_CHARS]}…"


def batch_html(stored: Stored) -> Iterator[str]:
    """The page, piece by piece."""
    return streamed("batch.html", batch=Batch(stored))


def percent(part: int, whole: int) -> str:
    """A share that is 100 % only if it is all, and 0 % only if it is none."""
    if not whole:
        return "none"
    tenths = round(1000 * part / whole)
    if 0 < part < whole:
        tenths = min(max(tenths, 1), 999)
    return f"{tenths / 10:g} %"


def _tone(tally: Tally, *, whole: bool) -> str:
    if any(code not in (0, 3, 5) for code in tally.codes):
        return "bad"
    return "good" if whole and not tally.left and tally.admitted == tally.jobs > 0 else "open"
