"""The loop: what is asked next, what ends it, and that the best candidate so far comes back whatever ended it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from neurosym import Effort, Judged, Rejected, Spec, Standing, events
from neurosym.generators import (
    NoReply,
    NoReplyKind,
    Recording,
    Reply,
    Request,
    Scripted,
    Settings,
    Usage,
    open_generator,
)
from neurosym.generators.endpoint import Endpoint
from neurosym.generators.local_server import Fault, LocalServer, Said, Turn
from neurosym.generators.scripted import Line
from neurosym.reports.json import document_of
from neurosym.solving.budget import Price, StopReason
from neurosym.solving.ladder import Ladder, Move, Step
from neurosym.solving.loop import solve
from neurosym.solving.result import SolveResult
from tests.cli.shared import RIGHT

EFFORT = Effort(examples=50, time_limit_s=60.0, proof=False)


def reply(code: str) -> str:
    return f"Here it is.\n\n```python\n{code.strip()}\n```\n"


GOOD = reply(RIGHT)
EARLY = reply(RIGHT.replace("<= 10", "< 10"))
LATE = reply(RIGHT.replace("<= 10", "<= 11"))
CAP = reply(RIGHT.replace("75.00", "80.00"))
BROKEN = reply("def late_fee(balance, days_overdue:\n    pass")
TALK = "I would rather talk about the weather."


def run(spec: Spec, script: Iterable[Line], *models: str, **options: Any) -> tuple[SolveResult, Scripted]:
    generator = Scripted(script)
    chosen: dict[str, Any] = {"effort": EFFORT} | options
    return solve(spec, generator, *(models or ("m",)), **chosen), generator


def moves(result: SolveResult) -> list[tuple[str, str, float]]:
    return [(each.step.move.value, each.step.model, each.step.temperature) for each in result.rounds]


def test_a_right_reply_ends_it_at_once(spec: Spec) -> None:
    result, generator = run(spec, [GOOD])
    assert (result.stopped, result.exit_code) == (StopReason.ACCEPTED, 0)
    assert result.best is not None
    assert result.best.standing is Standing.TESTED
    assert len(generator.requests) == 1
    assert [message.role for message in generator.requests[0].messages] == ["system", "user", "assistant", "user"]


def test_a_failure_is_told_to_the_one_who_made_it(spec: Spec) -> None:
    result, generator = run(spec, [EARLY, GOOD])
    assert (result.stopped, moves(result)) == (StopReason.ACCEPTED, [("first", "m", 0.2), ("repair", "m", 0.2)])
    *first, said, told = generator.requests[1].messages
    assert tuple(first) == generator.requests[0].messages
    assert said.text == EARLY
    assert 'late_fee(Decimal("0.00"), 10)' in told.text
    assert "expected: 0.00 USD" in told.text
    assert "0.015" not in told.text


def test_the_same_failure_twice_leads_up_the_ladder(spec: Spec) -> None:
    result, generator = run(spec, [EARLY] * 20, "small", "large", rounds=20)
    assert moves(result) == [
        ("first", "small", 0.2),
        ("repair", "small", 0.2),
        ("fresh", "small", 0.2),
        ("hotter", "small", 0.8),
        ("next model", "large", 0.2),
        ("repair", "large", 0.2),
        ("fresh", "large", 0.2),
        ("hotter", "large", 0.8),
    ]
    assert result.stopped is StopReason.NO_PROGRESS
    assert result.exit_code == 1
    assert generator.requests[2].messages == generator.requests[0].messages
    assert len({request.sha256 for request in generator.requests}) == len(generator.requests)


def test_another_failure_is_repaired_again(spec: Spec) -> None:
    result, _ = run(spec, [BROKEN, EARLY, CAP, GOOD])
    assert [move for move, _, _ in moves(result)] == ["first", "repair", "repair", "repair"]
    assert result.stopped is StopReason.ACCEPTED


def test_the_best_candidate_so_far_comes_back(spec: Spec) -> None:
    result, _ = run(spec, [BROKEN, EARLY, TALK, BROKEN], rounds=4)
    assert result.stopped is StopReason.ROUNDS
    assert result.best is not None
    assert (result.best.name, result.best.standing) == ("round 2", Standing.REFUTED)
    assert isinstance(result.best.outcome, Judged)


@pytest.mark.parametrize(
    ("options", "reason", "rounds"),
    [
        ({"rounds": 2}, StopReason.ROUNDS, 2),
        ({"tokens": 1}, StopReason.TOKENS, 1),
        ({"usd": Decimal("0.001"), "prices": {"m": Price(Decimal(10), Decimal(30))}}, StopReason.MONEY, 1),
        ({"usd": Decimal(1_000_000)}, StopReason.MONEY, 1),  # nobody knows what the answer cost
        ({"seconds": 0.0}, StopReason.TIME, 0),
    ],
)
def test_each_budget_ends_it(spec: Spec, options: dict[str, Any], reason: StopReason, rounds: int) -> None:
    result, _ = run(spec, [EARLY, CAP, LATE, EARLY, CAP], **options)
    assert (result.stopped, len(result.rounds)) == (reason, rounds)
    assert (result.best is None) == (rounds == 0)


def test_a_budget_of_tokens_limits_the_next_reply(spec: Spec) -> None:
    usage = Usage(100, 300)
    _, generator = run(spec, [Reply(text=EARLY, model="m", usage=usage), GOOD], tokens=1_000)
    assert [request.max_tokens for request in generator.requests] == [1_000, 600]


def test_money_is_counted_by_price_and_by_what_the_endpoint_says(spec: Spec) -> None:
    script = [
        Reply(text=EARLY, model="m", usage=Usage(1_000, 2_000)),
        Reply(text=GOOD, model="m", usage=Usage(1_000, 2_000, Decimal("0.5"))),
    ]
    result, _ = run(spec, script, prices={"m": Price(Decimal("1.00"), Decimal("2.00"))})
    assert result.spent.usd == Decimal("0.005") + Decimal("0.5")
    assert (result.spent.tokens, result.spent.unpriced) == (6_000, 0)


def test_no_reply_is_a_round_and_a_model_that_is_gone_is_left_at_once(spec: Spec) -> None:
    refused = NoReply(kind=NoReplyKind.REFUSED, message="no")
    gone = NoReply(kind=NoReplyKind.UNKNOWN_MODEL, message="there is none")
    result, _ = run(spec, [refused, gone, GOOD], "a", "b")
    assert moves(result) == [("first", "a", 0.2), ("fresh", "a", 0.2), ("next model", "b", 0.2)]
    assert result.stopped is StopReason.ACCEPTED


def test_where_no_model_answers_the_environment_is_at_fault(spec: Spec) -> None:
    gone = NoReply(kind=NoReplyKind.UNAVAILABLE, message="busy")
    result, _ = run(spec, [gone, gone], "a", "b")
    assert (result.stopped, result.exit_code, result.best) == (StopReason.NO_MODEL, 4, None)


def test_nobody_is_asked_about_a_spec_that_contradicts_itself(spec_path: Path) -> None:
    spec_path.write_text(spec_path.read_text().replace('out = "15.00"', 'out = "16.00"'))
    result, generator = run(spec_path, [GOOD])  # type: ignore[arg-type]  # a path is one as well
    assert (result.stopped, result.exit_code, generator.requests) == (StopReason.SPEC_FAULT, 2, [])


def test_of_several_samples_those_that_pass_the_gate_are_run_first(spec: Spec) -> None:
    heard: list[events.Event] = []
    result, generator = run(spec, [BROKEN, TALK, GOOD, EARLY], samples=4, listener=heard.append)
    (only,) = result.rounds
    by_text = {attempt.answer.text: attempt for attempt in only.attempts if isinstance(attempt.answer, Reply)}
    assert by_text[BROKEN].result is None
    assert by_text[TALK].result is None
    assert result.stopped is StopReason.ACCEPTED
    assert len(generator.requests) == 4
    assert len({request.sha256 for request in generator.requests}) == 4
    finished = [event.result for event in heard if isinstance(event, events.CandidateFinished)]
    assert 1 <= len(finished) <= 2  # the right one, and the wrong one if that came before it


def test_equal_samples_are_judged_once_and_the_best_leads(spec: Spec) -> None:
    result, generator = run(spec, [BROKEN, EARLY, EARLY, GOOD], samples=3)
    first, second = result.rounds
    assert sum(attempt.result is not None for attempt in first.attempts) == 2
    assert second.step.move is Move.REPAIR
    assert generator.requests[3].messages[-2].text == EARLY


def test_what_is_required_to_be_proved_is_asked_for_more_plainly(spec: Spec) -> None:
    result, generator = run(spec, [GOOD, GOOD], require="proved", rounds=2)
    assert (result.stopped, result.exit_code) == (StopReason.ROUNDS, 3)
    assert "Nothing wrong was found" in generator.requests[1].messages[-1].text


def test_the_ladder_needs_someone_to_ask() -> None:
    with pytest.raises(ValueError, match="at least one model"):
        Ladder([], [0.2])


def test_a_failure_that_nothing_can_be_said_of_is_tried_afresh() -> None:
    ladder = Ladder(["m"], [0.2])
    assert ladder.after("x", can_repair=False) == Step(Move.FRESH, "m", 0.2)
    assert ladder.after("x", can_repair=False) == Step(Move.FRESH, "m", 0.2)
    assert ladder.after("x", can_repair=False) is None


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_times(v) for k, v in value.items() if not k.endswith(("seconds", "_bytes"))}
    return [_without_times(each) for each in value] if isinstance(value, list) else value


def test_over_http_with_every_kind_of_bad_turn_and_replayed_to_the_same_verdicts(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    two_blocks = f"{EARLY}\nOr, better:\n\n{CAP}"
    script: list[Turn] = [
        Fault.BUSY,
        TALK,
        Fault.REFUSED,
        two_blocks,
        Fault.CUT_OFF,
        Said(EARLY[:120], finish="length"),
        Fault.NO_CHOICE,
        Said(EARLY, model="another"),
        Fault.OVERLOADED,
        GOOD,
    ]
    tape = tmp_path / "tape.jsonl"
    with LocalServer(script) as server:
        recording = Recording(Endpoint(Settings(base_url=server.base_url)), str(tape))
        monkeypatch.setattr("time.sleep", lambda _: None)
        result = solve(spec, recording, "m", effort=EFFORT, rounds=20)
        recording.close()
    assert result.stopped is StopReason.ACCEPTED
    kinds = [
        attempt.answer.kind.value if isinstance(attempt.answer, NoReply) else attempt.feedback and attempt.feedback.code
        for each in result.rounds
        for attempt in each.attempts
    ]
    assert kinds == ["NS215", "refused", "NS214", kinds[3], "empty", "NS510", None]
    assert str(kinds[3]).startswith("NS2")
    models = [a.answer.model for r in result.rounds for a in r.attempts if isinstance(a.answer, Reply)]
    assert models.count("another") == 1

    replay = open_generator("cassette", Settings(cassette=str(tape)))
    again = solve(spec, replay, "m", effort=EFFORT, rounds=20)

    def verdicts(of: SolveResult) -> list[str]:
        found = [a.result for each in of.rounds for a in each.attempts if a.result is not None]
        return [json.dumps(_without_times(document_of(of.as_verified)), sort_keys=True)] + [
            repr((each.standing, each.sha256, each.outcome.diagnostics if isinstance(each.outcome, Rejected) else ""))
            for each in found
        ]

    assert verdicts(again) == verdicts(result)
    assert moves(again) == moves(result)


def test_a_script_that_answers_by_what_it_is_told(spec: Spec) -> None:
    def learner(request: Request) -> str:
        return GOOD if "expected: 0.00 USD" in request.messages[-1].text else EARLY

    result, _ = run(spec, [learner] * 3)
    assert (result.stopped, len(result.rounds)) == (StopReason.ACCEPTED, 2)
