"""All that happens in a run, as a chain of records (``neurosym.chain``) in a file that is only ever appended to."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from types import TracebackType
from typing import Any

from neurosym_specs.verdicts import Refuted
from neurosym_verifiers.environment import EnvironmentFault

from neurosym.admission import Required
from neurosym.chain import GENESIS, BrokenLog, Chain, Log, Record, read_log, record_of, utc_now
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
from neurosym.reports.json import tool
from neurosym.result import CandidateResult, Judged, Rejected
from neurosym.solving.budget import Price, cost_of
from neurosym.source import sha256_of
from neurosym.writing import CannotWrite

_HOLDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "run": {"spec": dict, "template": dict, "models": list},
    "round": {"round": int, "model": str},
    "answer": {"candidate": str, "answer": dict, "messages": list, "cost_usd": (str, type(None))},
    "verdict": {"candidate": str, "verdict": str, "admission": str, "refuted": list, "source": str,
                "gate_seconds": (int, float), "seconds": (int, float)},
    "feedback": {"candidate": str, "failure": (str, type(None)), "facts": list},
}  # fmt: skip
"""What the readers of a record take for granted."""


class SolveRecords:
    """What is kept of the events of a run, each as the kind and the fields of a record."""

    def __init__(self) -> None:
        self._require = Required.TESTED
        self._prices: dict[str, Price] = {}

    def of(self, event: Event) -> tuple[str, Record] | None:
        """The record of an event; None for one that does not count."""
        match event:
            case SolveStarted():
                self._require, self._prices = event.require, dict(event.plan.prices)
                return "run", _run(event)
            case SpecChecked(fault, seconds):
                said = None if fault is None else {"clause": fault.clause, "message": fault.message}
                return "spec", {"fault": said, "seconds": round(seconds, 6)}
            case RoundStarted(number, step, samples):
                return "round", {"round": number, "samples": samples, **asdict(step)}
            case Answered(asked, answer):
                request = asked.request
                cost = cost_of(answer.usage, self._prices.get(request.model))
                return "answer", {
                    "candidate": asked.name,
                    "request_sha256": request.sha256,
                    "asked": request.model,
                    "temperature": request.temperature,
                    "messages": [asdict(message) for message in request.messages],
                    "answer": plain_answer(answer),
                    "cost_usd": None if cost is None else str(cost),
                }
            case CandidateFinished(result):
                return "verdict", verdict_record(result, self._require)
            case FeedbackGiven(candidate, feedback):
                failure = feedback.failure and feedback.failure.value
                said = asdict(feedback) | {"failure": failure, "signature": feedback.signature}
                return "feedback", {"candidate": candidate, **said}
            case SolveFinished(result):
                return "end", {
                    "stopped": result.stopped.value,
                    "exit_code": result.exit_code,
                    "best": result.best and result.best.name,
                    "rounds": len(result.rounds),
                    "tokens": result.spent.tokens,
                    "seconds": round(result.seconds, 6),
                }
            case _:
                return None


class EventLog:
    """Listens, and appends a record for each event that counts. One run at a time writes to a file.

    Raises ``EnvironmentFault`` where the file cannot be written or another run writes to it, ``BrokenLog`` where its
    last record is no record.
    """

    def __init__(self, path: str, now: Callable[[], datetime] = utc_now) -> None:
        self._records = SolveRecords()
        try:
            self._file = open(path, "a+b")  # noqa: SIM115  # until the block ends
        except OSError as error:
            raise CannotWrite(f"--log {path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise EnvironmentFault(f"--log {path}: another run is writing to it; give each run its own") from error
        try:
            self._chain = Chain(now, *_end_of(self._file, path))
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
        if (made := self._records.of(event)) is not None:
            self._write(*made)

    def _write(self, kind: str, fields: Record) -> None:
        self._file.write(self._chain.record(kind, fields))
        self._file.flush()


def read_runs(path: str) -> Log:
    """Reads a log of runs, whose records hold what their readers need. Raises ``BrokenLog``."""
    log, is_begun = read_log(path), False
    for number, record in enumerate(log.records):
        where = f"{path}, record {number} (line {number + 1})"
        is_begun = is_begun or record["kind"] == "run"
        fields = _HOLDS.get(str(record["kind"]), {})
        if lacking := [key for key, kind in fields.items() if key not in record or not isinstance(record[key], kind)]:
            raise BrokenLog(f"{where} is no record of a run: it lacks {', '.join(lacking)}")
        if fields and not is_begun:
            raise BrokenLog(f"{where} belongs to no run: none was begun before it")
    return log


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
    record = record_of(last, f"{path}, record {count - 1} (line {count})")
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


def verdict_record(result: CandidateResult, require: Required) -> Record:
    """What is kept of a candidate's verdict."""
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
        "judged_sha256": result.sha256,
        "original_sha256": result.original.sha256 if result.original else "",
        "source": result.source.text if result.source else "",
        "gate_seconds": round(gate_s, 6),
        "seconds": round(result.seconds, 6),
    }
