"""Exact versions, scripts, explanations and delivery, on the command line and from the library."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from neurosym import Source, Standing, verify
from neurosym.delivery import END
from neurosym.departures import Departure
from neurosym.source import sha256_of
from neurosym.workers import Worker
from tests.cli.shared import RIGHT, SPEC, Neurosym

FLOATS = """
def late_fee(balance: Decimal, days_overdue: int) -> Decimal:
    if balance < 0:
        raise ValueError("negative balance")
    if days_overdue <= 10:
        return Decimal("0.00")
    fee = round(float(balance) * 0.015, 2)
    capped = min(max(fee, 15.0), 75.0)
    return Decimal(str(capped))
"""
SCRIPT = """
if balance < 0:
    raise ValueError("negative balance")
fee = (balance * Decimal("0.015")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
answer = min(max(fee, Decimal("15.00")), Decimal("75.00")) if days_overdue > 10 else Decimal("0.00")
print(answer)
"""
SOON = '\n[policy]\ntime_limit = "250ms"\n'
ENDLESS = """
def late_fee(balance: Decimal, days_overdue: int) -> Decimal:
    paid = 0
    while paid != days_overdue + 1:
        for part in range(2):
            paid += 2
        paid -= 4
    return Decimal("0.00")
"""
LETS = SPEC.replace("[reference]", '[let]\nfee = "round(balance * 0.015, 2, half_up)"\n\n[reference]')


@pytest.fixture
def lets(tmp_path: Path) -> Path:
    (tmp_path / "lets").mkdir()
    path = tmp_path / "lets" / "late_fee.spec.toml"
    path.write_text(LETS)
    return path


def _file(folder: Path, text: str) -> Path:
    path = folder / "candidate.py"
    path.write_text(text)
    return path


def _json(neurosym: Neurosym, *arguments: str | Path) -> dict[str, Any]:
    (candidate,) = json.loads(neurosym("verify", "--json", *arguments).out)["candidates"]
    assert isinstance(candidate, dict)
    return candidate


def test_an_exact_version_is_offered_with_its_verdict_and_changes_nothing(spec: Path, tmp_path: Path) -> None:
    file = _file(tmp_path, FLOATS)
    plain, offered = verify(spec, file), verify(spec, file, fix=True)
    assert plain.candidates[0].fix is None
    (found,) = offered.candidates
    assert found.fix is not None
    assert found.fix.standing in (Standing.TESTED, Standing.PROVED)
    assert found.fix.rewriting is not None
    assert [each.name for each in found.fix.rewriting.rewrites] == ["exact", "exact-imports"]
    assert found.fix.source is not None
    assert "0.015" in found.fix.source.text
    assert found.fix.sha256 == sha256_of(found.fix.source.text.encode())
    assert (found.standing, found.sha256) == (plain.candidates[0].standing, plain.candidates[0].sha256)
    assert offered.exit_code == plain.exit_code == 1


def test_the_offer_is_shown_with_its_verdict(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    file = _file(tmp_path, FLOATS)
    assert "--fix offers an exact version, and judges it." in neurosym("verify", spec, file).out
    shown = neurosym("verify", spec, file, "--fix").out
    assert "An exact version of it, which was judged as well, is " in shown
    assert '+    capped = min(max(fee, Decimal("15.0")), Decimal("75.0"))' in shown
    found = _json(neurosym, spec, file, "--fix")
    assert found["fix"]["verdict"] in ("TESTED", "PROVED")
    assert found["fix"]["original_sha256"] == found["sha256"]
    assert [each["codemod"] for each in found["fix"]["rewrites"]] == ["exact", "exact-imports"]


def test_a_version_turned_away_for_its_float_result_has_an_offer_too(spec: Path) -> None:
    text = "def late_fee(balance, days_overdue):\n    return 15.0\n"
    (found,) = verify(spec, Source(text), fix=True).candidates
    assert found.standing is Standing.REJECTED
    assert found.fix is not None
    assert found.fix.standing is Standing.REFUTED


def test_the_first_value_that_departs_from_the_spec_is_named(lets: Path) -> None:
    (found,) = verify(lets, Source(RIGHT.replace("0.015", "0.016"))).candidates
    assert found.explanation is not None
    departure = found.explanation.departure
    assert isinstance(departure, Departure)
    assert (departure.line, departure.name, departure.where) == (10, "fee", "the spec's fee")
    assert Decimal(departure.actual) != Decimal(departure.expected)
    names = [step.name for step in found.explanation.steps]
    assert names == ["fee", "return"]


def test_what_departs_is_shown(neurosym: Neurosym, lets: Path, tmp_path: Path) -> None:
    file = _file(tmp_path, RIGHT.replace("ROUND_HALF_UP)", "ROUND_DOWN)").replace("ROUND_HALF_UP", "ROUND_DOWN"))
    shown = neurosym("verify", lets, file).out
    assert " at line 10; the spec's fee is " in shown
    assert " at line 10" not in neurosym("verify", lets, file, "--no-explain").out


def test_the_lines_of_an_explanation_are_those_of_the_original(lets: Path) -> None:
    reply = "The code:\n```python" + RIGHT.replace("0.015", "0.016") + "```\n"
    (found,) = verify(lets, Source(reply, is_reply=True)).candidates
    assert found.explanation is not None
    assert found.explanation.departure is not None
    assert found.explanation.departure.line == 11


def test_what_never_ends_is_named_by_its_outer_loop(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    spec.write_text(spec.read_text() + SOON)
    file = _file(tmp_path, ENDLESS)
    found = _json(neurosym, spec, file)
    assert found["class"] == "timeout"
    assert found["explanation"]["endless_line"] == 4


def test_a_script_is_judged_by_the_result_that_is_named(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    file = _file(tmp_path, "from decimal import *\n".replace("*", "ROUND_HALF_UP, Decimal") + SCRIPT)
    found = _json(neurosym, spec, file, "--script", "answer")
    assert found["verdict"] in ("TESTED", "PROVED")
    assert [each["codemod"] for each in found["rewrites"]] == ["script"]
    assert _json(neurosym, spec, file)["verdict"] == "REJECTED"
    found = _json(neurosym, spec, file, "--script", "result")
    assert found["diagnostics"][0]["code"] == "NS308"
    assert neurosym("verify", spec, file, "--script", "not a name").code == 2


def test_a_reply_may_be_a_script(spec: Path) -> None:
    reply = f"It is:\n```python\n{SCRIPT}```\n"
    (found,) = verify(spec, Source(reply, is_reply=True), script="answer").candidates
    assert found.standing in (Standing.TESTED, Standing.PROVED)
    assert found.rewriting is not None
    assert [each.name for each in found.rewriting.rewrites] == ["fences", "prints", "script", "imports"]


def _below_the_header(text: str) -> str:
    return text.partition(END + "\n")[2]


def test_what_is_written_is_what_was_judged(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    file, target = _file(tmp_path, RIGHT + "\n\n\n\nx = 1   \n"), tmp_path / "out.py"
    ran = neurosym("verify", spec, file, "--json", "--write", target)
    (found,) = json.loads(ran.out)["candidates"]
    text = target.read_text()
    assert hashlib.sha256(_below_the_header(text).encode()).hexdigest() == found["sha256"]
    assert f"# judged    sha256 {found['sha256']}\n" in text
    assert f"# original  sha256 {sha256_of(file.read_bytes())}\n" in text
    assert text.startswith("# late_fee: Late fee on an overdue balance\n# ")
    assert found["verdict"] in text.split("\n")[1]
    assert _json(neurosym, spec, target)["verdict"] == found["verdict"]


def test_a_written_file_stands_on_its_own(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    file, target = (
        _file(tmp_path, RIGHT.replace("import ROUND_HALF_UP, Decimal", "import ROUND_HALF_UP")),
        tmp_path / "out.py",
    )
    assert neurosym("verify", spec, file, "--write", target, "--checked").code == 0
    namespace: dict[str, Any] = {}
    exec(target.read_text(), namespace)
    assert namespace["late_fee"](Decimal("1003.00"), 11) == Decimal("15.05")
    with pytest.raises(TypeError, match="balance must be of the type Decimal"):
        namespace["late_fee"](1003.0, 11)
    with pytest.raises(ValueError, match="days_overdue is outside of its range"):
        namespace["late_fee"](Decimal("1003.00"), 61)


def test_what_is_not_accepted_is_not_written(neurosym: Neurosym, spec: Path, wrong: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.py"
    target.write_text("before")
    ran = neurosym("verify", spec, wrong, "--write", target)
    assert (ran.code, target.read_text()) == (1, "before")
    assert "nothing is written" in ran.err
    assert neurosym("verify", spec, wrong, wrong, "--write", target).code == 2
    assert neurosym("verify", spec, wrong, "--checked").code == 2


def _is_not_delivered(neurosym: Neurosym, spec: Path, file: Path, why: str) -> None:
    target = file.with_name("out.py")
    ran = neurosym("verify", spec, file, "--write", target, "--checked")
    assert (ran.code, target.exists()) == (70, False)
    assert "1 of 1 accepted" in ran.out
    assert why in ran.err


def test_what_could_not_be_made_ready_is_not_written(
    neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Worker(tmp_path / "no_service.py", called="the rewriting")
    monkeypatch.setattr("neurosym.rewrite.shared_rewriter", lambda: broken)
    _is_not_delivered(neurosym, spec, right, "the rewriting's process failed")


def test_what_checks_none_of_its_inputs_is_not_written_as_checked(
    neurosym: Neurosym, spec: Path, tmp_path: Path
) -> None:
    head = "def late_fee(balance: Decimal, days_overdue: int) -> Decimal:\n"
    assert head in RIGHT
    starred = RIGHT.replace(head, "def late_fee(balance, *rest):\n    (days_overdue,) = rest\n")
    _is_not_delivered(neurosym, spec, _file(tmp_path, starred), "no checks could be put in")


def test_a_place_that_cannot_be_written_is_the_environments_fault(
    neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path
) -> None:
    ran = neurosym("verify", spec, right, "--write", tmp_path / "no" / "out.py")
    assert (ran.code, "cannot be written" in ran.err) == (4, True)
