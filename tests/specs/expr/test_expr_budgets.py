"""Whatever a stranger's expression asks for, it is answered or stopped within a moment."""

from __future__ import annotations

import time

import pytest
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.evaluate import Budget, BudgetExceeded, Undefined

from tests.specs.expr.expr_support import check, expression, make_spec, scope

HOG = make_spec(
    define={
        "double": ("s, i", "s + s"),
        "nest": ("s, i", "[s, s]"),
        "pair": ("s, i", "(s, s)"),
        "deeper": ("s, i", "[s]"),
        "squared": ("s, i", "s * s"),
        "tripled": ("s, i", "s * 3 / 7"),
        "inverse": ("s, i", "1 / (s + i)"),
        "longer": ("s, i", "s + 'ab'"),
        "rooted": ("s, i", "sqrt(s + 1)"),
        "f0": ("v", "v + 1"),
        **{f"f{at}": ("v", f"f{at - 1}(f{at - 1}(v))") for at in range(1, 40)},
        **{f"g{at}": ("v", f"[g{at - 1}(v), g{at - 1}(v)]") for at in range(1, 40)},
        "g0": ("v", "[v]"),
    }
)

TUPLES = {"h0": ("v", "(v, v)")} | {f"h{at}": ("v", f"(h{at - 1}(v), h{at - 1}(v))") for at in range(1, 45)}


def test_the_checks_do_not_grow_with_what_definitions_double() -> None:
    started = time.process_time()
    check("1 if h44(n) == h44(n) else len([h44(h44(n))])", define={**TUPLES, "id": ("v", "v")})
    check("fold(f0, xs, (n, n))", define={"f0": ("s, i", "(s, s)")})
    assert time.process_time() - started < 3


STOPPED = [
    "10 ** 10 ** 10",
    "10 ** (10 ** 10)",
    "(-10) ** -(10 ** 10)",
    "(1 / 3) ** (10 ** 9)",
    "2 ** 100000",
    "[i for i in range(10 ** 12)]",
    "range(10 ** 12)",
    "range(10 ** 30)",
    "sum(range(10 ** 7))",
    "any(i < 0 for i in range(10 ** 9))",
    "len([1 for i in range(10 ** 4) for j in range(10 ** 4)])",
    "len([1 for i in range(900) for j in range(900)])",
    "'x' * 10 ** 9",
    "[1] * 10 ** 9",
    "(1, 2) * 10 ** 9",
    "10 ** 9 * 'x'",
    "fold(double, range(100), 'x')",
    "fold(double, range(100), [1])",
    "fold(squared, range(100), 10)",
    "fold(squared, range(100), 1 / 3)",
    "fold(tripled, range(100000), 1)",
    "fold(inverse, range(100000), 1)",
    "fold(double, range(100000), 1)",
    "fold(longer, range(100000), '')",
    "fold(nest, range(100), []) == fold(nest, range(100), [])",
    "fold(pair, range(100), ()) < fold(pair, range(100), ())",
    "fold(pair, range(100), ()) in {1}",
    "{fold(pair, range(100), ())}",
    "sorted([fold(pair, range(100), ()), fold(pair, range(100), ())])",
    "same_items(fold(nest, range(100), []), fold(nest, range(100), []))",
    "fold(deeper, range(100000), []) == fold(deeper, range(100000), [])",
    "same_items(fold(deeper, range(20000), []), fold(deeper, range(20000), []))",
    "f39(1)",
    "len(g39(1))",
    "'x'.replace('', 'y' * 90000).replace('', 'z' * 90000)",
    "('a' * 90000).replace('a', 'bb')",
    "('y' * 50000).join(['x' for i in range(1000)])",
    "int('9' * 5000)",
    "str(2 ** 30000)",
    "str(10 ** 9000)",
    "round(1 / 3, 100000, half_up)",
    "floor(exp(10 ** 9))",
    "exp(exp(exp(10))) > exp(exp(exp(10))) - 1",
    "fold(rooted, range(50000), 2) > 1",
    "sqrt(2) ** (10 ** 9)",
    "sum(len(xs) for i in range(1000) for j in range(1000) for k in range(1000))",
    "[x for i in range(1000) for x in range(1000) if x in [j for j in range(1000)]]",
]


@pytest.mark.parametrize("text", STOPPED)
def test_hogs_are_stopped(text: str) -> None:
    here = scope(HOG)
    started = time.process_time()
    with pytest.raises(Undefined) as caught:
        here.evaluate(expression(text))
    assert time.process_time() - started < 4
    assert isinstance(caught.value, BudgetExceeded) or "exp(exp" in text
    assert len(str(caught.value)) < 400
    assert here.evaluate(expression("n + 1")) == 4


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("0 ** (10 ** 100)", 0),
        ("(-1) ** (10 ** 100 + 1)", -1),
        ("1 ** -(10 ** 100)", 1),
        ("len(str(10 ** 4000))", 4001),
        ("5 in range(10 ** 5)", True),
        ("False and 10 ** 10 ** 10 > 1", False),
        ("len('x' * 100000)", 100000),
        ("sum(i for i in range(300000))", 44999850000),
        ("fold(tripled, range(1000), 1) < 1", True),
        ("fold(nest, range(30), []) == fold(nest, range(0), [])", False),
    ],
)
def test_large_but_harmless(text: str, answer: object) -> None:
    assert scope(HOG).evaluate(expression(text)) == answer


def test_each_evaluation_has_the_whole_budget() -> None:
    here = scope(HOG, budget=Budget(steps=150))
    for _ in range(10):
        assert here.evaluate(expression("sum(i for i in range(100))")) == 4950
    with pytest.raises(BudgetExceeded, match="more than 150 steps"):
        here.evaluate(expression("sum(i for i in range(100)) + sum(i for i in range(100))"))


def test_a_smaller_budget_binds_earlier() -> None:
    with pytest.raises(BudgetExceeded, match="more than 100 digits"):
        scope(HOG, budget=Budget(digits=100)).evaluate(expression("10 ** 500"))
    with pytest.raises(BudgetExceeded, match="at most 10 "):
        scope(HOG, budget=Budget(elements=10)).evaluate(expression("'abcdef' + 'abcdef'"))


def test_long_chains_of_lets_and_definitions() -> None:
    lets = {"l0": "n"} | {f"l{at}": f"l{at - 1} + 1" for at in range(1, 200)}
    assert scope(make_spec(lets=lets)).evaluate(expression("l199")) == 202
    define = {"f0": ("v", "v")} | {f"f{at}": ("v", f"f{at - 1}(v) + 1") for at in range(1, 60)}
    assert scope(make_spec(define=define)).evaluate(expression("f59(n)")) == 62
    define |= {f"f{at}": ("v", f"f{at - 1}(v) + 1") for at in range(60, 300)}
    with pytest.raises(SpecError, match="each needing the next"):
        scope(make_spec(define=define)).evaluate(expression("f299(n)"))


def test_reasons_are_short() -> None:
    with pytest.raises(Undefined) as caught:
        scope().evaluate(expression("{1: 2}['k' * 90000]"))
    assert len(str(caught.value)) < 400
