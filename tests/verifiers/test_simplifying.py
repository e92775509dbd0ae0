"""Claims made small before a solver sees them: fulfilled by the same assignments as before."""

from __future__ import annotations

import random
from itertools import product

import pytest
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.iterated import Iterated, place
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import (
    at_most,
    below,
    both,
    choose,
    either,
    equal,
    floor_div,
    negated,
)
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, Term, atom, number, variable
from neurosym_verifiers.reading.simplification.finite import Tables
from neurosym_verifiers.reading.simplification.simplifying import Simplifying

from tests.verifiers.test_terms import BOUNDS, TermWriter, assignment, fulfils, narrowed

A, B, C, D, E = (variable(name, *BOUNDS[name]) for name in "abcde")
P, Q = Flag("p"), Flag("q")
ZERO = number(0)


def simplified(condition: Condition) -> Condition:
    return Simplifying().simplified(condition, BOUNDS)


def maximum(one: Term, other: Term) -> Term:
    return choose(at_most(one, other), other, one)


def left_over(amount: Term, parts: list[Term]) -> Term:
    """What is left of an amount when each part has taken what it may."""
    for part in parts:
        amount = amount - choose(at_most(amount, part), amount, part)
    return amount


GROUP_0, GROUP_1 = equal(C, ZERO), equal(C, number(1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # A comparison with a choice of which one side is known.
        (at_most(choose(P, ZERO, E), ZERO), P),
        (below(ZERO, choose(P, ZERO, E)), negated(P)),
        # A loop that takes from what is left takes all there is.
        (at_most(left_over(D, [E, E, E]), ZERO), at_most(D, number(3) * E)),
        # What a condition says is known in its branches, and beside it.
        (both(at_most(A, B), equal(choose(at_most(A, B), C, D), E)), both(at_most(A, B), equal(C, E))),
        (equal(choose(P, choose(both(P, Q), A, B), C), D), equal(choose(P, choose(Q, A, B), C), D)),
        # The larger of two is the larger, whichever is named first, and where they are equal as well.
        (equal(maximum(A, B), C), equal(maximum(B, A), C)),
        (equal(choose(below(A, B), B, A), C), equal(maximum(A, B), C)),
        # Few values in different words.
        (either(both(P, GROUP_0), both(P, GROUP_1)), both(P, at_most(C, number(1)))),
        (either(equal(C, number(2)), negated(equal(C, number(2)))), TRUE),
        # Sums by group.
        (
            equal(choose(GROUP_0, A, ZERO) + choose(negated(GROUP_0), A, ZERO), B),
            equal(A, B),
        ),
        (
            equal(choose(either(GROUP_0, P), choose(GROUP_0, A, ZERO) + choose(P, B, ZERO), ZERO), D),
            equal(choose(GROUP_0, A, ZERO) + choose(P, B, ZERO), D),
        ),
        (both(either(P, GROUP_0), negated(P), negated(GROUP_0)), FALSE),
    ],
)
def test_what_is_the_same_is_written_the_same(one: Condition, other: Condition) -> None:
    assert simplified(one) == simplified(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (at_most(left_over(D, [E, E]), ZERO), at_most(D, number(3) * E)),
        (at_most(left_over(D, [C, C]), ZERO), at_most(D, C)),
        (equal(choose(at_most(A, B), B, A), C), equal(choose(at_most(A, B), A, B), C)),
        (
            equal(choose(either(GROUP_0, P), choose(GROUP_0, A, ZERO) + choose(Q, B, ZERO), ZERO), D),
            equal(choose(GROUP_0, A, ZERO) + choose(Q, B, ZERO), D),
        ),
        (
            equal(choose(GROUP_0, A, ZERO) + choose(either(GROUP_0, GROUP_1), A, ZERO), B),
            equal(choose(either(GROUP_0, GROUP_1), A, ZERO), B),
        ),
        (equal(choose(below(A, B), B, A + number(1)), C), equal(maximum(A, B), C)),
    ],
)
def test_what_differs_somewhere_still_differs(one: Condition, other: Condition) -> None:
    apart = simplified(both(either(one, other), negated(both(one, other))))
    names = sorted(BOUNDS)
    values = product(*(range(BOUNDS[name][0], BOUNDS[name][1] + 1) for name in names), (False, True), (False, True))
    rng = random.Random(0)
    some = (dict(zip((*names, "p", "q"), row, strict=True)) for row in rng.sample(list(values), 3000))
    assert any(Evaluation(row).condition(apart) for row in some)


