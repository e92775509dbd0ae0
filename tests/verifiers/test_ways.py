"""Ways to one point as one condition: the same as any of them, also where each knows other bounds."""

from __future__ import annotations

import random

import pytest
from neurosym_verifiers.reading.execution.ways import any_way
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, And, Condition, Flag, number, variable

from tests.verifiers.test_terms import BOUNDS, TermWriter, assignment

P, Q = Flag("p"), Flag("q")
A = variable("a", *BOUNDS["a"])
LOW, EVEN_LOWER = at_most(A, number(2)), at_most(A, number(0))


@pytest.mark.parametrize(
    ("ways", "one"),
    [
        ((both(P, Q), both(P, negated(Q))), P),
        ((P, negated(P)), TRUE),
        ((both(P, LOW, Q), both(P, negated(LOW)), both(P, LOW, negated(Q))), P),
        ((both(P, either(Q, LOW)), both(P, negated(Q), negated(LOW))), P),
        ((both(P, Q), both(negated(P), negated(Q))), either(both(P, Q), both(negated(P), negated(Q)))),
        ((P, FALSE), P),
        ((), FALSE),
    ],
)
def test_ways_that_part_at_one_condition_are_one(ways: tuple[Condition, ...], one: Condition) -> None:
    assert any_way(*ways) == one


def test_bounds_of_one_way_are_not_believed_on_the_other() -> None:
    """``a * b <= 3`` is known within the bounds of its way; behind both ways it must not be decided by either's."""
    product = at_most(A * variable("b", *BOUNDS["b"]), number(3))
    ways = []
    for path in (EVEN_LOWER, negated(EVEN_LOWER)):
        known = narrowing_by(path)
        assert known is not None
        ways.append(both(path, known.condition(product)))
    together = any_way(*ways)
    for condition in together.parts if isinstance(together, And) else (together,):
        later = narrowing_by(at_most(variable("b", *BOUNDS["b"]), number(0)))
        assert later is not None
        for a in (-6, -2, 0, 1, 6):
            for b in (-6, -1, 0):
                assert Evaluation({"a": a, "b": b}).condition(later.condition(condition)) == (a * b <= 3)


def check_ways(seed: int, count: int) -> int:
    """Random paths that part and part again, each way narrowed by what it knows; how many became fewer."""
    rng = random.Random(seed)
    writer = TermWriter(rng)
    fewer = 0
    for _ in range(count):
        ways: list[Condition] = [writer.condition(1)[0]]
        for _ in range(rng.randint(1, 4)):
            way = ways.pop(rng.randrange(len(ways)))
            fork = writer.condition(rng.randint(0, 2))[0]
            for side in (fork, negated(fork)):
                known = narrowing_by(side)
                if rng.random() < 0.9 or not ways:
                    ways.append(both(side, known.condition(way) if known else way))
        together = any_way(*ways)
        fewer += together != either(*ways)
        for _ in range(12):
            at = assignment(rng)
            evaluation = Evaluation(at)
            assert evaluation.condition(together) == any(map(evaluation.condition, ways)), f"{ways} {at}"
    return fewer


def test_random_ways_are_any_of_them() -> None:
    assert check_ways(seed=1, count=1500) > 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_random_ways_are_any_of_them(seed: int) -> None:
    assert check_ways(seed=seed, count=15_000) > 3000
