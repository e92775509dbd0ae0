"""The run store: one sqlite file with all that is asked and each result, written once, when it is known.

A result is committed before the next job is handed out in its place, with a log that is flushed to the disk: whatever
is killed, the worker, the run or the machine, no finished job is lost. One run at a time writes, which holds a lock on
the file for as long as it lives; others may read meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import time
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from neurosym.batch.faults import DamagedRecord, StoreError, loaded, said
from neurosym.batch.jobs import Asked, Job, asked_of
from neurosym.batch.outline import Outline
from neurosym.writing import CannotWrite

SCHEMA_VERSION = 2
_APPLICATION = 0x4E534249
_PATIENCE_S = 1.0
_FACTS = frozenset(["manifest", "manifest_sha256", "settings", "tools", "shards", "all_jobs", "jobs", "twins"])
_TABLES = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE skipped (line INTEGER NOT NULL, why TEXT NOT NULL);
CREATE TABLE specs (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, sha256 TEXT NOT NULL);
CREATE TABLE texts (sha256 TEXT PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE asked (number INTEGER PRIMARY KEY, plain TEXT NOT NULL UNIQUE);
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, line INTEGER NOT NULL,
    spec INTEGER NOT NULL REFERENCES specs, asked INTEGER NOT NULL REFERENCES asked,
    text TEXT NOT NULL REFERENCES texts, name TEXT NOT NULL, is_reply INTEGER NOT NULL,
    identity TEXT NOT NULL, twin INTEGER REFERENCES jobs, kinship TEXT NOT NULL, kin INTEGER REFERENCES jobs,
    losses INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX identities ON jobs (identity) WHERE twin IS NULL;
CREATE INDEX kinships ON jobs (kinship) WHERE twin IS NULL AND kin IS NULL AND kinship != '';
CREATE INDEX twins ON jobs (twin) WHERE twin IS NOT NULL;
CREATE TABLE results (
    job INTEGER PRIMARY KEY REFERENCES jobs, verdict TEXT NOT NULL, failure TEXT NOT NULL, code TEXT NOT NULL,
    admission TEXT NOT NULL, exit_code INTEGER NOT NULL, seconds REAL NOT NULL, says TEXT NOT NULL,
    at REAL NOT NULL, document BLOB, is_shared INTEGER NOT NULL
);
"""


