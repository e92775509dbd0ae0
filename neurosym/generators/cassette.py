"""Recordings: what was asked and what came back, one JSON line each, keyed by the hash of the request.

Nothing but the request decides what is played, so a replayed run takes the same way to the same verdicts.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from neurosym.generators.constraint import Held
from neurosym.generators.request import Answer, NoReply, NoReplyKind, OnProgress, Reply, Request, Usage, canonical
from neurosym.generators.seam import Generator, ModelFault, Settings

SCHEMA_VERSION = 1
_MOST_BYTES = 500_000_000


class Replay:
    """The generator ``cassette``: answers from a recording, and from nothing else."""

    name = "cassette"

    def __init__(self, settings: Settings) -> None:
        if not settings.cassette:
            raise ModelFault("the generator cassette needs a recording: --cassette FILE")
        self._path = settings.cassette
        self._answers = _read(Path(settings.cassette))

    def generate(self, request: Request, *, timeout_s: float, on_progress: OnProgress) -> Answer:
        answer = self._answers.get(request.sha256)
        if answer is None:
            raise ModelFault(
                f"{self._path} has no answer to this request: the spec, the prompt, the model or the options are not "
                "those that it was recorded with. Record it anew: --record FILE with the generator that was used"
            )
        return answer

    def close(self) -> None:
        pass


class Recording:
    """Another generator, with all that it answers appended to a file."""

    def __init__(self, inner: Generator, path: str) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        try:
            self._file = open(path, "a", encoding="ascii")  # noqa: SIM115  # until it is closed
        except OSError as error:
            raise ModelFault(f"--record {path} cannot be written: {error.strerror}") from error

    @property
    def name(self) -> str:
        return self._inner.name

    def generate(self, request: Request, *, timeout_s: float, on_progress: OnProgress) -> Answer:
        answer = self._inner.generate(request, timeout_s=timeout_s, on_progress=on_progress)
        with self._lock:
            self._file.write(recorded(request, answer))
            self._file.flush()
        return answer

    def close(self) -> None:
        self._file.close()
        self._inner.close()


def recorded(request: Request, answer: Answer) -> str:
    """The line of a recording, its end included."""
    plain = {"request_sha256": request.sha256, "request": request.plain, "answer": plain_answer(answer)}
    return canonical({"schema_version": SCHEMA_VERSION, **plain}) + "\n"


def plain_answer(answer: Answer) -> dict[str, Any]:
    """An answer as plain JSON values."""
    usage = {
        "prompt_tokens": answer.usage.prompt_tokens,
        "completion_tokens": answer.usage.completion_tokens,
        "cost_usd": None if answer.usage.cost_usd is None else str(answer.usage.cost_usd),
        "estimated": answer.usage.estimated,
    }
    common = {"usage": usage, "seconds": round(answer.seconds, 6), "attempts": answer.attempts}
    match answer:
        case Reply():
            first_s = None if answer.first_s is None else round(answer.first_s, 6)
            held = {"held": answer.held.value} if answer.held is not Held.NOT_ASKED else {}
            return {**held, "text": answer.text, "model": answer.model, "cut": answer.cut, "first_s": first_s, **common}
        case NoReply():
            return {"no_reply": answer.kind.value, "message": answer.message, **common}


def answer_of(plain: Mapping[str, Any]) -> Answer:
    """The answer that ``plain_answer`` wrote. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for any other."""
    given = plain["usage"]
    cost = given["cost_usd"]
    usage = Usage(
        int(given["prompt_tokens"]),
        int(given["completion_tokens"]),
        None if cost is None else Decimal(cost),
        bool(given["estimated"]),
    )
    seconds, attempts = float(plain["seconds"]), int(plain["attempts"])
    if "no_reply" in plain:
        kind = NoReplyKind(plain["no_reply"])
        return NoReply(kind=kind, message=str(plain["message"]), usage=usage, seconds=seconds, attempts=attempts)
    first_s = plain["first_s"]
    return Reply(
        text=str(plain["text"]),
        model=str(plain["model"]),
        usage=usage,
        cut=bool(plain["cut"]),
        seconds=seconds,
        first_s=None if first_s is None else float(first_s),
        attempts=attempts,
        held=Held(plain.get("held", "")),
    )


def _read(path: Path) -> dict[str, Answer]:
    """Every answer by its request's hash; the last one, where a request was recorded twice."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ModelFault(f"{path} is larger than {_MOST_BYTES // 10**6} MB: no recording of one solver is")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelFault(f"the recording {path} cannot be read: {error}") from error
    answers: dict[str, Answer] = {}
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            if record["schema_version"] != SCHEMA_VERSION:
                raise ValueError(f"it is of version {record['schema_version']}, and this tool reads {SCHEMA_VERSION}")
            answers[str(record["request_sha256"])] = answer_of(record["answer"])
        except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
            raise ModelFault(f"{path}, line {number} is no recorded answer: {type(error).__name__}: {error}") from error
    return answers
