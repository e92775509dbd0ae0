"""Normal forms, narrowing, equations put in, and the solver's view of terms, against plain evaluation."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from neurosym_verifiers.proof.factored import FactoredTranslation
from neurosym_verifiers.proof.ordered import OrderedTranslation
from neurosym_verifiers.proof.z3_terms import Translation
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import (
    at_most,
    below,
    both,
    choose,
    decided,
    either,
    equal,
    floor_div,
    modulo,
    negated,
)
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, Term, number, variable
from neurosym_verifiers.reading.simplification.alternatives import alternatives
from neurosym_verifiers.reading.simplification.substituting import solved

BOUNDS = {"a": (-6, 6), "b": (-6, 6), "c": (0, 5), "d": (-3, 9), "e": (1, 4)}
FLAGS = ("p", "q")
Assignment: TypeAlias = dict[str, int | bool]
Number: TypeAlias = tuple[Term, Callable[[Assignment], int]]
Truth: TypeAlias = tuple[Condition, Callable[[Assignment], bool]]


class TermWriter:
    """Makes random terms and conditions, each beside a plain function that says what it comes to.

    Inside of a choice's branches variables are narrowed by its condition, as the reading does it.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def term(self, depth: int) -> Number:
        rng = self._rng
        if depth == 0:
            if rng.random() < 0.3:
                value = rng.randint(-7, 7)
                return number(value), lambda at: value
            name = rng.choice(list(BOUNDS))
            return variable(name, *BOUNDS[name]), lambda at: int(at[name])
        (s, f), (t, g) = self.term(depth - 1), self.term(depth - 1)
        what = rng.randrange(9)
        if what == 0:
            return s + t, lambda at: f(at) + g(at)
        if what == 1:
            return s - t, lambda at: f(at) - g(at)
        if what == 2:
            return s * t, lambda at: f(at) * g(at)
        if what == 3:
            by = rng.randint(1, 6)
            return floor_div(s, number(by)), lambda at: f(at) // by
        if what == 4:
            by = variable("e", *BOUNDS["e"])
            return floor_div(s, by), lambda at: f(at) // int(at["e"])
        if what == 5:
            by = rng.randint(1, 6)
            return modulo(s, number(by)), lambda at: f(at) % by
        if what == 6:
            return choose(at_most(s, t), s, t), lambda at: min(f(at), g(at))
        if what == 7:
            return choose(at_most(s, t), t, s), lambda at: max(f(at), g(at))
        condition, holds = self.condition(depth - 1)
        if rng.random() < 0.4:
            t, g = s, f  # the same on both sides, which know different bounds
        then, other = narrowed(s, condition), narrowed(t, negated(condition))
        return choose(condition, then, other), lambda at: f(at) if holds(at) else g(at)

    def condition(self, depth: int) -> Truth:
        rng = self._rng
        if depth == 0 and rng.random() < 0.3:
            name = rng.choice(FLAGS)
            return Flag(name), lambda at: bool(at[name])
        if depth == 0 or rng.random() < 0.5:
            (s, f), (t, g) = self.term(depth), self.term(depth)
            what = rng.randrange(3)
            if what == 0:
                return at_most(s, t), lambda at: f(at) <= g(at)
            if what == 1:
                return below(s, t), lambda at: f(at) < g(at)
            return equal(s, t), lambda at: f(at) == g(at)
        (x, f_), (y, g_) = self.condition(depth - 1), self.condition(depth - 1)
        what = rng.randrange(4)
        if what == 0:
            return both(x, y), lambda at: f_(at) and g_(at)
        if what == 1:
            return either(x, y), lambda at: f_(at) or g_(at)
        if what == 2:
            return negated(x), lambda at: not f_(at)
        z, h = self.condition(0)
        if rng.random() < 0.4:
            y, g_ = x, f_
        known, unknown = narrowing_by(z), narrowing_by(negated(z))
        then = known.condition(x) if known else x
        other = unknown.condition(y) if unknown else y
        return decided(z, then, other), lambda at: f_(at) if h(at) else g_(at)


def narrowed(term: Term, condition: Condition) -> Term:
    narrowing = narrowing_by(condition)
    return narrowing.term(term) if narrowing else term


def assignment(rng: random.Random) -> Assignment:
    found: Assignment = {name: rng.randint(low, high) for name, (low, high) in BOUNDS.items()}
    return found | {name: rng.random() < 0.5 for name in FLAGS}


def fulfils(evaluation: Evaluation, condition: Condition) -> bool:
    """Whether an assignment fulfils a condition; not where a divisor that was put in is zero, which the fact that is
    kept beside it excludes."""
    try:
        return evaluation.condition(condition)
    except ZeroDivisionError:
        return False


def check_terms(seed: int, count: int) -> int:
    """Random terms and conditions on random assignments; how many facts were asked for on a path on which they hold."""
    rng = random.Random(seed)
    writer = TermWriter(rng)
    on_path = 0
    for _ in range(count):
        term, value = writer.term(rng.randint(1, 4))
        condition, holds = writer.condition(rng.randint(1, 3))
        path, on = writer.condition(rng.randint(0, 2))
        inside = narrowed(term, path)
        narrowing = narrowing_by(path)
        behind = narrowing.condition(condition) if narrowing else condition
        put_in = solved(both(path, condition), BOUNDS)
        for _ in range(12):
            at = assignment(rng)
            evaluation = Evaluation(at)
            assert evaluation.term(term) == value(at), f"{term!r} {at}"
            assert term.low is None or term.low <= value(at)
            assert term.high is None or value(at) <= term.high
            assert evaluation.condition(condition) == holds(at)
            assert evaluation.condition(negated(condition)) != holds(at)
            assert fulfils(evaluation, put_in) == (on(at) and holds(at))
            if on(at):
                on_path += 1
                assert evaluation.term(inside) == value(at)
                assert inside.low is None or inside.low <= value(at)
                assert inside.high is None or value(at) <= inside.high
                assert evaluation.condition(behind) == holds(at)
    return on_path


