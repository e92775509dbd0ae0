"""``solve`` and ``stats`` on the command line, over real HTTP: exit codes, both reports, the log and what breaks it."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from neurosym.chain import BrokenLog, read_log
from neurosym.eventlog import EventLog
from neurosym.figures.wilson import Share
from neurosym.generators.local_server import Fault, LocalServer, Said, Turn
from neurosym.generators.request import canonical
from tests.cli.shared import Neurosym, Ran
from tests.loop.test_solve import BROKEN, CAP, EARLY, GOOD, TALK

QUICK = ("--no-proof", "--examples", "50", "--time-limit", "60")


def solve(neurosym: Neurosym, spec: Path, script: list[Turn], *arguments: str | Path) -> Ran:
    with LocalServer(script) as server:
        return neurosym("solve", spec, "--model", "m", "--base-url", server.base_url, *QUICK, *arguments)


def test_a_run_is_told_round_by_round_in_80_columns(neurosym: Neurosym, spec_path: Path) -> None:
    ran = solve(neurosym, spec_path, [TALK, EARLY, GOOD])
    assert ran.code == 0
    assert "round 1: m asked (temperature 0.2)" in ran.out
    assert "  REJECTED [NS215 extraction] No program could be taken out" in ran.out
    assert "round 2: m told what is wrong" in ran.out
    assert (
        "  REFUTED  [NS510 wrong value] The function gives a wrong result.\n           the call: late_fee(" in ran.out
    )
    assert "\nTESTED   round 3" in ran.out
    assert "    def late_fee(balance: Decimal, days_overdue: int) -> Decimal:\n" in ran.out
    assert "\naccepted at the level tested (exit 0)\n3 rounds, " in ran.out
    for line in ran.out.splitlines():
        assert len(line) <= 80 or line.startswith("    ")  # code is not broken
        assert line == line.rstrip()
    assert ran.err == ""


def test_the_document_of_a_run(neurosym: Neurosym, spec_path: Path) -> None:
    ran = solve(neurosym, spec_path, [Fault.REFUSED, EARLY, GOOD], "--json", "--price", "m=1/2")
    document = json.loads(ran.out)
    assert (document["schema_version"], document["kind"]) == (1, "solve")
    assert document["exit_code"] == ran.code == 0
    assert document["stopped"] == "accepted"
    assert [each["move"] for each in document["rounds"]] == ["first", "fresh", "repair"]
    refused, early, good = (each["attempts"][0] for each in document["rounds"])
    assert (refused["reply"], refused["no_reply"]["kind"]) == (None, "refused")
    assert (early["verdict"], early["feedback"]["code"], early["admission"]) == ("REFUTED", "NS510", "refused")
    assert (good["verdict"], good["feedback"], good["admission"]) == ("TESTED", None, "admitted")
    assert document["best"]["sha256"] == good["sha256"]
    assert document["code"].lstrip().startswith("from decimal import")
    assert document["spent"]["unpriced_answers"] == 0
    assert float(document["spent"]["usd"]) > 0
    assert "candidates" not in document


@pytest.mark.parametrize(
    ("script", "arguments", "code", "said"),
    [
        ([EARLY, CAP], ["--max-rounds", "2"], 1, "the rounds are spent; --max-rounds allows more (exit 1)"),
        ([GOOD, GOOD], ["--require", "proved", "--max-rounds", "2"], 3, "(exit 3)"),
        ([Fault.NO_SUCH_MODEL], [], 4, "no model gave a reply"),
        ([EARLY], ["--max-usd", "1"], 1, "what an answer cost is not known"),
        ([EARLY] * 9, [], 1, "the same failures came again in spite of fresh starts"),
    ],
)
def test_what_ends_a_run_and_its_exit_code(
    neurosym: Neurosym, spec_path: Path, script: list[Turn], arguments: list[str], code: int, said: str
) -> None:
    ran = solve(neurosym, spec_path, script, *arguments)
    assert ran.code == code
    assert said in " ".join(ran.out.split())


def test_a_missing_key_is_exit_4_with_the_remedy(neurosym: Neurosym, spec_path: Path) -> None:
    ran = neurosym("solve", spec_path, "--model", "m")
    assert (ran.code, ran.out) == (4, "")
    assert "OPENAI_API_KEY is not set" in ran.err
    assert "(NS802)" in ran.err


def test_a_spec_fault_asks_nobody(neurosym: Neurosym, spec_path: Path) -> None:
    spec_path.write_text(spec_path.read_text().replace('out = "15.00"', 'out = "16.00"'))
    ran = solve(neurosym, spec_path, [])
    assert ran.code == 2
    assert "SPEC FAULT" in ran.out
    assert "round 1" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--model is needed"),
        (["--model", "m", "--generator", "opena"], "did you mean openai?"),
        (["--model", "m", "--price", "m=1"], "two amounts"),
        (["--model", "m", "--price", "n=1/2"], "it is not asked"),
        (["--model", "m", "--price", "m=NaN/1"], "two amounts"),
        (["--model", "m", "--option", "x"], "NAME=VALUE"),
        (["--model", "m", "--max-usd", "-1"], "no amount"),
        (["--model", "m", "--max-usd", "nan"], "no amount"),
        (["--model", "m", "--command", "'"], "cannot be split"),
        (["--model", "m", "--checked"], "--write"),
        (["--model", "m", "--template", "steps"], "did you mean steps-1?"),
    ],
)
def test_usage(neurosym: Neurosym, spec_path: Path, arguments: list[str], said: str) -> None:
    ran = neurosym("solve", spec_path, *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_what_is_accepted_is_written(neurosym: Neurosym, spec_path: Path, tmp_path: Path) -> None:
    target = tmp_path / "late_fee.py"
    ran = solve(neurosym, spec_path, [EARLY, GOOD], "--write", target)
    assert ran.code == 0
    assert "is written to" in ran.err
    text = target.read_text()
    assert text.startswith("# late_fee")
    assert neurosym("verify", spec_path, target, *QUICK).code == 0
    target.unlink()
    ran = solve(neurosym, spec_path, [EARLY], "--write", target, "--max-rounds", "1")
    assert ran.code == 1
    assert not target.exists()
    assert "nothing is written" in ran.err


def test_a_program_answers_and_a_recording_is_replayed(neurosym: Neurosym, spec_path: Path, tmp_path: Path) -> None:
    reply, tape = tmp_path / "reply.txt", tmp_path / "tape.jsonl"
    reply.write_text(GOOD)
    program = f"{sys.executable} -c \"print(open('{reply}').read())\""
    first = neurosym("solve", spec_path, "--generator", "command", "--command", program, "--record", tape, *QUICK)
    assert first.code == 0, first.out + first.err
    again = neurosym(
        "solve", spec_path, "--generator", "cassette", "--cassette", tape, "--model", "command", "--json", *QUICK
    )
    assert again.code == 0
    assert json.loads(again.out)["best"]["verdict"] == "TESTED"
    other = neurosym("solve", spec_path, "--generator", "cassette", "--cassette", tape, "--model", "other", *QUICK)
    assert other.code == 4
    assert "has no answer to this request" in other.err


def test_no_text_of_a_reply_does_more_than_be_read(neurosym: Neurosym, spec_path: Path) -> None:
    nasty = "\x1b[2J::error::owned\u202e"
    script: list[Turn] = [
        f"{nasty} no code",
        f"```python\n# {nasty}\nraise ValueError({nasty!r})\n```",
        Said(EARLY, model=f"x{nasty}"),
    ]
    for arguments in ([], ["--json"]):
        ran = solve(neurosym, spec_path, script, "--max-rounds", "3", *arguments)
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out
        assert "::error::" not in ran.out


_WRITTEN: list[bytes] = []
"""The log of three runs, once they were made; each test has a copy."""


@pytest.fixture
def log(neurosym: Neurosym, spec_path: Path, tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    if not _WRITTEN:
        solve(neurosym, spec_path, [TALK, EARLY, GOOD], "--log", path, "--price", "m=1/2")
        solve(neurosym, spec_path, [GOOD], "--log", path, "--price", "m=1/2")
        solve(neurosym, spec_path, [BROKEN, Fault.REFUSED], "--log", path, "--price", "m=1/2", "--max-rounds", "2")
        _WRITTEN.append(path.read_bytes())
    path.write_bytes(_WRITTEN[0])
    return path


def test_a_log_is_one_chain_over_all_runs(log: Path) -> None:
    records = read_log(str(log)).records
    assert [each["number"] for each in records] == list(range(len(records)))
    assert [each["kind"] for each in records].count("run") == 3
    assert [each["kind"] for each in records].count("end") == 3
    assert records[-1]["exit_code"] == 1
    assert log.read_bytes().isascii()


@pytest.mark.parametrize("change", ["edit", "drop", "swap", "nonsense", "twice"])
def test_a_changed_log_names_the_record(log: Path, neurosym: Neurosym, change: str) -> None:
    lines = log.read_text().splitlines(keepends=True)
    match change:
        case "edit":
            lines[5] = lines[5].replace('"schema_version":1', '"note":1,"schema_version":1')
        case "drop":
            del lines[5]
        case "swap":
            lines[5], lines[6] = lines[6], lines[5]
        case "twice":  # a key that is read as before, and by others otherwise
            lines[5] = lines[5].replace("{", '{"schema_version":2,', 1)
        case _:
            lines[5] = "[" * 100_000 + "\n"
    log.write_text("".join(lines))
    with pytest.raises(BrokenLog, match="record 5"):
        read_log(str(log))
    ran = neurosym("stats", log)
    assert (ran.code, ran.out) == (2, "")
    assert "record 5" in ran.err
    assert "NS704" in ran.err


@pytest.mark.parametrize(("kind", "field"), [("run", "spec"), ("answer", "candidate"), ("verdict", "seconds")])
def test_a_chain_that_was_written_anew_without_a_field_is_no_fault_of_this_tool(
    log: Path, neurosym: Neurosym, kind: str, field: str
) -> None:
    previous, lines = "0" * 64, []
    for line in log.read_text().splitlines():
        record = json.loads(line)
        if record["kind"] == kind:
            del record[field]
        del record["sha256"]
        record["previous"] = previous
        previous = hashlib.sha256(canonical(record).encode()).hexdigest()
        lines.append(canonical(record | {"sha256": previous}) + "\n")
    log.write_text("".join(lines))
    for command in (["stats"], ["export", "--kind", "record"]):
        ran = neurosym(*command, log)
        assert ran.code == 2
        assert f"it lacks {field}" in ran.err


def test_a_log_that_ends_in_the_middle_of_a_record(log: Path, neurosym: Neurosym, spec_path: Path) -> None:
    log.write_text(log.read_text()[:-20])
    ran = neurosym("stats", log)
    assert ran.code == 0
    assert "ends in the middle of a record" in ran.err
    assert "1 run broken off" in ran.out
    with pytest.raises(BrokenLog, match="name another file"):
        EventLog(str(log))


def test_two_runs_do_not_write_to_one_log(log: Path, neurosym: Neurosym, spec_path: Path) -> None:
    with EventLog(str(log)):
        ran = solve(neurosym, spec_path, [GOOD], "--log", log)
    assert ran.code == 4
    assert "another run is writing to it" in ran.err
    read_log(str(log))


def test_stats_count_what_the_log_says(log: Path, neurosym: Neurosym) -> None:
    ran = neurosym("stats", log)
    assert ran.code == 0
    assert ran.out.startswith("3 runs of 1 spec in 1 log: 6 answers, ")
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    document = json.loads(neurosym("stats", "--json", log).out)
    assert (document["schema_version"], document["kind"]) == (1, "stats")
    (model,) = document["by_model"]
    assert model["name"] == "m"
    for key, hits in (
        ("executed_first", 1), ("executed_within", 2), ("right_first", 1), ("right_within", 2), ("right_at_end", 2)
    ):  # fmt: skip
        assert (model[key]["hits"], model[key]["total"]) == (hits, 3), key
    classes = {each["class"]: each["hits"] for each in model["failures"]}
    assert classes == {"extraction": 1, "syntax": 1, "wrong value": 1, "no reply": 1}
    assert document["clauses"][0]["spec"] == "late_fee"
    assert model["unpriced_answers"] == 0
    assert [each["stage"] for each in document["latency_seconds"]] == ["answer", "gate", "run to verdict"]


def test_a_model_counts_its_own_rounds(neurosym: Neurosym, spec_path: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    solve(neurosym, spec_path, [Fault.NO_SUCH_MODEL, GOOD], "--model", "n", "--log", log)
    document = json.loads(neurosym("stats", "--json", log).out)
    rights = {
        each["name"]: (each["right_first"]["hits"], each["right_at_end"]["hits"]) for each in document["by_model"]
    }
    assert rights == {"m": (0, 0), "n": (1, 1)}
    assert document["all"]["right_first"]["hits"] == 0
    assert document["all"]["right_within"]["hits"] == 1


def test_a_log_in_which_nobody_was_asked(neurosym: Neurosym, tmp_path: Path) -> None:
    log = tmp_path / "empty"
    log.write_text("")
    ran = neurosym("stats", log)
    assert ran.code == 5
    assert neurosym("stats", tmp_path / "missing").code == 2


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_wilsons_interval(hits: int, total: int, low: float, high: float) -> None:
    interval = Share(hits, total).interval()
    assert interval is not None
    assert interval[0] == pytest.approx(low, abs=5e-5)
    assert interval[1] == pytest.approx(high, abs=5e-5)


def test_nothing_counted_has_no_share() -> None:
    nothing: Any = Share(0, 0)
    assert (nothing.rate, nothing.interval()) == (None, None)
