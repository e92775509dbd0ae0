"""Dates as days of months: what is read is what CPython computes, and only what holds of all dates is proved."""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import MAXYEAR, date, timedelta
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.types import DateType
from neurosym_specs.verdicts import Proved, Refuted, Verdict
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.by_months import asked_by_months
from neurosym_verifiers.proof.by_reference import RIGHT, may_stand_for
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.runs import Asks
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.reading.data.dates import day_of, in_calendar, input_day_of_month, month_length, weekday
from neurosym_verifiers.reading.data.items import item_at
from neurosym_verifiers.reading.data.months import as_in_month, date_in_month, input_month
from neurosym_verifiers.reading.data.values import Int, NotRead
from neurosym_verifiers.reading.execution.state import Raised, Returned
from neurosym_verifiers.reading.formulas.bounds import Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.members import Belongs, SameMembers
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Flag, Term, number
from neurosym_verifiers.reading.inputs.assignments import assigned, concrete
from neurosym_verifiers.reading.inputs.in_months import in_months
from neurosym_verifiers.reading.inputs.looked_into import looked_into
from neurosym_verifiers.reading.simplification.counting import Counting
from neurosym_verifiers.reading.simplification.memberships import facts_about
from neurosym_verifiers.reading.simplification.month_facts import calendar_of, facts_about_months

FIRST, LAST = date(1895, 1, 1), date(2105, 12, 31)
EDGES = [
    date(year, month, day)
    for year in (1896, 1899, 1900, 1999, 2000, 2001, 2023, 2024, 2099, 2100, 2101)
    for month, day in ((1, 1), (1, 31), (2, 1), (2, 28), (3, 1), (3, 31), (4, 30), (12, 1), (12, 31))
] + [date(2000, 2, 29), date(2024, 2, 29)]
WIDE: Spans = {
    "d@year": (1895, 2105),
    "d@month": (1, 12),
    "d@day": (1, 31),
    "d@weeks": (0, 600_000),
    "d@weekday": (0, 6),
    "d@length": (28, 31),
}


def some_dates(rng: random.Random, count: int) -> list[date]:
    days = (LAST - FIRST).days
    return EDGES + [FIRST + timedelta(days=rng.randint(0, days)) for _ in range(count)]


def test_dates_some_days_from_an_input_are_those_of_python() -> None:
    rng = random.Random(0)
    day, inside = input_day_of_month("d", FIRST, LAST)
    shifts = [*range(-4, 5), 27, 28, 29, 30, 31, 32, 59, 60, 61, 87, -27, -28, -31, -32, -60, -61, -85, 120, -150]
    moved = {by: day_of(day.ordinal + number(by)) for by in shifts}
    for real in some_dates(rng, 5):
        evaluation = Evaluation(as_in_month("d", real))
        assert evaluation.condition(inside)
        for by, shifted in moved.items():
            right = real + timedelta(days=by)
            parts = [evaluation.term(t) for t in (shifted.ordinal, shifted.year, shifted.month, shifted.day)]
            assert parts == [right.toordinal(), right.year, right.month, right.day]
            assert evaluation.term(weekday(shifted)) == right.weekday()


def test_days_that_a_choice_leads_to_are_those_of_python() -> None:
    day, _ = input_day_of_month("d", FIRST, LAST)
    by = choose(Flag("p"), number(40), choose(Flag("q"), -number(31), number(5)))
    shifted = day_of(day.ordinal + by)
    for real in EDGES:
        for p, q in ((True, False), (False, True), (False, False)):
            evaluation = Evaluation({**as_in_month("d", real), "p": p, "q": q})
            right = real + timedelta(days=40 if p else -31 if q else 5)
            assert [evaluation.term(t) for t in (shifted.year, shifted.month, shifted.day)] == [
                right.year,
                right.month,
                right.day,
            ]
            assert evaluation.term(weekday(shifted)) == right.weekday()


@pytest.mark.parametrize("real", [date.min, date(1, 12, 31), date(MAXYEAR, 1, 1), date.max])
def test_the_ends_of_the_calendar(real: date) -> None:
    day, inside = input_day_of_month("d", date.min, date.max)
    evaluation = Evaluation(as_in_month("d", real))
    assert evaluation.condition(inside)
    assert evaluation.term(day.ordinal) == real.toordinal()
    assert evaluation.term(weekday(day)) == real.weekday()
    assert date_in_month("d", 1, as_in_month("d", real)) == real


