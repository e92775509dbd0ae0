"""Rewriting what depends on one variable, remainders of choices, and powers: the same number and truth as before."""

from __future__ import annotations

import random
from itertools import product

from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import (
    at_most,
    both,
    choose,
    either,
    equal,
    floor_div,
    modulo,
    negated,
    within,
)
from neurosym_verifiers.reading.formulas.powers import power_of
from neurosym_verifiers.reading.formulas.terms import Condition, Term, number, variable
from neurosym_verifiers.reading.simplification.tabulating import tabulated

BOUNDS = {"x": (0, 300), "y": (40, 70), "z": (-3, 4)}


class Maker:
    """Random terms and conditions over three variables."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def term(self, depth: int) -> Term:
        rng = self.rng
        if depth == 0:
            name = rng.choice("xyz")
            return variable(name, *BOUNDS[name]) if rng.random() < 0.7 else number(rng.randint(-60, 60))
        a, b = self.term(depth - 1), self.term(depth - 1)
        match rng.randrange(6):
            case 0:
                return a + b
            case 1:
                return a * number(rng.randint(-3, 12)) + b
            case 2:
                return floor_div(a, number(rng.randint(1, 12)))
            case 3:
                return modulo(a * number(10) + b, number(rng.choice((7, 97))))
            case 4:
                m = number(rng.choice((7, 97)))
                return choose(self.condition(0), modulo(a * number(10) + b, m), modulo(a * number(100) - b, m))
            case _:
                return choose(self.condition(depth - 1), a, b)

    def condition(self, depth: int) -> Condition:
        rng = self.rng
        if depth == 0:
            name = rng.choice("xyz")
            of = variable(name, *BOUNDS[name])
            at = number(rng.choice((-3, 0, 3, 48, 57, 65, 90)))
            return rng.choice(
                (at_most(of, at), at_most(at, of), equal(of, at), within(of, ((-1, 1), (48, 57), (65, 68), (90, 90))))
            )
        a, b = self.condition(depth - 1), self.condition(depth - 1)
        match rng.randrange(6):
            case 0:
                return either(a, b)
            case 1:
                return negated(a)
            case 2:
                return equal(self.term(depth), self.term(depth))
            case 3:
                return at_most(self.term(depth), self.term(depth))
            case _:
                return both(a, b)


def test_a_condition_holds_for_the_same_values_when_it_is_tabulated() -> None:
    held = 0
    for seed in range(100):
        maker = Maker(seed)
        condition = maker.condition(3)
        found = tabulated(condition, BOUNDS)
        xs = {*range(44, 96, 3), 0, 47, 48, 57, 58, 64, 65, 90, 300, maker.rng.randint(0, 300)}
        for x, y, z in product(sorted(xs), range(40, 71, 5), range(-3, 5, 2)):
            values = {"x": x, "y": y, "z": z}
            truth = Evaluation(values).condition(condition)
            assert Evaluation(values).condition(found) == truth, (seed, values)
            held += truth
    assert held > 300


def test_remainders_of_choices_and_their_bounds() -> None:
    for seed in range(150):
        maker = Maker(seed)
        rng = maker.rng
        a, b, m = maker.term(2), maker.term(2), number(rng.choice((7, 11, 97)))
        where = maker.condition(1)
        term = choose(where, modulo(a, m), modulo(b, m)) + number(rng.randint(-5, 5))
        for _ in range(30):
            values = {name: rng.randint(*span) for name, span in BOUNDS.items()}
            evaluation = Evaluation(values)
            one = evaluation.term(a if evaluation.condition(where) else b) % evaluation.term(m)
            plain = evaluation.term(term)
            assert plain - evaluation.term(term - choose(where, modulo(a, m), modulo(b, m))) == one
            assert term.low is None or term.low <= plain
            assert term.high is None or plain <= term.high


def test_powers_with_exponents_that_vary() -> None:
    x, z = variable("x", 0, 300), variable("z", 0, 4)
    widths = choose(at_most(x, number(57)), number(1), number(2)) + choose(equal(x, number(9)), number(0), number(3))
    for exponent in (z, widths, z + number(2), widths * number(2) + number(1)):
        term = power_of(10, exponent)
        for value_x, value_z in product((0, 9, 57, 58, 300), range(5)):
            evaluation = Evaluation({"x": value_x, "z": value_z})
            assert evaluation.term(term) == 10 ** evaluation.term(exponent)
