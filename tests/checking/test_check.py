"""``neurosym check`` end to end: verdicts, what is kept of them, what is accepted, what is wrong in settings."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from neurosym.checking.ignores import ignores
from neurosym.checking.plan import plan
from neurosym.checking.settings import load_settings
from tests.checking.conftest import FEES, only_square, replays
from tests.cli.shared import Neurosym
from tests.project.documents import ROOT
from tests.reports.pages import check_whole

PROJECT_SCHEMA = ROOT / "docs" / "schema" / "check-1.schema.json"
IGNORE = "# neurosym: ignore[NS510, NS520] seven is a lucky number"


def _hook() -> list[str]:
    """What pre-commit runs."""
    found = re.search(r"^  entry: neurosym (.*)$", (ROOT / ".pre-commit-hooks.yaml").read_text(), re.MULTILINE)
    assert found
    return found[1].split()


def _kept(cache: Path) -> int:
    with contextlib.closing(sqlite3.connect(cache / "verdicts-1.sqlite")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM verdicts").fetchone()
    return int(count)


def _document(out: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(out)
    Draft202012Validator(json.loads(PROJECT_SCHEMA.read_text())).validate(document)
    return document


def test_a_project_is_checked_and_then_known(neurosym: Neurosym, project: Path, own_cache: Path) -> None:
    first = neurosym("check")
    assert first.code == 1
    assert re.search(r"^REFUTED    shop\.fees:square +\d+\.\d\d s$", first.out, re.MULTILINE)
    assert "src/shop/fees.py:5: reference is broken (NS510)\n      square(7)\n      expected    49" in first.out
    assert re.search(r"^TESTED     shop\.fees:twice +\d+\.\d\d s$", first.out, re.MULTILINE)
    assert "2 functions: 1 tested, 1 refuted; 1 accepted (exit 1)" in first.out
    assert max(len(line) for line in first.out.splitlines() if "neurosym replay" not in line) <= 80
    (command,) = replays(first.out)
    again = neurosym(*command)
    assert (again.code, "It still fails." in again.out) == (1, True)

    second = neurosym(*_hook())
    assert second.code == 1
    assert replays(second.out) == [command]
    assert "twice" not in second.out
    assert len(re.findall(r"cached \d{4}-\d\d-\d\d \d\d:\d\d$", second.out, re.MULTILINE)) == 1
    assert "2 verdicts are from the cache; --no-cache finds out anew" in second.out

    # A cached result is the one of its run, but for names of files, which follow the project.
    (project / "src/shop/fees.py").rename(project / "src/shop/prices.py")
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace("shop.fees", "shop.prices"))
    before = _document(neurosym("check", "--json").out)
    assert [each["cached"] is None for each in before["functions"]] == [False, False]
    assert {each["result"]["candidates"][0]["name"] for each in before["functions"]} == {"src/shop/prices.py"}

    # What a verdict depends on has changed: options, the spec, the code.
    square = project / "specs/square.spec.toml"
    settings.write_text(settings.read_text().replace("examples = 1", "examples = 2"))
    assert "cached" not in neurosym("check", square).out
    square.write_text(square.read_text() + "# reviewed\n")
    assert "cached" not in neurosym("check", square).out
    (project / "src/shop/prices.py").write_text(FEES + "\n")
    assert "cached" not in neurosym("check", square).out
    assert "cached" in neurosym("check", square).out
    assert "cached" not in neurosym("check", "--no-cache", square).out
    assert [path.name for path in own_cache.iterdir()] == ["verdicts-1.sqlite"]


def test_what_is_required_is_no_part_of_another_verdict(neurosym: Neurosym, project: Path) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace("*.spec", "twice.spec"))
    (project / "src/shop/fees.py").write_text(FEES.replace("(n):", "(n):  # neurosym: ignore[NS510] not any more", 1))
    fine = neurosym("check", "-q")
    assert fine.code == 0
    assert "this comment accepts NS510, which is not found here" in fine.out
    settings.write_text(settings.read_text().replace('types = "off"', 'types = "off"\nrequire = "proved"'))
    ran = neurosym("check", "-q")
    assert ran.code == 3
    assert "a proof is required" in ran.out


def test_reports_of_a_project(neurosym: Neurosym, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "src/shop/fees.py").write_text(FEES.replace("square(n):", f"square(n):  {IGNORE}"))
    only_square(project)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project / "summary.md"))
    files = ["--junit", "junit.xml", "--sarif", "neurosym.sarif", "--markdown", "neurosym.md", "--html", "project.html"]
    ran = neurosym("check", "--json", "--github", *files)
    assert ran.code == 0
    said = " ".join(neurosym("check").out.split())
    assert said.count("accepted by a comment in the code") == 2  # the refutation, and all that was not tried for it
    assert "terminates; deterministic; pure: not decided" in said

    document = _document(ran.out)
    (square,) = document["functions"]
    assert square["admission"] == "admitted"
    assert square["result"]["candidates"][0]["admission"] == "refused"
    accepted, *untried = square["accepted"]
    assert {each["code"] for each in untried} == {"NS520"}
    assert (accepted["code"], accepted["reason"], accepted["by"]) == ("NS510", "seven is a lucky number", "comment")

    top = ElementTree.parse(project / "junit.xml").getroot()
    assert (top.get("failures"), top.get("errors")) == ("0", "0")
    skipped = {case.get("name"): each.get("message") for case in top.iter("testcase") for each in case.iter("skipped")}
    assert skipped["reference"] == "REFUTED, accepted: seven is a lucky number"

    log = json.loads((project / "neurosym.sarif").read_text())
    Draft202012Validator(json.loads((ROOT / "tests/reports/sarif-schema-2.1.0.json").read_text())).validate(log)
    result, *others = log["runs"][0]["results"]
    assert {each["ruleId"] for each in others} == {"NS520"}
    assert all(each["suppressions"] for each in others)
    assert result["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": "seven is a lucky number"}
    ]
    uri = "src/shop/fees.py"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri

    text = (project / "neurosym.md").read_text()
    assert "| `square` | `src/shop/fees.py` | **REFUTED** | as known |" in text
    assert "Accepted: reference, since seven is a lucky number" in text
    assert (project / "summary.md").read_text() == text

    page = check_whole((project / "project.html").read_text())
    assert "1 of 1 functions are fine" in page.text
    assert "square src/shop/fees.py REFUTED as known" in page.text
    assert "Accepted: reference, since seven is a lucky number" in page.text
    assert "::error" not in ran.err


def test_what_was_not_tried_behind_an_accepted_refutation_is_not_decided(neurosym: Neurosym, project: Path) -> None:
    (project / "src/shop/fees.py").write_text(
        FEES.replace("square(n):", f"square(n):  {IGNORE.replace(', NS520', '')}")
    )
    only_square(project)
    ran = neurosym("check")
    assert ran.code == 3
    assert "NS520" in ran.out


@pytest.mark.slow
def test_a_comment_accepts_what_it_names(neurosym: Neurosym, project: Path) -> None:
    comments = f"{IGNORE}\n# neurosym: ignore[NS511] it crashes\n# neurosym: ignore[NS510]\n"
    module = project / "src/shop/fees.py"
    module.write_text(FEES.replace("def square", f"{comments}def square"))
    only_square(project)
    ran = neurosym("check")
    said = " ".join(ran.out.split())
    assert ran.code == 0
    assert "accepted by a comment in the code: seven is a lucky number" in said
    assert "more promises were not checked, since the work ended with what is accepted" in said
    assert "src/shop/fees.py:6: this comment accepts NS511, which is not found here: take it out (NS732)" in said
    assert "src/shop/fees.py:7: this comment accepts nothing: it gives no reason" in said
    assert "1 refuted; 1 accepted, 1 of them as known (exit 0)" in said
    # Where a candidate is judged it is a comment: whoever wrote the candidate could accept it.
    assert (
        neurosym("verify", "--no-proof", "--no-explain", "--types", "off", "specs/square.spec.toml", module).code == 1
    )


@pytest.mark.parametrize(
    ("comment", "wrong"),
    [
        ("# neurosym: ignore[NS510]", "it gives no reason"),
        ("#neurosym:ignore[NS510,NS511]   ", "it gives no reason"),
        ("# neurosym: ignore[NS510] \u200b--", "it gives no reason"),
        ("# neurosym: ignore everything", "it names no code"),
        ("# neurosym: ignore[] why not", "it names no code"),
        ("# neurosym: ignore[ns510, NS999] why not", "there is no code NS999"),
        ("# neurosym: ignore[ns510] why not", ""),
    ],
)
def test_a_comment_says_code_and_reason(comment: str, wrong: str) -> None:
    (found,) = ignores(f"def f():  {comment}\n    pass\n")
    assert found.wrong.startswith(wrong)
    assert bool(found.wrong) == bool(wrong)


@pytest.mark.parametrize(
    ("text", "line", "about"),
    [
        ("{}\n\ndef f(): pass", 1, 3),
        ("x = 1\n@cache\n{}\n# more\ndef f(): pass", 3, 5),
        ("def f():\n    x = (1,\n        2)  {}\n", 3, 3),
        ("def f():\n    return '{}'\n", None, None),
        ("def f(:\n  {}", None, None),
    ],
)
def test_where_a_comment_counts(text: str, line: int | None, about: int | None) -> None:
    found = ignores(text.format(IGNORE))
    assert [(each.line, each.about) for each in found] == ([] if line is None else [(line, about)])


def test_what_keeps_a_function_from_being_judged_cannot_be_accepted(neurosym: Neurosym, project: Path) -> None:
    comment = "# neurosym: ignore[NS401] we need it"
    (project / "src/shop/fees.py").write_text(FEES.replace("def", f"import socket  {comment}\ndef", 1))
    ran = neurosym("check")
    assert ran.code == 1
    assert "NS401 cannot be accepted, since nothing is known of what the function computes" in " ".join(ran.out.split())
    assert ran.out.count("REJECTED") == 2


def test_a_baseline_follows_code_that_moves_and_no_new_fault(neurosym: Neurosym, project: Path) -> None:
    only_square(project)
    written = neurosym("check", "--write-baseline")
    assert written.code == 0
    assert "neurosym: 6 findings are known now, in known.json" in written.err
    entry, *untried = json.loads((project / "known.json").read_text())["findings"]
    assert {each["code"] for each in untried} == {"NS520"}
    assert (entry["function"], entry["code"], entry["clause"]) == ("shop.fees:square", "NS510", "reference")

    module = project / "src/shop/fees.py"
    module.write_text("# moved\n\n\n" + FEES)
    moved = neurosym("check")
    assert moved.code == 0
    assert "accepted by the baseline: it is known in known.json" in moved.out

    module.write_text(FEES.replace("n * n + (n == 7)", "n * n + (n == 8)"))
    changed = neurosym("check")
    assert changed.code == 1
    assert "known.json: not found any more: NS510 in shop.fees:square" in " ".join(changed.out.split())
    assert "(NS733)" in changed.out


def test_nothing_of_the_machine_is_kept(neurosym: Neurosym, project: Path, own_cache: Path) -> None:
    """An endless loop is refuted each time anew: a machine with less to do may come to its end."""
    (project / "src/shop/fees.py").write_text(FEES.replace("return 2 * n", "while n >= 0: n += 1"))
    spec = project / "specs/twice.spec.toml"
    spec.write_text(spec.read_text() + '[policy]\ntime_limit = "50ms"\n')
    assert neurosym("check", "specs/twice.spec.toml").code == 1
    assert _kept(own_cache) == 0


def test_a_fault_of_a_spec_is_said_and_not_kept(neurosym: Neurosym, project: Path, own_cache: Path) -> None:
    spec = project / "specs/twice.spec.toml"
    spec.write_text(spec.read_text() + '[[ensure]]\nthat = "result == 3"\n')
    ran = neurosym("check", "specs/twice.spec.toml", "--markdown", "found.md", "--html", "found.html")
    assert ran.code == 2
    assert ran.out.startswith("SPEC FAULT shop.fees:twice\n")
    assert _kept(own_cache) == 0
    assert "SPEC FAULT" in (project / "found.md").read_text()
    page = check_whole((project / "found.html").read_text())
    assert "0 of 1 functions are fine The project does not pass: neurosym check ended with exit code 2." in page.text
    assert "SPEC FAULT no: spec fault not run" in page.text


def test_a_spec_that_cannot_be_read_is_not_left_out(neurosym: Neurosym, project: Path) -> None:
    for target in ("nowhere.toml", "circle.spec.toml"):
        link = project / "specs/circle.spec.toml"
        link.symlink_to(target)
        ran = neurosym("check")
        link.unlink()
        assert ran.code == 2
        assert "circle.spec.toml" in ran.err


def test_a_comment_at_a_method_says_nothing_of_the_function_with_its_name(neurosym: Neurosym, project: Path) -> None:
    method = (
        "class Shape:\n    def square(self):  # neurosym: ignore[NS510, NS520] it is a method\n        return 1\n\n"
    )
    (project / "src/shop/fees.py").write_text(method + FEES)
    only_square(project)
    assert neurosym("check").code == 1


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('types = "off"', 'typs = "off"', 'there is no key "typs"; did you mean types?'),
        ('types = "off"', 'types = "of"', '"of" is unknown; did you mean off?'),
        ("examples = 1", "examples = 0", "0 is outside of 1 to 1,000,000"),
        ("proof = false", 'proof = "no"', '"no" is neither true nor false'),
        ('"shop.fees"', '"shop.fee"', "there is no module shop.fee in"),
        ('"shop.fees"', '"shop/fees"', '"shop/fees" is no name of a module'),
        ("specs/*.spec.toml", "spec/*.spec.toml", 'no file has the pattern "spec/*.spec.toml"'),
        ("specs/*.spec.toml", "../*.spec.toml", "do not leave it"),
        ("specs/*.spec.toml", ".", '".": patterns count from the folder'),
        ("specs/*.spec.toml", "specs/**x.toml", 'the pattern "specs/**x.toml" cannot be used: Invalid pattern'),
        ("specs/*.spec.toml", "s" * 400, "cannot be used: "),
        ('"shop.fees"', f'"{"s" * 400}"', "is no name of a module"),
        ("time_limit = 60", f"time_limit = {'9' * 400}", "is outside of 0.1 to 86400"),
        ("time_limit = 60", "time_limit = nan", "nan is outside of 0.1 to 86400"),
        ("time_limit = 60", f"seed = {'9' * 5000}", "this is not TOML: Exceeds the limit"),
        ("known.json", "a\\u0000b", "is no path that this system can have"),
        ("known.json", "k" * 400, "is no path that this system can have"),
        ("known.json", "../known.json", "outside of the project's folder"),
        ("[[tool.neurosym.check]]", "[[tool.other.check]]", "there is no [[tool.neurosym.check]]"),
        ('module = "shop.fees"', 'module = "shop.fees"\n' * 2, "this is not TOML"),
    ],
)
def test_settings_that_cannot_be_used(neurosym: Neurosym, project: Path, before: str, after: str, said: str) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace(before, after))
    ran = neurosym("check")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "(NS731)" in ran.err


def test_what_is_checked_must_be_somewhere(neurosym: Neurosym, project: Path) -> None:
    assert neurosym("check", "pyproject.toml").code == 5
    assert neurosym("check", "nowhere").code == 2
    assert "leave the paths out" in neurosym("check", "--write-baseline", "specs").err
    (project / "known.json").write_text("[]")
    assert "this is no baseline" in neurosym("check").err
    (project / "pyproject.toml").write_text("[tool.other]\n")
    ran = neurosym("check")
    assert ran.code == 2
    assert "no pyproject.toml with a table [tool.neurosym]" in ran.err


def test_the_example_can_be_checked() -> None:
    subjects = plan(load_settings(ROOT / "examples/project/pyproject.toml")).subjects
    assert [(each.name, each.require.value) for each in subjects] == [
        ("shop.fees:late_fee", "proved"),
        ("shop.prices:net_price", "tested"),
    ]


@pytest.mark.slow
def test_the_example_is_fine(neurosym: Neurosym, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples/project")
    assert "2 functions: 1 proved, 1 tested; 2 accepted (exit 0)" in neurosym("check").out


def test_the_published_schema_is_the_one_of_the_code(neurosym: Neurosym) -> None:
    assert neurosym("check", "--schema").out == PROJECT_SCHEMA.read_text()