class RunStore:
    """The store as the run that writes to it has it; a context manager.

    Raises ``StoreError`` for a file that is no store, or is written to by another run, and ``EnvironmentFault`` where
    nothing can be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # Opened before sqlite opens it and closed after: closing any handle of a file drops sqlite's own locks.
            self._lock = open(path, "a+b")  # noqa: SIM115  # for as long as the store is open
        except OSError as error:
            raise CannotWrite(f"the run store {path} cannot be written: {error.strerror}") from error
        try:
            _hold(self._lock.fileno(), path)
            self.connection = _connected(path, "rw")
            self._prepare()
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is not None:
            with said(self.path):
                raise error

    def close(self) -> None:
        """Leaves one file, unless somebody reads it just now: then all is in it, and what lies beside it is empty."""
        with suppress(sqlite3.Error):
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.connection.execute("PRAGMA busy_timeout = 0")
            self.connection.execute("PRAGMA journal_mode = DELETE")
        self.connection.close()
        self._lock.close()

    def _prepare(self) -> None:
        with said(self.path):
            is_new = is_empty(self.connection)
            if not is_new:
                check_kind(self.connection, self.path)
                if not self.is_planned and self.connection.execute("SELECT EXISTS (SELECT * FROM jobs)").fetchone()[0]:
                    raise DamagedRecord("it has jobs, and nothing of what they were begun with")
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = FULL")
            if is_new:
                self.connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is written, or nothing."""
        with said(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    @property
    def is_planned(self) -> bool:
        """Whether its jobs are all there."""
        return "jobs" in facts_of(self.connection)

    def pending(self, *, suspects: bool = False) -> array[int]:
        """The numbers of the jobs without a result, spec by spec: those that no worker was lost over, or ``suspects``.

        A twin waits for the job that it is the twin of; one of the same code as another comes after that.
        """
        rows = self.connection.execute(
            "SELECT jobs.number FROM jobs LEFT JOIN results ON results.job = jobs.number "
            "WHERE results.job IS NULL AND twin IS NULL AND (losses > 0) = ? "
            "ORDER BY spec, asked, kin IS NOT NULL, jobs.number",
            (suspects,),
        )
        return array("q", (number for (number,) in rows))

    def job(self, number: int) -> Job:
        """All that is asked in a job."""
        row = self.connection.execute(
            "SELECT id, line, path, jobs.name, texts.text, is_reply, plain, losses, kin FROM jobs "
            "JOIN specs ON specs.number = spec JOIN texts ON texts.sha256 = jobs.text "
            "JOIN asked ON asked.number = jobs.asked WHERE jobs.number = ?",
            (number,),
        ).fetchone()
        job_id, line, spec, name, text, is_reply, plain, losses, kin = row
        return Job(number=number, id=job_id, line=line, spec=spec, name=name, text=text, is_reply=bool(is_reply),
                   asked=_asked(plain), losses=losses, kin=kin)  # fmt: skip

    def document_of(self, number: int) -> bytes | None:
        """The packed result of a job that has one."""
        row = self.connection.execute("SELECT document FROM results WHERE job = ?", (number,)).fetchone()
        return None if row is None else bytes(row[0])

    def record(self, number: int, outline: Outline, document: bytes, *, is_shared: bool = False) -> int:
        """Writes a job's result, and the same for its twins; returns for how many jobs. It replaces none.

        ``is_shared``: it is that of a job with the same code, for which this one was not run.
        """
        row = (outline.verdict, outline.failure, outline.code, outline.admission, outline.exit_code, outline.seconds,
               outline.says, time.time())  # fmt: skip
        marks = ", ".join("?" * len(row))
        with self.writing() as connection:
            connection.execute(f"INSERT INTO results VALUES (?, {marks}, ?, ?)", (number, *row, document, is_shared))
            twins = connection.execute(
                f"INSERT INTO results SELECT number, {marks}, NULL, 0 FROM jobs WHERE twin = ?", (*row, number)
            )
            return 1 + twins.rowcount

    def put_errors_aside(self) -> int:
        """Leaves jobs without a result that had an ERROR, so that they are judged anew; returns how many. What they
        had stays in the store, in the table ``superseded``."""
        with self.writing() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS superseded AS SELECT * FROM results WHERE 0")
            connection.execute("INSERT INTO superseded SELECT * FROM results WHERE verdict = 'ERROR'")
            connection.execute(
                "UPDATE jobs SET losses = 0 WHERE number IN (SELECT job FROM results WHERE verdict = 'ERROR')"
            )
            return connection.execute("DELETE FROM results WHERE verdict = 'ERROR'").rowcount

    def lose(self, number: int) -> int:
        """Books that a worker was lost over a job; returns how many were by now."""
        with self.writing() as connection:
            connection.execute("UPDATE jobs SET losses = losses + 1 WHERE number = ?", (number,))
            (losses,) = connection.execute("SELECT losses FROM jobs WHERE number = ?", (number,)).fetchone()
        return int(losses)


def text_of(connection: sqlite3.Connection, job_id: str) -> bytes | None:
    """The candidate of a job as it was read; None where there is no such job."""
    found = connection.execute(
        "SELECT texts.text FROM jobs JOIN texts ON texts.sha256 = jobs.text WHERE id = ?", (job_id,)
    )
    row = found.fetchone()
    return None if row is None else bytes(row[0])


def facts_of(connection: sqlite3.Connection) -> dict[str, Any]:
    """What is known of the run as a whole, by name. Raises ``DamagedRecord``."""
    rows = connection.execute("SELECT name, value FROM facts")
    facts = {name: loaded(value, f"its {name}") for name, value in rows}
    if "jobs" in facts and (missing := _FACTS - facts.keys()):
        raise DamagedRecord(f"it has lost its {min(missing)}")
    return facts


def write_facts(connection: sqlite3.Connection, facts: Mapping[str, Any]) -> None:
    """Adds to what is known of the run."""
    rows = [(name, json.dumps(value, sort_keys=True)) for name, value in facts.items()]
    connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", rows)


def plain_asked(asked: Asked) -> str:
    """How it stands in the store: the same text for the same question."""
    return json.dumps(asked.plain(), sort_keys=True)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The store for reading, also while a run writes to it. Raises ``StoreError``."""
    if not path.is_file():
        raise StoreError(f"there is no run store {path}")
    with said(path):
        connection = _connected(path, "ro")
        try:
            begun = not is_empty(connection)
            if begun:
                check_kind(connection, path)
            if not begun or "jobs" not in facts_of(connection):
                raise StoreError(
                    f"the run store {path} has no jobs yet: its run still reads the manifest, or was ended there"
                )
            yield connection
        finally:
            connection.close()


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to the database."""
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Raises ``StoreError`` for another database than a store of this version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION:
        raise StoreError(f"{path} is a database, and no run store of neurosym")
    if version != SCHEMA_VERSION:
        raise StoreError(f"{path} is a run store of version {version}, and this neurosym has version {SCHEMA_VERSION}")


class Watch:
    """Says whether a run is writing to a store, from outside of it."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb")  # noqa: SIM115  # until ``close``: closing it drops sqlite's locks on the file

    def is_written(self) -> bool:
        """Whether a run holds the lock just now."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def close(self) -> None:
        """Lets go of the file, after the connection to it was closed."""
        self._file.close()


def _asked(plain: str) -> Asked:
    return asked_of(loaded(plain, "what a job asks"))


def _hold(handle: int, path: Path) -> None:
    """Takes the lock, or raises ``StoreError``. Whoever only looks whether it is held has it for a moment."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                raise StoreError(
                    f"another run is writing to {path}: wait for it, or give this one a store of its own (--store)"
                ) from error
            time.sleep(0.05)


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    place = quote(os.fspath(path.absolute()))
    return sqlite3.connect(f"file:{place}?mode={mode}", uri=True, timeout=30.0, isolation_level=None)
