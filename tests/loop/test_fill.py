"""Sketches with holes: filled by the reading and Z3 or by trying, never trusted, and a question where several fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.sketch_reader import read_sketch
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.synthesis.likely import by_rank
from neurosym_verifiers.synthesis.proposing import Proposed, propose

from neurosym import Effort, Source, Spec, Standing
from neurosym.filling.completing import BY_READING, BY_TRYING, complete
from neurosym.filling.fill import fill
from neurosym.filling.result import Completion, Settled
from neurosym.generators import NoReply, NoReplyKind, Scripted
from neurosym.generators.conformance import REQUEST, breaches
from neurosym.generators.holes import Holes
from neurosym.generators.seam import silent
from neurosym.pipeline import judge
from neurosym.solving.budget import StopReason
from neurosym.solving.ladder import Ladder, Move
from neurosym.solving.loop import solve
from tests.cli.shared import RIGHT, Neurosym

QUICK = Effort(examples=20, time_limit_s=60.0, proof=False)
WHOLE = Effort(examples=20, time_limit_s=60.0)

FEE = """
spec = 1
name = "fee"
[inputs]
amount = { type = "int", min = 0, max = 1000 }
[output]
type = "int"
[[example]]
in = { amount = 100 }
out = 5
[[example]]
in = { amount = 0 }
out = 5
[[hole]]
name = "limit"
type = "int"
min = 0
max = 1000
[[hole]]
name = "low"
type = "int"
min = 0
max = 100
"""
AMBIGUOUS = """
def fee(amount: int) -> int:
    if amount <= hole("limit"):
        return hole("low")
    return 9
"""

SHARE = """
spec = 1
name = "share"
[inputs]
amount = { type = "int", min = 0, max = 100000 }
kind = { type = "enum", class = "Kind", choices = ["RETAIL", "CORPORATE"] }
day = { type = "date", min = 2020-01-01, max = 2029-12-31 }
[output]
type = "int"
[reference]
value = "(amount * 3 // 100 if kind == 'CORPORATE' else amount // 20) if day < date(2024, 7, 1) else amount // 10"
"""
SHARED = """
from datetime import date
import json

def share(amount: int, kind: Kind, day: date) -> int:
    if hole("late", between=(day, hole("start", "date"))):
        percent = hole("p", "int", (0, 100)) if (kind is Kind.CORPORATE) is hole("flag", "bool") else 5
        return amount * percent // 100
    return RESULT
