"""The page of a run of ``solve``: the best candidate with its verdict, and round by round how it came about."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from neurosym.attempts import Attempt
from neurosym.generators import Message, Reply
from neurosym.reports.live import stored
from neurosym.reports.page.rendering import rendered
from neurosym.reports.solve_words import say_answer, say_effort, say_found, say_step, say_stopped
from neurosym.solving.result import Round, SolveResult

_MOST_LINES = 400
_MOST_CHARS = 400
_MOST_COMPARED = 4_000


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text. ``kind``: ``add`` or ``gone`` against the candidate before, ``place`` for where that is."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A text with a heading; ``more``: how many lines are left out."""

    heading: str
    lines: tuple[Line, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt: its verdict in a word (empty where it has none), what was found, and its text."""

    name: str
    verdict: str
    found: str
    facts: tuple[str, ...]
    answer: tuple[str, ...]
    text: Shown | None


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round: who was asked and how, what was said of the candidate before (nothing where it began anew)."""

    number: int
    said: str
    told: Shown | None
    tried: tuple[Tried, ...]


def solve_html(result: SolveResult) -> str:
    """The page."""
    return rendered(
        "solve.html",
        result=stored(result.as_verified),
        rounds=[_round(result, each, result.rounds[:place]) for place, each in enumerate(result.rounds)],
        first=[_message(each) for each in _first(result)],
        stopped=say_stopped(result),
        effort=say_effort(result),
        models=result.models,
        generator=result.generator,
        template=result.template,
        best=_where(result),
    )


def _where(result: SolveResult) -> str:
    """In which round the best candidate came."""
    return "" if result.best is None else result.best.name


def _first(result: SolveResult) -> Sequence[Message]:
    return result.rounds[0].attempts[0].asked.request.messages if result.rounds else ()


def _message(message: Message) -> Shown:
    return _cut(message.role, [Line("", line) for line in message.text.splitlines()])


def _round(result: SolveResult, round_: Round, earlier: Sequence[Round]) -> RoundShown:
    told_about = _told_about(round_, earlier)
    told = None
    if told_about is not None:
        *_, last = round_.attempts[0].asked.request.messages
        told = _cut(f"What it was told about {told_about.asked.name}", [Line("", e) for e in last.text.splitlines()])
    tried = tuple(_tried(result, each, round_, told_about) for each in round_.attempts)
    return RoundShown(round_.number, say_step(round_.step, len(round_.attempts)), told, tried)


def _told_about(round_: Round, earlier: Sequence[Round]) -> Attempt | None:
    """The attempt that this round is to mend: the reply in the conversation that is sent."""
    messages = round_.attempts[0].asked.request.messages
    if not earlier or len(messages) < 2 or messages[-2].role != "assistant":
        return None
    attempts = [each for round_ in earlier for each in round_.attempts]
    told = (a for a in reversed(attempts) if isinstance(a.answer, Reply) and a.answer.text == messages[-2].text)
    return next(told, None)


def _tried(result: SolveResult, attempt: Attempt, round_: Round, before: Attempt | None) -> Tried:
    found, said = attempt.result, attempt.feedback
    return Tried(
        attempt.asked.name,
        found.standing.value if found else "",
        say_found(attempt, result.require) if isinstance(attempt.answer, Reply) else "",
        said.facts if said else (),
        tuple(say_answer(attempt, round_.step)[1:]),
        _text(attempt, before),
    )


def _text(attempt: Attempt, before: Attempt | None) -> Shown | None:
    """What a candidate is, or against the one that it is to mend what is new in it; none where it was not judged."""
    if attempt.result is None:
        return None
    lines = _program(attempt)
    old = [] if before is None else _program(before)
    if before is None or len(lines) + len(old) > _MOST_COMPARED:
        return _cut("The candidate", [Line("", line) for line in lines])
    changes = [*difflib.unified_diff(old, lines, lineterm="")][2:]
    heading = f"What changed since {before.asked.name}"
    return _cut(heading if changes else f"{heading}: nothing", [_change(each) for each in changes])


def _program(attempt: Attempt) -> list[str]:
    """The text that was judged, else the reply as it came."""
    judged = attempt.result.source if attempt.result else None
    reply = attempt.answer.text if isinstance(attempt.answer, Reply) else ""
    return (judged.text if judged else reply).rstrip().splitlines()


def _change(line: str) -> Line:
    kinds = {"+": "add", "-": "gone", "@": "place"}
    return Line(kinds.get(line[:1], ""), line)


def _cut(heading: str, lines: Sequence[Line]) -> Shown:
    shown = tuple(Line(each.kind, each.text[:_MOST_CHARS]) for each in lines[:_MOST_LINES])
    return Shown(heading, shown, max(0, len(lines) - _MOST_LINES))
