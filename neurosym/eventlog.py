"""All that happens in a run, as JSON lines that are only ever appended, each bound to the one before by its hash.

Whoever changes, drops or inserts a record breaks the chain at that place, and ``read_log`` names it. A chain cannot
tell that its end was cut off; the record of a run's end says that the run is whole.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from neurosym_specs.errors import NeurosymError
from neurosym_specs.verdicts import Refuted
from neurosym_verifiers.environment import EnvironmentFault

from neurosym.admission import Required
from neurosym.events import (
    Answered,
    CandidateFinished,
    Event,
    FeedbackGiven,
    RoundStarted,
    SolveFinished,
    SolveStarted,
    SpecChecked,
)
from neurosym.generators.cassette import plain_answer
from neurosym.generators.request import canonical
from neurosym.reports.json import tool
from neurosym.result import CandidateResult, Judged, Rejected
from neurosym.safe_text import plain_text
from neurosym.solving.budget import Price, cost_of
from neurosym.source import sha256_of

SCHEMA_VERSION = 1
GENESIS = "0" * 64
"""What the first record of a chain names as the one before it."""

Record = dict[str, Any]  # what json.dumps takes


class BrokenLog(NeurosymError):
    """A log that is not as it was written, or is none at all: the record where that shows."""

    exit_code = 2
    code = "NS704"


class EventLog:
    """Listens, and appends a record for each event that counts. One run at a time writes to a file.

    Raises ``EnvironmentFault`` where the file cannot be written or another run writes to it, ``BrokenLog`` where its
    last record is no record.
    """

    def __init__(self, path: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._require = Required.TESTED
        self._prices: dict[str, Price] = {}
        try:
            self._file = open(path, "a+b")  # noqa: SIM115  # until the block ends
        except OSError as error:
            raise EnvironmentFault(f"--log {path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise EnvironmentFault(f"--log {path}: another run is writing to it; give each run its own") from error
        try:
            self._number, self._previous = _end_of(self._file, path)
        except BrokenLog:
            self._file.close()
            raise

    def __enter__(self) -> EventLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._write("broken off", {"by": type(error).__name__})
        self._file.close()

    def __call__(self, event: Event) -> None:
        match event:
            case SolveStarted():
                self._require, self._prices = event.require, dict(event.plan.prices)
                self._write("run", _run(event))
            case SpecChecked(fault, seconds):
                said = None if fault is None else {"clause": fault.clause, "message": fault.message}
                self._write("spec", {"fault": said, "seconds": round(seconds, 6)})
            case RoundStarted(number, step, samples):
                self._write("round", {"round": number, "samples": samples, **asdict(step)})
            case Answered(asked, answer):
                request = asked.request
                cost = cost_of(answer.usage, self._prices.get(request.model))
                self._write(
                    "answer",
                    {
                        "candidate": asked.name,
                        "request_sha256": request.sha256,
                        "asked": request.model,
                        "temperature": request.temperature,
                        "messages": [asdict(message) for message in request.messages],
                        "answer": plain_answer(answer),
                        "cost_usd": None if cost is None else str(cost),
                    },
                )
            case CandidateFinished(result):
                self._write("verdict", _verdict(result, self._require))
            case FeedbackGiven(candidate, feedback):
                failure = feedback.failure and feedback.failure.value
                said = asdict(feedback) | {"failure": failure, "signature": feedback.signature}
                self._write("feedback", {"candidate": candidate, **said})
            case SolveFinished(result):
                self._write(
                    "end",
                    {
                        "stopped": result.stopped.value,
                        "exit_code": result.exit_code,
                        "best": result.best and result.best.name,
                        "rounds": len(result.rounds),
                        "tokens": result.spent.tokens,
                        "seconds": round(result.seconds, 6),
                    },
                )
            case _:
                pass

    def _write(self, kind: str, fields: Record) -> None:
        record = {
            "schema_version": SCHEMA_VERSION,
            "number": self._number,
            "previous": self._previous,
            "at": self._now().isoformat(timespec="milliseconds"),
            "kind": kind,
            **_texts(fields),
        }
        record["sha256"] = _sha256(record)
        self._file.write(canonical(record).encode() + b"\n")
        self._file.flush()
        self._number, self._previous = self._number + 1, record["sha256"]


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
            *lines, rest = file.read().split(b"\n")
    except OSError as error:
        raise BrokenLog(f"the log {path} cannot be read: {error.strerror}") from error
    return Log(path, tuple(_followed(lines, path)), bool(rest))


def _followed(lines: list[bytes], path: str) -> Iterator[Record]:
    previous = GENESIS
    for number, line in enumerate(lines):
        where = f"{path}, record {number} (line {number + 1})"
        record = _record(line, where)
        if record["schema_version"] != SCHEMA_VERSION:
            raise BrokenLog(f"{where} is of version {record['schema_version']}, and this tool reads {SCHEMA_VERSION}")
        if record["sha256"] != _sha256(record):
            raise BrokenLog(f"{where} was changed after it was written: its hash is not that of what it says")
        if record["previous"] != previous or record["number"] != number:
            raise BrokenLog(f"{where} does not follow the record before it: one was taken out, put in or moved")
        previous = record["sha256"]
        yield record


def _record(line: bytes, where: str) -> Record:
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


def _end_of(file: Any, path: str) -> tuple[int, str]:  # a binary file that can be read and appended to
    """The number of the next record and the hash of the last one."""
    file.seek(0)
    last, count = b"", 0
    for line in file:
        last, count = line, count + 1
    if not last:
        return 0, GENESIS
    if not last.endswith(b"\n"):
        raise BrokenLog(f"{path} ends in the middle of a record: nothing is appended to it; name another file")
    record = _record(last, f"{path}, record {count - 1} (line {count})")
    file.seek(0, os.SEEK_END)
    return count, str(record["sha256"])


def _run(event: SolveStarted) -> Record:
    plan = event.plan
    return {
        "tool": tool(),
        "spec": {"name": event.spec.name, "path": event.spec.path, "sha256": event.spec.sha256},
        "require": event.require.value,
        "effort": {"seed": event.effort.seed, "examples": event.effort.examples, "proof": event.effort.proof},
        "generator": plan.generator,
        "models": list(plan.models),
        "temperatures": list(plan.temperatures),
        "samples": plan.samples,
        "shots": plan.shots,
        **({"own_shots": [shot.spec.sha256 for shot in plan.own]} if plan.own else {}),
        "template": {"name": plan.template.name, "sha256": plan.template.sha256},
        "sketch": None
        if plan.sketch is None
        else {"name": plan.sketch.name, "sha256": sha256_of(plan.sketch.text.encode())},
        "budget": {
            "rounds": plan.budget.rounds,
            "tokens": plan.budget.tokens,
            "usd": None if plan.budget.usd is None else str(plan.budget.usd),
            "seconds": plan.budget.seconds,
        },
    }


def _verdict(result: CandidateResult, require: Required) -> Record:
    refuted: list[str] = []
    failure: str | None = None
    match result.outcome:
        case Rejected(diagnostics):
            failure = diagnostics[0].failure.value
        case Judged(judgement):
            broken = [(each.id, v) for each, v in judgement.verdicts.items() if isinstance(v, Refuted)]
            refuted = [name for name, _ in broken]
            failure = broken[0][1].counterexample.failure.value if broken else None
        case _:
            pass
    gate_s = sum(step.seconds for step in result.gate)
    return {
        "candidate": result.name,
        "verdict": result.standing.value,
        "admission": result.admission(require).value,
        "class": failure,
        "refuted": refuted,
        "sha256": result.sha256,
        "original_sha256": result.original.sha256 if result.original else "",
        "source": result.source.text if result.source else "",
        "gate_seconds": round(gate_s, 6),
        "seconds": round(result.seconds, 6),
    }


def _texts(value: Any) -> Any:
    """Plain values, whose texts every strict reader accepts."""
    match value:
        case str():
            return plain_text(value, limit=1_000_000)
        case dict():
            return {key: _texts(each) for key, each in value.items()}
        case list() | tuple():
            return [_texts(each) for each in value]
        case _:
            return value
