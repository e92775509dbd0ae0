"""The exam, one seed and a small budget: no verdict on any of its candidates may be wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import exam

FOLDER = Path(__file__).parents[1] / "exam"
TASKS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
EVERY_SIXTH = [task if i % 6 == 1 else pytest.param(task, marks=pytest.mark.slow) for i, task in enumerate(TASKS)]


@pytest.mark.parametrize("task", EVERY_SIXTH)
def test_every_verdict_is_right(task: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = exam.main([str(FOLDER), "--tasks", task, "--time-limit", "2", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["summary"]["wrong_verdicts"] == []
    assert code == 0
    assert document["summary"]["wrong_missed"] == []
    for each in document["candidates"]:
        if each["verdict"] == "REFUTED":
            assert each["counterexample"]["calls"]
