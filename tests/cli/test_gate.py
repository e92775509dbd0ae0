"""Finer points of the gate: where it points to, what it lets through, and that nothing is slow."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from neurosym import Diagnostic, Source, gate, load_spec
from tests.cli.shared import RIGHT, Neurosym

FEE = "def late_fee(balance, days_overdue):\n"


def _first(code: str, spec: Path) -> Diagnostic:
    entry = gate.enter(Source(code), load_spec(spec))
    assert isinstance(entry, gate.Stopped)
    return entry.diagnostics[0]


def test_a_syntax_error_shows_line_column_and_source(spec: Path) -> None:
    found = _first("x = 1\ndef late_fee(balance, days_overdue)\n    return 0\n", spec)
    assert (found.code, found.line, found.column) == ("NS210", 2, 36)
    assert found.source_line == "def late_fee(balance, days_overdue)"


def test_columns_count_characters(spec: Path) -> None:
    found = _first("é = 'ééé'; late_fee = lambda balance: balance\n", spec)
    assert (found.code, found.column) == ("NS302", 23)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (FEE, "NS211"),
        (FEE + "    return max(balance,\n", "NS211"),
        (FEE + "    return 'abc", "NS211"),
        (FEE + '    """A fee.\n    return 0\n', "NS211"),
        (FEE + "    try:\n        return 0\n", "NS211"),
        (FEE + "    x = (1 + 2\n    return x\n", "NS212"),
        (FEE + "    return 1)\n", "NS212"),
        (FEE + "    return [1)\n", "NS212"),
        (FEE + "    return “a”\n", "NS210"),
        (FEE + "\treturn 1\n        x = 2\n", "NS210"),
        ("Sure! Here is the code.\n\n" + RIGHT, "NS213"),
        (RIGHT + "\nThis function rounds half up as agreed.\n", "NS213"),
        ("~~~\n" + RIGHT + "~~~\n", "NS213"),
        ("lambda: " * 500 + "1", "NS201"),
        ("x = " + "not " * 500 + "1", "NS201"),
        ("x = a" + ".b" * 5_000, "NS201"),
        ("x = " + "1 if a else " * 5_000 + "1", "NS201"),
        ("if a:\n  pass\n" + "elif a:\n  pass\n" * 1_000, "NS201"),
        ("x = " + "f(" * 5_000, "NS201"),
        ("x = '" + "a" * 70_000 + "'", "NS203"),
    ],
)
def test_kinds_of_broken_code(spec: Path, code: str, expected: str) -> None:
    assert _first(code, spec).code == expected


@pytest.mark.parametrize(
    "code",
    [
        RIGHT,
        RIGHT.replace("\n", "\r\n"),
        "from __future__ import annotations\n" + RIGHT,
        "import collections.abc\n" + RIGHT,
        "late_fee = lambda balance, days_overdue: balance\n",
        "def late_fee(*values):\n    return values[0]\n",
        "if True:\n    def late_fee(balance, days_overdue):\n        return balance\n",
        "import functools\n@functools.wraps(print)\ndef late_fee(x):\n    return x\n",
        FEE + "    def inner():\n        yield balance\n    return sum(inner())\n",
        FEE + '    """```\n    fence in a text\n    """\n    return balance\n',
        "def late_fee(a):\n    return a\n\n\n" + RIGHT,
        "x = [" + "1," * 8_000 + "]\n" + RIGHT,
    ],
)
def test_what_passes(spec: Path, code: str) -> None:
    assert isinstance(gate.enter(Source(code), load_spec(spec)), gate.Passed)


def test_both_a_wrong_function_and_wrong_imports_are_told(spec: Path) -> None:
    entry = gate.enter(Source("import numpy, os, numpy\ndef fee():\n    import sys\n"), load_spec(spec))
    assert isinstance(entry, gate.Stopped)
    assert [each.code for each in entry.diagnostics] == ["NS301", "NS401", "NS401", "NS401"]


def test_the_nearest_allowed_modules_are_named(spec: Path) -> None:
    assert "decimal" in _first("import decimel\n" + RIGHT, spec).hint
    assert "statistics" in _first("import numpy\n" + RIGHT, spec).hint


@pytest.mark.parametrize(
    "code",
    [
        "(" * 250_000,
        "\\\n" * 120_000,
        "'" * 250_000,
        '"""' + "\\" * 250_000,
        "-" * 250_000,
        "import zz\n" * 25_000,
        "x=1;" * 60_000,
    ],
)
def test_no_text_takes_long(spec: Path, code: str) -> None:
    loaded = load_spec(spec)
    begun = time.process_time()
    assert isinstance(gate.enter(Source(code), loaded), gate.Stopped)
    assert time.process_time() - begun < 3


def test_no_candidate_is_imported_or_run(spec: Path, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    code = f"open({str(trap)!r}, 'w')\n" + RIGHT
    gate.enter(Source(code), load_spec(spec))
    assert not trap.exists()


def test_a_right_candidate_with_a_float_is_judged_and_not_accepted(
    neurosym: Neurosym, spec: Path, tmp_path: Path
) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_text(RIGHT.replace("if days_overdue <= 10", "if days_overdue <= 10.0"))
    ran = neurosym("verify", spec, candidate)
    assert ran.code == 1
    assert "PROVED" in ran.out
    assert "[NS440 policy] 10.0 is a float" in ran.out
    assert "Not accepted, whatever the verdict" in ran.out
    (found,) = json.loads(neurosym("verify", "--json", spec, candidate).out)["candidates"]
    assert (found["verdict"], found["admission"]) == ("PROVED", "refused")
    assert [each["code"] for each in found["objections"]] == ["NS440"]


def test_nothing_is_run_behind_the_gate_if_so_asked(
    neurosym: Neurosym, spec: Path, right: Path, wrong: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_bench(*given: object) -> None:
        raise AssertionError("a bench was opened")

    monkeypatch.setattr("neurosym.preparing.Bench", no_bench)
    bad = tmp_path / "bad.py"
    bad.write_text(RIGHT.replace(".quantize", ".quantise"))
    ran = neurosym("verify", "--stop-after", "gate", spec, right, wrong)
    assert (ran.code, ran.out.count("It passes the gate. Nothing was run")) == (3, 2)
    ran = neurosym("verify", "--stop-after", "gate", "--json", spec, bad, right)
    assert ran.code == 1
    rejected, passed = json.loads(ran.out)["candidates"]
    assert (rejected["verdict"], rejected["class"], rejected["stopped_after"]) == ("REJECTED", "name", None)
    assert (passed["verdict"], passed["admission"], passed["stopped_after"]) == ("UNKNOWN", "undecided", "gate")
    assert [each["step"] for each in passed["gate"]] == [
        "read",
        "encoding",
        "nesting",
        "syntax",
        "size",
        "constants",
        "names",
        "function",
        "classes",
        "imports",
        "ways out",
        "security",
        "purity",
        "existence",
        "floats",
        "types",
    ]
    assert all(each["seconds"] >= 0 for each in passed["gate"])


def test_how_strict_types_are_can_be_chosen(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    candidate = tmp_path / "candidate.py"
    candidate.write_text(RIGHT.replace("    if balance < 0", "    seen = {}\n    if balance < 0"))
    common = ("verify", "--stop-after", "gate", spec, candidate)
    assert neurosym(*common, "--types", "strict").code == 1
    assert "note NS456" in neurosym(*common, "--types", "sure").out
    off = neurosym(*common, "--types", "off")
    assert (off.code, "NS456" in off.out) == (3, False)
    assert "did you mean sure?" in neurosym(*common, "--types", "sur").err
