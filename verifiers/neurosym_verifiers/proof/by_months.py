"""Claims about dates as days of months: asked for each day of the month, first with the least that is known of months.

What is known beside the claim comes in three parts, and each question has one more of them: of equal things the
answers of a list are the same, and months lie one behind the other; a list has no more things in it than it may have;
months lie in their years as in the calendar. What nothing fulfils with less, nothing fulfils with more.

Of two dates either both are in one month, which then is put in for the other, or one month is before the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.reading.data.months import inputs_by_months
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.members import SameMembers
from neurosym_verifiers.reading.formulas.narrowing import conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import both
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition
from neurosym_verifiers.reading.simplification.memberships import facts_about, of_one_list
from neurosym_verifiers.reading.simplification.month_facts import (
    calendar_of,
    facts_about_months,
    in_one_month,
    months_in_order,
)

AskEach: TypeAlias = Callable[[Condition, Spans, str], Answer]
"""Asks a solver whether anything fulfils a condition, for each value of a variable."""


def asked_by_months(against: Condition, bounds: Spans, ask: AskEach) -> Answer:
    """What the solver says of what would break a claim. ``sat`` is never said: no month need be one of the calendar."""
    spent, texts = 0, tuple[str, ...]()
    last = Answer("unsat", "reading", {})
    for case in _cases(_with_one_list(against), bounds):
        last = _asked(case, bounds, ask)
        spent, texts = spent + last.spent, (*texts, last.text)
        if last.verdict != "unsat":
            return Answer("unknown", last.strategy, {}, last.text, spent=spent)
    return Answer("unsat", last.strategy, {}, last.text, tuple(filter(None, texts[:-1])), spent)


def _asked(case: Condition, bounds: Spans, ask: AskEach) -> Answer:
    spent, reply = 0, Answer("unsat", "reading", {})
    for known in _more_and_more(case, bounds):
        places = inputs_by_months(known.names)
        reply = ask(known, bounds, f"{places[0]}@day" if places else "")
        spent += reply.spent
        if reply.verdict == "unsat":
            break
    return Answer(reply.verdict, reply.strategy, {}, reply.text, spent=spent)


def _more_and_more(case: Condition, bounds: Spans) -> Iterator[Condition]:
    if case == FALSE:
        yield FALSE
        return
    with_equals = both(case, facts_about(case, bounds, counted=False))
    yield both(with_equals, facts_about_months(with_equals, bounds))
    with_members = both(case, facts_about(case, bounds))
    with_months = both(with_members, facts_about_months(with_members, bounds))
    yield with_months
    yield both(with_months, calendar_of(with_months, bounds))


def _cases(against: Condition, bounds: Spans) -> Iterator[Condition]:
    """Of two dates: in one month, or each first."""
    places = inputs_by_months(against.names)
    if len(places) != 2:
        yield against
        return
    one, other = places
    yield in_one_month(against, one, other, bounds)
    for order in months_in_order(one, other, bounds):
        yield both(against, order)


def _with_one_list(against: Condition) -> Condition:
    """Two lists that are the same as one."""
    for part in conjuncts(against):
        if isinstance(part, SameMembers):
            against = of_one_list(against, part.lists)
    return against
