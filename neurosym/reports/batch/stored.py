"""The stored results of a batch, each under the names of its own job, with the commands that run refutations again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neurosym.batch.jobs import settings_of
from neurosym.batch.serving import unpacked
from neurosym.batch.store import facts_of
from neurosym.batch.tally import Row, rows_of
from neurosym.reproducing import Recipe


class Stored:
    """The jobs of a run store with their results. ``place``: its file as a command line names it."""

    def __init__(self, connection: sqlite3.Connection, place: Path) -> None:
        self._connection, self._place = connection, place
        self._confinement = settings_of(facts_of(connection)["settings"]).confinement

    def rows(self, where: str = "1", *, limit: int = -1) -> Iterator[tuple[Row, dict[str, Any] | None]]:
        """Each job with its result, None where there is none. ``where`` and the order: as ``rows_of``."""
        for row in rows_of(self._connection, where, limit=limit):
            yield row, None if row.document is None else self._named(row, json.loads(unpacked(row.document)))

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


def replay_of(result: dict[str, Any] | None) -> str:
    """The command that runs the first refutation again; empty where there is none."""
    candidates = result["candidates"] if result else []
    return next((each["replay"] for it in candidates for each in it["obligations"] if each["verdict"] == "REFUTED"), "")
