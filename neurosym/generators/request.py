"""What is asked of a generator, and what comes back: plain frozen values, the same for every generator."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from neurosym.generators.constraint import Constraint, Held

Role = Literal["system", "user", "assistant"]

MOST_CHARS = 1_000_000
"""A longer reply is no program that anybody wants to read: it is not taken."""

OnProgress: TypeAlias = Callable[[str, int], None]
"""Told now and then what is being counted, and how many there are: ``("characters of the reply", 1204)``."""

HOLES = "holes"
"""What the generator that completes sketches calls its model: there is none, and its replies are no model's words."""

CHARS_PER_TOKEN = 4
"""What a token is about, where nobody counted them."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked. ``sample`` tells requests apart that are alike otherwise; it is not sent to the model.

    ``constraint``: what the reply is held to while it is written, by those who offer that.
    """

    model: str
    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    sample: int = 0
    constraint: Constraint | None = None

    @property
    def plain(self) -> dict[str, Any]:
        """The request as plain values; what is not asked for is not in them."""
        return {key: value for key, value in asdict(self).items() if key != "constraint" or value is not None}

    @property
    def sha256(self) -> str:
        """The key under which a recording keeps the answer."""
        return hashlib.sha256(canonical(self.plain).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took. ``cost_usd``: where the other side says it. ``estimated``: counted by characters."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: Decimal | None = None
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model said, as it came.

    ``model`` is the one that says it answered. ``cut``: the reply ended at its limit of tokens. ``seconds`` is wall
    time over all ``attempts``; ``first_s`` until the first text of the last one, None where it did not come in pieces.
    ``held``: whether it was held to the form that was asked for; a text in a schema comes as a block of code.
    """

    text: str
    model: str
    usage: Usage
    cut: bool = False
    seconds: float = 0.0
    first_s: float | None = None
    attempts: int = 1
    held: Held = Held.NOT_ASKED


class NoReplyKind(StrEnum):
    """The closed list of why there is no reply."""

    TIMEOUT = "timeout"
    CUT_OFF = "cut off"
    MALFORMED = "malformed"
    REFUSED = "refused"
    EMPTY = "empty"
    NOT_ACCEPTED = "not accepted"
    UNKNOWN_MODEL = "unknown model"
    UNAVAILABLE = "unavailable"
    NO_FILLING = "no filling"
    UNDECIDED = "undecided"


IS_GONE = frozenset(
    {
        NoReplyKind.NOT_ACCEPTED,
        NoReplyKind.UNKNOWN_MODEL,
        NoReplyKind.UNAVAILABLE,
        NoReplyKind.NO_FILLING,
        NoReplyKind.UNDECIDED,
    }
)
"""Why asking this model once more would not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoReply:
    """There is no reply, and why: an outcome like any other, not an exception. ``message`` is for a person."""

    kind: NoReplyKind
    message: str
    usage: Usage = Usage()
    seconds: float = 0.0
    attempts: int = 1


Answer: TypeAlias = Reply | NoReply


def estimated(request: Request, text: str) -> Usage:
    """The usage where nobody counted tokens."""
    asked = sum(len(message.text) for message in request.messages)
    return Usage(-(-asked // CHARS_PER_TOKEN), -(-len(text) // CHARS_PER_TOKEN), estimated=True)


def canonical(value: Any) -> str:
    """Plain values as the one JSON text that is hashed."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
