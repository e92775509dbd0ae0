"""A run of ``solve`` in words: who was asked how, what came, what was found of it, and why it ended."""

from __future__ import annotations

from decimal import Decimal

from neurosym.admission import Admission, Required
from neurosym.attempts import Attempt
from neurosym.generators import NoReply, Reply, Request
from neurosym.generators.constraint import Held
from neurosym.result import ToolFault
from neurosym.solving.budget import Spent, StopReason
from neurosym.solving.ladder import Move, Step
from neurosym.solving.result import SolveResult

_MOVES = {
    Move.FIRST: "asked",
    Move.REPAIR: "told what is wrong",
    Move.FRESH: "asked afresh",
    Move.HOTTER: "asked afresh at a higher temperature",
    Move.NEXT_MODEL: "the next model, asked",
    Move.SKETCH: "completing the sketch",
}
_STOPS = {
    StopReason.ACCEPTED: "accepted",
    StopReason.SPEC_FAULT: "nobody was asked: the spec contradicts itself",
    StopReason.NO_MODEL: "no model gave a reply; neurosym explain NS802 says what can be done",
    StopReason.NO_PROGRESS: "not accepted: the same failures came again in spite of fresh starts, and there is no "
    "further model (--model names more, --template another prompt)",
    StopReason.NO_FILLING: "not accepted: no values for the holes of the sketch were found",
    StopReason.UNDECIDED: "not decided: the spec allows several values in the holes of the sketch; write the answer to "
    "the question above into it, as an [[example]]",
    StopReason.ROUNDS: "not accepted: the rounds are spent; --max-rounds allows more",
    StopReason.TOKENS: "not accepted: the tokens are spent; --max-tokens allows more",
    StopReason.MONEY: "not accepted: the money is spent; --max-usd allows more",
    StopReason.TIME: "not accepted: the time is spent; --max-seconds allows more",
}
_UNPRICED = "not accepted: what an answer cost is not known, so that no more is spent; --price says it"
_HELD = {
    Held.NOT_ASKED: "not held to a form: this generator offers none",
    Held.GRAMMAR: "held to a grammar by the endpoint",
    Held.SCHEMA: "held to a JSON schema by the endpoint",
    Held.IGNORED: "not held to a form: the endpoint took the field and passed over it",
    Held.NOT_OFFERED: "not held to a form: the endpoint offers neither grammar nor schema",
}


def say_step(step: Step, samples: int) -> str:
    """Whom a round asks, and how."""
    several = f", {samples} samples" if samples > 1 else ""
    at = "" if step.move is Move.SKETCH else f" (temperature {step.temperature:g})"
    return f"{step.model} {_MOVES[step.move]}{several}{at}"


def say_answer(attempt: Attempt, step: Step) -> list[str]:
    """``reply`` or ``no reply``, then what is to be said of it, sentence by sentence."""
    answer = attempt.answer
    about = "about " if answer.usage.estimated else ""
    took = f"{about}{answer.usage.tokens:,} tokens, {answer.seconds:.2f} s"
    tries = f", {answer.attempts} attempts" if answer.attempts > 1 else ""
    match answer:
        case NoReply():
            return ["no reply", f"{answer.kind.value}: {answer.message} ({took}{tries})"]
        case Reply():
            cut = " (cut off at its longest)" if answer.cut else ""
            held = say_held(attempt.asked.request, answer)
            other = "" if answer.model.startswith(step.model) else f"{answer.model} says that it answered"
            return ["reply", f"{took}{tries}{cut}", *filter(None, (held, other))]


def say_found(attempt: Attempt, require: Required) -> str:
    """What was found of a reply, in a sentence."""
    result, said = attempt.result, attempt.feedback
    if result is None:
        return "not judged: like another sample, or another one was accepted"
    if said is None:
        admitted = result.admission(require) is Admission.ADMITTED
        return "accepted" if admitted else _why_nothing(attempt)
    code = f"[{said.code} {said.failure.value}] " if said.failure else ""
    return f"{code}{said.headline}"


def say_stopped(result: SolveResult) -> str:
    """Why a run ended."""
    if result.stopped is StopReason.ACCEPTED:
        return f"accepted at the level {result.require.value}"
    if result.stopped is StopReason.MONEY and result.spent.unpriced:
        return _UNPRICED
    return _STOPS[result.stopped]


def say_effort(result: SolveResult) -> str:
    """What it took: rounds, tokens, money."""
    return f"{many(len(result.rounds), 'round')}, {say_spent(result.spent)}"


def say_held(request: Request, reply: Reply) -> str:
    """Whether a reply that was to be held to a form was; empty where it was not to be."""
    return _HELD[reply.held] if request.constraint is not None else ""


def say_spent(spent: Spent) -> str:
    """Tokens and money in words; what is a guess, or not known, is said to be."""
    tokens = f"{'about ' if spent.estimated else ''}{spent.tokens:,} tokens"
    if not spent.unpriced:
        return f"{tokens} for {_dollars(spent.usd)}"
    return f"{tokens} (price not known)" if not spent.usd else f"{tokens} for more than {_dollars(spent.usd)}"


def _dollars(amount: Decimal) -> str:
    return f"{amount:.2f} USD" if amount == round(amount, 2) else f"{amount:.4f} USD"


def many(count: int, what: str) -> str:
    """``3 rounds``."""
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def _why_nothing(attempt: Attempt) -> str:
    match attempt.result and attempt.result.outcome:
        case ToolFault(message):
            return f"[NS901] this tool failed: {message}"
        case _:
            return "nothing is known of it"
