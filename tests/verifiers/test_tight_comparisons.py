"""Comparisons that are tight: right ones are shown where both sides are nearest, and what fails anywhere never is."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.algebra import tight_comparisons
from neurosym_verifiers.algebra.boxes import on_all
from neurosym_verifiers.algebra.deciding import How, how_shown, shown
from neurosym_verifiers.algebra.derivatives import derivative
from neurosym_verifiers.algebra.discharging import Discharging
from neurosym_verifiers.algebra.enclosures import Enclosing, NoEnclosure, ball, precision
from neurosym_verifiers.algebra.expressions import Domain, Expr, Fact, Num, Op, Range, Sym, Test, collected, num
from neurosym_verifiers.algebra.inequalities import SignsByBounds, lower_bounds, turned
from neurosym_verifiers.algebra.kernels import Kernels
from neurosym_verifiers.algebra.messages import Decide, Decided
from neurosym_verifiers.algebra.polynomials import TooComplex
from neurosym_verifiers.algebra.sampling import points
from neurosym_verifiers.algebra.signs import SignsOn
from neurosym_verifiers.algebra.tight_comparisons import is_ordered
from neurosym_verifiers.algebra.worker import decided
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.reading.formulas.terms import FALSE


def _op(name: str, *args: Expr | float | str, rounding: str = "") -> Expr:
    made = (Sym(arg) if isinstance(arg, str) else arg if isinstance(arg, (Num, Sym, Op)) else _num(arg) for arg in args)
    return Op(name, tuple(made), rounding)


def _num(value: float) -> Expr:
    return num(Fraction(str(value)))


def _domain(*facts: Fact, **ranges: tuple[str, str]) -> Domain:
    made = {
        name: Range(Fraction(low), Fraction(high), Fraction(name[0] in "nk")) for name, (low, high) in ranges.items()
    }
    return Domain(made, facts)


def _order(less: Expr | str, more: Expr | str) -> Fact:
    return Fact(_op("-", less, more), "<=")


# Formulas, exact and as floats compute them


def _growth(rate: Expr | str, n: Expr | str, roundings: bool = False) -> Expr:
    more = _op("+", 1, rate, rounding="float sum" if roundings else "")
    return _op("**", more, n, rounding="library" if roundings else "")


def _annuity(p: str, rate: str, n: str, roundings: bool = False) -> Expr:
    kind, of_sum = ("float", "float sum") if roundings else ("", "")
    below = _op("-", 1, _growth(rate, _op("neg", n), roundings), rounding=of_sum)
    return _op("/", _op("*", p, rate, rounding=kind), below, rounding=kind)


def _periods(rate: str, payment: str, principal: str) -> Expr:
    """``-log1p(-principal * rate / payment) / log1p(rate)``"""
    share = _op("/", _op("*", principal, rate), payment)
    return _op("/", _op("neg", _op("log1p", _op("neg", share))), _op("log1p", rate))


def _wider(value: Expr, relative: float, absolute: float) -> Expr:
    return _op("+", _op("*", value, 1 + relative), absolute)


_A = {"p": ("1", "1000000"), "r": ("0.0001", "0.5"), "n": ("1", "480")}
_TWO = {**_A, **{f"{name}2": ends for name, ends in _A.items()}}
_ALL = (_order("r", "r2"), _order("n2", "n"), _order("p", "p2"))
_PAID = {"r": ("0.000000001", "0.2"), "r2": ("0.000000001", "0.2"), "pay": ("1", "100000"), "p": ("1", "10000000")}
_COVERED, _ALSO = (Fact(_op("-", _op("*", 1.01, _op("*", "p", rate)), "pay"), "<=") for rate in ("r2", "r"))
_FALLING = _op("*", "x", _op("-", 1, "x"))

RIGHT: dict[str, tuple[Expr, Expr, Domain]] = {
    "a payment grows with the rate": (_annuity("p", "r", "n"), _annuity("p", "r2", "n"), _domain(_ALL[0], **_TWO)),
    "a payment in all three": (_annuity("p", "r", "n"), _annuity("p2", "r2", "n2"), _domain(*_ALL, **_TWO)),
    "a payment in all three, as floats compute it": (
        _annuity("p", "r", "n", True), _wider(_annuity("p2", "r2", "n2", True), 1e-6, 0.0001), _domain(*_ALL, **_TWO)),
    "a payment pays more than the interest": (_op("*", "p", "r"), _annuity("p", "r", "n"), _domain(**_A)),
    "a payment pays the principal": (_op("/", "p", "n"), _annuity("p", "r", "n"), _domain(**_A)),
    "a balance at a rate of zero": (
        Sym("p"), _op("*", "p", _growth("r", "n")), _domain(p=("1", "9"), r=("0", "0.5"), n=("0", "99"))),
    "compound interest and simple": (
        _op("+", 1, _op("*", "n", "r")), _growth("r", "n"), _domain(r=("0", "0.5"), n=("1", "99"))),
    "less than a period": (
        _growth("r", "t"), _op("+", 1, _op("*", "t", "r")), _domain(r=("0", "0.5"), t=("0", "1"))),
    "continuous and simple": (_op("+", 1, "r"), _op("exp", "r"), _domain(r=("0", "1"))),
    "periods grow with the rate": (
        _periods("r", "pay", "p"), _periods("r2", "pay", "p"), _domain(_order("r", "r2"), _COVERED, _ALSO, **_PAID)),
    "interest adds periods": (_op("/", "p", "pay"), _periods("r2", "pay", "p"), _domain(_COVERED, **_PAID)),
    "a parabola on one side": (_FALLING, _op("*", "y", _op("-", 1, "y")), _domain(
        _order("y", "x"), x=("0.5", "1"), y=("0.5", "1"))),
    "sizes of what has a sign": (
        _op("*", -1, _op("abs", "x")), _op("neg", _op("abs", "y")), _domain(
            _order("y", "x"), x=("1", "9"), y=("1", "9"))),
    "a square and its root": (
        _op("sqrt", "x"), _op("sqrt", "y"), _domain(_order("x", "y"), x=("1", "9"), y=("1", "9"))),
}  # fmt: skip


TOUCHING = (
    "a payment grows with the rate", "a balance at a rate of zero", "compound interest and simple",
    "less than a period", "continuous and simple", "periods grow with the rate", "a parabola on one side",
    "a square and its root",
)  # fmt: skip
"""Those of which both sides are equal somewhere."""


@pytest.mark.parametrize("name", RIGHT)
def test_a_tight_comparison_is_shown_and_a_little_more_is_not(name: str) -> None:
    lower, upper, domain = RIGHT[name]
    with precision():
        assert is_ordered(lower, upper, domain, strictly=False)
    if name in TOUCHING:
        with precision():
            assert not is_ordered(lower, upper, domain, strictly=True)
            assert not is_ordered(_op("+", lower, 1e-9), upper, domain, strictly=False)


def _reciprocal(of: str) -> Expr:
    return _op("/", 1, _op("-", of, 1))


WRONG: dict[str, tuple[Expr, Expr, Domain]] = {
    "monotone at the ends only": (
        _FALLING, _op("*", "y", _op("-", 1, "y")), _domain(_order("x", "y"), x=("0", "1"), y=("0", "1"))),
    "a pole on the way": (
        _reciprocal("y"), _reciprocal("x"), _domain(
            _order("x", "y"), Fact(_op("-", 0.01, _op("*", _op("-", "x", 1), _op("-", "x", 1))), "<="),
            Fact(_op("-", 0.01, _op("*", _op("-", "y", 1), _op("-", "y", 1))), "<="), x=("0", "2"), y=("0", "2"))),
    "a pole in a fact": (
        _op("neg", "x"), _op("neg", "y"), _domain(
            _order("x", "y"), Fact(_reciprocal("x"), "<="), x=("0", "2"), y=("0", "2"))),
    "a floor of one on compound interest for part of a period": (
        _op("+", 1, _op("*", "t", "r")), _growth("r", "t"), _domain(r=("0", "0.5"), t=("0.999", "9"))),
    "compound interest at a negative number of periods": (
        _op("+", 1, _op("*", "t", "r")), _growth("r", "t"), _domain(r=("0", "0.5"), t=("0", "9"))),
    "falls with what it should grow with": (_annuity("p", "r", "n2"), _annuity("p", "r", "n"), _domain(
        _order("n2", "n"), **_TWO)),
    "only one of two grows": (_annuity("p", "r", "n"), _annuity("p", "r2", "n2"), _domain(_order("r", "r2"), **_TWO)),
    "roundings at an end": (
        _op("*", "p", _growth("r", "n", True), rounding="float"),
        _op("*", "p", _growth("r2", "n", True), rounding="float"),
        _domain(_order("r", "r2"), p=("1", "9"), r=("0", "0.5"), r2=("0", "0.5"), n=("1", "99"))),
    "a tolerance that roundings use up": (
        _annuity("p", "r", "n", True), _wider(_annuity("p", "r2", "n", True), 1e-16, 1e-18), _domain(_ALL[0], **_TWO)),
    "a balance at rates that may be negative": (
        Sym("p"), _op("*", "p", _growth("r", "n")), _domain(p=("1", "9"), r=("-0.1", "0.5"), n=("0", "99"))),
    "a balance that may be negative": (
        Sym("p"), _op("*", "p", _growth("r", "n")), _domain(p=("-1", "9"), r=("0", "0.5"), n=("0", "99"))),
    "periods without the fact that pays them": (
        _periods("r", "pay", "p"), _periods("r2", "pay", "p"), _domain(_order("r", "r2"), **_PAID)),
    "a logarithm and a line that cuts it": (
        _op("log", "x"), _op("-", _op("*", 0.999, "x"), 0.999), _domain(x=("0.5", "2"))),
    "an absolute value": (
        _op("abs", "x"), _op("abs", "y"), _domain(_order("x", "y"), x=("-1", "2"), y=("-1", "2"))),
    "a square on both sides of zero": (
        _op("*", "x", "x"), _op("*", "y", "y"), _domain(_order("x", "y"), x=("-1", "2"), y=("-1", "2"))),
}  # fmt: skip


@pytest.fixture
def unsampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong at a sampled point is not told apart by that: only the argument counts."""
    monkeypatch.setattr(tight_comparisons, "out_of_order", lambda *_: None)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.usefixtures("unsampled")
