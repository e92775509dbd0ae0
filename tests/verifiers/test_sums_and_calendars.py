"""Proofs that replace parts of a question by unknown numbers: what they drop, and that nothing false gets through."""

from __future__ import annotations

import random
from calendar import isleap
from datetime import date, timedelta

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.obligations import obligation_id
from neurosym_specs.verdicts import Proved, Refuted
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.calendar import by_days
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.messages import Answer
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.proof.termwise import ask_by_addends
from neurosym_verifiers.reading.data.dates import input_day, leap, ordinal
from neurosym_verifiers.reading.depth import deep_recursion
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.formulas.bounds import Bounds, Spans
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, either, equal, floor_div, negated
from neurosym_verifiers.reading.formulas.terms import Condition, Term, number, variable

SPEC = """
spec = 1
name = "weighed"
[inputs]
start = { type = "date", min = 2010-01-01, max = 2018-12-31 }
end = { type = "date", min = 2010-01-01, max = 2020-12-31 }
[output]
type = "int"
[[reject]]
id = "order"
when = "end < start"
raises = "ValueError"
[reference]
python = '''
PROGRAM
'''
[[relation]]
id = "order"
RELATION
"""

WEIGHED = """
from datetime import date
import calendar
def weighed(start: date, end: date) -> int:
    if end < start:
        raise ValueError
    total = 0
    for year in range(start.year, end.year + 1):
        first = max(start, date(year, 1, 1))
        last = min(end, date(year + 1, 1, 1))
        total += (last - first).days * (365 if calendar.isleap(year) else 366)
    return total // 100
"""

GROWS = 'given = "a.start == b.start and a.end <= b.end"\nthat = "a.result <= b.result"'
WRONG_WEIGHT = WEIGHED.replace("(365 if calendar.isleap(year) else 366)", "(365 if year != 2016 else -1)")
ONE_YEAR_COUNTS_TWICE_AT_THE_END = WEIGHED.replace(
    "    return", "    if end.year == 2016:\n        total += 300\n    return"
)


def spec_text(program: str, relation: str) -> str:
    return SPEC.replace("PROGRAM", program).replace("RELATION", relation)


def asked(program: str, relation: str) -> list[Answer | None]:
    spec = spec_from_toml(spec_text(WEIGHED, relation))
    reader = Reader(spec)
    with deep_recursion(), Solver() as solver:

        def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
            return solver.ask(condition, bounds, seconds=20, units=units or 10_000_000)

        claims = reader.relation(reader.candidate(program), obligation_id("relation", spec.relations[0]))
        return [ask_by_addends(claim.against, claim.bounds, claim.prefixes, ask) for claim in claims]


@pytest.mark.parametrize(
    ("program", "relation", "proved"),
    [
        (WEIGHED, GROWS, True),
        (WEIGHED, GROWS.replace("a.result <=", "a.result <"), False),
        (WEIGHED, GROWS.replace("a.result <=", "a.result >="), False),
        (WEIGHED, GROWS.replace("a.start == b.start and ", ""), False),
        (WRONG_WEIGHT, GROWS, False),
        (ONE_YEAR_COUNTS_TWICE_AT_THE_END, GROWS, False),
    ],
)
def test_sums_are_compared_addend_by_addend_and_only_where_that_is_so(
    program: str, relation: str, proved: bool
) -> None:
    answers = asked(program, relation)
    assert [answer is not None and answer.verdict == "unsat" for answer in answers] == [proved]


def test_what_one_path_knows_of_an_addend_is_not_known_on_another() -> None:
    bounds = {"a.v": (-900, 900), "b.v": (0, 900), "a.p": (0, 900), "a.q": (0, 900)}
    one, _, p, q = (variable(name, *span) for name, span in bounds.items())

    def sum_falls(small: Bounds, large: Bounds, by: Term) -> Condition:
        less, more = variable("a.v", *small), variable("b.v", *large)
        parts = [floor_div(more, number(7 + i)) - floor_div(less, number(7 + i)) for i in range(6)]
        return below(sum(parts, start=number(0)), by)

    apart = both(below(one, number(0)), at_most(p, q), sum_falls((-900, -1), (0, 900), p - q))
    anywhere = both(equal(p, number(7)), sum_falls((-900, 900), (0, 900), number(0)))
    for against in (either(anywhere, apart), either(apart, anywhere)):
        assert Evaluation({"a.v": 900, "b.v": 0, "a.p": 7, "a.q": 0}).condition(against)
        with Solver() as solver:

            def ask(condition: Condition, bounds: Spans, units: int | None) -> Answer:
                return solver.ask(condition, bounds, seconds=20, units=units or 10_000_000)

            assert ask_by_addends(against, bounds, ("a.", "b."), ask) is None


