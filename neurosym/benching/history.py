"""The runs of benchmarks, one record each in a log whose records are bound to each other (``neurosym.chain``)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurosym_verifiers.environment import EnvironmentFault

from neurosym.benching.cases import BenchError, Case, case_of, sha256_of_questions
from neurosym.chain import GENESIS, BrokenLog, Chain, Log, Record, log_of, record_of
from neurosym.cli import nearest

_KIND = "bench"
_ID_CHARS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRun:
    """What came out of one set of candidates. ``subject``: where they came from; ``settings``: how they were asked;
    ``tools``: what answered. ``id`` and ``at`` are empty until it is in a history."""

    name: str
    subject: str
    settings: Mapping[str, Any]
    tools: Mapping[str, str]
    cases: tuple[Case, ...]
    id: str = ""
    at: str = ""

    @property
    def inputs_sha256(self) -> str:
        """Of all specs, candidates and labels."""
        return sha256_of_questions(self.cases)


class History:
    """The runs in a file, which need not be there yet. Raises ``BrokenLog`` for one that is none, or was changed, and
    ``EnvironmentFault`` where it cannot be read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def runs(self) -> tuple[BenchRun, ...]:
        """All runs, the oldest first. A record that was broken off at the end is none."""
        try:
            raw = self.path.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._fault("read", error) from error
        return tuple(_run_of(record, self.path) for record in log_of(raw, str(self.path)).records)

    def find(self, wanted: str) -> BenchRun:
        """The run whose id begins so, or the last one of this name. Raises ``BenchError``."""
        runs = self.runs()
        by_id = [run for run in runs if len(wanted) >= _ID_CHARS and run.id.startswith(wanted)]
        found = by_id or [run for run in runs if run.name == wanted]
        if not runs:
            raise BenchError(f"there is nothing to compare with: the history {self.path} has no runs yet")
        if not found:
            names = nearest(wanted, sorted({run.name for run in runs}))
            raise BenchError(f"no run in {self.path} is called {wanted}, nor begins its id so; {names}")
        return found[-1]

    def append(self, run: BenchRun) -> BenchRun:
        """Adds a run, as a whole or not at all, and returns it with its id and time."""
        try:
            with open(self.path, "a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.seek(0)
                raw = file.read()
                log = log_of(raw, str(self.path))
                if log.cut:
                    file.truncate(raw.rfind(b"\n") + 1)  # what was broken off while it was written
                line = _chain_behind(log).record(_KIND, _fields(run))
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._fault("written", error) from error
        return _run_of(record_of(line, str(self.path)), self.path)

    def _fault(self, what: str, error: OSError) -> EnvironmentFault:
        return EnvironmentFault(f"the history {self.path} cannot be {what}: {error.strerror}")


def _chain_behind(log: Log) -> Chain:
    return Chain(number=len(log.records), previous=log.records[-1]["sha256"] if log.records else GENESIS)


def _fields(run: BenchRun) -> Record:
    return {
        "name": run.name,
        "subject": run.subject,
        "inputs_sha256": run.inputs_sha256,
        "settings": dict(run.settings),
        "tools": dict(run.tools),
        "cases": [each.plain() for each in run.cases],
    }


def _run_of(record: Record, path: Path) -> BenchRun:
    try:
        if record["kind"] != _KIND:
            raise ValueError(f"it is of the kind {record['kind']!r}")
        run = BenchRun(
            name=record["name"],
            subject=record["subject"],
            settings=record["settings"],
            tools=record["tools"],
            cases=tuple(case_of(each) for each in record["cases"]),
            id=record["sha256"],
            at=record["at"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenLog(f"{path} is no history of neurosym bench: {error}") from error
    if run.inputs_sha256 != record["inputs_sha256"]:
        raise BrokenLog(f"{path} is no history of neurosym bench: a run's candidates are not those that it names")
    return run
