"""A refutation names the first value that departs from that of the spec's Python reference, or says nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from neurosym import Source, verify
from neurosym.departures import Departure, Recorded, from_reference
from tests.cli.shared import Neurosym

SPEC = """
spec = 1
name = "savings"

[inputs]
cents = { type = "int", min = 0, max = 1000000 }
months = { type = "int", min = 0, max = 24 }

[output]
type = "int"

[[reject]]
id = "no month"
when = "months == 0"
raises = "ValueError"

[reference]
python = '''
def savings(cents, months):
    fee = cents // 1000
    balance = cents - fee
    for month in range(months):
        interest = balance // 100
        balance += interest
    return balance
'''

[[example]]
in = { cents = 100000, months = 3 }
out = 102926
"""
RIGHT = """
def savings(cents: int, months: int) -> int:
    if months == 0:
        raise ValueError("no month")
    fee = cents // 1000
    balance = cents - fee
    for _ in range(months):
        interest = balance // 100
        balance += interest
    return balance
"""


@pytest.fixture
def savings(tmp_path: Path) -> Path:
    path = tmp_path / "savings.spec.toml"
    path.write_text(SPEC)
    return path


def _departure(spec: Path, text: str) -> Departure | None:
    (found,) = verify(spec, Source(text)).candidates
    assert found.explanation is not None
    return found.explanation.departure


def test_a_variable_that_is_set_once_is_compared_by_its_name(savings: Path) -> None:
    found = _departure(savings, RIGHT.replace("cents // 1000", "cents // 100"))
    assert found is not None
    assert (found.line, found.name, found.where, found.nth) == (5, "fee", "the reference's fee", None)
    assert int(found.actual) > int(found.expected)


def test_a_variable_of_a_loop_is_compared_round_by_round(savings: Path) -> None:
    late = RIGHT.replace("balance // 100", "balance // 100 if balance < 2000 else balance // 90")
    found = _departure(savings, late)
    assert found is not None
    assert (found.line, found.name, found.where) == (9, "balance", "the reference's balance")
    assert found.nth is not None


def test_a_variable_of_another_name_is_known_by_how_its_values_begin(savings: Path) -> None:
    other = RIGHT.replace("fee", "f").replace("interest", "i").replace("balance", "amount")
    late = other.replace("i = amount // 100", "i = amount // 100 + (_ == 2 and amount > 500)")
    found = _departure(savings, late)
    assert found is not None
    assert (found.line, found.name, found.where, found.nth) in (
        (8, "i", "the reference's interest", 3),
        (9, "amount", "the reference's balance", 4),
    )


def test_it_is_told_in_words(neurosym: Neurosym, savings: Path, tmp_path: Path) -> None:
    (tmp_path / "fee.py").write_text(RIGHT.replace("cents // 1000", "cents // 100"))
    (tmp_path / "late.py").write_text(RIGHT.replace("balance // 100", "balance // 100 if balance < 2000 else 0"))
    shown = " ".join(neurosym("verify", savings, tmp_path / "fee.py").out.split())
    assert " at line 5; the reference's fee is " in shown
    shown = " ".join(neurosym("verify", savings, tmp_path / "late.py").out.split())
    assert "time that it is set; the reference's balance is " in shown


def test_nothing_is_said_of_an_input_that_is_to_be_refused(savings: Path) -> None:
    text = RIGHT.replace('raise ValueError("no month")', "fee = 1\n        return fee")
    assert _departure(savings, text) is None


def _steps(**values: list[Any]) -> list[Recorded]:
    return [Recorded(line, name, True, each) for line, name in enumerate(values, start=1) for each in values[name]]


@pytest.mark.parametrize(
    ("ours", "theirs", "name", "nth"),
    [
        ({"a": [1]}, {"a": [1]}, None, None),
        ({"a": [1]}, {"b": [2]}, None, None),
        ({"a": [2]}, {"a": ["2"]}, None, None),  # what cannot be compared is not
        ({"a": [2]}, {"a": [2.0]}, None, None),
        ({"a": [1, 2, 3]}, {"a": [1, 2, 4]}, "a", 3),
        ({"a": [0, 1, 2]}, {"a": [1, 2, 3]}, None, None),  # counted from elsewhere
        ({"a": [0, 5, 7]}, {"a": [0, 8]}, "a", None),
        ({"a": [0, 5, 8]}, {"a": [0, 8]}, None, None),
        ({"x": [1, 2, 3]}, {"y": [1, 2, 4]}, "x", 3),
        ({"x": [1, 2, 3], "z": [1, 2, 3]}, {"y": [1, 2, 4]}, None, None),  # which of them?
        ({"x": [1, 2, 3]}, {"y": [1, 2, 4], "z": [1, 2, 5]}, None, None),
        ({"x": [1, 1, 3]}, {"y": [1, 1, 4]}, None, None),  # too little to go by
        ({"x": [1, 2]}, {"y": [1, 3]}, None, None),
        ({"b": [3], "a": [1]}, {"a": [2], "b": [4]}, "b", None),  # the first that went wrong
        ({"return": [1]}, {"return": [2]}, None, None),
    ],
)
def test_only_what_is_the_same_is_compared(
    ours: dict[str, list[Any]], theirs: dict[str, list[Any]], name: str | None, nth: int | None
) -> None:
    found = from_reference(_steps(**ours), _steps(**theirs))
    assert (None if found is None else found.name) == name
    assert found is None or found.nth == nth


def test_a_right_run_never_departs() -> None:
    steps = _steps(a=[1, 2, 3], b=[4], c=["x", "y"])
    assert from_reference(steps, steps) is None
    assert from_reference(steps, []) is None
    assert from_reference([], steps) is None
