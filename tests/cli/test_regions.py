"""``neurosym regions`` and ``neurosym diff``: text in eighty columns, JSON, CSV, exit codes and messages."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.shared import RIGHT, SPEC, Neurosym

UNREAD = RIGHT.replace("balance < 0", "float(balance) ** 3 < 0")


def test_the_table_reads_as_ranges_formulas_and_cases(neurosym: Neurosym, spec: Path, right: Path) -> None:
    ran = neurosym("regions", "--spec", spec, right)
    assert ran.code == 0, ran.err
    assert ran.out.startswith(f"late_fee in {right}: 5 regions\n  for every  balance: -100.00 to 10000.00")
    assert "raises ValueError\n    where  balance up to -0.01 USD\n" in ran.out
    assert "    where  balance from 0.00 USD\n           days_overdue up to 10\n" in ran.out
    assert "round(balance * 0.015, 2, half_up)  [USD]\n    where  balance from 999.67 to 5,000.33 USD\n" in ran.out
    assert 'late_fee(Decimal("5000.33"), ' in ran.out
    assert ' | return Decimal("0.00")\n' in ran.out
    assert "Every input is in exactly one of them." in ran.out


def test_the_output_keeps_to_80_columns(neurosym: Neurosym, spec: Path, right: Path, wrong: Path) -> None:
    for command in (["regions", right], ["diff", wrong, right]):
        for line in neurosym(*command, "--spec", spec).out.splitlines():
            assert len(line) <= 80 or str(spec.parent) in line
            assert line == line.rstrip()


def test_the_table_as_json(neurosym: Neurosym, spec: Path, right: Path) -> None:
    document = json.loads(neurosym("regions", "--json", "--spec", spec, right).out)
    assert (document["schema_version"], document["kind"], document["complete"]) == (1, "regions", True)
    assert document["spec"]["name"] == "late_fee"
    assert len(document["source"]["sha256"]) == 64
    assert document["held_against"] > 50
    formula = next(each for each in document["regions"] if each["formula"] and not each["constant"])
    assert formula["formula"] == "round(balance * 0.015, 2, half_up)"
    assert formula["unit"] == "USD"
    assert formula["text"] == "round(balance * 0.015, 2, half_up)  [USD]"
    span = {"place": "balance", "low": "999.67", "high": "5000.33", "options": None}
    assert {**span, "text": "balance from 999.67 to 5,000.33 USD"} in formula["where"]
    assert formula["case"]["call"].startswith("late_fee(Decimal(")
    assert {(end["place"], end["end"]) for end in formula["ends"]} == {
        ("balance", "low"),
        ("balance", "high"),
        ("days_overdue", "low"),
    }


def test_the_table_as_csv(neurosym: Neurosym, spec: Path, right: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(neurosym("regions", "--csv", "--spec", spec, right).out)))
    assert [row["region"] for row in rows] == ["1", "2", "3", "4", "5"]
    formula = next(row for row in rows if row["result"].startswith("round("))
    assert formula["balance"] == "from 999.67 to 5,000.33 USD"
    assert formula["days_overdue"] == "from 11"


def test_no_cell_is_a_formula_of_the_spreadsheet(neurosym: Neurosym, spec: Path, right: Path) -> None:
    right.write_text(RIGHT.replace('"negative balance"', "\"=HYPERLINK('http://x')\""))
    negative = right.with_name("negative.py")
    negative.write_text(RIGHT.replace("return min(max(fee", "return -min(max(fee"))
    for path in (right, negative):
        for row in csv.reader(io.StringIO(neurosym("regions", "--csv", "--spec", spec, path).out)):
            for cell in row:
                assert not cell.startswith(("=", "+", "@"))
                assert not cell.startswith("-") or cell[1].isdigit()


def test_the_only_spec_beside_the_file_is_taken(neurosym: Neurosym, spec: Path, right: Path, wrong: Path) -> None:
    assert neurosym("regions", right).code == 0
    assert neurosym("diff", wrong, right).code == 1
    spec.with_name("other.spec.toml").write_text(SPEC)
    ran = neurosym("regions", right)
    assert ran.code == 2
    assert "--spec is needed" in ran.err
    assert "beside it are 2" in ran.err
    gone = neurosym("regions", right.with_name("gone.py"))
    assert (gone.code, "gone.py: there is no such file" in gone.err, "--spec" in gone.err) == (2, True, False)


def test_without_a_spec_it_says_what_one_is_for(neurosym: Neurosym, right: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone" / "right.py"
    alone.parent.mkdir()
    alone.write_text(RIGHT)
    ran = neurosym("regions", alone)
    assert ran.code == 2
    assert "ranges and units, a spec says, and none lies beside it" in " ".join(ran.err.split())


def test_what_is_not_read_has_no_table(neurosym: Neurosym, spec: Path, right: Path) -> None:
    right.write_text(UNREAD)
    ran = neurosym("regions", "--spec", spec, right)
    assert ran.code == 3
    assert ran.out == ""
    assert "not read: a condition on a power or a real function of floats or Decimals at line 6" in ran.err


@pytest.mark.parametrize("source", ["import os\n" + RIGHT, "def late_fee(", "x = 1\n"])
def test_what_does_not_pass_the_gate_is_not_run(neurosym: Neurosym, spec: Path, right: Path, source: str) -> None:
    other = right.with_name("other.py")
    other.write_text(source)
    for command in (["regions", other], ["diff", right, other], ["diff", other, right]):
        ran = neurosym(*command, "--spec", spec)
        assert ran.code == 1
        assert "other.py" in ran.err
        assert "(NS" in ran.err


def test_a_file_that_is_not_there_is_said(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    ran = neurosym("regions", "--spec", spec, tmp_path / "missing.py")
    assert ran.code != 0
    assert "missing.py" in ran.err


def test_a_program_that_fails_when_it_is_loaded(neurosym: Neurosym, spec: Path, right: Path) -> None:
    right.write_text(RIGHT + "\n1 / 0\n")
    ran = neurosym("regions", "--spec", spec, right)
    assert ran.code == 1
    assert "ZeroDivisionError" in ran.err


def test_two_forms_at_once_are_refused(neurosym: Neurosym, spec: Path, right: Path) -> None:
    assert neurosym("regions", "--json", "--csv", "--spec", spec, right).code == 2


def test_a_difference_is_a_region_with_its_smallest_input(
    neurosym: Neurosym, spec: Path, right: Path, wrong: Path
) -> None:
    ran = neurosym("diff", "--spec", spec, right, wrong)
    assert ran.code == 1
    text = " ".join(ran.out.split())
    assert "days_overdue 10" in text
    assert "smallest late_fee(Decimal(" in text
    assert "new - old +15.00 USD" in text
    assert "nowhere else (proved)." in text


def test_equality_is_proved_or_only_tested(neurosym: Neurosym, spec: Path, right: Path) -> None:
    ran = neurosym("diff", "--spec", spec, "--require", "proved", right, right)
    assert (ran.code, "Equal for every input (proved" in ran.out) == (0, True)
    unread = right.with_name("unread.py")
    unread.write_text(UNREAD)
    ran = neurosym("diff", "--spec", spec, right, unread)
    assert ran.code == 0
    assert "No difference found on " in ran.out
    assert (
        "(tested, and not proved: not read: a condition on a power or a real function of floats or Decimals at line 6)."
        in " ".join(ran.out.split())
    )
    assert neurosym("diff", "--spec", spec, "--require", "proved", right, unread).code == 3


def test_a_difference_as_json(neurosym: Neurosym, spec: Path, right: Path, wrong: Path) -> None:
    ran = neurosym("diff", "--json", "--spec", spec, right, wrong)
    document = json.loads(ran.out)
    assert (document["kind"], document["equal"], document["proved"]) == ("diff", False, True)
    assert document["exit_code"] == ran.code == 1
    assert document["old"]["sha256"] != document["new"]["sha256"]
    for each in document["differences"]:
        (span,) = (span for span in each["where"] if span["place"] == "days_overdue")
        assert (span["low"], span["high"], span["options"]) == (10, 10, None)
        assert span["text"].startswith("days_overdue 10")
        assert each["smallest"]["inputs"]["days_overdue"] == 10
        assert each["smallest"]["old"] != each["smallest"]["new"]
    unread = right.with_name("unread.py")
    unread.write_text(UNREAD.replace("<= 10", "< 10"))
    document = json.loads(neurosym("diff", "--json", "--spec", spec, right, unread).out)
    assert (document["proved"], document["differences"]) == (False, [])
    assert document["seen"]["inputs"]["days_overdue"] == 10


def test_what_callers_guarantee_stands_beside_the_ranges(
    neurosym: Neurosym, spec: Path, right: Path, wrong: Path
) -> None:
    given = """
