"""Observers see every comparison, rounding and condition; slack answers close comparisons either way."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.expr.evaluate import BudgetExceeded, Evaluator, Undefined
from neurosym_specs.types import FloatType, ListType

from tests.specs.expr.expr_support import DEFAULTS, expression, make_spec, scope


class Notes:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.comparisons: list[tuple[str, str, Any, Any]] = []
        self.roundings: list[tuple[Fraction, Fraction, str]] = []
        self.booleans: list[list[bool | None]] = []
        self.sums: list[list[Any]] = []
        self.remainders: list[tuple[Any, Any]] = []
        self.divisors: list[Fraction] = []

    def comparison(self, node: ast.AST, op: str, left: Any, right: Any) -> None:
        self.comparisons.append((ast.unparse(node), op, left, right))

    def rounding(self, node: ast.AST, exact: Fraction, step: Fraction, mode: str) -> None:
        assert isinstance(node, ast.Call | ast.BinOp)
        self.roundings.append((exact, step, mode))

    def remainder(self, node: ast.AST, left: Any, right: Any) -> None:
        self.remainders.append((left, right))

    def division(self, node: ast.AST, divisor: Fraction) -> None:
        self.divisors.append(divisor)

    def summands(self, node: ast.AST, items: Sequence[Any]) -> None:
        self.sums.append(list(items))

    def boolean(self, node: ast.AST, values: list[bool | None]) -> None:
        self.booleans.append(values)


def watched(text: str, **inputs: Any) -> tuple[Any, Notes]:
    notes = Notes()
    return scope(observer=notes, **inputs).evaluate(expression(text)), notes


def test_comparisons_are_told_pair_by_pair() -> None:
    value, notes = watched("1 < n <= 2 < 1 / 0")
    assert value is False
    assert [told[1:] for told in notes.comparisons] == [("<", 1, 3), ("<=", 3, 2)]
    value, notes = watched("n in xs or day == date(2024, 1, 1) or word != 'abc'")
    assert value is True
    assert [told[1:] for told in notes.comparisons] == [
        ("in", 3, [3, 1, 2]),
        ("==", date(2024, 2, 29), date(2024, 1, 1)),
        ("!=", "abc", "abc"),
    ]
    value, notes = watched("maybe is None")
    assert value is True
    assert notes.comparisons == []


def test_all_operands_of_and_and_or_are_told() -> None:
    value, notes = watched("n > 5 and 1 / 0 > n and ok")
    assert value is False
    assert notes.booleans == [[False, None, True]]
    value, notes = watched("(n > 2 or ok) and not ok")
    assert value is False
    assert notes.booleans == [[True, True], [True, False]]
    with pytest.raises(Undefined, match="division by zero"):
        watched("n > 2 and 1 / 0 > n and False")
    value, _ = watched("n > 2 or len([i for i in range(10 ** 9)]) > n")
    assert value is True
    value, notes = watched("ok or n")
    assert value is True
    assert notes.booleans == [[True, None]]


def test_summands_are_told() -> None:
    value, notes = watched("sum(i / 2 for i in xs if i > 1) + sum(xs)")
    assert value == Fraction(5, 2) + 6
    assert notes.sums == [[Fraction(3, 2), 1]]


def test_roundings_are_told() -> None:
    value, notes = watched("round(x / 3, 2, half_up) + round_to(n, 5, down) + round(x, half_even)")
    assert value == Fraction(83, 100) + 0 + 2
    assert notes.roundings == [
        (Fraction(5, 6), Fraction(1, 100), "half_up"),
        (Fraction(3), Fraction(5), "down"),
        (Fraction(5, 2), Fraction(1), "half_even"),
    ]


def test_floors_are_told_as_roundings() -> None:
    value, notes = watched("floor(x) + ceil(x) + trunc(-x) + 7 // n + round(sqrt(2), half_up)")
    assert value == 2 + 3 - 2 + 2 + 1
    assert notes.roundings == [
        (Fraction(5, 2), Fraction(1), "floor"),
        (Fraction(5, 2), Fraction(1), "ceiling"),
        (Fraction(-5, 2), Fraction(1), "down"),
        (Fraction(7, 3), Fraction(1), "floor"),
    ]


def test_divisors_and_remainders_are_told() -> None:
    value, notes = watched("x / n / 4 + 7 % n")
    assert value == Fraction(5, 24) + 1
    assert notes.divisors == [Fraction(3), Fraction(4)]
    assert notes.remainders == [(7, 3)]
    with pytest.raises(Undefined, match="division by zero"):
        watched("n / (n - 3)")


def test_lets_are_watched_once() -> None:
    notes = Notes()
    spec = make_spec(lets={"big": "n > 2"})
    here = Evaluator(spec, observer=notes).bind(DEFAULTS)
    assert here.evaluate(expression("big and big")) is True
    assert here.evaluate(expression("big")) is True
    assert len(notes.comparisons) == 1


@pytest.mark.parametrize(
    "text",
    [
        "1 < n < 5 and n in xs",
        "any(i == 2 for i in xs) or ok",
        "[i for i in xs if i > 1] == [3, 2] and round(x, 1, up) == x",
        "not (n == 3 and word == 'x' or ok and n != 4)",
        "all(i >= 1 and i <= 3 for i in xs)",
    ],
)
def test_watching_changes_no_answer(text: str) -> None:
    assert watched(text)[0] == scope().evaluate(expression(text))


FLOATS = make_spec(
    inputs={"f": FloatType(), "g": FloatType(), "fs": ListType(item=FloatType())},
    lets={"close": "f < g", "ratio": "f / g"},
    define={"below": ("u, v", "u < v")},
)


def holds(text: str, slack: str = "0", **inputs: Any) -> bool:
    given = {"f": Fraction(1), "g": Fraction(1), "fs": [], **inputs}
    return Evaluator(FLOATS).bind(given).holds(expression(text), slack=Fraction(slack))


def test_within_the_slack_either_answer_is_right() -> None:
    nearly = Fraction(1) + Fraction(1, 10**9)
    for text in ("f < g", "not f <= g", "close", "below(f, g)", "f != g", "f > g", "f == g", "f - g > 0 or f < g"):
        assert holds(text, "0.00000001", g=nearly), text
    assert not holds("f > g", "0.0000000001", g=nearly)
    assert not holds("f > g", g=nearly)
    assert holds("f > g and f < g", "0.00000001", g=nearly)
    assert not holds("f > g and f > 2 * g", "0.00000001", g=nearly)
    assert holds("fs == [f]", "0.00000001", fs=[nearly])
    assert not holds("fs == [f, f]", "0.00000001", fs=[nearly])
    assert holds("(1 if f < g else 2) == 2", "0.00000001", g=nearly)


def test_slack_decides_what_reals_leave_open() -> None:
    with pytest.raises(Undefined, match="do not decide"):
        holds("sqrt(f + 1) * sqrt(2) == 2")
    assert holds("sqrt(f + 1) * sqrt(2) == 2", "0.000001")
    assert holds("sqrt(f + 1) * sqrt(2) != 2", "0.000001")
    assert holds("sqrt(2) < 1.41421356", "0.0000001")
    assert not holds("sqrt(2) < 1.4142", "0.0000001")


def test_slack_over_runs() -> None:
    evaluator = Evaluator(FLOATS)
    first = evaluator.bind({"f": Fraction(1), "g": Fraction(1), "fs": []}).with_result(Fraction(1))
    second = first.with_result(1 - Fraction(1, 10**9))
    runs = evaluator.bind_runs({"a": first, "b": second})
    assert not runs.holds(expression("a.result <= b.result"))
    assert runs.holds(expression("a.result <= b.result"), slack=Fraction(1, 10**8))
    assert runs.holds(expression("not a.close"), slack=Fraction(1, 10**8))


def test_slack_has_a_limit() -> None:
    with pytest.raises(BudgetExceeded, match="ways to answer"):
        holds("sum(1 for i in range(20) if f < g) == 30", "0.1")


def test_undefined_on_every_path_stays_undefined() -> None:
    with pytest.raises(Undefined, match="division by zero"):
        holds("f < g and 1 / (f - g) > 0", "0.1")


def test_a_condition_is_a_boolean() -> None:
    with pytest.raises(Undefined, match="no truthiness"):
        scope().holds(expression("n"))
    with pytest.raises(Undefined, match="no truthiness"):
        holds("f", "0.1")
