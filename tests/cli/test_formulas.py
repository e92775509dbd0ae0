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
    assert "from its minimum 0.00, with all else fixed, it is right on all 30 valid values before 0.30, which is" in out
    page = tmp_path / "page.html"
    found = json.loads(neurosym("verify", "--json", "--html", page, *paths).out)["candidates"][0]["frequency"]
    counted = {name: found[name] for name in ("wrong", "inputs", "all_there_are", "population", "steps", "interval")}
    assert counted == {
        "wrong": len(exact), "inputs": 501, "all_there_are": True, "population": 501, "steps": [], "interval": None,
    }  # fmt: skip
    assert found["first"] == {
        "input": "price", "start": "0.00", "from_minimum": True, "value": "0.30", "right": 30,
        "call": 'vat(Decimal("0.30"))',
    }  # fmt: skip
    for band in found["strip"]["bands"]:
        inside = range(round(float(band["low"]) * 100), round(float(band["high"]) * 100) + 1)
        assert (band["inputs"], band["wrong"]) == (len(inside), sum(each in inside for each in exact))
    assert sum(band["inputs"] for band in found["strip"]["bands"]) == 501
    drawn = page.read_text()
    parts = sum(band["wrong"] > 0 for band in found["strip"]["bands"])
    assert drawn.count('class="bar"') == parts
    assert f"wrong inputs in {parts} of 40 equal parts" in drawn


def test_how_often_floats_are_wrong_is_sampled_where_inputs_are_many(neurosym: Neurosym, tmp_path: Path) -> None:
    paths = _written(tmp_path, "vat", VAT % "1000.00", FLOATS)
    found = _candidate(neurosym, *paths)["frequency"]
    assert not found["all_there_are"]
    assert 0 < found["wrong"] < found["inputs"] // 10
    wrong = sum(round(round(cents / 100 * 0.05, 2) * 100) != (cents * 5 + 50) // 100 for cents in range(100_001))
    assert found["interval"][0] <= wrong / 100_001 <= found["interval"][1]
    assert (found["population"], found["seed"]) == (100_001, "vat")
    assert sum(band["inputs"] for band in found["strip"]["bands"]) == found["inputs"] == 400
    exact = FLOATS.replace("Decimal(str(round(float(price) * 0.05, 2)))", 'round(price * Decimal("0.06"), 2)')
    assert _candidate(neurosym, *_written(tmp_path, "vat", VAT % "1000.00", exact))["frequency"] is None


def test_floats_that_are_objected_to_and_right_are_drawn_too(neurosym: Neurosym, tmp_path: Path) -> None:
    right = FLOATS.replace(
        "Decimal(str(round(float(price) * 0.05, 2)))", "Decimal((round(float(price) * 100) * 5 + 50) // 100) / 100"
    )
    paths = _written(tmp_path, "vat", VAT % "1000.00", right)
    page = tmp_path / "page.html"
    ran = neurosym("verify", "--no-proof", "--html", page, *paths)
    out = " ".join(ran.out.split())
    assert ran.code == 1
    assert "TESTED" in out
    said = "Of 400 valid inputs, drawn evenly from the universe of 100,001, it is wrong on none."
    sure = "So it is wrong on at most 0.952% of all valid inputs, with 95% confidence (Wilson&#39;s interval)."
    assert said in out
    assert sure.replace("&#39;", "'") in out
    assert said in page.read_text()
    assert sure in page.read_text()


def test_floats_that_only_an_even_draw_finds_wrong_are_refuted(neurosym: Neurosym, tmp_path: Path) -> None:
    spec = VAT % "1000.00" + '[[require]]\nthat = "price * 100 % 20 == 1"\n'
    wrong = FLOATS.replace(
        "return ",
        "cents = round(float(price) * 100)\n    if cents % 1000 == 441:\n        return Decimal(0)\n    return ",
    )
    candidate = json.loads(
        neurosym("verify", "--json", "--no-proof", "--examples", 1, *_written(tmp_path, "vat", spec, wrong)).out
    )["candidates"][0]
    assert candidate["verdict"] == "REFUTED"
    assert candidate["frequency"]["wrong"] > 0


def test_a_jail_that_is_lost_while_it_is_counted_changes_no_verdict(
    neurosym: Neurosym, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise JailLost("it died twice")

    monkeypatch.setattr("neurosym_verifiers.trial.counted", lost)
    candidate = _candidate(neurosym, *_written(tmp_path, "vat", VAT % "5.00", FLOATS))
    assert (candidate["verdict"], candidate["frequency"]) == ("REFUTED", None)
    assert "ERROR" not in [each["verdict"] for each in candidate["obligations"]]