[[require]]
that = "days_overdue != 7"

[[require]]
that = "balance != 3"
on = "accepted"
"""
    spec.write_text(SPEC.replace("[[ensure]]", f"{given}\n[[ensure]]", 1))
    for command in (["regions", right], ["diff", wrong, right]):
        text = neurosym(*command, "--spec", spec).out
        assert "  given      days_overdue != 7\n             balance != 3, of inputs that are not rejected\n" in text


@pytest.mark.slow
def test_versions_that_keep_something_between_calls_are_not_decided(
    neurosym: Neurosym, spec: Path, right: Path
) -> None:
    keeps = right.with_name("keeps.py")
    body = "    _seen.append(1)\n    if len(_seen) > 300:\n        return Decimal(1)\n    if balance < 0:"
    keeps.write_text(RIGHT.replace("\n\n\ndef", "\n\n_seen = []\n\n\ndef").replace("    if balance < 0:", body))
    ran = neurosym("diff", "--spec", spec, right, keeps)
    assert ran.code == 3, ran.out + ran.err
    assert "a version keeps something between calls" in " ".join(ran.out.split())
    document = json.loads(neurosym("diff", "--json", "--spec", spec, right, keeps).out)
    assert (document["equal"], document["proved"], document["seen"]) == (False, False, None)
    assert document["unsteady"] > 0
