"""Training data from a log: only what was judged, the right way round, and no spec in both splits."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from neurosym.cli import run
from neurosym.exporting.lines import split_of
from neurosym.generators.local_server import Fault
from tests.cli.shared import SPEC, Neurosym, Ran
from tests.loop.test_command_line import solve
from tests.loop.test_solve import BROKEN, EARLY, GOOD, TALK


def _quietly(*arguments: str | Path) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(each) for each in arguments])
    return Ran(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of two runs, written once."""
    folder = tmp_path_factory.mktemp("runs")
    spec, path = folder / "late_fee.spec.toml", folder / "runs.jsonl"
    spec.write_text(SPEC)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        solve(_quietly, spec, [TALK, Fault.REFUSED, EARLY, GOOD], "--log", path)
        solve(_quietly, spec, [BROKEN], "--log", path, "--max-rounds", "1")
    return path.read_bytes()


@pytest.fixture
def log(written: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(written)
    return path


def _lines(neurosym: Neurosym, log: Path, *arguments: str) -> list[dict[str, Any]]:
    ran = neurosym("export", log, *arguments)
    assert ran.code == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


def test_chat_examples_are_accepted_answers_to_the_first_question(neurosym: Neurosym, log: Path) -> None:
    (line,) = _lines(neurosym, log, "--licence", "CC0-1.0")
    assert (line["schema_version"], line["kind"], line["licence"]) == (1, "chat", "CC0-1.0")
    assert [each["role"] for each in line["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert line["messages"][-1]["content"] == GOOD
    assert line["verdict"] == "TESTED"


def test_preferences_are_of_one_run(neurosym: Neurosym, log: Path) -> None:
    lines = _lines(neurosym, log, "--kind", "preference")
    assert [line["rejected"][0]["content"] for line in lines] == [TALK, EARLY]
    assert {line["chosen"][0]["content"] for line in lines} == {GOOD}
    assert [line["class"] for line in lines] == ["extraction", "wrong value"]
    assert all(line["prompt"][-1]["role"] == "user" for line in lines)


def test_records_tell_what_was_wrong_and_what_mended_it(neurosym: Neurosym, log: Path) -> None:
    lines = _lines(neurosym, log, "--kind", "record")
    assert [line["verdict"] for line in lines] == ["REJECTED", "REFUTED", "TESTED", "REJECTED"]
    assert lines[1]["fix"] == lines[2]["candidate"]
    assert (lines[2]["fix"], lines[3]["fix"]) == (None, None)
    assert any("expected: 0.00 USD" in fact for fact in lines[1]["facts"])
    assert len({line["split"] for line in lines}) == 1


def test_nothing_to_export_and_a_broken_log(neurosym: Neurosym, spec_path: Path, tmp_path: Path, log: Path) -> None:
    other = tmp_path / "other"
    solve(neurosym, spec_path, [BROKEN], "--log", other, "--max-rounds", "1")
    ran = neurosym("export", other)
    assert (ran.code, ran.out) == (5, "")
    log.write_text(log.read_text().replace("15.00", "16.00"))
    assert neurosym("export", log).code == 2


def test_a_split_is_as_large_as_asked_for_and_steady() -> None:
    splits = [split_of(f"{number:064x}", 20) for number in range(2_000)]
    assert 300 < splits.count("test") < 500
    assert splits == [split_of(f"{number:064x}", 20) for number in range(2_000)]
    assert {split_of("x", 0), split_of("x", 100)} == {"train", "test"}
