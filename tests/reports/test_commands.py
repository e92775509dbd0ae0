"""Reports beside ``verify``, and of a stored result: the same files either way, and what is said where none can be."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from neurosym.reports.forms import FORMS
from tests.cli.shared import Neurosym

FEW = ("--no-proof", "--examples", "30")


def test_verify_writes_what_report_writes_of_its_document(
    neurosym: Neurosym, spec: Path, wrong: Path, tmp_path: Path
) -> None:
    asked = [part for form in FORMS for part in (f"--{form}", tmp_path / f"now.{form}")]
    ran = neurosym("verify", "--json", *FEW, spec, wrong, *asked)
    assert ran.code == 1
    document = tmp_path / "result.json"
    document.write_text(ran.out)
    later = [part for form in FORMS for part in (f"--{form}", tmp_path / f"later.{form}")]
    assert neurosym("report", document, *later) == (neurosym("report", document, *later))
    for form in FORMS:
        now = (tmp_path / f"now.{form}").read_text()
        assert now
        assert now == (tmp_path / f"later.{form}").read_text()


def test_a_report_on_standard_output(neurosym: Neurosym, stored: Path) -> None:
    ran = neurosym("report", stored, "--csv", "-")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("spec,candidate,")


def test_the_schema_is_printed(neurosym: Neurosym) -> None:
    assert json.loads(neurosym("report", "--schema").out)["$id"] == "urn:neurosym:schema:verify:1"


def test_what_cannot_be_written_is_said_before_the_work(
    neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path
) -> None:
    for options, said in (
        (["--csv", tmp_path / "no" / "x.csv"], "there is no such folder"),
        (["--csv", tmp_path], "a folder"),
        (["--csv", right], "that file is read, and would be replaced"),
        (["--csv", spec], "that file is read"),
        (["--csv", tmp_path / "x", "--junit", tmp_path / "x"], "two reports cannot be written into one file"),
        (["--csv", "-"], "standard output is taken"),
    ):
        ran = neurosym("verify", spec, right, *options)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err
    assert right.read_text()
    assert "say in which form" in neurosym("report", right).err


def test_a_file_of_an_earlier_run_does_not_stay(neurosym: Neurosym, spec: Path, tmp_path: Path) -> None:
    old = tmp_path / "junit.xml"
    old.write_text("<testsuites/>")
    spec.write_text("spec = 1\n")
    assert neurosym("verify", spec, tmp_path / "missing.py", "--junit", old).code == 2
    assert not old.exists()


def test_a_spec_at_fault_is_reported(neurosym: Neurosym, spec: Path, right: Path, tmp_path: Path) -> None:
    spec.write_text(spec.read_text().replace('out = "15.00"', 'out = "15.01"'))
    target = tmp_path / "junit.xml"
    assert neurosym("verify", spec, right, "--junit", target).code == 2
    assert "SPEC FAULT NS701" in target.read_text()


@pytest.mark.parametrize("stored_first", [False, True])
def test_github_is_found_by_its_environment(
    neurosym: Neurosym, monkeypatch: pytest.MonkeyPatch, spec: Path, wrong: Path, tmp_path: Path, stored_first: bool
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    ran = neurosym("verify", "--json", *FEW, spec, wrong, *(["--no-github"] if stored_first else []))
    json.loads(ran.out)
    if stored_first:
        assert (ran.err, summary.read_text()) == ("", "before\n")
        (tmp_path / "result.json").write_text(ran.out)
        said = neurosym("report", tmp_path / "result.json").out
    else:
        said = ran.err
    assert said.startswith("::error file=wrong.py,line=")
    assert summary.read_text().startswith("before\n## neurosym: Late fee")


def test_verify_alone_loads_nothing_of_the_reports() -> None:
    heavy = ("pydantic", "jinja2", "neurosym.reports.document", "neurosym.reports.page")
    code = f"import sys, neurosym.commands.verify; print([each for each in {heavy} if each in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
