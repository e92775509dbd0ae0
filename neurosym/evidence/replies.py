"""Makes the pack of a run of ``solve``: what was asked and answered in every round, and the evidence for the best.

The record of a run, and not a claim about a model: what a model would answer today is another question.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from neurosym.attempts import Attempt
from neurosym.chain import Chain, Record, plain_values, utc_now
from neurosym.eventlog import SolveRecords
from neurosym.events import Answered, Event, SolveFinished
from neurosym.evidence.asked import AskedReply
from neurosym.evidence.collecting import EVENTS, README, judged_members, unwritable, write_pack
from neurosym.evidence.container import DamagedPack
from neurosym.generators.cassette import recorded
from neurosym.generators.request import Message, Reply, canonical
from neurosym.safe_text import plain_text
from neurosym.solving.result import SolveResult
from neurosym.source import Source, sha256_of

RECORDING = "recording.jsonl"
_PROMPT, _REPLY, _JUDGED = "prompt.txt", "reply.txt", "judged.py"
_LONGEST = 1_000_000

_README = """\
Evidence for what came of asking for the function of the spec {spec}.

report.html     the verdict on the best candidate in words, to be read and printed
result.json     the same as data: neurosym report result.json --csv clauses.csv
rounds/N/M/     what was asked in round N, what was answered, what of it was judged
recording.jsonl the same for neurosym solve --generator cassette --cassette FILE
spec/           the spec that was judged by, byte for byte
candidates/1/   the best candidate as it came, how it was rewritten, what was judged
queries/        what the solver was asked, in SMT-LIB 2: any solver can answer again
asked.json      seeds, effort, options: what was asked for
environment.json, events.jsonl    with which tools, and in which order
manifest.json   the SHA-256 of each file, and of the list itself

