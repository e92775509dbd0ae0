"""What is known in a branch, and what a claim says that is made small, against CPython and plain evaluation."""

# ruff: noqa: E501
from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.membership import same
from neurosym_verifiers.proof.runs import Run, bounds_of
from neurosym_verifiers.reading.data.dates import day_of, input_day
from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, either, nearest, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, Condition, number, variable
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.simplification.simplifying import Simplifying
from neurosym_verifiers.reading.simplification.substituting import solved
from neurosym_verifiers.reading.simplification.tabulating import tabulated

from tests.verifiers.narrow_programs import PRELUDE, SPEC, NarrowWriter, dense_inputs
from tests.verifiers.test_reading import by_reading, spec_inputs
from tests.verifiers.test_terms import fulfils

_OUT = spec_from_toml(SPEC)


def by_python(namespace: dict[str, Any], inputs: Mapping[str, Any]) -> Any:
    try:
        value = namespace["f"](**inputs)
    except Exception as error:
        return "raises", type(error).__name__
    return "returns", value


def read(source: str) -> Run | None:
    try:
        return Reader(_OUT).run(source)
    except NotRead:
        return None


def compare_programs(seed: int, programs: int) -> tuple[int, int]:
    """How many pairs of inputs and programs were compared, and how many of these programs were read."""
    rng, pairs, count = random.Random(seed), 0, 0
    writer = NarrowWriter(rng)
    for _ in range(programs):
        source = writer.program()
        run = read(source)
        if run is None:
            continue
        count += 1
        namespace: dict[str, Any] = {}
        exec(compile(source, "program", "exec"), namespace)
        for inputs in dense_inputs(rng, 82):
            expected, found = by_python(namespace, inputs), by_reading(run, _OUT, inputs)
            assert found == expected, f"{inputs}\n{source}\nCPython: {expected}\nread: {found}"
            pairs += 1
    return pairs, count


def apart(one: Run, other: Run) -> Condition:
    """Where two runs return different numbers."""
    return either(
        *(
            both(here, there, negated(same(value, its)))
            for here, value in one.results
            for there, its in other.results
            if both(here, there) != FALSE
        )
    )


def compare_claims(seed: int, programs: int) -> int:
    """How many truths of claims were compared: as they are, and made small in each way."""
    rng, count = random.Random(seed), 0
    writer = NarrowWriter(rng)
    for _ in range(programs):
        state = rng.getstate()
        one = writer.program()
        rng.setstate(state)
        other = writer.program()
        cuts = [at for at, c in enumerate(other) if c.isdigit() and at > other.index("def f")]
        at = rng.choice(cuts)
        changed = other[:at] + str(rng.randint(0, 9)) + other[at + 1 :] if rng.random() < 0.7 else writer.program()
        runs = [read(one), read(changed) if compiles(changed) else None]
        if runs[0] is None or runs[1] is None:
            continue
        claim = apart(runs[0], runs[1])
        bounds = runs[0].bounds
        small = Simplifying().simplified(claim, bounds)
        forms = [small, tabulated(claim, bounds), solved(claim, bounds), tabulated(small, bounds)]
        opposite = Simplifying().simplified(negated(claim), bounds)
        for inputs in dense_inputs(rng, 82):
            evaluation = Evaluation(assigned(_OUT, spec_inputs(inputs)))
            try:
                truth = evaluation.condition(claim)
                found = [evaluation.condition(form) for form in forms]
                assert not any(each != truth for each in found), f"{inputs}\n{one}\n{changed}\n{truth} {found}"
                assert evaluation.condition(opposite) != truth, f"{inputs}\n{one}\n{changed}\n{truth}, and its opposite"
            except (ZeroDivisionError, ValueError, OverflowError):
                continue
            count += 1
    return count


def compiles(source: str) -> bool:
    try:
        compile(source, "program", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def test_random_programs_with_branches_that_know_more_are_read_as_cpython_runs_them() -> None:
    pairs, count = compare_programs(seed=2, programs=25)
    assert pairs >= 1200
    assert count >= 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 9))
def test_many_such_programs(seed: int) -> None:
    pairs, _ = compare_programs(seed, programs=1000)
    assert pairs >= 60_000


def test_random_claims_are_the_same_when_they_are_made_small() -> None:
    assert compare_claims(seed=1, programs=6) >= 200


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_random_claims(seed: int) -> None:
    assert compare_claims(seed, programs=300) >= 10_000


