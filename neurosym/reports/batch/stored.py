"""The stored results of a batch, each under the names of its own job, with the commands that run refutations again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neurosym.batch.faults import unpacked
from neurosym.batch.jobs import settings_of
from neurosym.batch.store import facts_of
from neurosym.batch.tally import Row, rows_of
from neurosym.reports.document import Waiver as PlainWaiver
from neurosym.reports.saying import REACH, waiver_in_words
from neurosym.reproducing import Recipe
from neurosym.waivers import Uses, Waiver, Waivers, waivers_of


class Stored:
    """The jobs of a run store with their results. ``place``: its file as a command line names it."""

    def __init__(self, connection: sqlite3.Connection, place: Path) -> None:
        self.connection, self._place = connection, place
        self._facts = facts_of(connection)
        settings = settings_of(self._facts["settings"])
        self._confinement, self._reach = settings.confinement, REACH[settings.require.value]

    def rows(self, where: str = "1", *, limit: int = -1) -> Iterator[tuple[Row, dict[str, Any] | None]]:
        """Each job with its result, None where there is none. ``where`` and the order: as ``rows_of``."""
        for row in rows_of(self.connection, where, limit=limit):
            yield row, None if row.document is None else self._named(row, unpacked(row.document))

    def is_by_waiver(self, row: Row) -> bool:
        """Whether the candidate is accepted only because somebody answers for what is not decided."""
        return row.outline is not None and row.outline.exit_code == 0 and row.outline.verdict not in self._reach

    def by_waiver(self) -> int:
        """How many are."""
        marks = ", ".join("?" * len(self._reach))
        query = f"SELECT count(*) FROM results WHERE exit_code = 0 AND verdict NOT IN ({marks})"
        (count,) = self.connection.execute(query, self._reach).fetchone()
        return int(count)

    def idle_waivers(self, *, all_judged: bool) -> Iterator[tuple[Waiver, str]]:
        """The waivers that do nothing, and why."""
        waivers = waivers_of(self._facts["waivers"]) if "waivers" in self._facts else Waivers()
        uses = Uses(waivers)
        for row, result in self.rows() if waivers.given else ():
            for each in _waivers(result):
                uses.meet(row.spec_name, each)
        return uses.idle(all_judged=all_judged)

    def _named(self, row: Row, result: dict[str, Any]) -> dict[str, Any]:
        """The result under the names of this job: its twin may have others."""
        result["spec"]["path"] = row.spec
        for candidate in result["candidates"]:
            candidate["name"] = row.candidate
            recipe = self._recipe(row, candidate)
            for each in candidate["obligations"]:
                if each["verdict"] == "REFUTED":
                    each["replay"] = recipe.command(each["id"], each["counterexample"]["inputs"])
        return result

    def _recipe(self, row: Row, candidate: dict[str, Any]) -> Recipe:
        """A candidate that stood in the manifest has the name of its job, and is in the store only."""
        rewrites = tuple(dict.fromkeys(each["codemod"] for each in candidate["rewrites"]))
        return Recipe(
            spec=row.spec,
            function=row.spec_name,
            candidate=row.candidate,
            rewrites=rewrites,
            script=row.script if "script" in rewrites else "",
            confinement=self._confinement,
            store=str(self._place) if row.candidate == row.id else "",
        )


def waivers_in(result: dict[str, Any] | None) -> list[str]:
    """A sentence for each waiver that the candidate's admission takes into account, in force or not."""
    return [waiver_in_words(PlainWaiver(**each)) for each in _waivers(result)]


def _waivers(result: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    for candidate in result["candidates"] if result else ():
        yield from candidate.get("waivers", ())


def replay_of(result: dict[str, Any] | None) -> str:
    """The command that runs the first refutation again; empty where there is none."""
    candidates = result["candidates"] if result else []
    return next((each["replay"] for it in candidates for each in it["obligations"] if each["verdict"] == "REFUTED"), "")
