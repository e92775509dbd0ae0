"""Closed forms: right ones are proved equal, slips are refuted and named, and what differs anywhere is never proved."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Proved, Refuted, Verdict
from neurosym_verifiers.algebra.boxes import Cover, on_all
from neurosym_verifiers.algebra.deciding import shown, sign_on
from neurosym_verifiers.algebra.discharging import Discharging, speaks_of_reals
from neurosym_verifiers.algebra.enclosures import Enclosing, NoEnclosure, ball, precision
from neurosym_verifiers.algebra.expressions import Domain, Expr, Fact, Op, Range, Sym, Test, exact, num
from neurosym_verifiers.algebra.messages import Decide, Decided
from neurosym_verifiers.algebra.normal_forms import same
from neurosym_verifiers.algebra.polynomials import TooComplex
from neurosym_verifiers.algebra.sampling import apart
from neurosym_verifiers.algebra.worker import decided
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.claims import Reader

from benchmarks.closed_forms import EQUAL, SLIPS, Pair

EFFORT = Effort(examples=30, time_limit_s=120)


def judged(spec: str, code: str) -> tuple[dict[str, Verdict], Judgement]:
    with Bench(spec_from_toml(spec), EFFORT) as bench:
        assert bench.spec_fault() is None
        judgement = bench.judge(code)
        assert isinstance(judgement, Judgement)
        return {obligation.id: verdict for obligation, verdict in judgement.verdicts.items()}, judgement


def third(pairs: Sequence[Pair]) -> list[Any]:
    """The pairs, of which every third one is tested each time."""
    return [pair if i % 3 == 0 else pytest.param(pair, marks=pytest.mark.slow) for i, pair in enumerate(pairs)]


@pytest.mark.parametrize("pair", third(EQUAL), ids=lambda pair: pair.name)
def test_an_equal_closed_form_is_proved(pair: Pair) -> None:
    verdicts, _ = judged(pair.spec, pair.code)
    for obligation in ("reference", "returns", "no crash"):
        assert isinstance(verdicts[obligation], Proved), verdicts[obligation]
    reference = verdicts["reference"]
    assert isinstance(reference, Proved)
    assert reference.method.startswith("algebra")


@pytest.mark.parametrize("pair", third(SLIPS), ids=lambda pair: pair.name)
def test_a_slip_is_refuted_and_named(pair: Pair) -> None:
    verdicts, judgement = judged(pair.spec, pair.code)
    assert isinstance(verdicts["reference"], Refuted)
    assert judgement.formula is not None
    assert pair.slip in judgement.formula.slip


class _InProcess:
    """The algebra without a process of its own."""

    def decided(self, question: Decide, seconds: float) -> Decided:
        return decided(question)


def _left(pair: Pair, right: str) -> bool:
    """Whether questions are left of what would break a reference."""
    spec = spec_from_toml(replace(pair, right=right).spec)
    claims = {claim.obligation: claim for claim in Reader(spec).claims(pair.code).claims}
    claim = claims["reference"]
    algebra: Any = _InProcess()
    discharging = Discharging(algebra, lambda condition, bounds: True, lambda: 60.0)
    against = claim.against if claim.as_reals is None else claim.as_reals
    rest = discharging.without_settled(against, claim.bounds, claim.inputs)
    assert not discharging.fault
    return speaks_of_reals(rest)


@pytest.mark.parametrize("pair", third(EQUAL), ids=lambda pair: pair.name)
def test_a_reference_that_is_a_little_off_is_not_shown(pair: Pair) -> None:
    assert not _left(pair, pair.right)
    for off in ("{} * 1.00001 + 0.00001", "{} + 0.0001 * rate" if "rate" in pair.inputs else "{} * 0.99999 - 0.00001"):
        assert _left(pair, off.format(f"({pair.right})"))


# What is not equal everywhere is never proved


def _sym(name: str) -> Expr:
    return Sym(name)


def _op(name: str, *args: Expr | int | str, rounding: str = "") -> Expr:
    given = (_sym(arg) if isinstance(arg, str) else num(arg) if isinstance(arg, int) else arg for arg in args)
    return Op(name, tuple(given), rounding)


def _domain(*facts: Fact, **ranges: tuple[str, str]) -> Domain:
    made = {
        name: Range(Fraction(low), Fraction(high), Fraction(name in ("n", "k"))) for name, (low, high) in ranges.items()
    }
    return Domain(made, facts)


def _within(found: Expr, right: Expr, rel_tol: str = "0.0000001") -> Test:
    return Test("within", (found, right), Fraction("0.000001"), Fraction(rel_tol))


_ONE_MORE = _op("+", 1, "x")
_GROWTH = _op("**", _ONE_MORE, "n")
FALSE_PAIRS = {
    "a removable singularity": (
        _op("/", _op("-", _op("*", "x", "x"), 1), _op("-", "x", 1)), _ONE_MORE, _domain(x=("0", "2"))),
    "a removable singularity at an end": (_op("/", "x", "x"), num(1), _domain(x=("0", "1"))),
    "an annuity at a rate of zero": (
        _op("/", _op("-", _GROWTH, 1), "x"),
        _op("/", _op("-", _GROWTH, 1), "x"),
        _domain(x=("0", "0.2"), n=("1", "9"))),
    "the root of a square of either sign": (_op("sqrt", _op("*", "x", "x")), _sym("x"), _domain(x=("-1", "1"))),
    "the root of a square of a negative number": (_op("sqrt", _op("*", "x", "x")), _sym("x"), _domain(x=("-2", "-1"))),
    "a square of a half power": (
        _op("**", _op("**", "x", 2), _op("/", 1, 2)), _sym("x"), _domain(x=("-2", "-1"))),
    "the logarithm of a square": (
        _op("log", _op("*", "x", "x")), _op("*", 2, _op("log", "x")), _domain(x=("-2", "-1"))),
    "the logarithm of a product of negative numbers": (
        _op("log", _op("*", "x", "y")), _op("+", _op("log", "x"), _op("log", "y")),
        _domain(x=("-2", "-1"), y=("-2", "-1"))),
    "the logarithm of what may be zero": (_op("exp", _op("log", "x")), _sym("x"), _domain(x=("0", "1"))),
    "the logarithm of what may be negative": (_op("exp", _op("log", "x")), _sym("x"), _domain(x=("-1", "1"))),
    "a logarithm at minus one": (_op("expm1", _op("log1p", "x")), _sym("x"), _domain(x=("-1", "1"))),
    "a power of a negative base": (
        _op("**", _op("*", "x", "y"), _op("/", "n", 2)),
        _op("*", _op("**", "x", _op("/", "n", 2)), _op("**", "y", _op("/", "n", 2))),
        _domain(x=("-2", "-1"), y=("-2", "-1"), n=("1", "9"))),
    "a whole power of a base that may be zero": (
        _op("*", _op("**", "x", _op("-", "n", 1)), "x"), _op("**", "x", "n"), _domain(x=("0", "1"), n=("0", "3"))),
    "a whole power of a base that may be negative": (
        _op("**", _op("**", "x", "n"), _op("/", 1, "n")), _sym("x"), _domain(x=("-2", "2"), n=("1", "4"))),
    "a discount at a rate of minus one": (
        _op("**", _ONE_MORE, _op("neg", "n")), _op("/", 1, _GROWTH), _domain(x=("-1", "1"), n=("1", "9"))),
    "one period more": (_op("**", _ONE_MORE, _op("+", "n", 1)), _GROWTH, _domain(x=("0", "0.1"), n=("1", "9"))),
    "a rate a little too high": (
        _op("**", _op("+", _ONE_MORE, num(Fraction(1, 10**6))), "n"), _GROWTH, _domain(x=("0", "0.1"), n=("1", "9"))),
    "equal at the ends": (
        _op("*", "x", "x"), _op("*", "x", _op("*", "x", "x")), _domain(x=("0", "1"))),
    "equal on whole numbers up to two": (
        _op("*", "n", "n"), _op("+", "n", _op("*", "n", _op("-", "n", 1))), _domain(n=("0", "2"))),
    "cancellation": (
        _op("/", _op("log", _op("+", 1, "x", rounding="float sum"), rounding="library"), "x", rounding="float"),
        _op("/", _op("log", _ONE_MORE), "x"), _domain(x=("0.000000000000001", "0.1"))),
    "a difference of powers that cancels": (
        _op("-", _op("**", _op("+", 1, "x", rounding="float sum"), "n", rounding="library"), 1, rounding="float sum"),
        _op("-", _GROWTH, 1), _domain(x=("0.0000000001", "0.1"), n=("1", "360"))),
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in FALSE_PAIRS if name != "equal on whole numbers up to two"])
def test_what_is_not_near_everywhere_is_not_shown(name: str) -> None:
    found, right, domain = FALSE_PAIRS[name]
    tolerance = "0.0000000001" if "cancel" in name else "0.0000001"
    test = Test("within", (found, right), Fraction(1, 10**20), Fraction(tolerance))
    assert not shown(test, True, domain)


def test_an_identity_of_whole_numbers_is_shown() -> None:
    found, right, domain = FALSE_PAIRS["equal on whole numbers up to two"]
    assert shown(_within(found, right), True, domain)


def test_a_fact_that_bounds_a_quotient_is_used_and_a_weaker_one_is_not_taken_for_it() -> None:
    ratio = _op("/", _op("*", "x", "y"), "z")
    found, right = _op("log1p", _op("neg", ratio)), _op("log", _op("-", 1, ratio))
    ranges = {"x": ("1", "1000"), "y": ("0.001", "0.2"), "z": ("1", "1000")}
    clear = Fact(_op("-", _op("*", num(Fraction("1.01")), _op("*", "x", "y")), "z"), "<=")
    assert shown(_within(found, right), True, _domain(clear, **ranges))
    touching = Fact(_op("-", _op("*", "x", "y"), "z"), "<=")
    assert not shown(_within(found, right), True, _domain(touching, **ranges))
    assert not shown(_within(found, right), True, _domain(**ranges))


def test_comparisons_are_shown_only_where_roundings_cannot_turn_them() -> None:
    growth = _op("**", _op("+", 1, "x", rounding="float sum"), "n", rounding="library")
    domain = _domain(x=("0.0001", "0.2"), n=("1", "40"))
    assert shown(Test("<", (num(1), growth)), True, domain)
    assert not shown(Test("<", (num(1), growth)), True, _domain(x=("0.00000000000000001", "0.2"), n=("1", "40")))
    assert not shown(Test("<", (num(1), growth)), True, _domain(x=("0", "0.2"), n=("1", "40")))
    assert shown(Test("overflow", (growth,)), False, domain)
    assert not shown(Test("overflow", (growth,)), False, _domain(x=("1", "9"), n=("1", "4000")))


def test_a_cover_goes_on_where_its_budget_ended_and_ends_where_a_point_settles_nothing() -> None:
    square, seen = _op("*", "x", "x"), list[Enclosing]()

    def is_close(box: Enclosing) -> bool:
        seen.append(box)
        value = box.of(square)
        return bool(value.high - value.low < ball(Fraction(1, 2)))

    with precision():
        cover = Cover(_domain(x=("1", "9")), is_close)
        assert not cover.is_settled(20)
        assert cover.is_settled(1000)
        at_once = len(seen)
        seen.clear()
        assert on_all(_domain(x=("1", "9")), is_close)
        assert len(seen) == at_once
        seen.clear()
        assert not on_all(_domain(x=("1", "9")), lambda box: is_close(box) and box.of(square).high < 80)
        assert len(seen) < at_once


SINGULAR = """
spec = 1
name = "present_value"
[inputs]
payment = { type = "float", min = "1.0", max = "1000.0" }
rate = { type = "float", places = 4, min = "0.0000", max = "0.1000" }
periods = { type = "int", min = 1, max = 60 }
[output]
type = "float"
[reference]
value = "payment * periods if rate == 0 else payment * (1 - (1 + rate) ** -periods) / rate"
abs_tol = "0.0001"
rel_tol = "0.0000001"
"""
GUARDED = """
def present_value(payment: float, rate: float, periods: int) -> float:
    if rate == 0:
        return payment * periods
    return payment * (1 - (1 + rate) ** -periods) / rate
