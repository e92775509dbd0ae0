"""A result that is a list, entry by entry: the numbers that depart, and nothing where there are none to compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from neurosym_specs.verdicts import Counterexample, FailureClass
from neurosym_verifiers.bench import Bench

from neurosym import Effort, Source, load_spec
from neurosym.gate import Passed, Types, enter
from neurosym.reports.document import Point, Series
from neurosym.reports.page.plot import plot_of_series
from neurosym.series import series_at
from neurosym.slices import Point as Reached

_NUMBERS = """
[output]
type = "list[int]"
[reference]
value = "[i for i in range(n)]"
abs_tol = 1
"""
_PLAN = """
[types.Row]
type = "record"
as = "tuple"
[types.Row.fields]
number = { type = "int" }
left = { type = "int" }
[types.Plan]
type = "record"
as = "dict"
[types.Plan.fields]
rows = { type = "list[Row]" }
total = { type = "int" }
[output]
type = "Plan"
[reference]
python = '''
def f(n):
    return {"rows": [(i, n - i) for i in range(n)], "total": n}
'''
"""
_SPEC = 'spec = 1\nname = "f"\n[inputs]\nn = { type = "int", min = 0, max = 300 }\n'


def _opened(folder: Path, rest: str) -> Iterator[Bench]:
    path = folder / "f.spec.toml"
    path.write_text(_SPEC + rest)
    with Bench(load_spec(path), Effort(examples=5, proof=False)) as bench:
        yield bench


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield from _opened(tmp_path_factory.mktemp("numbers"), _NUMBERS)


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield from _opened(tmp_path_factory.mktemp("plans"), _PLAN)


def _at(bench: Bench, code: str, n: int) -> list[tuple[str, str]]:
    """The series at ``f(n)``: each with its name and its points as ``place:expected/actual``, wrong ones with ``!``."""
    entry = enter(Source(f"def f(n: int):\n    {code}\n", "f.py"), bench.spec, Types.OFF)
    assert isinstance(entry, Passed)
    found = Counterexample(({"n": n},), (f"f({n})",), "", "", "", FailureClass.WRONG_VALUE)
    made = series_at(bench.spec, bench, entry.source, found)
    assert all(0 < each.departing <= each.entries for each in made)
    return [(each.name, _said(each.points)) for each in made]


def _said(points: Sequence[Reached]) -> str:
    return " ".join(f"{each.x}:{each.expected}/{each.actual}{'' if each.right else '!'}" for each in points)


def test_the_numbers_that_depart_by_more_than_is_tolerated(numbers: Bench) -> None:
    assert _at(numbers, "return [min(i, 2) for i in range(n)]", 6) == [("", "1:0/0 2:1/1 3:2/2 4:3/2 5:4/2! 6:5/2!")]
    assert _at(numbers, "return [0, 1]", 4) == [("", "1:0/0 2:1/1 3:2/None! 4:3/None!")]
    assert _at(numbers, "return [*range(n), 9]", 2) == [("", "1:0/0 2:1/1 3:None/9!")]


def test_numbers_of_records_in_a_record(plans: Bench) -> None:
    code = "return {'rows': [(i, n - i - (i > 0)) for i in range(n)], 'total': n}"
    assert _at(plans, code, 3) == [("rows.left", "1:3/3 2:2/1! 3:1/0!")]


@pytest.mark.parametrize("code", ["raise ValueError", "return 'no list'", "return [i for i in range(n)]"])
def test_there_is_none_where_no_number_departs(numbers: Bench, code: str) -> None:
    assert _at(numbers, code, 6) == []


def test_of_very_many_entries_some_are_shown_and_the_first_that_departs(numbers: Bench) -> None:
    ((_, points),) = _at(numbers, "return [i + 2 * (i == 201) for i in range(n)]", 300)
    shown = points.split()
    assert len(shown) < 160
    assert [each for each in shown if each.endswith("!")] == ["202:201/203!"]
    assert (shown[0], shown[-1]) == ("1:0/0", "300:299/299")


def test_a_plot_rings_the_first_entry_that_departs() -> None:
    points = tuple(Point(x=str(n), expected=str(n), actual=str(n + (n > 3)), right=n <= 3) for n in range(1, 8))
    drawn = ElementTree.fromstring(plot_of_series(Series(name="a<b", entries=7, departing=4, points=points)))
    rings = [each for each in drawn.iter() if each.get("class") == "ring"]
    assert len(rings) == 1
    assert drawn.get("aria-label") == "a<b of 7 entries: 4 depart, first entry 4"
    missing = tuple(Point(x=str(n), expected=str(n), actual=None, right=False) for n in range(1, 4))
    text = plot_of_series(Series(name="", entries=3, departing=3, points=missing))
    assert text.count('class="cross"') == 1