def test_what_fails_somewhere_or_where_roundings_may_turn_it_is_not_shown(name: str) -> None:
    lower, upper, domain = WRONG[name]
    with precision():
        assert not is_ordered(lower, upper, domain, strictly=False)


def test_the_questions_of_a_claim_are_decided_by_it_and_say_so() -> None:
    lower, upper, domain = RIGHT["a payment grows with the rate"]
    assert how_shown(Test("<=", (lower, upper)), True, domain) is How.WHERE_NEAREST
    assert how_shown(Test("<", (upper, lower)), False, domain) is How.WHERE_NEAREST
    assert decided(Decide(Test("<=", (lower, upper)), True, domain)) == Decided(True, where_nearest=True)
    assert not shown(Test("<=", (upper, lower)), False, domain)
    assert not shown(Test("==", (upper, lower)), False, domain)


# What it rests on, against numbers


def _tree(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice((Sym("x"), Sym("y"), num(Fraction(rng.randrange(1, 40), rng.choice((1, 2, 4, 8))))))
    name = rng.choice(("+", "+", "-", "*", "*", "/", "**", "log", "exp", "log1p", "expm1", "sqrt", "neg"))
    count = 2 if name in ("+", "-", "*", "/", "**") else 1
    return Op(name, tuple(_tree(rng, depth - 1) for _ in range(count)))


def _at(expr: Expr, point: dict[str, Fraction]) -> Any:
    """A ball around the value at a point; raises ``NoEnclosure``."""
    with precision(200):
        value = Enclosing({name: (at, at) for name, at in point.items()}).of(expr)
        return (value.low + value.high) / 2


def test_a_derivative_is_the_slope() -> None:
    rng, held = random.Random(3), 0
    step = Fraction(1, 10**20)
    for _ in range(250):
        expr = _tree(rng, rng.randrange(1, 5))
        point = {name: Fraction(rng.randrange(1, 3000), 1000) for name in "xy"}
        try:
            slope = _at(derivative(expr, "x"), point)
            beside = [_at(expr, {**point, "x": point["x"] + off}) for off in (-step, step)]
        except (NoEnclosure, TooComplex):
            continue
        found = float((beside[1] - beside[0]) / ball(2 * step))
        assert math.isclose(found, float(slope), rel_tol=1e-6, abs_tol=1e-9), expr
        held += 1
    assert held > 100


@pytest.mark.parametrize("count", [60, pytest.param(1500, marks=pytest.mark.slow)])
def test_signs_and_lower_bounds_hold_at_points(count: int) -> None:
    rng, held, bounded, definite = random.Random(5), 0, 0, 0
    facts = (Fact(_op("-", _op("*", 1.01, _op("*", "x", "y")), 2), "<="), _order("y", "x"))
    domain = _domain(*facts, x=("0.25", "2"), y=("0", "1"))
    met = list(points(domain))[::4]
    assert len(met) > 5
    for _ in range(count):
        expr = _tree(rng, rng.randrange(1, 4))
        kernels = Kernels()
        try:
            value = kernels.rational(expr)
            signs = SignsByBounds(domain, kernels)
            known = signs.of(value)
            bounds = [kernels.expression(bound) for bound in lower_bounds(value, kernels, SignsOn(domain, kernels))]
        except TooComplex:
            continue
        with precision(200):
            if not on_all(domain, lambda box, expr=expr: box.of(expr) is not None, most=40):  # type: ignore[misc]
                continue
        same = [kernels.expression(value), collected(expr)]
        definite += len(known) < 3
        for point in met:
            exactly = _at(expr, point)
            near = 1e-40 * (1 + abs(float(exactly)))
            sign = 0 if abs(float(exactly)) <= near else 1 if exactly > 0 else -1
            assert sign in known or abs(float(exactly)) <= near, (expr, known, point)
            for each in same:
                assert abs(float(_at(each, point) - exactly)) <= near, expr
            for bound in bounds:
                assert float(_at(bound, point) - exactly) <= near, (expr, bound, point)
                bounded += 1
            held += 1
    assert held > 2 * count
    assert bounded > count / 2
    assert definite > count / 8


def test_a_kernel_is_turned_into_its_reciprocal() -> None:
    kernels = Kernels()
    poly = kernels.rational(
        _op("-", _op("*", "r", _growth("r", "n")), _op("*", _growth("r", "n"), _growth("r", "n")))
    ).num
    (name,) = (name for name in poly.atoms() if name in kernels.met)
    point = {"r": Fraction(1, 8), "n": Fraction(5)}
    other = kernels.reciprocal(kernels.met[name])
    before, after = (_at(kernels.expression(kernels.rational(num(1)) * _over_one(each)), point) for each in (
        poly, turned(poly, name, other, 2)))  # fmt: skip
    assert math.isclose(float(after), float(before) * float(Fraction(9, 8)) ** -10, rel_tol=1e-12)


def _over_one(poly: Any) -> Any:
    from neurosym_verifiers.algebra.polynomials import Rational

    return Rational(poly)


@pytest.mark.parametrize("count", [8, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("unsampled")
def test_what_is_shown_of_random_comparisons_holds_at_points(count: int) -> None:
    rng, found = random.Random(13), 0
    domain = _domain(_order("x", "y"), _order("y", "z"), x=("0.25", "2"), y=("0.25", "2"), z=("0.25", "2"))
    for _ in range(count):
        tree = _tree(rng, rng.randrange(1, 4))
        other = _renamed(tree, {"x": "z"})
        for lower, upper in ((tree, other), (other, tree), (tree, _tree(rng, 2))):
            with precision():
                tight = is_ordered(lower, upper, domain, strictly=False)
            if tight:
                found += 1
                for point in list(points(domain))[::6]:
                    assert float(_at(upper, point) - _at(lower, point)) >= -1e-30, (lower, upper, point)
    assert found > count / 4


def _renamed(expr: Expr, by: dict[str, str]) -> Expr:
    if isinstance(expr, Sym):
        return Sym(by.get(expr.name, expr.name))
    return Op(expr.name, tuple(_renamed(arg, by) for arg in expr.args)) if isinstance(expr, Op) else expr


# Through the reading: clauses of a spec, and mutants of a program that keeps them


SPEC = """
spec = 1
name = "payment"
[inputs]
principal = { type = "float", min = "1.0", max = "1000000.0" }
rate = { type = "float", min = "0.0001", max = "0.5" }
periods = { type = "int", min = 1, max = 480 }
[output]
type = "float"
[reference]
value = "principal * rate / (1 - exp(-periods * log(1 + rate)))"
abs_tol = "0.0001"
rel_tol = "0.000001"
[[ensure]]
id = "at least the principal"
that = "result >= principal / periods * 0.999998 - 0.0002"
[[relation]]
id = "a higher rate"
monotone = { rate = "up" }
"""
PAYMENT = """
def payment(principal: float, rate: float, periods: int) -> float:
    return principal * rate / (1 - (1 + rate) ** -periods)
"""
MUTANTS = (
    pytest.param("a higher rate", "principal * rate /", "principal * (rate - rate * rate) /", marks=pytest.mark.slow),
    pytest.param("a higher rate", "rate /", "rate ** 1.01 / rate ** 0.02 /", marks=pytest.mark.slow),
    pytest.param("at least the principal", "rate /", "(rate - 0.000001) /", marks=pytest.mark.slow),
    ("at least the principal", "** -periods)", "** -periods + rate * 0.02)"),
)


class _InProcess:
    """The algebra without a process of its own."""

    def decided(self, question: Decide, seconds: float) -> Decided:
        return decided(question)


def _is_settled(code: str, clause: str) -> bool:
    spec = spec_from_toml(SPEC)
    reader = Reader(spec)
    algebra: Any = _InProcess()
    claims = [claim for claim in reader.claims(code).claims if clause in claim.obligation]
    assert len(claims) == 1
    discharging = Discharging(algebra, lambda condition, bounds: condition != FALSE, lambda: 60.0)
    claim = claims[0]
    rest = discharging.without_settled(claim.against, claim.bounds, claim.inputs)
    if rest != FALSE:
        rest = discharging.without_settled(rest, claim.bounds, claim.inputs, quotients=True)
    assert not discharging.fault
    return rest == FALSE


@pytest.mark.parametrize("clause", ["at least the principal", "a higher rate"])
def test_clauses_of_a_right_program_are_settled(clause: str) -> None:
    assert _is_settled(PAYMENT, clause)


@pytest.mark.parametrize(("clause", "old", "new"), MUTANTS)
def test_clauses_of_a_mutant_are_not_settled(clause: str, old: str, new: str) -> None:
    assert old in PAYMENT
    assert not _is_settled(PAYMENT.replace(old, new), clause)
