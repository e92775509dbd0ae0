"""The console and the JSON form of a run, and that no text of a stranger does more than be read."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neurosym_sandbox import Jail

from neurosym.commands import doctor
from neurosym.safe_text import plain_text, safe_json, safe_text
from tests.cli.shared import RIGHT, Neurosym


def test_a_refutation_shows_what_to_paste_and_what_was_expected(neurosym: Neurosym, spec: Path, wrong: Path) -> None:
    out = neurosym("verify", spec, wrong).out
    assert "REFUTED" in out
    assert "[NS510 wrong value]" in out
    assert '\n    late_fee(Decimal("' in out
    assert "expected    0 USD" in out or "expected    0.00 USD" in out
    assert "actual      " in out
    assert "source: " in out
    assert "replayed in a fresh sandbox" in out
    assert out.rstrip().endswith("(exit 1)")


def test_what_was_not_shown_is_said(neurosym: Neurosym, spec: Path, right: Path) -> None:
    out = neurosym("verify", spec, right).out
    assert "TESTED   ensure: grace period: " in out or "PROVED" in out
    assert "for every  balance: -100.00 to 10000.00" in out


def test_the_ranges_and_what_callers_guarantee_are_shown(neurosym: Neurosym, spec: Path, right: Path) -> None:
    spec.write_text(spec.read_text() + '\n[[require]]\nthat = "days_overdue != 5"\n')
    out = neurosym("verify", spec, right).out
    assert "  for every  balance: -100.00 to 10000.00, 2 decimals" in out
    assert "  where      days_overdue != 5\n" in out


def test_the_console_keeps_to_80_columns(neurosym: Neurosym, spec: Path, right: Path, wrong: Path) -> None:
    for line in neurosym("verify", spec, right, wrong, "missing.py").out.splitlines():
        assert len(line) <= 80 or str(spec.parent) in line
        assert line == line.rstrip()


def test_the_json_form(neurosym: Neurosym, spec: Path, right: Path, wrong: Path) -> None:
    ran = neurosym("verify", "--json", "--seed", "3", "--examples", "50", spec, right, wrong)
    document = json.loads(ran.out)
    assert ran.code == document["exit_code"] == 1
    assert document["schema_version"] == 1
    assert document["kind"] == "verify"
    assert document["effort"]["seed"] == 3
    assert document["effort"]["examples"] == 50
    assert document["spec"]["name"] == "late_fee"
    assert len(document["spec"]["sha256"]) == 64
    good, bad = document["candidates"]
    assert good["admission"] == "admitted"
    assert {each["verdict"] for each in good["obligations"]} <= {"PROVED", "TESTED"}
    assert (bad["verdict"], bad["admission"], bad["class"]) == ("REFUTED", "refused", "wrong value")
    refuted = next(each for each in bad["obligations"] if each["verdict"] == "REFUTED")
    assert refuted["counterexample"]["calls"][0].startswith("late_fee(Decimal(")
    assert refuted["code"] == "NS510"


def test_the_json_form_of_other_commands(neurosym: Neurosym, spec: Path) -> None:
    for command in (["spec", "show", "--json", spec], ["spec", "check", "--json", spec], ["doctor", "--json"]):
        document = json.loads(neurosym(*command).out)
        assert document["schema_version"] == 1
        assert document["kind"]


def test_spec_show_prints_signature_and_obligations(neurosym: Neurosym, spec: Path) -> None:
    out = neurosym("spec", "show", spec).out
    assert "def late_fee(balance: Decimal, days_overdue: int) -> Decimal" in out
    assert "ensure: grace period" in out
    assert "terminates" in out


def test_doctor_names_the_layers(neurosym: Neurosym) -> None:
    ran = neurosym("doctor")
    assert ran.code == 0, ran.out
    assert "seccomp" in ran.out
    assert "z3-solver" in ran.out


def test_doctor_says_why_a_layer_is_missing_and_what_would_help(
    neurosym: Neurosym, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(doctor, "Jail", lambda: Jail(without=["landlock", "namespaces"]))
        ran = neurosym("doctor")
        document = json.loads(neurosym("doctor", "--json").out)
    assert ran.code == 0, ran.out
    assert "sandbox   standard" in ran.out
    assert "missing  landlock: left out on request" in ran.out
    assert "for landlock: Linux 5.13 or newer" in ran.out
    assert ran.out.count("allow user namespaces") == 1
    layers = {layer["name"]: layer for layer in document["sandbox"]["layers"]}
    assert layers["landlock"]["remedy"].startswith("Linux 5.13")
    assert layers["seccomp"]["remedy"] is None


HOSTILE = (
    "\x1b[31mred\x1b[0m \u202eevil\u2066 \x07\r\x9b ::error file=x::no ##vso[task.setvariable]x [bold]b[/bold] \ud800"
)


def test_a_hostile_spec_and_name_are_data(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    text = spec.read_text()
    hostile = HOSTILE.replace("\ud800", "").encode("unicode_escape").decode().replace("\\x", "\\u00")
    spec.write_text(text.replace("Up to ten days there is no fee.", hostile).replace("Late fee on an", hostile))
    candidate = tmp_path / "::error::[red]x\x1b[2J.py"
    candidate.write_text(RIGHT.replace("<= 10", "< 10").replace("if balance", "'\u202e::error::'\n    if balance"))
    for command in (["verify"], ["verify", "--json"], ["spec", "show"], ["spec", "show", "--json"]):
        out = neurosym(*command, spec, *([candidate] if command[0] == "verify" else [])).out
        _is_harmless(out)


def _is_harmless(out: str) -> None:
    assert out.isascii() or not any(unicodedata.category(char) in ("Cf", "Cs", "Co") for char in out)
    assert not any(unicodedata.category(char) == "Cc" for char in out.replace("\n", ""))
    assert "::error" not in out
    assert "##vso[" not in out


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=60))
def test_safe_text_is_one_harmless_line(text: str) -> None:
    _is_harmless(safe_text(text))
    assert "\n" not in safe_text(text)
    safe_text(text).encode("utf-8")
    assert safe_text(safe_text(text)) == safe_text(text)
    json.dumps(plain_text(text), ensure_ascii=False).encode("utf-8")


@given(st.text(alphabet="#[]:aerov \n", max_size=30))
def test_safe_json_means_the_same(text: str) -> None:
    document = json.dumps({"a": text, text: ["::", "##"]}, indent=2)
    assert json.loads(safe_json(document)) == json.loads(document)
    assert "::" not in safe_json(document)
    assert "##" not in safe_json(document)


def test_an_escaped_call_still_means_the_call() -> None:
    value = "a\x1b[2J::error::b\u202e##vso[x]"
    assert eval(safe_text(f"'{value}'")) == value


@pytest.mark.parametrize("text", ["plain", "naïve €1,234.50 – 日本", "xs[::2]", "# a ## b"])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert safe_text(text) == text


def test_long_text_is_cut_and_says_so() -> None:
    assert safe_text("x" * 5_000, limit=10) == "x" * 10 + " … (4,990 more characters)"
    assert len(safe_text("e" + "\u0301" * 100)) <= 5
