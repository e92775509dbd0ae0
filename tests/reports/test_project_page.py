"""The page of a project: every function in a table that leads to its section, and a stranger's text is text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from neurosym.reports.findings import AcceptedBy, Finding, Level
from neurosym.reports.page.project import project_html
from neurosym.reports.sections import Report, Section
from tests.reports.changed import HOSTILE, result_from, with_every_verdict, with_hostile_texts
from tests.reports.pages import Page, check_whole


def _section(document: dict[str, Any], number: int, **more: Any) -> Section:
    result = result_from({**document, "candidates": document["candidates"][number : number + 1]})
    return Section(result=result, findings=(), admission=result.candidates[0].admission, **more)


def test_every_function_has_a_row_that_leads_to_its_section(document: dict[str, Any]) -> None:
    sections = [_section(document, n) for n in range(4)]
    text = project_html(Report(name="pyproject.toml", sections=sections, exit_code=1))
    page = check_whole(text)
    assert "1 of 4 functions are fine The project does not pass: neurosym check ended with exit code 1." in page.text
    links = [attributes["href"] for tag, attributes in page.tags if tag == "a"]
    places = [f"#{attributes['id']}" for tag, attributes in page.tags if tag == "section" and "id" in attributes]
    assert links == places == ["#f1", "#f2", "#f3", "#f4"]
    assert page.headings.count("All promises") == sum(bool(each["obligations"]) for each in document["candidates"])
    assert "wrong.py REFUTED no: refused" in page.text
    assert "all verdicts are of this run" in page.text


def test_a_strangers_text_is_text_there_too(document: dict[str, Any]) -> None:
    changed = with_hostile_texts(with_every_verdict(document))
    found = Finding(level=Level.ERROR, code="NS510", message=HOSTILE, file=HOSTILE, line=3, clause=HOSTILE,
                    accepted=HOSTILE, accepted_by=AcceptedBy.COMMENT)  # fmt: skip
    section = Section(result=result_from(changed), findings=(found,), reached=datetime(2026, 1, 1, tzinfo=UTC))
    page = check_whole(project_html(Report(name=HOSTILE, sections=[section], exit_code=70, remarks=[found])))
    assert "<script>alert(1)</script>" in page.text
    assert "Known since 2026-01-01T00:00:00+00:00" in page.text
    assert "1 of 1 verdicts were reached in earlier runs, and nothing they depend on has changed" in page.text


def test_a_project_without_functions_is_a_page(document: dict[str, Any]) -> None:
    assert "0 of 0 functions are fine" in Page(project_html(Report(name="x", sections=[], exit_code=5))).text
