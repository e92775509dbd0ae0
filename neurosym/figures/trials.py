"""Runs as trials: what the log says of each attempt, brought to what can be counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from neurosym_specs.verdicts import FailureClass

from neurosym.admission import Admission
from neurosym.chain import Record

NO_REPLY = "no reply"
_RAN = frozenset({FailureClass.WRONG_VALUE, FailureClass.STATE, FailureClass.NONDETERMINISTIC})
"""Failures of programs that came to a usable result in every call: they ran, and were wrong."""


@dataclass(frozen=True, slots=True)
class Try:
    """One answer and what became of it. ``executed``: a program that gave a usable result in every call.

    ``failure``: its class, ``no reply``, or empty. ``clauses``: those that it broke. ``is_judged`` is False for a
    sample that was not looked at.
    """

    round: int
    model: str
    executed: bool
    correct: bool
    failure: str
    clauses: tuple[str, ...]
    is_judged: bool
    tokens: int
    usd: Decimal | None
    answer_s: float
    gate_s: float | None
    judge_s: float | None


@dataclass(slots=True)
class Trial:
    """One run: its spec, template and models, and its tries in their order. ``is_whole``: the log has its end."""

    spec: str
    template: str
    models: tuple[str, ...]
    tries: list[Try] = field(default_factory=list)
    is_whole: bool = False

    def of_model(self, model: str) -> Trial:
        """What one model did in it, its rounds counted from 1."""
        tries = [each for each in self.tries if each.model == model]
        return Trial(self.spec, self.template, (model,), tries, self.is_whole)

    def rounds(self) -> list[list[Try]]:
        """The tries of each round that was judged, in order."""
        found: dict[int, list[Try]] = {}
        for each in self.tries:
            found.setdefault(each.round, []).append(each)
        return [found[number] for number in sorted(found)]


def trials_of(records: Iterable[Record]) -> list[Trial]:
    """The runs of a log. Runs in which nobody was asked, because the spec was at fault, are none."""
    return [trial for run in runs_of(records) if (trial := _trial(run)).tries]


def runs_of(records: Iterable[Record]) -> Iterator[list[Record]]:
    """The records of a log, run by run; each begins with its record of the kind ``run``."""
    run: list[Record] = []
    for record in records:
        if record["kind"] == "run" and run:
            yield run
            run = []
        run.append(record)
    if run:
        yield run


def _trial(run: Sequence[Record]) -> Trial:
    head = run[0]
    trial = Trial(head["spec"]["name"], head["template"]["name"], tuple(head["models"]))
    number, model = 0, ""
    answers: list[tuple[int, str, Record]] = []
    found: dict[str, dict[str, Record]] = {}
    for record in run:
        match record["kind"]:
            case "round":
                number, model = record["round"], record["model"]
            case "answer":
                answers.append((number, model, record))
            case "verdict" | "feedback" as kind:
                found.setdefault(record["candidate"], {})[kind] = record
            case "end":
                trial.is_whole = True
            case _:
                pass
    trial.tries = [_try(at, who, answer, found.get(answer["candidate"], {})) for at, who, answer in answers]
    return trial


def _try(number: int, model: str, record: Record, found: Mapping[str, Record]) -> Try:
    answer: Mapping[str, Any] = record["answer"]
    usage, cost = answer["usage"], record["cost_usd"]
    verdict, feedback = found.get("verdict"), found.get("feedback")
    is_lost = "no_reply" in answer
    failure = NO_REPLY if is_lost else _failure(verdict, feedback)
    correct = verdict is not None and verdict["admission"] == Admission.ADMITTED.value
    ran = verdict is not None and verdict["verdict"] not in ("REJECTED", "ERROR")
    return Try(
        round=number,
        model=model,
        executed=ran and (not failure or failure == FailureClass.POLICY.value or failure in set(map(str, _RAN))),
        correct=correct,
        failure=failure,
        clauses=tuple(verdict["refuted"]) if verdict is not None else (),
        is_judged=is_lost or verdict is not None,
        tokens=usage["prompt_tokens"] + usage["completion_tokens"],
        usd=None if cost is None else Decimal(cost),
        answer_s=answer["seconds"],
        gate_s=None if verdict is None else verdict["gate_seconds"],
        judge_s=None if verdict is None else max(verdict["seconds"] - verdict["gate_seconds"], 0.0),
    )


def _failure(verdict: Record | None, feedback: Record | None) -> str:
    """The class of the failure: as it was told, else as the verdict has it; the tool's own fault is one as well."""
    if verdict is not None and verdict["verdict"] == "ERROR":
        return FailureClass.TOOL.value
    told = feedback["failure"] if feedback is not None else None
    return str(told or (verdict["class"] if verdict is not None else "") or "")
