"""Training data from the logs of ``solve``: chat examples, preference pairs, and records of faults with their fixes.

What is written was executed and judged. The split goes by spec, so that no spec is in both parts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from neurosym.admission import Admission
from neurosym.chain import Record
from neurosym.figures.trials import runs_of
from neurosym.generators.request import HOLES

SCHEMA_VERSION = 1
TRAIN, TEST = "train", "test"

Line = dict[str, Any]  # what json.dumps takes


class Kind(StrEnum):
    """What a line is for."""

    CHAT = "chat"
    PREFERENCE = "preference"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class Judged:
    """A reply with what was found out about it."""

    messages: tuple[Mapping[str, str], ...]
    reply: str
    model: str
    verdict: Record
    feedback: Record | None

    @property
    def is_accepted(self) -> bool:
        return bool(self.verdict["admission"] == Admission.ADMITTED.value)


def lines_of(records: Iterable[Record], kind: Kind, *, licence: str = "", test_percent: int = 10) -> Iterator[Line]:
    """The lines of one kind from a log. Every line has ``schema_version``, ``kind``, ``spec``, ``split``, ``licence``.

    ``chat``: the first question and an accepted reply. ``preference``: the first question, an accepted reply, and one
    of the same run that was not. ``record``: a candidate, its verdict, what was wrong, and the run's accepted program.
    """
    for run in runs_of(records):
        judged = list(_judged(run))
        if not judged:
            continue
        spec = run[0]["spec"]
        common = {
            "schema_version": SCHEMA_VERSION,
            "kind": kind.value,
            "spec": {"name": spec["name"], "sha256": spec["sha256"]},
            "template": run[0]["template"]["name"],
            "split": split_of(spec["sha256"], test_percent),
            "licence": licence,
        }
        for line in _lines(judged, kind):
            yield common | line


def split_of(sha256: str, test_percent: int) -> str:
    """The part to which a spec belongs, always the same one."""
    place = int(hashlib.sha256(f"split {sha256}".encode()).hexdigest()[:8], 16) % 100
    return TEST if place < test_percent else TRAIN


def _lines(judged: Sequence[Judged], kind: Kind) -> Iterator[Line]:
    first = list(judged[0].messages)
    accepted = [each for each in judged if each.is_accepted]
    written = [each for each in accepted if each.model != HOLES]  # by a model: what it would have to learn to say
    seen: set[str] = set()
    match kind:
        case Kind.CHAT:
            for each in written:
                yield {"messages": [*first, _said(each)], "model": each.model, "verdict": each.verdict["verdict"]}
        case Kind.PREFERENCE:
            for chosen in written:
                for rejected in judged:
                    if not rejected.is_accepted and rejected.reply not in seen:
                        seen.add(rejected.reply)
                        why = rejected.feedback and rejected.feedback["failure"]
                        yield {
                            "prompt": first, "chosen": [_said(chosen)], "rejected": [_said(rejected)], "class": why
                        }  # fmt: skip
        case Kind.RECORD:
            fix = accepted[0].verdict["source"] if accepted else None
            for each in judged:
                feedback = each.feedback
                yield {
                    "messages": list(each.messages),
                    "model": each.model,
                    "candidate": each.verdict["source"],
                    "verdict": each.verdict["verdict"],
                    "class": feedback and feedback["failure"],
                    "code": feedback and feedback["code"],
                    "facts": [] if feedback is None else feedback["facts"],
                    "refuted": each.verdict["refuted"],
                    "fix": None if each.is_accepted else fix,
                }


def _said(judged: Judged) -> dict[str, str]:
    return {"role": "assistant", "content": judged.reply}


def _judged(run: Sequence[Record]) -> Iterator[Judged]:
    verdicts = {each["candidate"]: each for each in run if each["kind"] == "verdict"}
    feedbacks = {each["candidate"]: each for each in run if each["kind"] == "feedback"}
    for record in run:
        if record["kind"] != "answer" or "no_reply" in record["answer"] or record["candidate"] not in verdicts:
            continue
        messages = tuple({"role": each["role"], "content": each["text"]} for each in record["messages"])
        name, answer = record["candidate"], record["answer"]
        yield Judged(messages, answer["text"], answer["model"], verdicts[name], feedbacks.get(name))