"""


def test_equal_but_for_one_valid_input_is_refuted_there() -> None:
    verdicts, _ = judged(SINGULAR, GUARDED)
    assert isinstance(verdicts["reference"], Proved)
    verdicts, _ = judged(SINGULAR, GUARDED.replace("    if rate == 0:\n        return payment * periods\n", ""))
    crash = verdicts["no crash"]
    assert isinstance(crash, Refuted)
    assert crash.counterexample.inputs[0]["rate"] == "0.0"
    verdicts, _ = judged(SINGULAR, GUARDED.replace("return payment * periods", "return payment"))
    assert isinstance(verdicts["reference"], Refuted)


def test_what_has_no_known_slip_is_shown_by_ratio_and_difference() -> None:
    _, judgement = judged(SINGULAR, GUARDED.replace("/ rate", "/ rate + 2 * payment * rate"))
    assert judgement.formula is not None
    assert not judgement.formula.slip
    assert judgement.formula.difference == "2*payment*rate"


# What the bounds and the laws rest on, against numbers


def _tree(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice((Sym("x"), Sym("y"), num(Fraction(rng.randrange(1, 40), rng.choice((1, 2, 4, 8))))))
    name = rng.choice(("+", "+", "-", "*", "*", "/", "**", "log", "exp", "log1p", "expm1", "sqrt", "neg"))
    if name in ("+", "-", "*", "/", "**"):
        rounding = {"+": "float sum", "-": "float sum", "**": "library"}.get(name, "float")
        return Op(name, (_tree(rng, depth - 1), _tree(rng, depth - 1)), rounding)
    rounding = {"neg": "", "sqrt": "float"}.get(name, "library")
    return Op(name, (_tree(rng, depth - 1),), rounding)


_NATIVE: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "**": math.pow, "neg": lambda a: -a,
    **{name: getattr(math, name) for name in ("log", "exp", "log1p", "expm1", "sqrt")},
}  # fmt: skip


def _computed(expr: Expr, point: dict[str, float]) -> float:
    if isinstance(expr, Op):
        return float(_NATIVE[expr.name](*(_computed(arg, point) for arg in expr.args)))
    return point[expr.name] if isinstance(expr, Sym) else float(expr.value)


def test_what_floats_compute_lies_inside_of_its_enclosure() -> None:
    rng, held = random.Random(7), 0
    for _ in range(1500):
        expr = _tree(rng, rng.randrange(1, 5))
        ends = {
            name: sorted(rng.uniform(*rng.choice(((1e-9, 1e-3), (-2, 2), (0.5, 90)))) for _ in "ab") for name in "xy"
        }
        box = {name: (Fraction(low), Fraction(high)) for name, (low, high) in ends.items()}
        with precision():
            try:
                value = Enclosing(box).of(expr)
                low, high = value.computed()
            except NoEnclosure:
                continue
            for _ in range(8):
                point = {name: rng.choice((pair[0], pair[1], rng.uniform(*pair))) for name, pair in ends.items()}
                there = Enclosing({name: (Fraction(at), Fraction(at)) for name, at in point.items()}).of(exact(expr))
                assert value.low <= there.high, expr
                assert there.low <= value.high, expr
                found = ball(Fraction(_computed(expr, point)))
                assert low <= found <= high, (expr, point)
                error = value.rel * max(abs(there.low), abs(there.high)) + value.abs
                assert abs(found - there.low) <= error + (there.high - there.low) + ball(Fraction(1, 2**1000)), expr
                held += 1
    assert held > 3000


def test_equal_normal_forms_are_equal_numbers() -> None:
    rng, domain = random.Random(11), _domain(x=("0.25", "3"), y=("0.5", "2"))
    sign = sign_on(domain)
    pool: list[Expr] = [exact(_tree(rng, rng.randrange(1, 4))) for _ in range(50)]
    pool += [_op("-", _op("+", tree, "x"), "x") for tree in pool[:20]]
    equal = 0
    with precision():
        trees = [tree for tree in pool if on_all(domain, lambda box, tree=tree: box.of(tree) is not None, most=50)]  # type: ignore[misc]
    for place, one in enumerate(trees):
        for other in trees[place + 1 :]:
            try:
                if same(one, other, sign):
                    equal += 1
                    assert apart(one, other, domain) is None, (one, other)
            except TooComplex:
                continue
    assert equal > 10