def test_bounds_of_a_quotient_are_not_believed_where_it_is_not_used() -> None:
    """``a // b`` is used where b is positive; that it is then between -6 and 6 must not make b positive."""
    known = narrowing_by(at_most(number(1), B))
    assert known is not None
    quotient = floor_div(A, known.term(B))
    claim = both(at_most(number(1), B), at_most(quotient, number(6) - B))
    found = simplified(claim)
    for a, b in product(range(-6, 7), repeat=2):
        assert fulfils(Evaluation({"a": a, "b": b}), found) == (b >= 1 and a // b <= 6 - b)


def test_nothing_lies_within_bounds_that_exclude_each_other() -> None:
    assert Simplifying().simplified(both(at_most(A, B), P), {**BOUNDS, "a": (3, 2)}) == FALSE


def check_simplifying(seed: int, count: int) -> int:
    """Random conditions behind random paths, one simplifier for all; how many became another condition."""
    rng = random.Random(seed)
    writer, simplifying = TermWriter(rng), Simplifying()
    changed = 0
    for _ in range(count):
        condition, holds = writer.condition(rng.randint(1, 4))
        path, on = writer.condition(rng.randint(0, 2))
        narrowing = narrowing_by(path)
        whole = both(path, narrowing.condition(condition) if narrowing else condition)
        divided = rng.random() < 0.3
        term, value = writer.term(rng.randint(1, 2))
        if divided:
            divisor = narrowed(A, at_most(number(1), A))
            whole = both(at_most(number(1), A), whole, at_most(floor_div(term, divisor), B))
        found = simplifying.simplified(whole, BOUNDS)
        opposite = simplifying.simplified(negated(whole), BOUNDS)
        changed += found != whole
        for _ in range(12):
            at = assignment(rng)
            expected = on(at) and holds(at)
            if divided:
                expected = expected and int(at["a"]) >= 1 and value(at) // int(at["a"]) <= int(at["b"])
            assert fulfils(Evaluation(at), found) == expected, f"{at} {whole}"
            if not divided:
                assert Evaluation(at).condition(opposite) != expected, f"{at} {whole}"
    return changed


def test_random_claims_are_fulfilled_by_the_same_assignments() -> None:
    assert check_simplifying(seed=1, count=500) > 230


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_claims_are_fulfilled_by_the_same_assignments(seed: int) -> None:
    assert check_simplifying(seed=seed, count=4_000) > 2000


def test_equal_tables_are_one_condition_and_opposite_ones_its_opposite() -> None:
    rng, tables = random.Random(3), Tables(BOUNDS)
    leaves = [P, Q, *(equal(C, number(k)) for k in range(6)), *(equal(E, number(k)) for k in range(1, 5))]
    for _ in range(500):
        condition: Condition = rng.choice(leaves)
        for _ in range(rng.randint(0, 5)):
            leaf = rng.choice(leaves)
            condition = rng.choice((both, either))(condition, negated(leaf) if rng.random() < 0.5 else leaf)
        table = tables.of(condition)
        if table is None:
            continue
        written = tables.written(table)
        again = tables.of(written, condition.names)
        assert again == table
        assert tables.written(table) == written
        opposite = tables.of(negated(condition))
        assert opposite is not None
        assert tables.written(opposite) == negated(written)


@pytest.mark.parametrize("amount", range(5, 35))
def test_what_one_group_of_choices_becomes_is_not_lost_in_another(amount: int) -> None:
    def there(condition: Condition) -> Term:
        return choose(condition, number(amount), ZERO)

    total = there(both(P, Q)) + there(both(P, negated(Q))) + there(P) + there(negated(P))
    twice, once = (simplified(equal(total, number(value))) for value in (2 * amount, amount))
    for p, q in product((False, True), repeat=2):
        evaluation = Evaluation({"p": p, "q": q})
        assert evaluation.condition(twice) == p
        assert evaluation.condition(once) != p


def test_what_a_round_does_stays_as_it_is() -> None:
    before = variable(place(0), None, None)
    step = before + choose(either(at_most(before, E), P), A, ZERO)
    loop = atom(Iterated((step,), (A,), B, ("total",)))
    condition = both(P, at_most(loop, E))
    small = simplified(condition)
    rng = random.Random(3)
    for _ in range(200):
        evaluation = Evaluation(assignment(rng))
        assert evaluation.condition(small) == evaluation.condition(condition)