def test_what_is_told_of_months_is_true() -> None:
    rng = random.Random(1)
    one, other = (input_month(name, FIRST.year, LAST.year) for name in "de")
    spoken = both(at_most(one.month, number(13)), equal(one.before, other.before), equal(one.month, other.month))
    assert spoken.names >= {"d@month", "e@month"}
    bounds = {**WIDE, **{name.replace("d@", "e@"): span for name, span in WIDE.items()}}
    facts = both(facts_about_months(spoken, bounds), calendar_of(spoken, bounds))
    dates = some_dates(rng, 40)
    for real in dates:
        for beside in (real, real.replace(day=1), rng.choice(dates)):
            evaluation = Evaluation(as_in_month("d", real) | as_in_month("e", beside))
            assert evaluation.condition(facts)
    wrong = as_in_month("d", date(2023, 2, 1)) | {"d@length": 29}
    assert not Evaluation(wrong).condition(in_calendar(one))
    assert Evaluation(wrong).term(month_length(one.year, one.month)) == 29


def test_a_month_of_another_year_is_not_that_of_the_input() -> None:
    """The year of one input and the month of another make a month whose length is computed."""
    (one, _), (other, _) = input_day_of_month("d", FIRST, LAST), input_day_of_month("e", FIRST, LAST)
    length = month_length(one.year, other.month)
    evaluation = Evaluation(as_in_month("d", date(2024, 1, 1)) | as_in_month("e", date(2023, 2, 3)))
    assert evaluation.term(length) == 29


# Programs

SPEC = """
spec = 1
name = "f"
[types.Closed]
type = "date"
min = 2023-12-01
max = 2024-12-31
[inputs]
day = { type = "date", min = FIRST, max = LAST }
holidays = { type = "list[Closed]", max_len = MOST }
[output]
type = "date"
"""


def spec_text(clauses: str, *, most: int = 3, first: str = "2023-12-20", last: str = "2024-12-05") -> str:
    return SPEC.replace("MOST", str(most)).replace("FIRST", first).replace("LAST", last) + clauses


