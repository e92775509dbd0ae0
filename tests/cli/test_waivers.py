"""A waiver changes what is accepted and no verdict, is shown wherever the verdict is, and ends on its day."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from neurosym_specs import load_spec
from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import Failed, Proved, Refuted, Tested, Undecided, Unknown, Verdict

from neurosym.evidence.pack import read_pack
from neurosym.reports.rechecks import pack_lines
from neurosym.source import sha256_of
from neurosym.waivers import Effect, Uses, Waiver, Waivers, read_waivers, waivers_of
from tests.cli.shared import Neurosym

FEW = ("--no-proof", "--examples", "20", "--types", "off", "--no-explain")
TABLE = """
[[waiver]]
spec = "late_fee"
clause = "{clause}"
owner = "R. Risk"
reason = "Until the <loop> | is bounded."
expires = {expires}
"""


@pytest.fixture
def rare(spec: Path) -> Path:
    """The spec with a clause that nothing meets, so that its verdict is VACUOUS and the candidate's UNKNOWN."""
    text = '\n[[ensure]]\nid = "never met"\nwhen = "balance > 10000"\nthat = "result == 0"\n'
    spec.write_text(spec.read_text() + text)
    return spec


def _waivers(path: Path, *, clause: str = "ensure: never met", expires: str = "2999-12-31", more: str = "") -> Path:
    path.write_text(TABLE.format(clause=clause, expires=expires) + more)
    return path


def test_a_waiver_changes_what_is_accepted_and_is_shown_wherever_the_verdict_is(
    neurosym: Neurosym, rare: Path, right: Path, tmp_path: Path
) -> None:
    file = _waivers(tmp_path / "waivers.toml")
    names = ("html", "junit", "sarif", "markdown", "csv")
    forms = [word for form in names for word in (f"--{form}", tmp_path / f"out.{form}")]
    delivered, pack = tmp_path / "delivered.py", tmp_path / "pack.zip"
    ran = neurosym(
        "verify", *FEW, "--github", "--waivers", file, "--write", delivered, "--evidence", pack, *forms, rare, right
    )
    assert ran.code == 0, ran.out
    assert f"UNKNOWN  {right}" in ran.out
    assert "waived, ensure: never met: R. Risk, until 2999-12-31: Until the <loop> | is" in ran.out
    assert "1 of 1 accepted at the level tested, by waiver (exit 0)" in " ".join(ran.out.split())
    assert "(waived by R. Risk until 2999-12-31" in ran.err
    for name in names:
        text = (tmp_path / f"out.{name}").read_text()
        assert "R. Risk" in text, name
        assert "<loop>" not in text or name in ("sarif", "csv"), name
    sarif = json.loads((tmp_path / "out.sarif").read_text())
    (found,) = [each for each in sarif["runs"][0]["results"] if each["properties"]["clause"] == "ensure: never met"]
    assert found["suppressions"][0]["justification"].startswith("waived by R. Risk until 2999-12-31")
    assert "# UNKNOWN by neurosym" in delivered.read_text()
    assert f"# evidence  sha256 {sha256_of(pack.read_bytes())}\n" in delivered.read_text()
    assert "integrity, not authenticity" in ran.err
    assert "# waived: ensure: never met: R. Risk, until 2999-12-31" in delivered.read_text()
    assert "It may be used, by waiver" in (tmp_path / "out.html").read_text()
    kept = read_pack(str(pack))
    assert [each["kind"] for each in kept.events] == ["verify", "spec", "verdict", "waiver", "end"]
    assert "waived there: ensure: never met of" in "\n".join(pack_lines(kept, (), "2999-12-31"))
    assert "it is no waiver any more" in " ".join(" ".join(pack_lines(kept, (), "3000-01-01")).split())


def test_an_expired_waiver_is_none(neurosym: Neurosym, rare: Path, right: Path, tmp_path: Path) -> None:
    ran = neurosym("verify", "--json", *FEW, "--waivers", _waivers(tmp_path / "w", expires="2001-01-31"), rare, right)
    candidate = json.loads(ran.out)["candidates"][0]
    assert (ran.code, candidate["verdict"], candidate["admission"]) == (3, "UNKNOWN", "undecided")
    assert candidate["waivers"][0]["effect"] == "expired"


def _effect(verdict: Verdict, waiver: Waiver, today: date) -> list[Effect]:
    applied = Waivers((waiver,), today).applied({Obligation("a", "ensure"): verdict}, "ab" * 32)
    return [each.effect for each in applied]


