"""Dates a few days away, whose parts are said by those of the other: all kinds of ends of months and years."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from neurosym_verifiers.reading.data.dates import NEAR, input_day, near, written
from neurosym_verifiers.reading.formulas.evaluating import Evaluation

FIRST, LAST = date(1, 1, 1), date(9999, 12, 31)
YEARS = (1, 4, 99, 100, 1899, 1900, 2000, 2023, 2024, 2100, 9998, 9999)


@pytest.mark.parametrize("by", [by for by in range(-NEAR, NEAR + 1) if by])
def test_every_part_is_that_of_the_date(by: int) -> None:
    day, _ = input_day("day", FIRST, LAST)
    assert written(day)
    moved = near(day, by)
    for year in YEARS:
        for each in (date(year, 1, 1) + timedelta(days=i) for i in range(0, 365, 1 if abs(by) in (1, 28) else 7)):
            if not 1 <= each.toordinal() + by <= LAST.toordinal():
                continue
            here = Evaluation({"day.year": each.year, "day.month": each.month, "day.day": each.day})
            there = each + timedelta(days=by)
            found = [here.term(part) for part in (moved.ordinal, moved.year, moved.month, moved.day)]
            assert found == [there.toordinal(), there.year, there.month, there.day], each
