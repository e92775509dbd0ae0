"""``docs/reading.md`` says what is measured: each row is held against the jail, or the spec's evaluator, again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verifiers.reading_map.all_groups import GROUPS
from tests.verifiers.reading_map.document import INTRODUCTION, MEASURED_WITH, exact_rows, legend, section, summary
from tests.verifiers.reading_map.inputs import input_types
from tests.verifiers.reading_map.measuring import Measurer
from tests.verifiers.reading_map.rows import Cell, Group, Row

DOCUMENT = Path(__file__).parents[2] / "docs" / "reading.md"
STALE = "docs/reading.md is not what is measured: run `make outputs` and read the difference"

LEAST_READ = 805
"""So many rows were read when this was last raised; fewer are a loss that somebody should have decided."""


@pytest.fixture(scope="module")
def text() -> str:
    return DOCUMENT.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def measurer() -> Iterator[Measurer]:
    with Measurer() as measurer:
        yield measurer


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.title)
def test_the_map_says_what_is_measured(group: Group, measurer: Measurer, text: str) -> None:
    made = section(group, [measurer.cell(row, group.language) for row in group.rows])  # fails on a difference
    if MEASURED_WITH not in text:
        pytest.skip(f"docs/reading.md was not {MEASURED_WITH}, and what is read may differ")
    there = text.partition(f"\n## {group.title}\n")[2].partition("\n## ")[0].strip()
    assert there.splitlines() == made.strip().splitlines()[2:], STALE


def test_the_map_has_these_groups_and_counts_them(text: str) -> None:
    if MEASURED_WITH in text:
        assert text.startswith(INTRODUCTION), STALE
    assert legend(input_types()) in text, STALE
    assert summary(text) in text, STALE
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["Summary", "The inputs of the rows", *(group.title for group in GROUPS)], STALE


def test_what_is_read_does_not_become_less(text: str) -> None:
    assert exact_rows(text) >= LEAST_READ


def test_no_row_is_there_twice() -> None:
    rows = [(group.language, row.module, row.code, row.result) for group in GROUPS for row in group.rows]
    assert len(set(rows)) == len(rows), sorted(str(row) for row in rows if rows.count(row) > 1)


@pytest.mark.parametrize(
    "run",
    ["x", "Decimal(x + (x == 200))", "Decimal(x) if x < 200 else Decimal(1 // 0)", "Decimal(x) if x else None"],
    ids=["another type", "another value", "an exception", "None"],
)
def test_a_difference_would_be_seen(run: str, measurer: Measurer) -> None:
    assert measurer.difference("Decimal(x)", "Decimal(x)", "decimal") == ""
    assert measurer.difference("Decimal(x)", run, "decimal")


def test_a_changed_argument_would_be_seen(measurer: Measurer) -> None:
    assert measurer.difference("xs", "xs[:]", "list[int]") == ""
    assert "arguments" in measurer.difference("xs", "a = xs[:]\nxs.append(1)\nreturn a", "list[int]")


def test_a_difference_is_no_line_of_the_map() -> None:
    row = Row("x", "int")
    with pytest.raises(AssertionError, match="read as something else"):
        section(Group("int", (row,)), [Cell(row, "exactly", difference="the reading returns another value")])
