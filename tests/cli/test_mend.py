"""Mending on the command line: what is rewritten passes the gate again, runs, and keeps the original's lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from neurosym_specs.verdicts import Refuted

from neurosym import Source, Standing, verify
from neurosym.result import Judged, Rejected
from neurosym.source import sha256_of
from tests.cli.shared import RIGHT, Neurosym

REPLY = """Here is the function you asked for:

```python
def calculate_fee(balance, days_overdue):
    if balance < 0:
        raise ValueError("negative balance")
    print("checked", balance)
    if days_overdue <= 10:
        return Decimal("0.00")
    fee = (balance * Decimal("0.015")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return min(max(fee, Decimal("15.00")), Decimal("75.00"))


print(calculate_fee(Decimal("10.00"), 12))
```

It rounds half up.
"""
FAILS_ON_LINE_8 = REPLY.replace("if days_overdue <= 10:", "if 1 / (days_overdue - 33) and days_overdue <= 10:")


def _one(neurosym: Neurosym, *arguments: str | Path) -> dict[str, object]:
    (candidate,) = json.loads(neurosym("verify", "--json", *arguments).out)["candidates"]
    assert isinstance(candidate, dict)
    return candidate


def test_a_file_is_judged_as_its_bytes_are(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    file = tmp_path / "reply.py"
    file.write_text(REPLY)
    found = _one(neurosym, spec, file)
    assert (found["verdict"], found["class"], found["rewrites"]) == ("REJECTED", "extraction", [])
    assert found["sha256"] == found["original_sha256"] == sha256_of(REPLY.encode())


def test_a_reply_is_mended_and_right(spec: Path) -> None:
    (found,) = verify(spec, Source(REPLY, is_reply=True)).candidates
    assert found.standing in (Standing.TESTED, Standing.PROVED)
    assert found.rewriting is not None
    assert [each.name for each in found.rewriting.rewrites] == ["fences", "prints", "name", "imports", "annotations"]
    assert found.source is not None
    assert found.original is not None
    assert found.original.text == REPLY
    assert found.sha256 == sha256_of(found.source.text.encode())
    assert not found.objections


def test_what_was_mended_is_what_would_be_judged_as_a_file(spec: Path, tmp_path: Path) -> None:
    (mended,) = verify(spec, Source(REPLY, is_reply=True)).candidates
    assert mended.source is not None
    file = tmp_path / "mended.py"
    file.write_text(mended.source.text)
    (judged,) = verify(spec, file).candidates
    assert (judged.sha256, judged.standing) == (mended.sha256, mended.standing)


def test_a_run_time_error_keeps_the_line_of_the_original(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    file = tmp_path / "reply.py"
    file.write_text(FAILS_ON_LINE_8)
    (found,) = verify(spec, file, mend=True).candidates
    assert isinstance(found.outcome, Judged)
    verdicts = found.outcome.judgement.verdicts.values()
    lines = [each.counterexample.line for each in verdicts if isinstance(each, Refuted)]
    assert lines
    assert set(lines) == {8}
    assert {getattr(each, "exception").line for each in found.outcome.judgement.ended.values()} == {8}  # noqa: B009
    shown = neurosym("verify", spec, file, "--mend").out
    assert "       8 |     if 1 / (days_overdue - 33) and days_overdue <= 10:" in shown
    assert "fences: takes the code out of its markdown fences" in shown
    assert "+def late_fee(balance, days_overdue):" in shown


def test_what_the_gate_says_keeps_line_and_column(spec: Path) -> None:
    reply = REPLY.replace('print("checked", balance)', "balance.quantise(balance)")
    (found,) = verify(spec, Source(reply, is_reply=True), stop_after="gate").candidates
    assert found.standing is Standing.REJECTED
    assert isinstance(found.outcome, Rejected)
    diagnostic = found.outcome.diagnostics[0]
    assert (diagnostic.line, diagnostic.column) == (7, 5)
    assert diagnostic.source_line == "    balance.quantise(balance)"


def test_a_codemod_can_be_switched_off(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    file = tmp_path / "reply.py"
    file.write_text(REPLY)
    found = _one(neurosym, spec, file, "--mend", "--skip", "name")
    assert found["class"] == "signature"
    ran = neurosym("verify", spec, file, "--mend", "--skip", "nam")
    assert (ran.code, "did you mean name?" in ran.err) == (2, True)
    ran = neurosym("verify", spec, file, "--skip", "name")
    assert (ran.code, "--mend" in ran.err) == (2, True)


def test_nothing_to_mend_changes_nothing(spec: Path) -> None:
    (found,) = verify(spec, Source(RIGHT), mend=True).candidates
    assert found.rewriting is None
    assert found.sha256 == sha256_of(RIGHT.encode())
    assert [step.name for step in found.gate].count("rewrite") == 1


@pytest.mark.parametrize("between", ["or rather", "Or, better:", "Here is a second version of it."])
def test_a_reply_that_cannot_be_mended_is_told_why(spec: Path, between: str) -> None:
    two = f"```python\n{RIGHT}```\n{between}\n```python\n{RIGHT.replace('15.00', '16.00')}```\n"
    (found,) = verify(spec, Source(two, is_reply=True)).candidates
    assert isinstance(found.outcome, Rejected)
    assert found.outcome.diagnostics[0].code == "NS214"
    assert found.rewriting is None