def program(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f"from calendar import monthrange\nfrom datetime import date, timedelta\n\n\ndef f(day, holidays):\n{lines}"


FOLLOWING = """
while day.isoweekday() > 5 or day in holidays:
    day += timedelta(days=1)
return day
"""
BODIES = [
    FOLLOWING,
    "return day.replace(day=1) - timedelta(days=1)",
    "return date(day.year, day.month, monthrange(day.year, day.month)[1]) + timedelta(days=40)",
    "last = date(day.year + day.month // 12, day.month % 12 + 1, 1) - timedelta(days=1)\n"
    "while last.weekday() >= 5 or last in holidays:\n    last -= timedelta(1)\nreturn last",
    "n = 0\nwhile n < 5:\n    day += timedelta(days=1)\n"
    "    if day.weekday() < 5 and day not in set(holidays):\n        n += 1\nreturn day",
    "moved = day + timedelta(days=7 - day.weekday())\nreturn moved if moved.month == day.month else day",
    "back = day\nwhile back.day > 1 and back not in holidays:\n    back -= timedelta(days=1)\nreturn back",
    "moved = day + timedelta(days=33)\nif moved.day == 1:\n    moved += timedelta(days=28)\nreturn moved",
]


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    with Solver() as one:
        yield one


def asks(solver: Solver) -> Asks:
    """Whether anything may fulfil a condition, by a count or by the solver."""
    counting = Counting()

    def ask(condition: Condition, bounds: Spans) -> bool:
        if counting.refutes(condition, bounds):
            return False
        told = both(condition, facts_about(condition, bounds))
        return solver.ask(told, bounds, seconds=20).verdict != "unsat"

    return ask


def read_by_months(text: str, source: str) -> tuple[Any, Any]:
    spec = spec_from_toml(text)
    lists = looked_into(spec, source)
    changed = in_months(lists if lists is not None else spec)
    assert changed is not None
    return changed, Reader(changed)


@pytest.mark.parametrize("body", BODIES)
def test_programs_do_what_they_do_in_python(body: str, solver: Solver) -> None:
    rng, source = random.Random(body), program(body)
    spec, reader = read_by_months(spec_text(""), source)
    candidate = reader.candidate(source, asks(solver))
    run = candidate.run(reader.shapes()[0])
    namespace: dict[str, Any] = {}
    exec(source, namespace)  # these programs are of this file
    for _ in range(80):
        day = date(2023, 12, 20) + timedelta(days=rng.randint(0, 351))
        holidays = [day + timedelta(days=rng.randint(-5, 5)) for _ in range(rng.randint(0, 3))]
        assignment = assigned(spec, {"day": day, "holidays": holidays})
        evaluation = Evaluation(assignment)
        reached = [each for each in run.exits if evaluation.condition(each.condition)]
        assert len(reached) == 1
        assert isinstance(reached[0].outcome, Returned)
        found: Any = reached[0].outcome.value
        parts = [evaluation.term(t) for t in (found.ordinal, found.year, found.month, found.day)]
        right = namespace["f"](day, holidays)
        assert parts == [right.toordinal(), right.year, right.month, right.day]
        assert concrete(spec, run.shape, assignment)["day"] == day


def test_a_step_beyond_the_calendar_raises() -> None:
    source = program("return day + timedelta(days=2)")
    spec, reader = read_by_months(spec_text("", first="9999-12-25", last="9999-12-31"), source)
    run = reader.run(source)
    for real, raised in ((date(9999, 12, 29), False), (date(9999, 12, 30), True), (date.max, True)):
        evaluation = Evaluation(assigned(spec, {"day": real, "holidays": []}))
        (reached,) = [each for each in run.exits if evaluation.condition(each.condition)]
        assert isinstance(reached.outcome, Raised if raised else Returned)


# Proofs

NEXT = '[reference]\nvalue = "[d for d in [day + n for n in range(0, 8)] if d.weekday < 5 and d not in holidays][0]"\n'
MONTH_END = """
[define]
"of_month(d)" = "[date(d.year, d.month, n) for n in range(1, month_end(d).day + 1)]"
[reference]
value = "[d for d in of_month(day) if d.weekday < 5 and d not in holidays][-1]"
[[ensure]]
id = "in the month"
that = "result.month == day.month and result <= month_end(day)"
[[relation]]
id = "in order"
given = "a.holidays == b.holidays and a.day <= b.day"
that = "a.result <= b.result"
"""
PAYDAY = """
last = monthrange(day.year, day.month)[1]
pay = day.replace(day=last)
while pay.weekday() >= 5 or pay in holidays:
    pay -= timedelta(days=1)
return pay
"""
CLIPPED = '[reference]\nvalue = "add_months(day, 1)"\n'
SAME_DAY = """
year, month = (day.year + 1, 1) if day.month == 12 else (day.year, day.month + 1)
return date(year, month, min(day.day, monthrange(year, month)[1]))
"""


def judged(text: str, source: str) -> dict[str, Verdict]:
    with Bench(spec_from_toml(text), Effort(examples=40, time_limit_s=60)) as bench:
        judgement = bench.judge(source)
    assert isinstance(judgement, Judgement)
    return {obligation.id: verdict for obligation, verdict in judgement.verdicts.items()}


@pytest.mark.parametrize(
    ("clauses", "body"),
    [
        pytest.param(NEXT, FOLLOWING, marks=pytest.mark.slow),
        (
            NEXT,
            "closed = set(holidays)\nd = day\nwhile d in closed or d.weekday() in (5, 6):\n    d += timedelta(1)\nreturn d",
        ),
        pytest.param(MONTH_END, PAYDAY, marks=pytest.mark.slow),
        (CLIPPED, SAME_DAY),
    ],
)
def test_right_ones_are_proved(clauses: str, body: str) -> None:
    verdicts = judged(spec_text(clauses), program(body))
    assert [name for name, verdict in verdicts.items() if not isinstance(verdict, Proved)] == []


@pytest.mark.parametrize(
    ("clauses", "body"),
    [
        (NEXT, FOLLOWING.replace("> 5", "> 6")),
        (
            NEXT,
            FOLLOWING.replace("while", "if").replace("+= timedelta(days=1)", "+= timedelta(days=8 - day.isoweekday())"),
        ),
        (NEXT, FOLLOWING.replace("days=1", "days=2")),
        pytest.param(MONTH_END, PAYDAY.replace(" or pay in holidays", ""), marks=pytest.mark.slow),
        pytest.param(MONTH_END, PAYDAY.replace("[1]\n", "[1] - 1\n"), marks=pytest.mark.slow),
        pytest.param(MONTH_END, PAYDAY.replace("monthrange(day.year", "monthrange(2023"), marks=pytest.mark.slow),
        (CLIPPED, SAME_DAY.replace("min(day.day, monthrange(year, month)[1])", "min(day.day, 28)")),
    ],
)
def test_wrong_ones_are_refuted(clauses: str, body: str) -> None:
    assert isinstance(judged(spec_text(clauses), program(body))["reference"], Refuted)


def by_months(text: str, source: str, solver: Solver) -> dict[str, bool]:
    """By obligation, whether it is shown in this way alone, whatever runs show."""
    _, reader = read_by_months(text, source)
    claims = reader.claims(source, asks(solver))
    if "*" in claims.unread:
        raise NotRead(claims.unread["*"])
    assert not claims.unread

    def ask(condition: Condition, bounds: Spans, each: str) -> Answer:
        return solver.ask_for_each(each, condition, bounds, units=20_000_000, seconds=20)

    found: dict[str, bool] = {}
    for each in claims.claims:
        shown = asked_by_months(each.against, each.bounds, ask).verdict == "unsat"
        found[each.obligation] = found.get(each.obligation, True) and shown
    return found


def ensure(that: str) -> str:
    return f"[[ensure]]\nid = 'it'\nthat = '{that}'\n"


def relation(given: str, that: str) -> str:
    return f"[[relation]]\nid = 'it'\ngiven = '{given}'\nthat = '{that}'\n"


LATER = "a.result <= b.result"


@pytest.mark.parametrize(
    ("clauses", "most", "body", "shown"),
    [
        # Three holidays and a weekend are five days, and four are not enough
        (ensure("days(result - day) <= 5"), 3, FOLLOWING, True),
        (ensure("days(result - day) <= 4"), 3, FOLLOWING, False),
        (ensure("days(result - day) <= 2"), 0, FOLLOWING, True),
        (ensure("result.weekday < 5 and result not in holidays"), 2, FOLLOWING, True),
        (ensure("result.weekday < 4"), 2, FOLLOWING, False),
        # It may lie in the next month, and never in the one after that
        (ensure("result.month == day.month"), 2, FOLLOWING, False),
        (ensure("result <= month_end(add_months(day, 1))"), 2, FOLLOWING, True),
        # Months of the calendar: only February has no day 30, and 2024 is a leap year
        (ensure("result.day < 30 or result.month != 2"), 1, FOLLOWING, True),
        (ensure("result.day < 31 or result.month != 3"), 1, FOLLOWING, True),  # a Sunday in 2024
        (ensure("result.day < 31 or result.month != 5"), 1, FOLLOWING, False),
        (ensure("result.day == 29"), 1, "return day if day.day == 29 else day.replace(day=29)", True),
        # Two runs, with the same holidays or not
        (relation("a.holidays == b.holidays and a.day <= b.day", LATER), 2, FOLLOWING, True),
        (relation("a.holidays == b.holidays and a.day < b.day", LATER.replace("<=", "<")), 2, FOLLOWING, False),
        (relation("a.day <= b.day", LATER), 2, FOLLOWING, False),
        (relation("a.holidays == b.holidays and a.day.month == b.day.month", LATER), 2, FOLLOWING, False),
    ],
)
def test_only_what_holds_of_all_dates_is_shown(clauses: str, most: int, body: str, shown: bool, solver: Solver) -> None:
    found = by_months(spec_text(clauses, most=most), program(body), solver)
    asked = next(name for name in found if name.partition(":")[0] in ("ensure", "relation"))
    assert found[asked] is shown


@pytest.mark.parametrize(("last", "shown"), [("2024-12-30", True), ("2025-01-31", False)])
def test_a_leap_day_is_there_in_leap_years_only(last: str, shown: bool, solver: Solver) -> None:
    text = spec_text("", most=1, first="2024-01-01", last=last)
    source = program("closed = day in holidays\nreturn date(day.year, 2, 29)")
    assert by_months(text, source, solver)["no crash"] is shown


ROLLED = """
result = day
while result.weekday() >= 5 or result in holidays:
    result += timedelta(days=1)
if result.month != day.month:
    result = day
    while result.weekday() >= 5 or result in holidays:
        result -= timedelta(days=1)
return result
"""
OF_MONTH = """
[define]
"open_days(d, h)" = "[e for e in [date(d.year, d.month, n) for n in range(1, month_end(d).day + 1)] if e.weekday < 5 and e not in h]"
[reference]
value = "[d for d in open_days(day, holidays) if d >= day][0] if len([d for d in open_days(day, holidays) if d >= day]) > 0 else open_days(day, holidays)[-1]"
"""


def mutants(body: str) -> list[str]:
    """The program with one number, comparison or part of a date changed."""
    changes = (">= 5", "> 5"), (">= 5", ">= 4"), ("or", "and"), ("in holidays", "in holidays[:1]"), ("days=1", "days=2")
    changes += (
        (".month !=", ".month >"),
        (".month !=", ".year !="),
        ("-=", "+="),
        ("+=", "-="),
        ("= day", "= day.replace(day=15)"),
    )
    changes += (
        ("!= day.month", "!= day.day"),
        ("month != day.month", "day < day.day"),
        ("weekday()", "isoweekday()"),
        ("- 1", "+ 1"),
    )
    found = []
    for old, new in changes:
        at = body.find(old)
        while at >= 0:
            found.append(body[:at] + new + body[at + len(old) :])
            at = body.find(old, at + 1)
    return [each for each in found if "[:1]" not in each]


def differs(one: str, other: str) -> bool:
    """Whether two programs differ somewhere on a dense set of dates, with no holidays, or one or two nearby."""
    names: list[dict[str, Any]] = [{}, {}]
    for source, namespace in zip((one, other), names, strict=True):
        exec(program(source), namespace)
    for back in range(352):
        day = date(2023, 12, 20) + timedelta(days=back)
        for holidays in (
            [],
            [day],
            *([day + timedelta(days=by), day - timedelta(days=by // 2)] for by in (1, 2, 3, -1)),
        ):
            left, right = ([] for _ in names)
            for kept, namespace in zip((left, right), names, strict=True):
                try:
                    kept.append(namespace["f"](day, holidays))
                except (OverflowError, ValueError) as error:
                    kept.append(type(error))
            if left != right:
                return True
    return False


@pytest.mark.parametrize(
    "mutant",
    [pytest.param(each, marks=[pytest.mark.slow] if at % 5 else []) for at, each in enumerate(mutants(ROLLED))],
)
def test_of_a_mutant_only_what_it_does_as_well_is_shown(mutant: str, solver: Solver) -> None:
    try:
        found = by_months(spec_text(OF_MONTH, most=2), program(mutant), solver)
    except NotRead:
        return
    if found["reference"] and found["no crash"]:
        assert not differs(ROLLED, mutant)


def test_the_program_of_the_mutants_is_shown_to_be_right(solver: Solver) -> None:
    found = by_months(spec_text(OF_MONTH, most=2), program(ROLLED), solver)
    assert found["reference"]
    assert found["no crash"]


# Parts


def test_a_count_refutes_only_what_nothing_fulfils() -> None:
    """Against all lists of at most two of some days, for each day of the week."""
    rng, counting = random.Random(2), Counting()
    day, _ = input_day_of_month("d", date(2024, 1, 1), date(2024, 12, 31))
    refuted = 0
    for _ in range(50):
        offsets = [rng.randint(0, 6) for _ in range(rng.randint(2, 6))]
        tests = [Belongs("h", 2, day.ordinal + number(by)) for by in offsets]
        freed = [rng.sample(range(7), rng.randint(0, 4)) for _ in offsets]
        free = [
            either(*(equal(weekday(day_of(day.ordinal + number(by))), number(w)) for w in days))
            for by, days in zip(offsets, freed, strict=True)
        ]
        condition = both(*(either(where, test) for where, test in zip(free, tests, strict=True)))
        if not counting.refutes(condition, {**WIDE, "d@weekday": (0, 6)}):
            continue
        refuted += 1
        for start in range(7):
            need = {by for by, days in zip(offsets, freed, strict=True) if (start + by) % 7 not in days}
            assert len(need) > 2
    assert refuted > 3


def test_a_count_says_nothing_of_conditions_on_flags() -> None:
    day, _ = input_day_of_month("d", date(2024, 1, 1), date(2024, 12, 31))
    tests = [Belongs("h", 1, day.ordinal + number(by)) for by in range(3)]
    asked = both(*(either(Flag("p"), test) for test in tests))
    assert not Counting().refutes(asked, WIDE)
    assert Counting().refutes(both(*tests), WIDE)
    assert not Counting().refutes(both(*tests[:1], *tests[:1]), WIDE)
    assert not Counting().refutes(either(*tests), WIDE)


def test_how_many_conditions_hold_is_none_or_some() -> None:
    rng = random.Random(3)
    flags: list[Condition] = [Flag(name) for name in "pqr"]
    bits = [choose(flag, number(1), number(0)) for flag in flags]
    for _ in range(60):
        total: Term = number(rng.randint(-2, 2))
        for bit in bits:
            total = total + number(rng.choice((-1, 0, 1, 2))) * bit
        for made in (at_most(total, number(0)), equal(total, number(0))):
            for row in range(8):
                evaluation = Evaluation({name: bool(row >> at & 1) for at, name in enumerate("pqr")})
                value = evaluation.term(total)
                assert evaluation.condition(made) is (value <= 0 if made == at_most(total, number(0)) else value == 0)


@pytest.mark.parametrize("index", [0, -1, 1, -2])
def test_the_first_and_the_last_that_are_there(index: int) -> None:
    items = [(Flag(name), Int(number(at))) for at, name in enumerate("pqr")]
    found, there = item_at(tuple(items), number(index), 1)
    assert isinstance(found, Int)
    for row in range(8):
        present = [at for at in range(3) if row >> at & 1]
        evaluation = Evaluation({name: at in present for at, name in enumerate("pqr")})
        inside = -len(present) <= index < len(present)
        assert evaluation.condition(there) is inside
        if inside:
            assert evaluation.term(found.term) == present[index]


def test_a_reference_stands_for_the_result_only_where_equal_is_the_same() -> None:
    exact = spec_from_toml(spec_text(NEXT))
    assert may_stand_for(exact, RIGHT)
    assert not may_stand_for(exact, [each for each in RIGHT if each != "no crash"])
    assert not may_stand_for(spec_from_toml(spec_text("")), RIGHT)
    rounded = spec_text('[reference]\nvalue = "1.5"\nabs_tol = "0.01"\n').replace(
        'type = "date"\n[ref', 'type = "float"\n[ref'
    )
    assert not may_stand_for(spec_from_toml(rounded), RIGHT)


def test_lists_that_are_the_same_are_one() -> None:
    one, _ = input_day_of_month("d", date(2024, 1, 1), date(2024, 12, 31))
    mine, its = Belongs("a.h", 2, one.ordinal), Belongs("b.h", 2, one.ordinal)
    same = SameMembers("a.h", "b.h")
    told = both(same, mine, negated(its), facts_about(both(same, mine, its), WIDE))
    assert not any(
        Evaluation({**as_in_month("d", date(2024, 5, 5)), mine.name: True, its.name: False, same.name: s}).condition(
            told
        )
        for s in (True, False)
    )
    assert isinstance(in_months(spec_from_toml(spec_text(""))).inputs["day"], DateType)  # type: ignore[union-attr]
    assert told != TRUE


def test_a_month_that_is_longer_than_in_the_calendar_stands_for_its_last_day() -> None:
    """A question that leaves the calendar out may be answered with a 31st of February."""
    assignment = {"day@year": 2023, "day@month": 2, "day@day": 31}
    assert date_in_month("day", 2000, assignment) == date(2023, 2, 28)
    assert date_in_month("day", 2000, as_in_month("day", date(2024, 2, 29))) == date(2024, 2, 29)
