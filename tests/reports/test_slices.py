"""The results around a counterexample: what program and spec really say there, and nothing where they do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from neurosym import Effort, Source, load_spec, verify
from neurosym.result import CandidateResult
from tests.cli.shared import RIGHT, SPEC, WRONG

FEW = Effort(examples=30, proof=False, time_limit_s=60)


def _judged(tmp_path: Path, code: str, text: str = SPEC, *, slices: bool = True) -> CandidateResult:
    path = tmp_path / ("late_fee.spec.toml" if text == SPEC else "f.spec.toml")
    path.write_text(text)
    (candidate,) = verify(load_spec(path), Source(code, "c.py"), effort=FEW, slices=slices).candidates
    return candidate


@pytest.mark.parametrize(
    ("code", "varied", "wrong_at"),
    [
        (WRONG, "days_overdue", {"10"}),
        (RIGHT.replace("ROUND_HALF_UP", "ROUND_HALF_DOWN"), "balance", None),
        (RIGHT.replace('"0.015"', '"0.016"'), "days_overdue", None),
        (RIGHT.replace('    if balance < 0:\n        raise ValueError("negative balance")\n', ""), None, None),
    ],
)  # fmt: skip
def test_it_shows_where_the_candidate_is_right_and_where_not(
    tmp_path: Path, code: str, varied: str | None, wrong_at: set[str] | None
) -> None:
    result = _judged(tmp_path, code)
    found = result.slice
    assert result.standing.value == "REFUTED"
    assert found is not None
    wrong = {each.x for each in found.points if not each.right}
    assert found.at in wrong
    assert any(each.right and each.actual is not None for each in found.points)
    for each in found.points:
        numbers = [None if each is None else float(each) for each in (each.expected, each.actual)]
        assert each.right == (numbers[0] == numbers[1])
    assert [float(each.x) for each in found.points] == sorted({float(each.x) for each in found.points})
    assert varied in (None, found.input)
    assert wrong_at in (None, wrong)


def test_it_changes_no_verdict_and_comes_only_when_asked(tmp_path: Path) -> None:
    asked, plain = _judged(tmp_path, WRONG), _judged(tmp_path, WRONG, slices=False)
    assert asked.slice is not None
    assert plain.slice is None
    assert _judged(tmp_path, RIGHT).slice is None
    assert replace(asked, seconds=0.0).standing == plain.standing


@pytest.mark.parametrize(
    ("output", "reference", "code"),
    [
        ('type = "bool"', "value = 'x > 3'", "return x >= 3"),
        ('type = "int"', "value = 'x + 1'", "while True:\n        pass"),
        ('type = "int"', "value = 'x + 1'", "return 'a text'"),
        ('type = "list"\nof = { type = "int" }', "value = '[x]'", "return []"),
    ],
)
def test_there_is_none_where_no_number_comes(tmp_path: Path, output: str, reference: str, code: str) -> None:
    text = (
        f'spec = 1\nname = "f"\n[inputs]\nx = {{ type = "int", min = 0, max = 9 }}\n[output]\n{output}\n[reference]\n'
    )
    result = _judged(tmp_path, f"def f(x: int):\n    {code}\n", text + reference + "\n")
    assert result.standing.value in ("REFUTED", "REJECTED"), result.outcome
    assert result.slice is None or all(each.actual is None for each in result.slice.points)
