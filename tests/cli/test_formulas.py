"""What a refutation says beside its counterexample: the slip, the form of the difference, and how often it is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from neurosym_sandbox.errors import JailLost

from benchmarks.closed_forms import SLIPS
from tests.cli.shared import Neurosym

VAT = """
spec = 1
name = "vat"
[inputs]
price = { type = "decimal", min = "0.00", max = "%s", places = 2 }
[output]
type = "decimal"
[reference]
value = "round(price * 5 / 100, 2, half_up)"
"""
FLOATS = """
from decimal import Decimal


def vat(price: Decimal) -> Decimal:
    return Decimal(str(round(float(price) * 0.05, 2)))
"""


def _written(folder: Path, name: str, spec: str, code: str) -> tuple[Path, Path]:
    paths = folder / f"{name}.spec.toml", folder / "candidate.py"
    for path, text in zip(paths, (spec, code), strict=True):
        path.write_text(text)
    return paths


def _candidate(neurosym: Neurosym, *paths: Path) -> Any:
    return json.loads(neurosym("verify", "--json", *paths).out)["candidates"][0]


def test_a_slip_is_said_in_words(neurosym: Neurosym, tmp_path: Path) -> None:
    pair = next(pair for pair in SLIPS if pair.name == "advance_for_arrears")
    paths = _written(tmp_path, pair.name, pair.spec, pair.code)
    out = " ".join(neurosym("verify", *paths).out.split())
    assert "Its formula is the right one but for a known slip: payments in advance, at the start of each period" in out
    candidate = _candidate(neurosym, *paths)
    assert candidate["formula"]["slip"].startswith("payments in advance")
    assert candidate["formula"]["ratio"] == ""


@pytest.mark.slow
def test_a_difference_that_is_no_slip_is_shown_in_a_short_form(neurosym: Neurosym, tmp_path: Path) -> None:
    pair = next(pair for pair in SLIPS if pair.name == "advance_for_arrears")
    paths = _written(tmp_path, pair.name, pair.spec, pair.code.replace("* (1 + rate)", "+ 3 * payment"))
    out = " ".join(neurosym("verify", *paths).out.split())
    assert "Around here its formula, less the right value, is 3*payment" in out
    assert _candidate(neurosym, *paths)["formula"]["difference"] == "3*payment"


def test_floats_that_flip_a_cent_say_first_where_and_how_often(neurosym: Neurosym, tmp_path: Path) -> None:
    paths = _written(tmp_path, "vat", VAT % "5.00", FLOATS)
    out = " ".join(neurosym("verify", *paths).out.split())
    assert 'vat(Decimal("0.30"))' in out
    exact = [cents for cents in range(501) if round(round(cents / 100 * 0.05, 2) * 100) != (cents * 5 + 50) // 100]
    assert f"Of all 501 valid inputs it is wrong on {len(exact)} (" in out
    assert exact[0] == 30
    found = _candidate(neurosym, *paths)["frequency"]
    assert found == {"wrong": len(exact), "inputs": 501, "all_there_are": True}


def test_how_often_floats_are_wrong_is_sampled_where_inputs_are_many(neurosym: Neurosym, tmp_path: Path) -> None:
    paths = _written(tmp_path, "vat", VAT % "1000.00", FLOATS)
    found = _candidate(neurosym, *paths)["frequency"]
    assert not found["all_there_are"]
    assert 0 < found["wrong"] < found["inputs"] // 10
    exact = FLOATS.replace("Decimal(str(round(float(price) * 0.05, 2)))", 'round(price * Decimal("0.06"), 2)')
    assert _candidate(neurosym, *_written(tmp_path, "vat", VAT % "1000.00", exact))["frequency"] is None


def test_a_jail_that_is_lost_while_it_is_counted_changes_no_verdict(
    neurosym: Neurosym, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise JailLost("it died twice")

    monkeypatch.setattr("neurosym_verifiers.trial.counted", lost)
    candidate = _candidate(neurosym, *_written(tmp_path, "vat", VAT % "5.00", FLOATS))
    assert (candidate["verdict"], candidate["frequency"]) == ("REFUTED", None)
    assert "ERROR" not in [each["verdict"] for each in candidate["obligations"]]
