"""Stored results: read back as they were written, and what is said of files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from neurosym.reports.document import Refuted, Result
from neurosym.reports.reading import DocumentError, load_result, result_of, schema_text
from tests.cli.shared import Neurosym
from tests.project.documents import SCHEMA
from tests.reports.schemas import published, strict


def test_the_published_schema_is_that_of_the_reader() -> None:
    assert SCHEMA.read_text(encoding="ascii") == schema_text(), "run `make outputs`"


def test_a_result_is_read_back(result: Result, document: dict[str, Any]) -> None:
    right, wrong, unsafe, _ = result.candidates
    assert (right.verdict, wrong.verdict, unsafe.verdict) == ("PROVED", "REFUTED", "REJECTED")
    assert (wrong.failure, unsafe.failure) == ("wrong value", "import")
    refuted = next(each for each in wrong.obligations if isinstance(each, Refuted))
    case = next(each for each in document["candidates"][1]["obligations"] if each["verdict"] == "REFUTED")
    assert refuted.counterexample.calls == tuple(case["counterexample"]["calls"])
    assert result.spec.owner == "Card products"
    assert [each.id for each in result.spec.clauses] == [each.id for each in right.obligations]
    assert wrong.text.startswith("\nfrom decimal import")


def test_fields_that_came_later_may_lack_and_unknown_ones_be_there(document: dict[str, Any]) -> None:
    for name in ("owner", "version", "source", "problem", "inputs", "output", "given", "clauses", "policy"):
        del document["spec"][name]
    del document["candidates"][0]["text"]
    document["spec"]["colour"] = "blue"
    Draft202012Validator(published()).validate(document)
    assert result_of(json.dumps(document)).spec.owner == ""
    assert {each.json_path for each in strict().iter_errors(document)} == {"$.spec", "$.candidates[0]"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema_version": 2}, "schema_version 2, written by neurosym "),
        ({"schema_version": True}, "schema_version True"),
        ({"kind": "regions"}, "a document of the kind 'regions', and a report is made of what neurosym verify --json"),
        ({"kind": None}, "no document of neurosym's"),
        ({"effort": None}, "not as the schema says, at effort: "),
        ({"exit_code": "0"}, "not as the schema says, at exit_code: "),
        ({"candidates": [{"verdict": "FINE"}]}, "not as the schema says, at candidates[0]"),
    ],
)
def test_what_is_no_result_of_this_version_is_said(document: dict[str, Any], change: dict[str, Any], said: str) -> None:
    with pytest.raises(DocumentError) as caught:
        result_of(json.dumps(document | change))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "not a whole JSON document"),
        (b"[]", "no document of neurosym's"),
        (b"\xff\xfe\xff", "not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"n": ' + b"9" * 10_000 + b"}", "a number is too long"),
    ],
)
def test_a_broken_file_is_said(tmp_path: Path, raw: bytes, said: str) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(raw)
    with pytest.raises(DocumentError, match=said) as caught:
        load_result(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_file_that_was_cut_is_said_on_the_command_line(neurosym: Neurosym, stored: Path, tmp_path: Path) -> None:
    stored.write_text(stored.read_text()[:5_000])
    target = tmp_path / "report.csv"
    ran = neurosym("report", stored, "--csv", target)
    assert (ran.code, ran.out) == (2, "")
    assert "not a whole JSON document" in ran.err
    assert ran.err.rstrip().endswith("(NS706)")
    assert not target.exists()
