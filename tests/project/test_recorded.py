"""``benchmarks/recorded.py``: figures from recordings, going on where a run broke off, and programs of every kind."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.recorded_figures import Arm, table

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "recorded.py"

POT: list[dict[str, Any]] = [
    {"generated": ["ans = 2 + 3"], "answer": 5.0, "executed": 5.0},
    {"generated": ["ans = math.floor(5.2)"], "answer": 5.0, "executed": 5.0},
    {"generated": ["def f(:\n    pass"], "answer": 5.0, "executed": None},
    {"generated": ["while True:\n    pass"], "answer": 5.0, "executed": None},
    {"generated": ["ans = 'five'"], "answer": 5.0, "executed": None},
    {"generated": ["import os\nos._exit(0)"], "answer": 5.0, "executed": None},
    {"generated": ["(" * 3_000], "answer": 5.0, "executed": None},
    {"generated": ["ans = '\ud800'"], "answer": 5.0, "executed": None},
    {"generated": ["ans = 6"], "answer": 5.0, "executed": "6"},
]
TASK = {
    "dataset": "HumanEval",
    "task_id": "HumanEval/0",
    "prompt": "def double(x: int) -> int:\n",
    "entry_point": "double",
    "test": "def check(candidate):\n    assert candidate(2) == 4\n",
}
LOOPS = [
    {"task_id": "HumanEval/0", "dataset": "HumanEval", "implementations": ["    return x", "    return 2 * x"],
     "solution": "```python\ndef double(x):\n    return 2 * x\n```", "is_solved": True},
]  # fmt: skip


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    _write(tmp_path / "pot" / "gsm8k_fewshot.jsonl.gz", POT)
    _write(tmp_path / "mapcoder" / "tasks.jsonl.gz", [TASK])
    _write(tmp_path / "mapcoder" / "single_solutions.jsonl.gz", [])
    _write(tmp_path / "mapcoder" / "reflexion_loops_chatgpt.jsonl.gz", LOOPS)
    return tmp_path


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments), "--no-types", "--seconds", "0.3"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_becomes_of_each_is_counted_and_a_run_goes_on_where_it_broke_off(folder: Path) -> None:
    state = folder / "state.jsonl"
    done = _run(folder, "--state", state, "--only", "pot", "--count", "4")
    assert (done.returncode, len(state.read_text().splitlines())) == (0, 4), done.stderr
    with state.open("a") as file:
        file.write('{"set":"pot","i":4,"arm":"gs')  # the machine went out
    done = _run(folder, "--state", state, "--json")
    assert done.returncode == 0, done.stderr
    arms = json.loads(done.stdout)["arms"]
    pot, loop = arms["pot: gsm8k_fewshot"], arms["reflexion: Reflexion HumanEval"]
    assert [json.loads(line)["i"] for line in state.read_text().splitlines()] == [*range(9), 0]
    assert (pot["first_right"]["hits"], pot["mended_right"]["hits"]) == (1, 2)
    assert (pot["recorded_right"]["hits"], pot["last_as_recorded"]["hits"]) == (2, 8)
    assert pot["mended_as_recorded"]["hits"] == 9
    low, high = pot["mended_right"]["interval"]
    assert 0 < low < 2 / 9 < high < 1
    classes = pot["first_classes"]
    assert {name: classes[name] for name in ("right", "name", "encoding", "wrong value", "format", "import")} == {
        "right": 1, "name": 1, "encoding": 1, "wrong value": 1, "format": 1, "import": 1
    }  # fmt: skip
    assert (loop["first_right"]["hits"], loop["last_right"]["hits"], loop["mended_right"]["hits"]) == (0, 0, 1)
    found: dict[str, Arm] = {}
    for line in state.read_text().splitlines():
        found.setdefault("pot", Arm()).add(json.loads(line))
    shown = table(found)
    assert "10 different programs, 10 times recorded" in shown
    assert all(len(line) <= 120 for line in shown.splitlines())


def test_a_folder_without_recordings_is_a_usage_error(tmp_path: Path) -> None:
    done = _run(tmp_path)
    assert done.returncode == 2
    assert "holds none of the recordings" in done.stderr
