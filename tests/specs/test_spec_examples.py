"""The worked cases: the right candidate agrees with its spec, the wrong one does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from neurosym_specs import call_source, load_spec

from tests.specs.spec_judge import Broken, Judge

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(folder.parent.name for folder in EXAMPLES.glob("*/*.spec.toml"))


def test_each_is_complete_and_listed() -> None:
    overview = (EXAMPLES / "README.md").read_text("utf-8")
    assert len(NAMES) >= 6
    for name in NAMES:
        files = {each.name for each in (EXAMPLES / name).iterdir() if each.is_file()}
        assert files >= {f"{name}.spec.toml", "right.py", "wrong.py", "README.md"}
        assert f"[{name}]({name})" in overview


@pytest.mark.parametrize("name", NAMES)
def test_the_right_one(name: str) -> None:
    Judge(load_spec(EXAMPLES / name / f"{name}.spec.toml"), EXAMPLES / name / "right.py").judge(cases=50)


# An input on which the wrong one is wrong; top_exposures is wrong only in what it does to its argument.
WRONG: dict[str, dict[str, Any]] = {
    "late_fee": {"balance": "1003.00", "days_overdue": 11},
    "split_bill": {"bill_cents": 1000, "people": 3},
    "payment_due": {"invoiced": "2024-01-31", "months": 1},
    "discounted_price": {"price": "0.02", "discount_percent": "25.0"},
    "risk_band": {"score": 700, "exposed": False},
    "interest": {"principal": "10000.00", "rate": "0.0300", "start": "2024-01-31", "end": "2024-02-29"},
}


@pytest.mark.parametrize("name", WRONG)
def test_the_wrong_one(name: str) -> None:
    from neurosym_specs import from_plain
    from neurosym_specs.errors import Place

    spec = load_spec(EXAMPLES / name / f"{name}.spec.toml")
    judge = Judge(spec, EXAMPLES / name / "wrong.py")
    inputs = {key: from_plain(spec.inputs[key], plain, Place()) for key, plain in WRONG[name].items()}
    with pytest.raises(Broken):
        judge.run(inputs)


def test_the_wrong_one_that_changes_its_argument() -> None:
    spec = load_spec(EXAMPLES / "top_exposures" / "top_exposures.spec.toml")
    judge = Judge(spec, EXAMPLES / "top_exposures" / "wrong.py")
    judge.judge(cases=30)
    call = call_source(spec, {"exposures": [1, 2], "count": 1}).replace("[1, 2]", "mine")
    mine = [1, 2]
    eval(call, judge.names, {"mine": mine})
    assert mine == [2, 1]