"""

TWICE = """
spec = 1
name = "scale"
[inputs]
a = { type = "int", min = 0, max = 1000 }
[output]
type = "int"
[[relation]]
id = "twice gives twice"
runs = ["x", "y"]
given = "y.a == 2 * x.a"
that = "y.result == 2 * x.result"
[[example]]
in = { a = 10 }
out = 30
"""

SKETCH = RIGHT.replace('Decimal("0.015")', 'hole("rate", "decimal", (0, 1), places=4)').replace(
    "days_overdue <= 10", 'hole("late", between=(days_overdue, hole("grace", "int", (0, 60))))'
)


@pytest.fixture(scope="module")
def fee() -> Iterator[tuple[Spec, Bench]]:
    """Examples alone: hardly anything is decided."""
    spec = spec_from_toml(FEE)
    with Bench(spec, WHOLE) as bench:
        yield spec, bench


def completed(fee: tuple[Spec, Bench], text: str) -> Completion:
    spec, bench = fee
    return complete(spec, bench, read_sketch(text, spec, "sketch.py"))


@pytest.mark.slow
def test_a_sketch_is_filled_with_values_a_person_would_have_written_and_proved(spec: Spec) -> None:
    found = fill(spec, Source(SKETCH, "sketch.py"), effort=WHOLE)
    done = found.completion
    assert done is not None
    assert (done.standing, done.settled, found.exit_code) == (Standing.PROVED, Settled.BY_REFERENCE, 0)
    assert done.values["rate"] == 'Decimal("0.0150")'
    assert (done.values["late"], done.values["grace"]) in (("<=", "10"), ("<", "11"))
    assert (done.by, done.question) == (BY_READING, None)
    assert done.result is not None
    assert done.result.source is not None
    assert done.result.source.text == done.text
    assert "hole" not in done.text


def test_what_only_fits_the_examples_is_not_proved_and_leaves_a_question(fee: tuple[Spec, Bench]) -> None:
    done = completed(fee, AMBIGUOUS)
    assert (done.standing, done.settled, done.values["low"]) == (Standing.TESTED, Settled.OPEN, "5")
    assert done.question is not None
    limits = [int(done.values["limit"]), int(done.question.values["limit"])]
    amount = int(done.question.call.removeprefix("fee(").removesuffix(")"))
    assert [done.question.first, done.question.second] == ["5" if amount <= limit else "9" for limit in limits]
    assert done.question.first != done.question.second
    assert all(limit >= 100 for limit in limits)
    assert done.result is not None
    assert "NS562" in {note.code for note in done.result.notes}


def test_where_all_fillings_compute_the_same_it_may_be_proved(fee: tuple[Spec, Bench]) -> None:
    """Brute force is the oracle: of all fillings those that keep the examples give the same for every input."""
    text = "def fee(amount: int) -> int:\n    return hole('low') if amount <= 1000 else hole('limit')\n"
    done = completed(fee, text)
    assert (done.standing, done.settled) == (Standing.PROVED, Settled.NO_OTHER)
    fits = [(low, limit) for low, limit in product(range(101), (0, 7, 1000)) if low == 5]
    assert len({low for low, _ in fits}) == 1


def test_calls_that_no_values_get_right_are_named(fee: tuple[Spec, Bench]) -> None:
    done = completed(fee, "def fee(amount: int) -> int:\n    return hole('low') + amount\n")
    assert (done.result, done.by, done.why) == (
        None,
        BY_READING,
        "no values in the ranges of its holes fit, as the sketch is read",
    )
    assert done.unmet in (("fee(100) == 5",), ("fee(100) == 5", "fee(0) == 5"))


def test_a_sketch_that_is_not_read_is_filled_by_trying(fee: tuple[Spec, Bench]) -> None:
    text = "import json\n\ndef fee(amount: int) -> int:\n    return int(json.loads(str(hole('low')))) + 0 * amount\n"
    done = completed(fee, text)
    assert (done.values, done.settled) == ({"low": "5"}, Settled.NO_OTHER)
    assert done.by == f"{BY_TRYING} (not read: json.loads() at line 4)"
    assert done.standing is Standing.TESTED
    none = completed(fee, text.replace("+ 0 * amount", "+ amount"))
    assert (none.result, none.why) == (None, "no values in the ranges of its holes fit: all 101 were tried")


def test_a_proposal_is_never_trusted(fee: tuple[Spec, Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever proposes nonsense is refuted by real runs, and has to propose something else."""
    honest = propose
    lies = [{"low": 7, "limit": 500}, {"low": 5, "limit": 99}]

    def lying(*arguments: object, **more: object) -> object:
        return Proposed(lies.pop(0)) if lies else honest(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("neurosym.filling.completing.propose", lying)
    done = completed(fee, AMBIGUOUS)
    assert lies == []
    assert int(done.values["limit"]) >= 100
    assert (done.values["low"], done.standing) == ("5", Standing.TESTED)


@pytest.mark.slow
def test_enums_dates_and_booleans() -> None:
    share = spec_from_toml(SHARE)
    done = fill(share, Source(SHARED.replace("RESULT", "amount // 10"), "s.py"), effort=QUICK).completion
    assert done is not None
    assert (done.values["p"], done.values["flag"], done.by) == ("3", "True", BY_READING)
    assert (done.values["late"], done.values["start"]) in (("<", "date(2024, 7, 1)"), ("<=", "date(2024, 6, 30)"))


@pytest.mark.slow
def test_what_a_relation_breaks_is_asked_of_the_next_filling() -> None:
    scale = "def scale(a: int) -> int:\n    return a * hole('k', 'int', (0, 50)) + hole('d', 'int', (0, 50))\n"
    done = fill(spec_from_toml(TWICE), Source(scale, "scale.py"), effort=QUICK).completion
    assert done is not None
    assert (done.values, done.settled) == ({"k": "3", "d": "0"}, Settled.NO_OTHER)


def test_a_sketch_that_the_gate_turns_away_is_rejected_as_such(fee: tuple[Spec, Bench]) -> None:
    done = completed(fee, "import os\n\ndef fee(amount: int) -> int:\n    return hole('low')\n")
    assert done.standing is Standing.REJECTED


def test_what_is_not_known_of_a_second_filling_leaves_it_open(
    fee: tuple[Spec, Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A filling that nothing is known of is not ruled out: the first one is not the only one for that."""
    honest, judged = judge, []

    def ignorant(*arguments: Any, **more: Any) -> Any:
        judged.append(arguments)
        result = honest(*arguments, **more)
        return result if len(judged) == 1 else replace(result, standing=Standing.UNKNOWN)

    monkeypatch.setattr("neurosym.filling.completing.judge", ignorant)
    done = completed(fee, AMBIGUOUS)
    assert len(judged) > 1
    assert (done.standing, done.settled, done.question) == (Standing.TESTED, Settled.NOT_KNOWN, None)


def test_likelier_values_come_first() -> None:
    assert [*by_rank([2, 3])] == [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2)]


def test_the_command(neurosym: Neurosym, tmp_path: Path) -> None:
    spec, sketch, out = tmp_path / "fee.spec.toml", tmp_path / "fee.py", tmp_path / "filled.py"
    spec.write_text(FEE)
    sketch.write_text(AMBIGUOUS)
    options = ("--no-proof", "--examples", "20", "--time-limit", "60")
    ran = neurosym("fill", spec, sketch, "--write", out, *options)
    assert (ran.code, out.exists()) == (3, False)
    assert "The question is which is meant:\n    fee(" in ran.out
    assert "not decided: the spec allows both (exit 3)" in ran.out
    assert "nothing is written" in ran.err
    for line in ran.out.splitlines():
        assert len(line) <= 80 or str(sketch) in line
        assert line == line.rstrip()
    sketch.write_text("def fee(amount: int) -> int:\n    return hole('low')\n")
    ran = neurosym("fill", spec, sketch, "--json", "--write", out, *options)
    document = json.loads(ran.out)
    assert (ran.code, document["kind"], document["values"], document["exit_code"]) == (0, "fill", {"low": "5"}, 0)
    assert (document["decided"], document["question"], document["admission"]) == ("no_other", None, "admitted")
    assert document["candidate"]["verdict"] == "TESTED"
    assert out.read_text().endswith("def fee(amount: int) -> int:\n    return 5\n")


@pytest.mark.parametrize(
    ("text", "said"), [("def fee(amount): return 3\n", "it leaves nothing open"), (None, "there is no such file")]
)
def test_a_bad_sketch_is_exit_2(neurosym: Neurosym, tmp_path: Path, text: str | None, said: str) -> None:
    spec, sketch = tmp_path / "fee.spec.toml", tmp_path / "fee.py"
    spec.write_text(FEE)
    if text is not None:
        sketch.write_text(text)
    ran = neurosym("fill", spec, sketch)
    assert (ran.code, ran.out, said in ran.err, "(NS705)" in ran.err) == (2, "", True, True)


@pytest.mark.slow
def test_the_generator_replies_only_where_the_spec_decides(fee: tuple[Spec, Bench]) -> None:
    spec, bench = fee

    def asked(text: str) -> object:
        return Holes(spec, read_sketch(text, spec, "s.py"), bench).generate(REQUEST, timeout_s=60, on_progress=silent)

    undecided = asked(AMBIGUOUS)
    assert isinstance(undecided, NoReply)
    assert undecided.kind is NoReplyKind.UNDECIDED
    assert "is fee(" in undecided.message
    none = asked("def fee(amount: int) -> int:\n    return hole('low') + amount\n")
    assert isinstance(none, NoReply)
    assert (none.kind, none.message.endswith("fee(100) == 5")) == (NoReplyKind.NO_FILLING, True)
    only = read_sketch("def fee(amount: int) -> int:\n    return hole('low')\n", spec, "s.py")
    assert breaches(lambda: Holes(spec, only, bench)) == ()


def test_a_sketch_is_the_last_rung_of_the_ladder(fee: tuple[Spec, Bench]) -> None:
    ladder = Ladder(["m"], [0.2], "holes")
    assert ladder.after("a", can_repair=True).move is Move.REPAIR  # type: ignore[union-attr]
    assert ladder.after("a", can_repair=True).move is Move.FRESH  # type: ignore[union-attr]
    last = ladder.after("a", can_repair=True)
    assert last is not None
    assert (last.move, last.model) == (Move.SKETCH, "holes")
    assert ladder.after("new", can_repair=True) is None
    assert ladder.next_model() is None
    spec, _ = fee
    wrong = "```python\ndef fee(amount: int) -> int:\n    return 4\n```"
    right = Source("def fee(amount: int) -> int:\n    return hole('low')\n", "s.py")
    result = solve(spec, Scripted([wrong]), "m", sketch=right, effort=QUICK)
    assert [each.step.move for each in result.rounds] == [Move.FIRST, Move.REPAIR, Move.SKETCH]
    assert (result.stopped, result.exit_code) == (StopReason.ACCEPTED, 0)


@pytest.mark.slow
def test_solve_with_holes_alone(neurosym: Neurosym, tmp_path: Path) -> None:
    spec, sketch = tmp_path / "fee.spec.toml", tmp_path / "fee.py"
    spec.write_text(FEE)
    sketch.write_text(AMBIGUOUS)
    quick = ("--no-proof", "--examples", "20", "--time-limit", "60")
    ran = neurosym("solve", spec, "--generator", "holes", "--sketch", sketch, *quick)
    assert ran.code == 3
    assert "no reply undecided: the spec allows both: is fee(" in ran.out
    ran = neurosym("solve", spec, "--generator", "holes")
    assert (ran.code, "--sketch FILE" in ran.err) == (2, True)


@pytest.mark.slow
def test_a_filling_is_no_model_s_reply_to_be_learnt(neurosym: Neurosym, tmp_path: Path) -> None:
    spec, sketch, log = tmp_path / "fee.spec.toml", tmp_path / "fee.py", tmp_path / "run.jsonl"
    spec.write_text(FEE)
    sketch.write_text("def fee(amount: int) -> int:\n    return hole('low')\n")
    quick = ("--no-proof", "--examples", "20", "--time-limit", "60")
    assert neurosym("solve", spec, "--generator", "holes", "--sketch", sketch, "--log", log, *quick).code == 0
    (record,) = map(json.loads, neurosym("export", log, "--kind", "record").out.splitlines())
    assert (record["model"], record["candidate"]) == ("holes", "def fee(amount: int) -> int:\n    return 5\n")
    assert neurosym("export", log, "--kind", "chat").out == ""
    run = json.loads(log.read_text().splitlines()[0])
    assert run["generator"] == "holes"
