"""What a candidate does where, beside its verdict: only where asked for, in lines of the original, ended in time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from neurosym_sandbox import Level
from neurosym_verifiers.environment import Confinement
from neurosym_verifiers.proof import process
from neurosym_verifiers.regions.apart import NoRegions, TableWanted, table_apart

from neurosym import Effort, load_spec
from neurosym.reports.page import html
from neurosym.reports.reading import result_of
from tests.cli.shared import RIGHT, Neurosym
from tests.reports.conftest import Paged


def test_lines_are_those_of_the_text_as_it_came(paged: Paged) -> None:
    (read, _) = result_of(paged.document).candidates
    assert read.regions is not None
    lines = read.text.splitlines()
    decided = {lines[line - 1].split()[0] for region in read.regions.regions for line in region.lines}
    assert decided == {"raise", "return"}


def test_the_stored_result_has_all_that_the_page_shows(paged: Paged) -> None:
    assert html(result_of(paged.document)) == paged.page


def test_nobody_waits_for_it_who_did_not_ask(document: dict[str, Any], neurosym: Neurosym, spec: Path) -> None:
    assert [each["regions"] for each in document["candidates"]] == [None] * 4
    ran = neurosym("verify", "--regions", "--stop-after", "gate", spec, spec)
    assert ran.code == 2
    assert "--stop-after judges none" in ran.err


def test_what_takes_too_long_is_ended_with_all_that_it_started(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    started = process.WorkerProcess._started

    def noted(self: process.WorkerProcess) -> object:
        begun.append((found := started(self)).pid)
        return found

    monkeypatch.setattr(process.WorkerProcess, "_started", noted)
    wanted = TableWanted(load_spec(spec), RIGHT, Effort(), Confinement(Level.STANDARD), 0.01)
    assert table_apart(wanted) == NoRegions("it took longer than 0.01 s")
    assert begun
    assert not [each for each in begun if Path(f"/proc/{each}").exists()]


def test_a_process_that_ends_is_no_table(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neurosym_verifiers.regions.apart._WORKER", "neurosym_verifiers.regions.no_such_module")
    wanted = TableWanted(load_spec(spec), RIGHT, Effort(), Confinement(Level.STANDARD), 60.0)
    assert table_apart(wanted) == NoRegions("the process that made it ended")
