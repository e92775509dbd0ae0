"""What an endpoint sends, as it comes: gathered into one answer, and kept within bounds of size and time."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from neurosym.generators.request import (
    MOST_CHARS,
    Answer,
    NoReply,
    NoReplyKind,
    OnProgress,
    Reply,
    Request,
    Usage,
    estimated,
)
from neurosym.generators.retrying import Again, Clock

_MOST_BYTES = 8 * MOST_CHARS
"""A longer line, event or error is nothing that an endpoint says: it is not read to its end."""

_BLANK_LINES = (b"\n\n", b"\r\r", b"\r\n\r\n")
"""What ends an event of a stream."""


class Heard:
    """What has come of one reply so far. ``abandoned``: nobody waits for the rest any more."""

    def __init__(self, request: Request, clock: Clock, left_s: float, on_progress: OnProgress) -> None:
        self._request, self._clock, self._on_progress = request, clock, on_progress
        self._since = clock.now()
        self.left_s = left_s
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._finish: str | None = None
        self._model = ""
        self._usage: Usage | None = None
        self._first_s: float | None = None
        self._choices = False
        self.chars = 0
        self.abandoned = False

    @property
    def begun(self) -> bool:
        return self._choices

    @property
    def is_late(self) -> bool:
        return self.abandoned or self._clock.now() - self._since > self.left_s

    def take(self, chunk: Any) -> None:
        """Takes a chunk as the endpoint sent it: the package checks none of it."""
        self._model = self._model or str(getattr(chunk, "model", None) or "")
        if getattr(chunk, "usage", None) is not None:
            self._usage = _usage(chunk.usage)
        for choice in (getattr(chunk, "choices", None) or ())[:1]:
            self._choices = True
            self._finish = choice.finish_reason or self._finish
            if choice.delta is None:
                continue
            if refusal := getattr(choice.delta, "refusal", None):
                self._refusals.append(str(refusal))
            if text := choice.delta.content:
                if self._first_s is None:
                    self._first_s = self._clock.now() - self._since
                self._texts.append(str(text))
                self.chars += len(text)
                if not self.abandoned:
                    self._on_progress("characters of the reply", self.chars)

    def answer(self) -> Answer | Again:
        text = "".join(self._texts)
        if self._refusals or self._finish == "content_filter":
            why = "".join(self._refusals) or "the endpoint's filter stopped it"
            return no_reply(NoReplyKind.REFUSED, f"the model declined: {why}", self._spent(text))
        if self._finish is None and self._choices:
            return self.broken_off()
        if not text.strip():
            what = "an empty text" if self._choices else "no choice"
            return no_reply(NoReplyKind.EMPTY, f"the endpoint answered with {what}", self._spent(text))
        return Reply(
            text=text,
            model=self._model or self._request.model,
            usage=self._spent(text),
            cut=self._finish == "length",
            first_s=self._first_s,
        )

    def late(self) -> NoReply:
        said = f"no whole reply in {self.left_s:.0f} s ({self.chars:,} characters came)"
        return no_reply(NoReplyKind.TIMEOUT, said, self._spent("".join(self._texts)))

    def broken_off(self) -> Again:
        said = f"the reply broke off after {self.chars:,} characters"
        return Again(no_reply(NoReplyKind.CUT_OFF, said, self._spent("".join(self._texts))))

    def malformed(self, why: str) -> NoReply:
        said = f"what the endpoint sent is no chat completion: {why}"
        return no_reply(NoReplyKind.MALFORMED, said, self._spent("".join(self._texts)))

    def _spent(self, text: str) -> Usage:
        return self._usage or estimated(self._request, text)


def no_reply(kind: NoReplyKind, message: str, usage: Usage | None = None) -> NoReply:
    """No reply, said in at most 400 characters."""
    return NoReply(kind=kind, message=message[:400], usage=usage or Usage())


def bound(response: Any) -> None:
    """Has a response end with a ``ValueError`` where a line, an event or an error in it is out of all proportion.

    Bytes are counted behind their decompression. ``Any``: the transport is another package by the version of openai.
    """
    read = response.iter_bytes
    is_stream = response.status_code < 400

    def bounded(*args: Any, **options: Any) -> Iterator[bytes]:
        count, end = 0, b""
        for piece in read(*args, **options):
            end += piece
            count = 0 if is_stream and any(blank in end for blank in _BLANK_LINES) else count + len(piece)
            if count > _MOST_BYTES:
                raise ValueError(f"more than {_MOST_BYTES:,} bytes in one piece")
            yield piece
            end = end[-3:]

    response.iter_bytes = bounded


def _usage(given: Any) -> Usage:
    """What the endpoint counted; some name the price too."""
    cost = getattr(given, "cost", None)
    try:
        cost_usd = None if cost is None or isinstance(cost, bool) else Decimal(str(cost))
    except InvalidOperation:
        cost_usd = None
    if cost_usd is not None and not (cost_usd.is_finite() and cost_usd >= 0):
        cost_usd = None
    return Usage(max(int(given.prompt_tokens or 0), 0), max(int(given.completion_tokens or 0), 0), cost_usd)
