"""Every way in which a candidate can be bad has its class, its code and a message, and never a traceback of ours."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from neurosym import Effort, verify
from neurosym.codes import all_codes
from neurosym.events import all_of
from neurosym.reports.console import ConsoleReport
from neurosym.reports.json import JsonReport
from tests.cli.shared import RIGHT, Neurosym

FEE = "def late_fee(balance, days_overdue):\n"


def _text(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8", newline="")


def _bytes(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _nothing(path: Path) -> None:
    pass


def _fifty_megabytes(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000)


REJECTED = {
    "missing": (_nothing, "NS101", "extraction"),
    "a folder": (lambda path: path.mkdir(), "NS102", "extraction"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "NS102", "extraction"),
    "a pipe nobody writes to": (os.mkfifo, "NS102", "extraction"),
    "empty": (_text(""), "NS103", "extraction"),
    "white space": (_text("\n \t\n"), "NS103", "extraction"),
    "50 MB": (_fifty_megabytes, "NS104", "extraction"),
    "binary": (_bytes(b"\x7fELF\x02\x01\x01\0\0\0"), "NS105", "encoding"),
    "not UTF-8": (_bytes(b"# caf\xe9\n" + RIGHT.encode()), "NS106", "encoding"),
    "another encoding": (_bytes(b"# coding: utf-7\n" + RIGHT.encode()), "NS106", "encoding"),
    "nested brackets": (_text(FEE + "    return " + "(" * 10_000 + ")" * 10_000), "NS201", "syntax"),
    "a long sum": (_text(FEE + "    return " + "+".join(["1"] * 5_000)), "NS201", "syntax"),
    "many nodes": (_text(FEE + "    return [" + "1," * 60_000 + "]"), "NS202", "syntax"),
    "a huge number": (_text(FEE + "    return " + "9" * 5_000), "NS203", "syntax"),
    "a syntax error": (_text("def late_fee(balance, days_overdue)\n    return 0\n"), "NS210", "syntax"),
    "cut off": (_text(RIGHT[: RIGHT.index('Decimal("15.00")')]), "NS211", "syntax"),
    "an open bracket": (_text(FEE + "    x = (1 + 2\n    return x\n"), "NS212", "syntax"),
    "a fence": (_text(f"```python\n{RIGHT}```\n"), "NS213", "extraction"),
    "prose": (_text(f"Here is the function you asked for:\n{RIGHT}"), "NS213", "extraction"),
    "no function": (_text(RIGHT.replace("late_fee", "latefee")), "NS301", "signature"),
    "another signature": (_text("def late_fee(balance):\n    return balance\n"), "NS302", "signature"),
    "async": (_text("async " + FEE + "    return balance\n"), "NS303", "signature"),
    "a generator": (_text(FEE + "    yield balance\n"), "NS304", "signature"),
    "a method": (_text("class Fees:\n    def late_fee(self, b, d):\n        return b\n"), "NS305", "signature"),
    "a nested function": (_text("def main():\n    def late_fee(b, d):\n        return b\n"), "NS306", "signature"),
    "numpy": (_text("import numpy as np\n" + RIGHT), "NS401", "import"),
    "a relative import": (_text("from . import rates\n" + RIGHT), "NS402", "import"),
    "code from text": (_text(FEE + "    return eval('balance')\n"), "NS410", "policy"),
    "a walk into the interpreter": (_text(FEE + "    return ().__class__.__bases__\n"), "NS411", "policy"),
    "exits while loading": (_text(RIGHT + "\nraise SystemExit(0)\n"), "NS412", "policy"),
    "reads stdin while loading": (_text(RIGHT + "\nx = input()\n"), "NS412", "policy"),
    "a loop without end while loading": (_text(RIGHT + "\nwhile True:\n    pass\n"), "NS412", "policy"),
    "an attribute that is not there": (_text(RIGHT.replace("(balance * Dec", "balance.foo * (Dec")), "NS430", "name"),
    "a keyword that is not there": (_text(FEE + "    return round(balance, digits=2)\n"), "NS431", "type"),
    "a name that no module has": (_text("from decimal import ROUND_HALF_HIGH\n" + RIGHT), "NS432", "import"),
    "a name that is not defined": (_text("RATE = RATES\n" + RIGHT), "NS451", "name"),
    "a call that cannot work": (_text(f"def half(x):\n    return x / 2\n{FEE}    return half()\n"), "NS453", "type"),
    "operands that do not fit": (_text(FEE + "    return 'a' + days_overdue\n"), "NS454", "type"),
    "another type": (_text(FEE + "    return str(balance)\n"), "NS455", "type"),
    "fails while loading": (_text(RIGHT + "\nx = [1][days()] if (days := lambda: 5) else 0\n"), "NS501", "runtime"),
    "never ends loading": (_text(RIGHT + "\nfor x in iter(int, 1):\n    pass\n"), "NS501", "timeout"),
    "needs 10 GB to load": (_text(RIGHT + "\nx = bytearray(10**10)\n"), "NS501", "memory"),
    "returns outside": (_text(RIGHT + "\nreturn 1\n"), "NS501", "syntax"),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """One run, in both forms."""

    code: int
    document: dict[str, Any]  # JSON
    shown: str


@pytest.fixture
def judged(spec: Path, tmp_path: Path) -> Callable[[Path], Judged]:
    """Judges a candidate once, quickly, with both reports listening."""
    spec.write_text(spec.read_text() + '\n[policy]\ntime_limit = "0.2s"\n')

    def judged(candidate: Path) -> Judged:
        shown, written = io.StringIO(), io.StringIO()
        reports = all_of(ConsoleReport(shown), JsonReport(written))
        result = verify(spec, candidate, effort=Effort(examples=10), listener=reports)
        (document,) = json.loads(written.getvalue())["candidates"]
        return Judged(result.exit_code, document, shown.getvalue())

    return judged


Judge = Callable[[Path], Judged]


@pytest.mark.parametrize(("make", "code", "failure"), REJECTED.values(), ids=REJECTED.keys())
def test_rejected(
    judged: Judge, tmp_path: Path, make: Callable[[Path], object], code: str, failure: str | None
) -> None:
    candidate = tmp_path / "candidate.py"
    make(candidate)
    found = judged(candidate)
    assert found.code == 1
    assert found.document["verdict"] == "REJECTED"
    assert found.document["diagnostics"][0]["code"] == code
    assert found.document["diagnostics"][0]["message"]
    assert found.document["obligations"] == []
    assert failure in (None, found.document["class"])
    assert f"[{code} {found.document['class']}]" in found.shown
    assert "Traceback" not in found.shown
    assert code in all_codes()


def _late(statement: str) -> str:
    """The right function, but for the late days."""
    return RIGHT.replace(
        "    if balance < 0:", f"    if days_overdue >= 37 and balance >= 0:\n        {statement}\n    if balance < 0:"
    )


REFUTED = {
    "a wrong value": (_late('return Decimal("15.01")'), "wrong value"),
    "raises": (_late("raise KeyError(balance)"), "runtime"),
    "reads stdin": (_late("return input()"), "runtime"),
    "exits": (_late("raise SystemExit(0)"), "runtime"),
    "never ends": (_late("while True: pass"), "timeout"),
    "needs 10 GB": (_late("x = bytearray(10**10)"), "memory"),
    "prints without end": (_late("while True: print('x' * 1000)"), "output"),
    "returns nothing": (_late("return None"), "type"),
    "returns a float": (_late("return 15.0"), "type"),
    "returns too many decimals": (_late('return Decimal("15.001")'), None),
    "recurses without end": (_late("return late_fee(balance, days_overdue)"), "runtime"),
    "remembers": (
        RIGHT.replace("\n\ndef", "\nseen = []\n\ndef", 1).replace(
            "    if balance < 0:",
            "    seen.append(1)\n    if len(seen) > 1:\n        return Decimal(9)\n    if balance < 0:",
        ),
        None,
    ),
}


@pytest.mark.parametrize(("source", "failure"), REFUTED.values(), ids=REFUTED.keys())
def test_refuted(judged: Judge, tmp_path: Path, source: str, failure: str | None) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_text(source)
    found = judged(candidate)
    assert found.code == 1
    assert found.document["verdict"] == "REFUTED"
    assert failure in (None, found.document["class"])
    first = next(each for each in found.document["obligations"] if each["verdict"] == "REFUTED")
    assert first["counterexample"]["calls"][0] in found.shown
    assert f"[{first['code']} {found.document['class']}]" in found.shown
    assert first["code"] in all_codes()


def test_a_candidate_that_prints_gets_a_note(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_text(RIGHT.replace("    if balance < 0", "    print('\\x1b[2J::error::x')\n    if balance < 0"))
    ran = neurosym("verify", spec, candidate)
    assert ran.code == 0, ran.out
    assert "note NS550: the candidate prints" in ran.out
    assert "\x1b" not in ran.out
    assert "::error" not in ran.out


def test_a_byte_order_mark_is_accepted_and_noted(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_bytes(b"\xef\xbb\xbf" + RIGHT.encode())
    ran = neurosym("verify", spec, candidate)
    assert ran.code == 0, ran.out
    assert "note NS110" in ran.out


def test_names_and_further_parameters_are_notes(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_text(RIGHT.replace("balance", "owed").replace("days_overdue: int", "days_overdue: int, x: int = 1"))
    ran = neurosym("verify", spec, candidate)
    assert ran.code == 0, ran.out
    assert "note NS310: parameters have other names: owed for balance" in ran.out
    assert "note NS311: further parameters keep their defaults: x" in ran.out


def test_standard_input(neurosym: Neurosym, spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RIGHT.encode())))
    ran = neurosym("verify", spec, "-")
    assert ran.code == 0, ran.out
    assert "<stdin>" in ran.out


def test_a_missing_candidate_names_the_nearest_file(neurosym: Neurosym, spec: Path, right: Path) -> None:
    assert "did you mean" in neurosym("verify", spec, right.with_name("rigth.py")).out
