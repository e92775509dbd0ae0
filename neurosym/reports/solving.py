"""A run of ``solve``: for a person at a terminal, round by round, and for a machine as one document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from neurosym_verifiers.bench import Effort

from neurosym.admission import Required
from neurosym.attempts import Attempt
from neurosym.events import (
    CandidateFinished,
    Event,
    RoundFinished,
    RoundStarted,
    SolveFinished,
    SolveStarted,
    SpecChecked,
    Started,
)
from neurosym.generators import NoReply, Reply, Request
from neurosym.generators.constraint import Held
from neurosym.reports.console import ConsoleReport
from neurosym.reports.json import Document, document_of, dump
from neurosym.reports.solve_words import many, say_answer, say_effort, say_found, say_step, say_stopped
from neurosym.result import CandidateResult, Judged
from neurosym.safe_text import safe_text
from neurosym.solving.budget import Price, StopReason, cost_of
from neurosym.solving.ladder import Step
from neurosym.solving.result import SolveResult

SCHEMA_VERSION = 1

_FACTS_SHOWN = 3
_LINES_SHOWN = 200


class SolveReport(ConsoleReport):
    """Listens, and prints what each round came to, and at the end the best candidate with its verdict."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._step: Step | None = None
        self._effort = Effort()
        self._require = Required.TESTED

    def __call__(self, event: Event) -> None:
        match event:
            case SolveStarted():
                self._effort, self._require = event.effort, event.require
                super().__call__(Started(event.spec, event.effort, event.require, ()))
                models = ", then ".join(event.plan.models)
                through = "" if event.plan.models == (event.plan.generator,) else f" through {event.plan.generator}"
                rounds = event.plan.budget.rounds
                last = "" if event.plan.sketch is None else ", then a sketch"
                asked = f"asking {models}{through}{last}, at most {many(rounds, 'round')}"
                self._paragraph(f"{asked}, template {event.plan.template.name}", 2)
            case SpecChecked():
                super().__call__(event)
            case RoundStarted(_, step, _):
                self._step = step
            case RoundFinished(number, attempts):
                self._round(number, attempts)
            case SolveFinished(result):
                self._ended(result)
            case _:
                pass

    def _round(self, number: int, attempts: tuple[Attempt, ...]) -> None:
        step = self._step
        assert step is not None
        self._line()
        self._paragraph(f"round {number}: {say_step(step, len(attempts))}", 0, hanging=2, style="bold")
        for attempt in attempts:
            self._attempt(attempt, step)

    def _attempt(self, attempt: Attempt, step: Step) -> None:
        label, *lines = say_answer(attempt, step)
        for line in lines:
            self._labelled(label, line)
            label = ""
        if isinstance(attempt.answer, Reply):
            self._found(attempt)

    def _found(self, attempt: Attempt) -> None:
        self._labelled(attempt.result.standing.value if attempt.result else "", say_found(attempt, self._require))
        for fact in attempt.feedback.facts[:_FACTS_SHOWN] if attempt.feedback else ():
            self._labelled("", fact)

    def _ended(self, result: SolveResult) -> None:
        if result.spec_fault is not None:
            return  # it was shown when it was found, with what to do
        if result.best is not None:
            if result.stopped is not StopReason.ACCEPTED:
                self._line()
                self._paragraph("The best candidate so far, which is not accepted:", 0)
            super().__call__(CandidateFinished(result.best))
            self._program(result.best)
        self._line()
        self._paragraph(f"{say_stopped(result)} (exit {result.exit_code})", 0, hanging=2)
        self._paragraph(f"{say_effort(result)}, {result.seconds:.2f} s", 0, hanging=2)

    def _program(self, best: CandidateResult) -> None:
        """What was judged, to be read; ``--write`` is for keeping it."""
        if best.source is None or not isinstance(best.outcome, Judged):
            return
        lines = best.source.text.strip().splitlines()
        self._line()
        self._paragraph(f"What was judged (sha256 {best.sha256[:16]}…):", 2)
        for line in lines[:_LINES_SHOWN]:
            self._line(f"    {safe_text(line, limit=400)}".rstrip())
        if len(lines) > _LINES_SHOWN:
            self._paragraph(f"and {len(lines) - _LINES_SHOWN:,} more lines (--write or --json has them all)", 2)


class SolveJson:
    """Listens, and writes one document when the run is over; ``docs/json.md`` describes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: Event) -> None:
        if isinstance(event, SolveFinished):
            self._stream.write(dump(solve_document(event.result)) + "\n")


def solve_document(result: SolveResult) -> Document:
    """The whole of a run as plain values; the best candidate as in the document of ``verify``."""
    verified = document_of(result.as_verified)
    best = verified.pop("candidates")
    budget, spent = result.budget, result.spent
    return {
        **verified,
        "schema_version": SCHEMA_VERSION,
        "kind": "solve",
        "generator": result.generator,
        "models": list(result.models),
        "template": {"name": result.template.name, "sha256": result.template.sha256},
        "budget": {
            "rounds": budget.rounds,
            "tokens": budget.tokens,
            "usd": None if budget.usd is None else str(budget.usd),
            "seconds": budget.seconds,
        },
        "spent": {
            "rounds": spent.rounds,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "estimated": spent.estimated,
            "usd": str(spent.usd),
            "unpriced_answers": spent.unpriced,
            "seconds": round(result.seconds, 4),
        },
        "rounds": [
            {
                "number": each.number,
                "move": each.step.move.value,
                "model": each.step.model,
                "temperature": each.step.temperature,
                "attempts": [plain_attempt(attempt, spent.prices, result.require) for attempt in each.attempts],
            }
            for each in result.rounds
        ],
        "best": best[0] if best else None,
        "code": result.best.source.text if result.best is not None and result.best.source is not None else None,
        "stopped": result.stopped.value,
        "exit_code": result.exit_code,
    }


def plain_attempt(attempt: Attempt, prices: Mapping[str, Price], require: Required = Required.TESTED) -> Document:
    """One question, its answer and what is known of it, as plain values."""
    answer, found, said = attempt.answer, attempt.result, attempt.feedback
    cost = cost_of(answer.usage, prices.get(attempt.asked.request.model))
    return {
        "name": attempt.asked.name,
        "request_sha256": attempt.asked.request.sha256,
        "reply": _plain_reply(attempt.asked.request, answer) if isinstance(answer, Reply) else None,
        "no_reply": {"kind": answer.kind.value, "message": answer.message} if isinstance(answer, NoReply) else None,
        "usage": {
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
            "estimated": answer.usage.estimated,
            "usd": None if cost is None else str(cost),
        },
        "seconds": round(answer.seconds, 4),
        "attempts": answer.attempts,
        "verdict": found and found.standing.value,
        "admission": found and found.admission(require).value,
        "sha256": found and found.sha256,
        "feedback": said
        and {
            "class": said.failure and said.failure.value,
            "code": said.code,
            "signature": said.signature,
            "headline": said.headline,
            "facts": list(said.facts),
            "keep": said.keep,
        },
    }


def _plain_reply(request: Request, reply: Reply) -> Document:
    held = {} if request.constraint is None else {"held": reply.held.value or Held.NOT_OFFERED.value}
    return {"model": reply.model, "text": reply.text, "cut": reply.cut, **held}
