"""A result as JUnit, SARIF, Markdown, CSV and annotations: every verdict is there, and texts stay texts."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft4Validator
from markdown_it import MarkdownIt

from neurosym.codes import all_codes
from neurosym.reports.clauses_csv import clauses_csv
from neurosym.reports.document import Result
from neurosym.reports.findings import findings
from neurosym.reports.forms import FORMS
from neurosym.reports.junit import junit
from neurosym.reports.markdown import escaped, markdown
from neurosym.reports.sarif import fingerprint, sarif, uri_of
from neurosym.reports.spreadsheet import cell
from neurosym.reports.workflow_commands import workflow_commands
from tests.reports.changed import result_from, with_every_verdict, with_hostile_texts

SARIF_SCHEMA = Path(__file__).with_name("sarif-schema-2.1.0.json")


def _checked_sarif(result: Result) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(sarif(result))
    problems = [*Draft4Validator(json.loads(SARIF_SCHEMA.read_text(encoding="utf-8"))).iter_errors(log)]
    assert not problems, [f"{each.json_path}: {each.message[:200]}" for each in problems]
    run: dict[str, Any] = log["runs"][0]
    return run


def _rendered(text: str) -> str:
    """Markdown as HTML, with HTML in it let through: what is shown as text is escaped there, what is HTML is not."""
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


_COUNTS = {"name", "tests", "failures", "errors", "time"}
JUNIT = {
    "testsuites": _COUNTS, "testsuite": {*_COUNTS, "skipped"}, "properties": set(), "property": {"name", "value"},
    "testcase": {"name", "classname", "time"}, "system-out": set(),
    **{name: {"type", "message"} for name in ("failure", "error", "skipped")},
}  # fmt: skip
"""The attributes of each element that we use, as Jenkins' junit-10.xsd (xunit-plugin) has them."""


def _suites(result: Result) -> dict[str, ElementTree.Element]:
    top = ElementTree.fromstring(junit(result))
    for element in top.iter():
        assert set(element.keys()) <= JUNIT[element.tag]
    for suite in top:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases)
        for tag, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.get(count, "")) == sum(case.find(tag) is not None for case in cases)
    return {suite.get("name", ""): suite for suite in top}


def _tags(suite: ElementTree.Element) -> dict[str, list[str]]:
    """What is said of each case that does not pass; of one that passes, its verdict is written out."""
    cases = {case.get("name", ""): [child.tag for child in case] for case in suite.findall("testcase")}
    return {name: [tag for tag in tags if tag != "system-out"] for name, tags in cases.items()}


def test_junit_has_a_case_for_each_clause(result: Result) -> None:
    suites = _suites(result)
    assert [*suites] == ["right.py", "wrong.py", "unsafe.py", "float.py"]
    clauses = {"gate", *(each.id for each in result.spec.clauses)}
    assert all(set(_tags(suite)) == clauses for suite in suites.values())
    assert not any(_tags(suites["right.py"]).values())
    written = [each.text or "" for each in suites["right.py"].iter("system-out")]
    assert len(written) == len(clauses) - 1
    assert all(each.startswith(("PROVED: ", "TESTED: ")) for each in written)
    wrong = _tags(suites["wrong.py"])
    assert wrong["ensure: grace period"] == ["failure"] or wrong["reference"] == ["failure"]
    text = next(each.text for each in suites["wrong.py"].iter("failure"))
    assert text is not None
    assert text.startswith('late_fee(Decimal("')
    unsafe = _tags(suites["unsafe.py"])
    assert unsafe.pop("gate") == ["failure"]
    assert set(map(tuple, unsafe.values())) == {("skipped",)}


def test_junit_says_what_each_verdict_is(document: dict[str, Any]) -> None:
    changed = with_every_verdict(document)
    clauses = [each["id"] for each in changed["spec"]["clauses"]]
    expected = [["skipped"], ["skipped"], ["skipped"], ["error"], []]
    tags = _tags(_suites(result_from(changed))["right.py"])
    assert [tags[each] for each in clauses[:5]] == expected
    assert not any(tags[each] for each in clauses[5:])
    required = _suites(result_from(changed | {"require": "proved"}))["right.py"]
    assert _tags(required)[clauses[4]] == ["skipped"]
    said = [each.get("message", "") for each in required.iter("skipped")]
    assert said[0] == "UNKNOWN: budget after 3 inputs: the loop"
    assert said[-1].startswith("TESTED: tried on 300 inputs; not proved, it lacks")