def test_what_a_waiver_can_do_and_what_it_cannot() -> None:
    day = date(2027, 3, 31)
    waiver = Waiver(spec="s", clause="a", owner="o", reason="r", expires=day)
    refuted = Refuted.__new__(Refuted)
    for verdict in (Unknown(Undecided.TIMEOUT), Tested(200, "properties")):
        assert _effect(verdict, waiver, day) == [Effect.WAIVED]
        assert _effect(verdict, waiver, date(2027, 4, 1)) == [Effect.EXPIRED]
    assert _effect(Proved("z3"), waiver, day) == [Effect.NOT_NEEDED]
    assert _effect(Failed("it died"), waiver, day) == [Effect.NOT_WAIVABLE]
    assert _effect(refuted, waiver, day) == [Effect.NOT_WAIVABLE]
    assert _effect(refuted, replace(waiver, candidate="ab" * 32), day) == [Effect.WAIVED]
    assert _effect(refuted, replace(waiver, candidate="cd" * 32), day) == []


@pytest.mark.slow
def test_what_is_refuted_is_not_accepted_while_the_rest_is_not_known(
    neurosym: Neurosym, spec: Path, wrong: Path, tmp_path: Path
) -> None:
    bound = f'candidate = "{sha256_of(wrong.read_bytes())}"\n'
    both = TABLE.format(clause="ensure: grace period", expires="2999-12-31") + bound
    file = _waivers(tmp_path / "w", clause="reference", more=bound + both)
    ran = neurosym("verify", "--json", *FEW, "--waivers", file, spec, wrong)
    candidate = json.loads(ran.out)["candidates"][0]
    assert (ran.code, candidate["verdict"], candidate["admission"]) == (3, "REFUTED", "undecided")
    assert [each["effect"] for each in candidate["waivers"]] == ["waived", "waived"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it holds [[waiver]]"),
        ("[waiver]\n", "it holds [[waiver]]"),
        ("waiver = [1]\n", "a table is expected"),
        ("= 1", "not valid TOML"),
        (TABLE.format(clause="reference", expires="2999-12-31").replace("R. Risk", "\u200b-\u2060"), "owner is a text"),
        (TABLE.format(clause="*", expires="2999-12-31"), "unknown clause"),
        (TABLE.format(clause="ensure: grace periods", expires="2999-12-31"), 'did you mean "ensure: grace period"'),
        (TABLE.format(clause="reference", expires='"2999-12-31"'), "expires is a day such as"),
        (TABLE.format(clause="reference", expires="2999-12-31T00:00:00"), "expires is a day such as"),
        (TABLE.format(clause="reference", expires="2999-12-31").replace("owner", "oner"), "did you mean owner?"),
        (TABLE.format(clause="reference", expires="2999-12-31").replace("R. Risk", " "), "owner is a text"),
        (TABLE.format(clause="reference", expires="2999-12-31").replace('owner = "R. Risk"', ""), "owner is missing"),
        (TABLE.format(clause="reference", expires="2999-12-31") + 'candidate = "abc"\n', "64 hexadecimal digits"),
        (TABLE.format(clause="reference", expires="2999-12-31") + "candidate = 1\n", "candidate is a text"),
        (None, "cannot be read"),
    ],
)
def test_waivers_that_cannot_be_used(
    neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path, text: str | None, said: str
) -> None:
    if text is not None:
        (tmp_path / "w.toml").write_text(text)
    ran = neurosym("verify", "--waivers", tmp_path / "w.toml", spec, right)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())


def test_a_waiver_of_another_spec_is_passed_over(spec: Path, tmp_path: Path) -> None:
    file = _waivers(tmp_path / "w", clause="reference", more=TABLE.format(clause="x", expires="2999-12-31"))
    file.write_text(file.read_text().replace('spec = "late_fee"\nclause = "x"', 'spec = "other"\nclause = "x"'))
    found = read_waivers(file, date(2027, 1, 1))
    found.check([load_spec(spec)])
    assert [each.clause for each in found.of(load_spec(spec)).given] == ["reference"]
    assert waivers_of(json.loads(json.dumps(found.stored()))) == found


def test_a_waiver_that_does_nothing_is_known_by_what_its_results_say() -> None:
    day = date(2027, 3, 31)
    waiver = Waiver(spec="s", clause="a", owner="o", reason="r", expires=day)
    plain = {"clause": "a", "owner": "o", "reason": "r", "expires": "2027-03-31", "candidate": ""}
    uses = Uses(Waivers((waiver,), day))
    assert [*uses.idle(all_judged=False)] == []
    assert [why for _, why in uses.idle(all_judged=True)] == ["a candidate of that spec was not judged"]
    uses.meet("s", {**plain, "effect": "not needed", "why": "the clause is proved"})
    assert [why for _, why in uses.idle(all_judged=False)] == ["the clause is proved"]
    uses.meet("t", {**plain, "effect": "waived", "why": ""})
    assert [why for _, why in uses.idle(all_judged=True)] == ["the clause is proved"]
    uses.meet("s", {**plain, "effect": "waived", "why": ""})
    uses.meet("s", {**plain, "effect": "not needed", "why": "the clause is proved"})
    assert [*uses.idle(all_judged=True)] == []
    assert [why for _, why in Uses(Waivers((waiver,), date(2027, 4, 1))).idle(all_judged=False)] == [
        "its last day was 2027-03-31"
    ]