neurosym recheck FILE.zip says whether a byte was altered, judges the best candidate
again, and says which verdict comes out otherwise; it asks no model. The hashes say
what was judged, and not who says so: for that the file is signed (neurosym sign).
"""


class SolveEvidence:
    """Listens, and writes the pack when the run ends with a candidate, or with a fault of the spec.

    A file that is there already goes before the work begins. Raises ``EnvironmentFault`` as ``EvidenceReport`` does.
    ``sha256`` is that of the file, empty where none is written.
    """

    def __init__(self, path: Path, owner: str = "", now: Callable[[], datetime] = utc_now) -> None:
        self.sha256 = ""
        self._path, self._owner, self._now = path, owner, now
        self._chain, self._records = Chain(now), SolveRecords()
        self._events: list[bytes] = []
        self._recording: list[str] = []
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(path, error) from error

    def __call__(self, event: Event) -> None:
        if (made := self._records.of(event)) is not None:
            self._events.append(self._chain.record(*made))
        match event:
            case Answered(asked, answer):
                self._recording.append(recorded(asked.request, answer))
            case SolveFinished(result) if result.best is not None or result.spec_fault is not None:
                self._write(result)
            case _:
                pass

    def _write(self, result: SolveResult) -> None:
        numbered = [
            (f"rounds/{each.number}/{place}", attempt)
            for each in result.rounds
            for place, attempt in enumerate(each.attempts, start=1)
        ]
        replies = tuple(AskedReply(name=attempt.asked.name, folder=folder) for folder, attempt in numbered)
        members = judged_members(result.as_verified, _best(result, numbered), self._owner, self._now(), replies)
        for folder, attempt in numbered:
            members |= {f"{folder}/{name}": data for name, data in _attempt(attempt).items()}
        self.sha256 = write_pack(
            self._path,
            {
                **members,
                RECORDING: "".join(self._recording).encode("ascii"),
                EVENTS: b"".join(self._events),
                README: _README.format(spec=result.spec.name).encode(),
            },
        )


def check_replies(replies: Sequence[AskedReply], members: Mapping[str, bytes], events: Sequence[Record]) -> None:
    """Raises ``DamagedPack`` where what a pack has of replies is not what its records say."""
    told = [each for each in events if each["kind"] == "answer"]
    recording = _recording(members.get(RECORDING, b""))
    if [(key, plain_values(answer)) for key, answer in recording] != [(e["request_sha256"], e["answer"]) for e in told]:
        raise DamagedPack(f"the member {RECORDING} is not what {EVENTS} speaks of")
    answers = {each["candidate"]: each for each in told}
    texts = {each["candidate"]: str(answer.get("text", "")) for each, (_, answer) in zip(told, recording, strict=True)}
    verdicts = {each["candidate"]: each for each in events if each["kind"] == "verdict"}
    if [each.name for each in replies] != [*dict.fromkeys(each.name for each in replies)] or len(replies) != len(
        answers
    ):
        raise DamagedPack("asked.json and events.jsonl speak of different replies")
    for reply in replies:
        said, verdict = answers.get(reply.name), verdicts.get(reply.name)
        if said is None:
            raise DamagedPack(f"events.jsonl has no answer that is called {reply.name}")
        expected = {
            _PROMPT: _prompt([Message(each["role"], each["text"]) for each in said["messages"]]),
            _REPLY: _answer(said["answer"].get("text"), said["answer"].get("message", "")),
        }
        for name, data in expected.items():
            if members.get(f"{reply.folder}/{name}") != data:
                raise DamagedPack(f"the member {reply.folder}/{name} is not what events.jsonl speaks of")
        raw = texts[reply.name].encode("utf-8", "surrogatepass")
        if verdict is not None and verdict["original_sha256"] not in ("", sha256_of(raw)):
            raise DamagedPack(f"events.jsonl judges another text than the reply {reply.name}")
        judged = members.get(f"{reply.folder}/{_JUDGED}")
        if judged is not None and (verdict is None or sha256_of(judged) != verdict["judged_sha256"]):
            raise DamagedPack(f"the member {reply.folder}/{_JUDGED} is not what events.jsonl speaks of")


def _recording(raw: bytes) -> list[tuple[str, Any]]:
    try:
        lines = [json.loads(line) for line in raw.splitlines()]
        for each in lines:
            if hashlib.sha256(canonical(each["request"]).encode()).hexdigest() != each["request_sha256"]:
                raise ValueError("a request is not the one of its hash")
        return [(each["request_sha256"], each["answer"]) for each in lines]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DamagedPack(f"the member {RECORDING} is no recording: {error}") from error


def best_of(events: Sequence[Record]) -> list[Record]:
    """The record of the verdict on the best candidate of a run, as its end names it; none without a candidate."""
    best = events[-1].get("best")
    return [each for each in events if each["kind"] == "verdict" and each["candidate"] == best][-1:]


def _best(result: SolveResult, numbered: Sequence[tuple[str, Attempt]]) -> list[Source]:
    """The reply that the best candidate is made of."""
    for _, attempt in numbered:
        if result.best is not None and attempt.result is result.best and isinstance(attempt.answer, Reply):
            return [Source(attempt.answer.text, result.best.name, is_reply=True)]
    return []


def _attempt(attempt: Attempt) -> dict[str, bytes]:
    answer = attempt.answer
    said = _answer(answer.text, "") if isinstance(answer, Reply) else _answer(None, answer.message)
    judged = attempt.result.source if attempt.result is not None else None
    return {
        _PROMPT: _prompt(attempt.asked.request.messages),
        _REPLY: said,
        **({_JUDGED: judged.text.encode()} if judged is not None else {}),
    }


def _prompt(messages: Sequence[Message]) -> bytes:
    return "\n".join(f"=== {each.role}\n{plain_text(each.text, limit=_LONGEST)}\n" for each in messages).encode()


def _answer(text: str | None, message: str) -> bytes:
    said = f"no reply came: {message}" if text is None else text
    return plain_text(said, limit=_LONGEST).encode()