def test_a_vacuous_clause_passes_only_where_the_spec_waives_it(document: dict[str, Any]) -> None:
    changed = with_every_verdict(document)
    vacuous = changed["spec"]["clauses"][2]["id"]
    changed["spec"]["waive_vacuous"] = True
    assert _tags(_suites(result_from(changed))["right.py"])[vacuous] == []
    results = {each["properties"]["clause"]: each for each in _checked_sarif(result_from(changed))["results"]}
    assert results[vacuous]["suppressions"][0]["status"] == "accepted"
    assert vacuous not in workflow_commands(result_from(changed))


def test_a_spec_at_fault_is_an_error_everywhere(document: dict[str, Any]) -> None:
    fault = {"code": "NS701", "clause": "example 1", "message": "15.00 is not 15.01", "counterexample": None}
    result = result_from(document | {"spec_fault": fault, "candidates": [], "exit_code": 2})
    (suite,) = _suites(result).values()
    assert _tags(suite).pop("spec") == ["error"]
    assert set(map(tuple, _tags(suite).values())) == {("error",), ("skipped",)}
    (found,) = _checked_sarif(result)["results"]
    assert (found["ruleId"], found["level"]) == ("NS701", "error")
    assert "SPEC FAULT" in markdown(result)
    assert "SPEC FAULT" in clauses_csv(result)
    assert workflow_commands(result).startswith("::error file=late_fee.spec.toml,title=NS701 ")


def test_sarif_is_valid_and_names_places_and_rules(result: Result) -> None:
    run = _checked_sarif(result)
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} <= set(all_codes())
    for found in run["results"]:
        assert run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"]
        place = found["locations"][0]["physicalLocation"]
        artifact = run["artifacts"][place["artifactLocation"]["index"]]
        assert artifact["location"]["uri"] == place["artifactLocation"]["uri"]
        assert len(artifact["hashes"]["sha-256"]) == 64
        assert found["suppressions"] == []
    wrong = next(each for each in run["results"] if each["ruleId"] == "NS510")
    place = wrong["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "wrong.py"
    assert place["region"]["startLine"] in range(1, len(result.candidates[1].text.splitlines()) + 1)
    assert run["invocations"][0] == {"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": []}


def test_sarif_says_undecided_as_a_warning_and_a_fault_of_the_tool_as_a_notification(document: dict[str, Any]) -> None:
    changed = with_every_verdict(document)
    changed["require"] = "proved"
    run = _checked_sarif(result_from(changed))
    ids = [each["id"] for each in changed["spec"]["clauses"]]
    assert [(each["level"], each["properties"]["clause"]) for each in run["results"]] == [
        ("warning", ids[0]), ("warning", ids[2]), ("warning", ids[4])
    ]  # fmt: skip
    assert not run["invocations"][0]["executionSuccessful"]
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "the solver died" in notification["message"]["text"]


def test_a_finding_is_known_again_when_its_line_has_moved(document: dict[str, Any], result: Result) -> None:
    before = [fingerprint(each, "late_fee") for each in findings(result)]
    for candidate in document["candidates"]:
        candidate["text"] = "# a line\n\n" + candidate["text"]
        for each in (*candidate["diagnostics"], *candidate["objections"], *candidate["notes"]):
            each["line"] = each["line"] and each["line"] + 2
        for each in candidate["obligations"]:
            if each["verdict"] == "REFUTED" and each["counterexample"]["line"]:
                each["counterexample"]["line"] += 2
        if candidate["explanation"] and candidate["explanation"]["departure"]:
            candidate["explanation"]["departure"]["line"] += 2
    moved = result_from(document)
    assert [each.line for each in findings(moved)] != [each.line for each in findings(result)]
    assert [fingerprint(each, "late_fee") for each in findings(moved)] == before


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b/c.py", "a%20b/c.py"),
        ("/tmp/ü.py", "file:///tmp/%C3%BC.py"),
        ("<stdin>", "%3Cstdin%3E"),
        ("a:b.py", "a%3Ab.py"),
        ("\udcff.py", "%FF.py"),
    ],
)
def test_a_name_is_a_uri(name: str, uri: str) -> None:
    assert uri_of(name) == uri


