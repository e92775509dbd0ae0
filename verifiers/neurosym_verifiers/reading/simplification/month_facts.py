"""What the months of date inputs have to do with their years, and with each other.

Most of what is asked of dates holds for months of any length that begin on any day of the week. Then it need not be
said which do, and a question is asked without that first: what nothing fulfils then, nothing fulfils with it.
"""

from __future__ import annotations

from itertools import combinations

from neurosym_verifiers.reading.data.dates import in_calendar, short_months
from neurosym_verifiers.reading.data.months import PARTS_OF_MONTH, Month, input_month, inputs_by_months
from neurosym_verifiers.reading.formulas.bounds import ANY, Spans, meet
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, either, equal
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, variable
from neurosym_verifiers.reading.simplification.substituting import Substitution


def facts_about_months(condition: Condition, bounds: Spans) -> Condition:
    """What holds of the months that a condition speaks of, beside how they lie in their years."""
    months = _months(condition, bounds)
    names = condition.names
    about = [short_months(month) for name, month in months.items() if f"{name}@month" in names]
    return both(*about, *(_in_order(one, other) for one, other in combinations(months.values(), 2)))


def calendar_of(condition: Condition, bounds: Spans) -> Condition:
    """How the months that a condition speaks of lie in their years; nothing (true) where it speaks of none."""
    return both(*map(in_calendar, _months(condition, bounds).values())) if condition.names else TRUE


def in_one_month(condition: Condition, one: str, other: str, bounds: Spans) -> Condition:
    """What a condition says where two date inputs are in one month: that of the first stands for both."""
    put: dict[str, Term] = {}
    for part in PARTS_OF_MONTH:
        low, high = meet(bounds.get(one + part, ANY), bounds.get(other + part, ANY))
        if low is not None and high is not None and low > high:
            return FALSE
        put[other + part] = variable(one + part, low, high)
    return Substitution(put, {}).condition(condition)


def months_in_order(one: str, other: str, bounds: Spans) -> tuple[Condition, Condition]:
    """That the month of one date input is before that of another, and the other way round."""
    mine, its = _month(one, bounds), _month(other, bounds)
    return _earlier(mine, its), _earlier(its, mine)


def _months(condition: Condition, bounds: Spans) -> dict[str, Month]:
    return {name: _month(name, bounds) for name in inputs_by_months(condition.names)}


def _month(name: str, bounds: Spans) -> Month:
    low, high = bounds.get(f"{name}@year", ANY)
    return input_month(name, 1 if low is None else low, 9999 if high is None else high)


def _in_order(one: Month, other: Month) -> Condition:
    """Two months are the same one, or all of one of them is before the other."""
    same = (equal(getattr(one, part), getattr(other, part)) for part in ("year", "month", "before", "length"))
    return either(both(*same), _earlier(one, other), _earlier(other, one))


def _earlier(one: Month, other: Month) -> Condition:
    in_year = both(equal(one.year, other.year), below(one.month, other.month))
    return both(at_most(one.before + one.length, other.before), either(below(one.year, other.year), in_year))