def test_the_verdict_says_how() -> None:
    with Bench(spec_from_toml(spec_text(WEIGHED, GROWS)), Effort(examples=20, time_limit_s=60)) as bench:
        right = bench.judge(WEIGHED)
        wrong = bench.judge(WRONG_WEIGHT)
    assert isinstance(right, Judgement)
    assert isinstance(wrong, Judgement)
    verdict = next(verdict for obligation, verdict in right.verdicts.items() if obligation.id == "relation: order")
    assert isinstance(verdict, Proved)
    assert "lemma" in verdict.method
    assert any(isinstance(verdict, Refuted) for verdict in wrong.verdicts.values())


@pytest.mark.parametrize("span", [(1, 9998), (1899, 1903), (1901, 2100), (1995, 2040), (2096, 2104)])
def test_ordinals_and_leap_years_are_pythons(span: tuple[int, int]) -> None:
    year, month, day = variable("y", *span), variable("m", 1, 12), variable("d", 1, 31)
    count, leaps = ordinal(year, month, day), leap(year)
    rng = random.Random(span[0])
    first, last = date(span[0], 1, 1), date(span[1], 12, 31)
    drawn = [first + timedelta(days=rng.randint(0, (last - first).days)) for _ in range(300)]
    edges = [date(y, m, d) for y in span for m, d in ((1, 1), (2, 28), (3, 1), (12, 31))]
    for each in (*drawn, *edges):
        evaluation = Evaluation({"y": each.year, "m": each.month, "d": each.day})
        assert evaluation.term(count) == each.toordinal()
        assert evaluation.condition(leaps) is isleap(each.year)


def test_what_holds_of_dates_holds_of_their_days() -> None:
    """A condition on dates is never lost when their months are forgotten."""
    a, valid_a = input_day("a", date(1890, 1, 1), date(2110, 12, 31))
    b, valid_b = input_day("b", date(1990, 1, 1), date(2010, 12, 31))
    bounds: dict[str, tuple[int | None, int | None]] = {
        f"{name}.{part}": pair
        for name, years in (("a", (1890, 2110)), ("b", (1990, 2010)))
        for part, pair in (("year", years), ("month", (1, 12)), ("day", (1, 31)))
    }
    weight = variable("w", 0, 9)
    bounds["w"] = (0, 9)
    questions = [
        at_most(a.ordinal, b.ordinal),
        at_most(a.ordinal * weight, b.ordinal * weight + number(3)),
        equal(a.ordinal - b.ordinal, weight),
        both(at_most(a.ordinal, b.ordinal + a.day), at_most(b.month, a.month)),
    ]
    rng = random.Random(3)
    exchanged = [by_days(both(valid_a, valid_b, question), bounds)[0] for question in questions]
    assert all(name not in exchanged[0].names - (valid_a.names | valid_b.names) for name in bounds)
    for _ in range(400):
        one = date(1890, 1, 1) + timedelta(days=rng.randint(0, 80_000))
        other = min(max(one + timedelta(days=rng.randint(-5, 5)), date(1990, 1, 1)), date(2010, 12, 31))
        values: dict[str, int | bool] = {"w": rng.randint(0, 9)}
        for name, day in (("a", one), ("b", other)):
            values |= {f"{name}.year": day.year, f"{name}.month": day.month, f"{name}.day": day.day}
            values[f"{name}.ordinal"] = day.toordinal()
        evaluation = Evaluation(values)
        for question, instead in zip(questions, exchanged, strict=True):
            assert evaluation.condition(question) == evaluation.condition(instead)


def test_numbers_that_are_called_like_the_parts_of_a_date_are_left_alone() -> None:
    month, day = variable("x.month", 1, 40), variable("x.day", 1, 90)
    bounds: Spans = {"x.year": (2000, 2001), "x.month": (1, 40), "x.day": (1, 90)}
    question = at_most(month, day)
    assert by_days(question, bounds) == (question, bounds)


def test_paths_that_meet_again_are_one_condition() -> None:
    x, y = variable("x", -5, 5), variable("y", -5, 5)
    p, q, r = at_most(x, number(0)), at_most(y, x), equal(y, number(2))
    assert any_way(both(p, q), both(p, negated(q))) == p
    assert any_way(both(p, q, r), both(p, either(negated(q), negated(r)))) == p
    for one, other in [(both(p, q), both(r, negated(q))), (p, both(p, q)), (both(p, q), both(p, r)), (p, negated(p))]:
        met = any_way(one, other)
        for i in range(-5, 6):
            for j in range(-5, 6):
                evaluation = Evaluation({"x": i, "y": j})
                assert evaluation.condition(met) == (evaluation.condition(one) or evaluation.condition(other))
