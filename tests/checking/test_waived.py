"""Waivers in a project: they change what counts as fine and no verdict, end on their day, and idle ones are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.conftest import WAIVERS, never_met
from tests.cli.shared import Neurosym

TWICE = "specs/twice.spec.toml"


def test_a_waiver_counts_until_its_day_and_is_in_every_report(neurosym: Neurosym, project: Path) -> None:
    never_met(project, "twice")
    files = ["junit.xml", "neurosym.sarif", "neurosym.md"]
    forms = ("--junit", files[0], "--sarif", files[1], "--markdown", files[2])
    ran = neurosym("check", TWICE, "--github", *forms)
    assert ran.code == 0, ran.out
    assert "UNKNOWN    shop.fees:twice" in ran.out
    assert "    waived by R. Risk until 2999-12-31: Until the range is wider." in ran.out
    assert "1 accepted, 1 by waiver (exit 0)" in ran.out
    for text in (ran.err, *((project / each).read_text() for each in files)):
        assert "waived by R. Risk until 2999-12-31" in text
    assert 'skipped="1"' in (project / files[0]).read_text()
    document = json.loads(neurosym("check", "--json", TWICE).out)
    (function,) = document["functions"]
    assert (function["admission"], function["result"]["candidates"][0]["verdict"]) == ("admitted", "UNKNOWN")
    assert function["cached"] is not None

    # What it says is part of what a result depends on; so is the day.
    for expires, said in (("2999-12-30", "until 2999-12-30"), ("2001-01-31", "its last day was 2001-01-31 (NS744)")):
        (project / "waivers.toml").write_text(WAIVERS.format(spec="twice", expires=expires))
        ran = neurosym("check", TWICE)
        assert (ran.code, "cached" in ran.out) == (3 if expires < "2026" else 0, False)
        assert said in " ".join(ran.out.split())


@pytest.mark.slow
def test_waivers_for_nothing_are_reported(neurosym: Neurosym, project: Path) -> None:
    never_met(project, "twice", "thrice", "square")
    square = project / "waivers.toml"
    square.write_text(square.read_text().replace('"square"\nclause = "ensure: rare"', '"square"\nclause = "reference"'))
    ran = neurosym("check")
    assert ran.code == 1
    said = " ".join(ran.out.split())
    assert "waivers.toml: the waiver of ensure: rare of thrice by R. Risk does nothing: a candidate of that" in said
    assert "the waiver of reference of square by R. Risk does nothing: what is refuted is waived for one text" in said
    assert "of ensure: rare of twice" not in said
    assert "thrice" not in neurosym("check", TWICE).out


@pytest.mark.slow
def test_waived_and_accepted_by_a_comment_together_are_fine(neurosym: Neurosym, project: Path) -> None:
    never_met(project, "twice")
    spec = project / TWICE
    spec.write_text(spec.read_text() + '\n[[ensure]]\nid = "rarer"\nwhen = "n > 91"\nthat = "result == 0"\n')
    assert neurosym("check", TWICE).code == 3
    fees = project / "src/shop/fees.py"
    fees.write_text(fees.read_text().replace("twice(n):", "twice(n):  # neurosym: ignore[NS520] until it is wider"))
    ran = neurosym("check", TWICE)
    assert (ran.code, "1 of them as known" in ran.out) == (0, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "waivers.toml cannot be read"),
        (WAIVERS.format(spec="twice", expires="soon"), "not valid TOML"),
        (WAIVERS.format(spec="square", expires="2999-12-31"), 'unknown clause "ensure: rare"'),
    ],
)
def test_waivers_that_cannot_be_used(neurosym: Neurosym, project: Path, text: str | None, said: str) -> None:
    never_met(project)
    (project / "waivers.toml").unlink()
    if text is not None:
        (project / "waivers.toml").write_text(text)
    ran = neurosym("check")
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())