def test_annotations_are_one_for_each_finding(result: Result, tmp_path: Path) -> None:
    lines = workflow_commands(result).splitlines()
    assert len(lines) == len([*findings(result)])
    assert all(re.match(r"::(error|warning|notice) file=[^,]+(,line=\d+)?(,col=\d+)?,title=NS\d{3} ", e) for e in lines)
    assert "file=wrong.py,line=" in workflow_commands(result, str(tmp_path))
    named = workflow_commands(result, str(Path.cwd().parent))
    assert f"file={Path.cwd().name}/wrong.py" in named


def test_csv_has_a_row_for_each_clause(result: Result) -> None:
    rows = [*csv.DictReader(io.StringIO(clauses_csv(result)))]
    judged = sum(len(each.obligations) or 1 for each in result.candidates)
    assert len(rows) == judged
    assert all(None not in row and None not in row.values() for row in rows)
    wrong = next(row for row in rows if row["verdict"] == "REFUTED")
    assert wrong["call"].startswith("late_fee(")
    assert wrong["expected"]
    assert wrong["line"].isdigit()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("-1+1|cmd", "'-1+1|cmd"),
        ("  @x", "'  @x"),
        ("\uff1d1", "'\uff1d1"),
        ("-0.01 USD", "-0.01 USD"),
        ("-5 to 10 USD", "-5 to 10 USD"),
        ("-1,000.50", "-1,000.50"),
        ("fee", "fee"),
    ],
)
def test_a_cell_is_no_formula(text: str, shown: str) -> None:
    assert cell(text) == shown


def test_markdown_leads_with_the_verdicts(result: Result) -> None:
    text = markdown(result)
    assert text.startswith("## neurosym: Late fee on an overdue balance\n\n| candidate | verdict | accepted |")
    assert "| `wrong.py` | **REFUTED** | refused |" in text
    assert "```python\nlate_fee(Decimal(" in text
    for row in re.findall(r"^\|.*\|$", text, re.MULTILINE):
        assert len(re.findall(r"(?<!\\)\|", row)) in (3, 4, 5), row
    assert _rendered(text).count("<table>") == text.count("\n| --- ")
    assert escaped("[a](b) <b> *x* `y`") == "\\[a\\](b) &lt;b&gt; \\*x\\* \\`y\\`"


@pytest.mark.parametrize("render", [*(form.load() for form in FORMS.values()), workflow_commands])
@pytest.mark.parametrize("broken", [False, True])
def test_a_strangers_text_does_nothing(document: dict[str, Any], render: Callable[[Result], str], broken: bool) -> None:
    changed = with_hostile_texts(with_every_verdict(document) if broken else document)
    fault = {"code": "NS701", "clause": "x", "message": "y", "counterexample": None}
    changed["spec_fault"] = with_hostile_texts(fault)
    out = render(result_from(changed))
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn") for char in out.replace("\n", ""))
    assert "##vso[" not in out
    if render.__name__ in ("markdown", "junit", "html"):
        assert "<script" not in (_rendered(out) if render.__name__ == "markdown" else out)
    if render is workflow_commands:
        assert all(re.match(r"::(error|warning|notice) |neurosym: ", line) for line in out.splitlines())
        assert "::error file=x" not in out
    elif render.__name__ != "junit":
        assert "::error" not in out
    if render.__name__ == "sarif":
        run = _checked_sarif(result_from(changed))
        said = [*run["results"], *run["invocations"][0]["toolExecutionNotifications"]]
        assert not any("](" in each["message"]["text"] for each in said)
    if render.__name__ == "junit":
        ElementTree.fromstring(out)
    if render.__name__ == "clauses_csv":
        assert not any(each.startswith(("=", "+", "@")) for row in csv.reader(io.StringIO(out)) for each in row)