@pytest.mark.parametrize(
    "body",
    [
        "return (x + 5) % 37 if x <= 1 else (x + 7) % 37",
        "if x <= 1:\n    v = x + 5\nelse:\n    v = (x + 7) % 37\nreturn v",
        "v = y\nfor q in range(3):\n    v = (v * 10 + x) % 37 if x <= 1 else (v * 100 + x + 1) % 37\nreturn v",
        "t = {}\nfor z in [x, x + 1]:\n    if z <= 1:\n        t[z] = 1\n    else:\n        t[z] = 2\nreturn t.get(5, 0) * 10 + len(t)",
        "t = Counter()\nif x <= 1:\n    t[x] += 1\nelse:\n    t[x] += 2\nreturn t[5]",
        "t = defaultdict(int)\nif x <= 1:\n    t[x] += 1\nelse:\n    t[x] += 2\nreturn t[5] + len(t)",
        "if x <= 1:\n    p = partial(add, x)\nelse:\n    p = partial(add, x)\nreturn p(3) // 10",
        "p = (partial(add, x) if x <= 1 else partial(add, x)) if on else partial(add, x)\nreturn p(3) // 10",
    ],
)  # fmt: skip
def test_what_a_branch_knows_is_not_believed_behind_it(body: str) -> None:
    source = "from collections import Counter, defaultdict\n" + PRELUDE
    source += "".join(f"    {line}\n" for line in body.splitlines())
    run, namespace = read(source), dict[str, Any]()
    assert run is not None
    exec(compile(source, "program", "exec"), namespace)
    for inputs in dense_inputs(random.Random(0), 82):
        assert by_reading(run, _OUT, inputs) == by_python(namespace, inputs)


@pytest.mark.parametrize("prefix", ["s < 'b'", "s[:1] <= 'a'"])
def test_what_a_branch_knows_of_a_text_is_not_believed_behind_it(prefix: str) -> None:
    text = SPEC.replace("[output]", 's = { type = "str", max_len = 1, alphabet = "abc" }\n[output]')
    source = (
        PRELUDE.replace("day, on", "day, on, s")
        + f"    t = s if {prefix} else s + ''\n    return 1 if t == 'b' else 0\n"
    )
    spec, namespace = spec_from_toml(text), dict[str, Any]()
    exec(compile(source, "program", "exec"), namespace)
    inputs = next(dense_inputs(random.Random(0), 1))
    for s in "abc":
        run = Reader(spec).run(source, {"s": 1})
        assert by_reading(run, spec, inputs | {"s": s}) == by_python(namespace, inputs | {"s": s})


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("Decimal(x) / Decimal(3) == Fraction(1, 3)", True),
        ("Decimal(x) / Decimal(3) <= Fraction(2, 3)", True),
        ("Decimal(x) / Decimal(3) <= Decimal('0.5')", False),
        ("Decimal(x) / Decimal(3) == Decimal('0.3')", False),
        ("Decimal(x) / Decimal(3) == 1", False),
    ],
)
def test_a_quotient_is_compared_only_with_what_has_an_end(body: str, wrong: bool) -> None:
    """A third as a Decimal is less than a third; twice that, rounded up, is more than two thirds."""
    source, namespace = PRELUDE + f"    return 1 if {body} else 0\n", dict[str, Any]()
    exec(compile(source, "program", "exec"), namespace)
    run = read(source)
    assert (run is None) is wrong
    if run is not None:
        for inputs in dense_inputs(random.Random(0), 41):
            assert by_reading(run, _OUT, inputs) == by_python(namespace, inputs)


def test_the_year_of_a_date_that_is_computed_on_a_path_says_nothing_elsewhere() -> None:
    """Behind ``n >= 365`` a date of 2023 or later and n days lies in 2024 or later; what says so must not go."""
    days = variable("n", 0, 800)
    born, _ = input_day("day", date(2023, 1, 1), date(2024, 12, 31))
    bounds = {"n": (0, 800), **bounds_of({"day": born})}
    enough = at_most(number(365), days)
    narrowing = narrowing_by(enough)
    assert narrowing is not None
    later = day_of(born.ordinal + narrowing.term(days))
    soon = at_most(later.year, days + number(1659))
    small = Simplifying().simplified(both(enough, soon), bounds)
    for n in range(355, 375):
        at = {"n": n, "day.year": 2023, "day.month": 1, "day.day": 1}
        assert Evaluation(at).condition(small) == (n >= 365)


def test_bounds_of_a_rounded_quotient_are_not_believed_where_it_is_not_used() -> None:
    a, b = variable("a", 1, 6), variable("b", -6, 6)
    positive = at_most(number(1), b)
    narrowing = narrowing_by(positive)
    assert narrowing is not None
    rounded = nearest(a, narrowing.term(b), 60)
    unit = number(2**60)
    for claim in (both(positive, at_most(rounded, b * unit)), both(positive, at_most(number(1) - b * unit, rounded))):
        small = Simplifying().simplified(claim, {"a": (1, 6), "b": (-6, 6)})
        for at in ({"a": p, "b": q} for p in range(1, 7) for q in range(-6, 7)):
            assert fulfils(Evaluation(at), small) == (
                Evaluation(at).condition(positive) and fulfils(Evaluation(at), claim)
            )