def test_random_terms_are_what_plain_evaluation_says() -> None:
    assert check_terms(seed=1, count=1500) > 5000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_terms_are_what_plain_evaluation_says(seed: int) -> None:
    assert check_terms(seed=seed, count=10_000) > 30_000


def test_equations_that_are_put_in_at_once_leave_the_same_solutions() -> None:
    """Equations of the differences of variables at one assignment: chains, circles, and several for one variable."""
    rng = random.Random(5)
    writer = TermWriter(rng)
    found = 0
    for _ in range(600):
        at = assignment(rng)
        condition, holds = writer.condition(rng.randint(1, 3))
        equations = []
        for _ in range(rng.randint(2, 5)):
            one, other = rng.sample(sorted(BOUNDS), 2)
            difference = number(int(at[one]) - int(at[other]) + (rng.random() < 0.05))
            equations.append(equal(variable(one, *BOUNDS[one]), variable(other, *BOUNDS[other]) + difference))
        path = both(*equations)
        put_in = solved(both(path, condition), BOUNDS)
        for _ in range(8):
            fulfilled = fulfils(Evaluation(at), path) and holds(at)
            assert fulfils(Evaluation(at), put_in) == fulfilled
            found += fulfilled
            name = rng.choice(sorted(BOUNDS))
            at = {**at, name: rng.randint(*BOUNDS[name])}
    assert found > 300


def check_translations(seed: int, count: int) -> int:
    """Random conditions for the solver: on an assignment, with the true products, every fact holds and the translation
    says what evaluation says."""
    z3: Any = pytest.importorskip("z3")
    rng = random.Random(seed)
    writer = TermWriter(rng)
    abstracted = 0
    for _ in range(count):
        condition, holds = writer.condition(rng.randint(2, 4))
        if condition in (TRUE, FALSE):
            continue
        for make in (
            lambda: Translation(BOUNDS, products=True),
            lambda: Translation(BOUNDS, products=False),
            lambda: FactoredTranslation(BOUNDS),
            lambda: FactoredTranslation(BOUNDS, composed=True),
            lambda: OrderedTranslation(BOUNDS),
        ):
            translation: Any = make()
            asked = translation.condition(condition)
            abstracted += translation.abstracted
            for _ in range(3):
                at = assignment(rng)
                solver = z3.Solver()
                solver.set("timeout", 5000)
                for name, found in translation.variables.items():
                    solver.add(found == (z3.BoolVal(at[name]) if name in FLAGS else z3.IntVal(at[name])))
                solver.add(*translation.facts)
                solver.add(*true_products(translation))
                solver.add(asked if holds(at) else z3.Not(asked))
                assert solver.check() == z3.sat, f"{condition!r} {at}"
    return abstracted


def true_products(translation: Any) -> list[Any]:
    """That what stands for a product is it."""
    products = [*getattr(translation, "_known", {}).values(), *getattr(translation, "multiplied", [])]
    return [product.value == product.left * product.right for product in products]


def test_the_solver_sees_what_evaluation_sees() -> None:
    assert check_translations(seed=1, count=60) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_the_solver_sees_what_evaluation_sees_of_many_terms(seed: int) -> None:
    assert check_translations(seed=seed, count=1000) > 300


def test_alternatives_hold_where_their_condition_does() -> None:
    rng = random.Random(3)
    writer = TermWriter(rng)
    divided = 0
    for _ in range(600):
        (s, f), (t, g), (rest, holds) = writer.term(2), writer.term(2), writer.condition(2)
        a, b = variable("a", *BOUNDS["a"]), variable("b", *BOUNDS["b"])
        condition = both(rest, either(both(equal(a, s), at_most(t, b)), equal(b, t)))
        cases = alternatives(condition)
        divided += len(cases) > 1
        for _ in range(10):
            at = assignment(rng)
            if rng.random() < 0.7 and BOUNDS["b"][0] <= g(at) <= BOUNDS["b"][1]:
                at["b"] = g(at)
            evaluation = Evaluation(at)
            expected = holds(at) and ((at["a"] == f(at) and g(at) <= at["b"]) or at["b"] == g(at))
            assert evaluation.condition(condition) == expected
            assert any(evaluation.condition(case) for case in cases) == expected
    assert divided > 300


def test_a_choice_is_multiplied_on_both_of_its_sides() -> None:
    z3: Any = pytest.importorskip("z3")
    a, b, c, d = (variable(name, 0, 9) for name in "abcd")
    smaller, larger = choose(at_most(a, b), a, b) * d, choose(at_most(a, c), a, c) * d
    given = both(at_most(b, c))
    for claim, expected in ((at_most(smaller, larger), z3.unsat), (at_most(larger, smaller), z3.sat)):
        translation = OrderedTranslation(dict.fromkeys("abcd", (0, 9)))
        solver = z3.SimpleSolver()
        solver.add(translation.condition(both(given, negated(claim))), *translation.facts)
        assert solver.check() == expected


def test_products_inside_of_products_are_products_of_their_own() -> None:
    z3: Any = pytest.importorskip("z3")
    a, b, c = (variable(name, *BOUNDS[name]) for name in "abc")
    false = equal(floor_div(a * b, number(2)) * c, a * b)
    translation = FactoredTranslation(BOUNDS)
    solver = z3.Solver()
    solver.add(translation.condition(negated(false)))
    solver.add(*translation.facts)
    assert solver.check() == z3.sat
