"""``benchmarks/exam.py`` is run by outsiders: its interface is fixed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shared import RIGHT, SPEC, WRONG

EXAM = Path(__file__).parents[2] / "benchmarks" / "exam.py"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("t01_fee", "t02_fee"):
        task = tmp_path / name
        task.mkdir()
        (task / "late_fee.spec.toml").write_text(SPEC)
        (task / "correct_1.py").write_text(RIGHT)
        (task / "wrong_1.py").write_text(WRONG)
    (tmp_path / "README.md").write_text("not a task")
    labels = {"candidates": {"correct_1.py": {"label": "correct"}, "wrong_1.py": {"label": "wrong"}}}
    (tmp_path / "t01_fee" / "labels.json").write_text(json.dumps(labels))
    return tmp_path


def _exam(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_json_object(folder: Path) -> None:
    done = _exam(folder, "--json", "--seed", "1", "--time-limit", "5")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert [(each["task"], each["file"], each["label"]) for each in document["candidates"]] == [
        ("t01_fee", "correct_1.py", "correct"),
        ("t01_fee", "wrong_1.py", "wrong"),
        ("t02_fee", "correct_1.py", "correct"),
        ("t02_fee", "wrong_1.py", "wrong"),
    ]
    for each in document["candidates"]:
        assert each["seconds"] > 0
        assert {"id", "verdict", "method"} == set(each["obligations"][0])
        assert (each["counterexample"] is not None) == (each["verdict"] == "REFUTED")
    summary = document["summary"]
    assert (summary["wrong_refuted"], summary["correct_refuted"]) == (2, 0)
    assert summary["p50_seconds"] <= summary["p95_seconds"]


def test_the_table_and_a_wrong_verdict(folder: Path) -> None:
    (folder / "t02_fee" / "correct_2.py").write_text(WRONG)
    done = _exam(folder, "--tasks", "t02")
    assert done.returncode == 1
    assert "t01_fee" not in done.stdout
    assert "! t02_fee/correct_2.py" in done.stdout
    assert "WRONG VERDICTS: t02_fee/correct_2.py (seed 0)" in done.stdout
    assert "wrong candidates refuted        1 of 1" in done.stdout


def test_seeds(folder: Path) -> None:
    done = _exam(folder, "--json", "--tasks", "t01_fee", "--seed", "5", "--seeds", "2")
    assert [each["seed"] for each in json.loads(done.stdout)["candidates"]] == [5, 5, 6, 6]


def test_usage(folder: Path) -> None:
    assert _exam(folder, "--tasks", "t01_fees").stderr == "exam: there is no task t01_fees; did you mean t01_fee?\n"
    assert _exam(folder / "nowhere").returncode == 2
    assert _exam(folder, "--seeds", "0").returncode == 2
