"""Records as JSON lines, each bound to the one before by its hash.

Whoever changes, drops or inserts a record breaks the chain at that place, and ``read_log`` names it. A chain cannot
tell that its end was cut off; the record of a run's end says that the run is whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from neurosym_specs.errors import NeurosymError

from neurosym.generators.request import canonical
from neurosym.safe_text import plain_text

SCHEMA_VERSION = 1
GENESIS = "0" * 64
"""What the first record of a chain names as the one before it."""

_BEGINS = b'{"'
"""How every record does."""

Record = dict[str, Any]  # what json.dumps takes


class BrokenLog(NeurosymError):
    """A log that is not as it was written, or is none at all: the record where that shows."""

    exit_code = 2
    code = "NS704"


def utc_now() -> datetime:
    """The time of the clock on the wall, in UTC."""
    return datetime.now(UTC)


class Chain:
    """Makes the next record of a chain. ``number`` and ``previous``: where it goes on."""

    def __init__(self, now: Callable[[], datetime] = utc_now, number: int = 0, previous: str = GENESIS) -> None:
        self._now = now
        self._number = number
        self._previous = previous

    def record(self, kind: str, fields: Record) -> bytes:
        """The line of a record, its end included."""
        record = {
            "schema_version": SCHEMA_VERSION,
            "number": self._number,
            "previous": self._previous,
            "at": self._now().isoformat(timespec="milliseconds"),
            "kind": kind,
            **plain_values(fields),
        }
        record["sha256"] = _sha256(record)
        self._number, self._previous = self._number + 1, record["sha256"]
        return canonical(record).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Log:
    """The records of a file, all of them bound together. ``cut``: it ends in the middle of a record."""

    path: str
    records: tuple[Record, ...]
    cut: bool


def read_log(path: str) -> Log:
    """Reads a log and follows its chain. Raises ``BrokenLog`` at the first record that does not belong there."""
    try:
        with open(path, "rb") as file:
            raw = file.read()
    except OSError as error:
        raise BrokenLog(f"the log {path} cannot be read: {error.strerror}") from error
    return log_of(raw, path)


def log_of(raw: bytes, name: str) -> Log:
    """The same from the bytes of a log, which messages call by ``name``."""
    *lines, rest = raw.split(b"\n")
    if rest[: len(_BEGINS)] != _BEGINS[: len(rest)]:
        raise BrokenLog(f"{name} is no log of this tool: its last line is no record, nor the beginning of one")
    return Log(name, tuple(_followed(lines, name)), bool(rest))


def _followed(lines: list[bytes], path: str) -> Iterator[Record]:
    previous = GENESIS
    for number, line in enumerate(lines):
        where = f"{path}, record {number} (line {number + 1})"
        record = record_of(line, where)
        if record["schema_version"] != SCHEMA_VERSION:
            raise BrokenLog(f"{where} is of version {record['schema_version']}, and this tool reads {SCHEMA_VERSION}")
        if record["sha256"] != _sha256(record):
            raise BrokenLog(f"{where} was changed after it was written: its hash is not that of what it says")
        if record["previous"] != previous or record["number"] != number:
            raise BrokenLog(f"{where} does not follow the record before it: one was taken out, put in or moved")
        if canonical(record).encode() != line:
            raise BrokenLog(f"{where} was changed after it was written: it is not written as this tool writes it")
        previous = record["sha256"]
        yield record


def record_of(line: bytes, where: str) -> Record:
    """The record in a line. Raises ``BrokenLog``, which names it as ``where`` says."""
    try:
        record = json.loads(line)
        if not {"schema_version", "number", "previous", "kind", "sha256"} <= record.keys():
            raise ValueError("it lacks what every record has")
    except (ValueError, AttributeError, RecursionError) as error:
        raise BrokenLog(f"{where} is no record of a run: {error}") from error
    return dict(record)


def _sha256(record: Record) -> str:
    content = {key: value for key, value in record.items() if key != "sha256"}
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def plain_values(value: Any) -> Any:
    """Plain values, whose texts every strict reader accepts."""
    match value:
        case str():
            return plain_text(value, limit=1_000_000)
        case dict():
            return {key: plain_values(each) for key, each in value.items()}
        case list() | tuple():
            return [plain_values(each) for each in value]
        case _:
            return value
