"""Bounds of terms that round: every value lies in them, and they are near where intervals are not."""

from __future__ import annotations

import random
from itertools import product

import pytest
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import floor_div
from neurosym_verifiers.reading.formulas.relaxing import relaxed
from neurosym_verifiers.reading.formulas.terms import Term, number, variable


def made(rng: random.Random, names: dict[str, tuple[int, int]], depth: int) -> Term:
    """A random sum of products and quotients."""
    total = number(rng.randint(-20, 20))
    for _ in range(rng.randint(1, 3)):
        if depth and rng.random() < 0.6:
            part = floor_div(made(rng, names, depth - 1), number(rng.choice([2, 3, 7, 12, 100])))
        else:
            part = number(1)
            for name in rng.sample(sorted(names), rng.choice([1, 1, 2])):
                part = part * variable(name, *names[name])
        total = total + number(rng.randint(-4, 4)) * part
    return total


@pytest.mark.parametrize("seed", range(4))
def test_every_value_lies_inside(seed: int) -> None:
    rng, tried = random.Random(seed), 0
    for _ in range(150):
        names = {name: (low, low + rng.randint(0, 4)) for name in "abc" for low in [rng.randint(-9, 9)]}
        term = made(rng, names, 2)
        found = relaxed(term)
        if found is None:
            continue
        tried += 1
        low, high = found.bounds(names)
        assert low is not None
        assert high is not None
        for values in product(*(range(a, b + 1) for a, b in names.values())):
            assert low <= Evaluation(dict(zip(names, values, strict=True))).term(term) <= high, (term, values)
    assert tried >= 100


def test_what_a_number_loses_of_itself_leaves_no_more_than_it_was() -> None:
    left, rate = variable("left", 0, 10**9), variable("rate", 0, 100)
    rest = left - floor_div(left * rate, number(100))
    assert rest.low == -(10**9)
    found = relaxed(rest)
    assert found is not None
    assert found.bounds({}) == (0, 10**9)


def test_what_is_unbounded_or_squared_is_not_bounded() -> None:
    x = variable("x", 0, None)
    assert (whole := relaxed(x + number(1))) is not None
    assert whole.bounds({}) == (None, None)
    assert whole.bounds({"x": (2, 5)}) == (3, 6)
    assert relaxed(x * x) is None
    assert relaxed(floor_div(x, variable("d", 1, 9))) is None
