"""The HTML page: whole by itself, the verdict first, then every clause, every refutation and the marked text."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from neurosym.reports.document import Point, Refuted, Result, Slice
from neurosym.reports.page import html
from neurosym.reports.page.plot import plot, wrong
from neurosym.reports.reading import result_of
from tests.reports.changed import result_from, with_every_verdict, with_hostile_texts
from tests.reports.conftest import Paged
from tests.reports.pages import Page, check_tags, check_whole


def test_the_page_needs_nothing_else(result: Result) -> None:
    text = html(result)
    check_whole(text)


def test_page_one_is_what_a_reader_signs(result: Result) -> None:
    first = html(result).split("</section>")[0]
    text = Page(first + "</section></main></body></html>").text
    for said in (
        "Late fee on an overdue balance",
        "It is right: every promise was shown to hold for every input in the ranges of the spec.",
        "It is wrong: there are inputs for which it breaks",
        "It was turned away before it could be judged. Nothing is known of its results.",
        "The smallest case found that shows it: late_fee(Decimal(",
        "Inputs outside of the ranges of the spec",
        "CPython 3.",
        "-100.00 to 10000.00, 2 decimals",
        "Card products",
        result.spec.sha256,
    ):
        assert said in text, said


def test_every_clause_and_every_refutation_is_there(result: Result) -> None:
    text = html(result)
    rows = re.findall(r"<tr><td><strong>(.*?)</strong>", text)
    judged = [each for each in result.candidates if each.obligations]
    assert rows == [each.id for candidate in judged for each in candidate.obligations]
    broken = [each for candidate in judged for each in candidate.obligations if isinstance(each, Refuted)]
    headings = Page(text).headings
    assert sum(each.startswith(("Broken: ", "Also broken: ")) for each in headings) == len(broken) > 0
    wrong = result.candidates[1]
    assert wrong.slice is not None
    assert text.count("<svg") == sum(each.slice is not None for each in result.candidates)
    marked = re.findall(r'class="row marked"><span class="number">(\d+)</span>', text)
    assert marked


def test_what_a_candidate_does_where_is_a_table(paged: Paged) -> None:
    read, unread = result_of(paged.document).candidates
    assert read.regions is not None
    assert read.regions.complete
    assert len(read.regions.regions) > 2
    page = Page(paged.page)
    assert page.headings.count("What it does where") == 2
    for region in read.regions.regions:
        for text in (*(span.text for span in region.where), region.text, region.case.call, region.case.result):
            assert " ".join(text.split()) in page.text, text
    assert "Every input is in exactly one row." in page.text
    assert "balance up to -0.01" in page.text
    assert unread.regions is not None
    assert f"There is no table of what this candidate does where: {unread.regions.missing}." in page.text
    assert "not read" in unread.regions.missing


def test_a_table_that_is_not_complete_says_so(paged: Paged) -> None:
    document = json.loads(paged.document)
    document["candidates"][0]["regions"]["complete"] = False
    assert "Not complete: of some more rows" in Page(html(result_from(document))).text


def test_a_strangers_text_is_text(document: dict[str, Any], paged: Paged) -> None:
    broken = next(each for each in document["candidates"][1]["obligations"] if each["verdict"] == "REFUTED")
    changed = with_hostile_texts(with_every_verdict(document | {"candidates": [*document["candidates"]]}))
    changed["candidates"][0]["obligations"][0] = with_hostile_texts(broken)
    points = [{"x": str(n), "expected": "1", "actual": None, "right": False} for n in range(5)]
    changed["candidates"][0]["slice"] = {"input": "<b>x\x1b", "at": "2", "points": points}
    changed["candidates"][0]["slice"]["points"][2] = {"x": "2", "expected": "1", "actual": "3", "right": False}
    changed["candidates"][0]["regions"] = with_hostile_texts(json.loads(paged.document)["candidates"][0]["regions"])
    page = Page(html(result_from(changed)))
    check_tags(page)
    assert "<script>alert(1)</script>" in page.text
    assert "<b>x\\x1b" in page.text


def test_a_plot_shows_where_the_two_differ(result: Result) -> None:
    found = result.candidates[1].slice
    assert found is not None
    drawn = ElementTree.fromstring(plot(found))
    classes = [each.get("class") for each in drawn.iter()]
    with_numbers = sum(each.actual is not None for each in found.points)
    assert classes.count("dot") == with_numbers
    assert classes.count("ring") + classes.count("cross") == wrong(found) > 0
    assert f"is wrong at {wrong(found)} of them" in drawn.get("aria-label", "")


@pytest.mark.parametrize(
    ("points", "drawn"),
    [
        ([("1", "1", "1")], False),
        ([("1", None, None), ("2", None, None)], False),
        ([("1", "5", "5"), ("2", "5", "5")], True),
        ([("1", "0", "1e300"), ("2", "-1e300", "0.1")], True),
        ([("2024-02-28", "1", "1"), ("2024-02-29", "1", "2"), ("2024-03-01", "1", None)], True),
        ([("1", "1/3", "0.333"), ("2", "2/3", "nonsense")], True),
        ([("x", "1", "1"), ("y", "2", "2")], False),
        ([("1", "1" * 400, "1"), ("2", "1", "1")], True),
    ],
)
def test_a_plot_is_drawn_where_there_are_numbers(points: list[tuple[str, str | None, str | None]], drawn: bool) -> None:
    made = tuple(
        Point(x=x, expected=expected, actual=actual, right=expected == actual) for x, expected, actual in points
    )
    text = plot(Slice(input="x", at=made[-1].x, points=made))
    assert bool(text) == drawn
    if drawn:
        assert "nan" not in text
        assert "inf" not in text
        ElementTree.fromstring(text)
