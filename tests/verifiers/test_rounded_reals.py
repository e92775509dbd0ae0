"""Roundings to decimals after real functions: enclosed, compared and proved, and what may flip is never proved."""

from __future__ import annotations

import decimal
import random
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.reals import Undecided
from neurosym_specs.expr.rounding import ROUNDINGS
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.verdicts import Proved, Refuted, Tested, Verdict
from neurosym_verifiers.algebra.deciding import Contradiction, shown
from neurosym_verifiers.algebra.enclosures import Enclosing, NoEnclosure, fraction, precision
from neurosym_verifiers.algebra.expressions import Domain, Expr, Num, Op, Range, Sym, Test, exact, num
from neurosym_verifiers.algebra.polynomials import TooComplex
from neurosym_verifiers.algebra.steps import Step, step_named
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.reading.expressions.scope import Meaning
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.inputs.inputs import symbolic_inputs

MODES = ("half_up", "half_down", "half_even", "up", "down", "ceiling", "floor")
CENT = Fraction(1, 100)


# Steps


@pytest.mark.parametrize("mode", MODES)
def test_two_numbers_are_rounded_no_further_apart_than_is_said(mode: str) -> None:
    rng, step = random.Random(mode), Step(mode, CENT)
    for _ in range(400):
        start = Fraction(rng.randrange(-3000, 3000), rng.choice((1000, 2000, 100)))
        gap = Fraction(rng.randrange(0, 50), rng.choice((1000, 2000, 100_000)))
        low, high = step.rounded(start), step.rounded(start + gap)
        assert 0 <= high - low <= step.moved(gap), (start, gap)
        assert -step.beyond(False) <= low - start <= step.beyond(True)
        assert abs(low - start) <= step.error


# Expressions


def _op(name: str, *args: Expr | int | str, rounding: str = "") -> Expr:
    given = (Sym(arg) if isinstance(arg, str) else num(arg) if isinstance(arg, int) else arg for arg in args)
    return Op(name, tuple(given), rounding)


def _to_cents(of: Expr | str, mode: str = "half_up", places: int = 2) -> Expr:
    return _op(f"round {mode} {places}", of)


def _range(low: str, high: str, step: str = "0") -> Range:
    return Range(Fraction(low), Fraction(high), Fraction(step))


def _growth(rounding: str) -> Expr:
    roundings = {"": ("", ""), "float": ("float sum", "library"), "Decimal": ("Decimal", "Decimal power")}
    of_sum, of_power = roundings[rounding]
    return _op("*", "p", _op("**", _op("+", 1, "x", rounding=of_sum), "n", rounding=of_power), rounding=rounding)


RIGHT, DECIMAL, FLOAT = _growth(""), _growth("Decimal"), _growth("float")
DOMAIN = Domain({"p": _range("1", "100000", "0.01"), "x": _range("0.001", "0.2", "0.001"), "n": _range("1", "30", "1")})
SIGNED = Domain({**DOMAIN.ranges, "p": _range("-100000", "100000", "0.01")})
HALF = num(Fraction(1, 200))
TWO = _op("/", _op("log", "k", rounding="Decimal"), _op("log", 2, rounding="Decimal"), rounding="Decimal")


def _near(found: Expr, right: Expr, abs_tol: str) -> Test:
    return Test("within", (found, right), Fraction(abs_tol))


SHOWN: dict[str, tuple[Test, bool, Domain]] = {
    "both rounded, a cent apart": (_near(_to_cents(DECIMAL), _to_cents(RIGHT), "0.01"), True, DOMAIN),
    "rounded otherwise, a cent apart": (
        _near(_to_cents(DECIMAL, "floor"), _to_cents(RIGHT, "half_even"), "0.01"), True, SIGNED),
    "nearly half a cent from what is not rounded": (_near(_to_cents(DECIMAL), RIGHT, "0.005000001"), True, DOMAIN),
    "not rounded beside what is": (_near(DECIMAL, _to_cents(RIGHT), "0.005000001"), True, DOMAIN),
    "floats to whole numbers": (_near(_to_cents(FLOAT, "floor", 0), _to_cents(RIGHT, "floor", 0), "1"), True, DOMAIN),
    "order of what is rounded alike": (
        Test("<=", (_to_cents(_op("-", DECIMAL, 1)), _to_cents(DECIMAL))), True, DOMAIN),
    "never below an amount in cents": (Test("<=", (Sym("p"), _to_cents(DECIMAL))), True, DOMAIN),
    "a whole number of periods, no power of two": (
        Test("==", (_to_cents(TWO, "ceiling", 0), _to_cents(exact(TWO), "ceiling", 0))), True,
        Domain({"k": _range("5", "7", "1")})),
}  # fmt: skip
NOT_SHOWN: dict[str, tuple[Test, bool, Domain]] = {
    "equal where a tie may flip": (Test("==", (_to_cents(DECIMAL), _to_cents(RIGHT))), True, DOMAIN),
    "within no cent": (_near(_to_cents(DECIMAL), _to_cents(RIGHT), "0.009"), True, DOMAIN),
    "exactly half a cent": (_near(_to_cents(DECIMAL), RIGHT, "0.005"), True, DOMAIN),
    "floats of cents a cent apart": (
        _near(_op("=", _to_cents(FLOAT), rounding="float"), _to_cents(RIGHT), "0.01"), True, DOMAIN),
    "directed, half a cent from what is not rounded": (
        _near(_to_cents(DECIMAL, "floor"), RIGHT, "0.006"), True, DOMAIN),
    "two cents apart at zero": (_near(_to_cents("x", "up"), _to_cents("x", "down"), "0.009"), True,
                                Domain({"x": _range("-0.01", "0.01")})),
    "cents against five cents": (
        _near(_to_cents(DECIMAL), _op("*", num(Fraction(1, 20)), _to_cents(_op("*", 20, RIGHT), places=0)), "0.02"),
        True, DOMAIN),
    "never below an amount that has no steps": (
        Test("<=", (Sym("p"), _to_cents(DECIMAL, "floor"))), True,
        Domain({**DOMAIN.ranges, "p": _range("1", "100000"), "x": _range("0", "0.2", "0.001")})),
    "strictly above": (Test("<", (Sym("p"), _to_cents(DECIMAL))), True, DOMAIN),
    "order of what is rounded to other steps": (
        Test("<=", (_to_cents(DECIMAL, places=1), _to_cents(DECIMAL, places=2))), True, DOMAIN),
    "order the other way": (Test("<=", (_to_cents(DECIMAL), _to_cents(_op("-", DECIMAL, 1)))), True, DOMAIN),
    "a power of two among the periods": (
        Test("==", (_to_cents(TWO, "ceiling", 0), _to_cents(exact(TWO), "ceiling", 0))), True,
        Domain({"k": _range("2", "64", "1")})),
    "at most half a step more": (
        Test("<=", (_to_cents(RIGHT), _op("+", RIGHT, num(Fraction(49, 10_000))))), True, DOMAIN),
    "at most what is rounded down": (Test("<=", (RIGHT, _to_cents(RIGHT, "floor"))), True, DOMAIN),
    "a difference turned around": (
        Test("<=", (_op("-", 1, _to_cents(RIGHT)), _op("-", num(Fraction(999, 1000)), RIGHT))), True, DOMAIN),
    "times a negative number": (
        Test("<=", (_op("*", -1, _to_cents(RIGHT, "floor")), _op("*", -1, RIGHT))), True, DOMAIN),
    "a slip of a period": (
        _near(_to_cents(DECIMAL), _to_cents(_op("*", RIGHT, _op("+", 1, "x"))), "0.01"), True, DOMAIN),
    "rounded twice": (
        _near(_to_cents(_to_cents(DECIMAL, places=3)), _to_cents(RIGHT), "0.009"), True, DOMAIN),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_what_holds_whatever_flips_is_shown(name: str) -> None:
    assert shown(*SHOWN[name])


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_what_a_flip_may_break_is_not_shown(name: str) -> None:
    assert not shown(*NOT_SHOWN[name])


# Against numbers

_CONTEXT = decimal.Context(prec=28)
_BINARY: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": _CONTEXT.add, "-": _CONTEXT.subtract, "*": _CONTEXT.multiply, "/": _CONTEXT.divide, "**": _CONTEXT.power,
}  # fmt: skip


def _computed(expr: Expr, point: Mapping[str, Fraction]) -> Decimal:
    """As Python's Decimals have it."""
    match expr:
        case Num(value=value):
            return Decimal(value.numerator) / Decimal(value.denominator)
        case Sym(name=name):
            return Decimal(point[name].numerator) / Decimal(point[name].denominator)
        case Op(name="neg", args=(a,)):
            return -_computed(a, point)
        case Op(name=("log" | "exp" | "sqrt") as name, args=(a,)):
            of = _computed(a, point)
            return {"log": of.ln, "exp": of.exp, "sqrt": of.sqrt}[name](_CONTEXT)
        case Op(name=name, args=(a, b)):
            return _BINARY[name](_computed(a, point), _computed(b, point))
        case Op(name=name, args=args):
            step = step_named(name)
            unit = Decimal(step.size.numerator) / Decimal(step.size.denominator)
            mode = f"ROUND_{step.mode.upper()}"
            return _computed(args[0], point).quantize(unit, rounding=mode, context=decimal.Context(999))


def _tree(rng: random.Random, depth: int) -> Expr:
    if depth == 0:
        return rng.choice((Sym("x"), Sym("n"), Sym("n"), num(Fraction(rng.randrange(1, 400), 8))))
    kind = rng.choice(("+", "-", "*", "*", "/", "**", "log", "exp", "sqrt", "neg", "round", "round"))
    if kind == "round":
        return _to_cents(_tree(rng, depth - 1), rng.choice(MODES), rng.choice((0, 1, 2)))
    if kind in ("log", "exp", "sqrt", "neg"):
        return Op(kind, (_tree(rng, depth - 1),), "Decimal")
    rounding = "Decimal power" if kind == "**" else "Decimal"
    return Op(kind, (_tree(rng, depth - 1), _tree(rng, depth - 1)), rounding)


_GRID = Domain({"x": _range("0.25", "1", "0.125"), "n": _range("1", "4", "1")})
_POINTS = [{"x": Fraction(i, 8), "n": Fraction(n)} for i, n in product(range(2, 9), range(1, 5))]


def test_what_decimals_are_rounded_to_lies_inside_of_its_enclosure() -> None:
    rng, held = random.Random(3), 0
    box = {"x": (Fraction(1, 4), Fraction(1)), "n": (Fraction(1), Fraction(4))}
    for _ in range(500):
        expr = _to_cents(_tree(rng, rng.randrange(1, 4)), rng.choice(MODES), rng.choice((0, 1, 2)))
        with precision():
            try:
                value = Enclosing(box).of(expr)
                (low, high), error = map(fraction, value.computed()), fraction(value.abs)
            except NoEnclosure:
                continue
            for point in rng.sample(_POINTS, 4):
                found = Fraction(_computed(expr, point))
                there = Enclosing({name: (at, at) for name, at in point.items()}).of(exact(expr))
                assert low <= found <= high, (expr, point)
                assert fraction(there.low) - error <= found <= fraction(there.high) + error, (expr, point)
                held += 1
    assert held > 600


def _asked(rng: random.Random) -> tuple[Test, bool]:
    one = _to_cents(_tree(rng, rng.randrange(1, 3)), rng.choice(MODES), rng.choice((0, 1, 2)))
    other = rng.choice((
        exact(one), exact(one), one, exact(_to_cents(_tree(rng, 1), rng.choice(MODES), 1)),
        _to_cents(exact(one.args[0]) if isinstance(one, Op) else one, rng.choice(MODES), rng.choice((0, 1, 2))),
        _op("+", exact(one), num(Fraction(rng.randrange(-3, 4), rng.choice((1, 10, 100, 200))))),
    ))  # fmt: skip
    parts = (one, other) if rng.random() < 0.7 else (other, one)
    kind = rng.choice(("within", "==", "<=", "<"))
    if kind == "within":
        return Test("within", (one, exact(other)), Fraction(rng.randrange(3), rng.choice((1, 10, 100, 200)))), True
    return Test(kind, parts), kind == "==" or rng.random() < 0.6


def _holds(test: Test, point: Mapping[str, Fraction]) -> bool | None:
    """By Python's Decimals, and for what is exact by 256 bits; None where these do not tell it."""
    values: list[Fraction] = []
    for part in test.parts:
        if exact(part) != part:
            values.append(Fraction(_computed(part, point)))
            continue
        with precision(256):
            value = Enclosing({name: (at, at) for name, at in point.items()}).of(part)
            low, high = fraction(value.low), fraction(value.high)
        if high - low > Fraction(1, 2**80):
            return None  # next to where a rounding turns
        near = low.limit_denominator(10**9)
        values.append(near if abs(near - low) < Fraction(1, 2**80) else low)
    a, b = values
    match test.question:
        case "within":
            return abs(a - b) <= test.abs_tol
        case "==":
            return a == b
        case "<=":
            return a <= b
        case _:
            return a < b


def _compare_claims(seed: int, claims: int) -> int:
    rng, proved = random.Random(seed), 0
    for _ in range(claims):
        test, answer = _asked(rng)
        try:
            if not shown(test, answer, _GRID):
                continue
        except TooComplex:
            continue
        except Contradiction as contradiction:
            pytest.fail(f"{test}: {contradiction}")
        proved += 1
        for point in _POINTS:
            assert _holds(test, point) in (answer, None), (test, answer, point)
    return proved


def test_random_claims_that_are_shown_hold_on_every_point() -> None:
    assert _compare_claims(1, 120) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_random_claims_that_are_shown_hold_on_every_point(seed: int) -> None:
    assert _compare_claims(seed, 1500) > 200


# The spec's language

_SPEC = """
spec = 1
name = "f"
[inputs]
n = {{ type = "int", min = -3, max = 12 }}
r = {{ type = "decimal", places = 2, min = "-0.50", max = "3.00" }}
[output]
type = "int"
[let]
asked = "{asked}"
[reference]
where = "n == n"
"""
_FORMS = (
    "round({0}, 2, {m})", "round({0}, {m})", "floor({0})", "ceil({0})", "trunc({0})", "round_to({0}, 0.05, {m})",
    "round({0} * 100, {m}) / 100 + {0}", "abs(round(-({0}), 1, {m}))", "round(round({0}, 3, {m}), 1, {m}) * 2",
)  # fmt: skip
_NUMBERS = (
    "exp(r * n / 8)",
    "(1 + r) ** n",
    "log(2 + r) * n",
    "sqrt(1 + r) - n",
    "exp(r) / (n + 4)",
    "-log(3 + n * n)",
)


def _in_digits(value: Any) -> Any:
    return value.ball(200).mid().str(20) if getattr(value, "is_real", False) else value


def test_roundings_of_reals_in_specs_are_read_as_the_evaluator_has_them() -> None:
    rng, compared = random.Random(9), 0
    for form, of in product(_FORMS, _NUMBERS):
        text = form.format(of, m=rng.choice(MODES))
        spec = spec_from_toml(_SPEC.format(asked=text))
        reader = Reader(spec)
        inputs = symbolic_inputs(spec, reader.shapes()[0])
        meaning = Meaning({name: in_spec(value) for name, value in inputs.values.items()})
        value, defined = reader.expressions.value(spec.lets["asked"], meaning)
        evaluator = Evaluator(spec)
        for _ in range(6):
            given: dict[str, Any] = {"n": rng.randrange(-3, 13), "r": Fraction(rng.randrange(-50, 301), 100)}
            try:
                expected = evaluator.bind(given).evaluate(spec.lets["asked"])
            except Undecided:
                continue
            except Undefined:
                expected = None
            evaluation = Evaluation(assigned(spec, given))
            found = known(value, evaluation) if evaluation.condition(defined) else None
            assert _in_digits(found) == _in_digits(expected), (text, given)
            compared += 1
    assert compared > 200


# Through the door

_SAVINGS = """
spec = 1
name = "balance"
[inputs]
deposit = { type = "decimal", places = 2, min = "1.00", max = "100000.00" }
rate = { type = "decimal", places = 4, min = "0.0000", max = "0.2000" }
years = { type = "int", min = 0, max = 40 }
[output]
type = "decimal"
places = 2
[reference]
value = "round(deposit * (1 + rate) ** years, 2, half_up)"
abs_tol = "0.01"
[[ensure]]
id = "no loss"
that = "result >= deposit"
[[relation]]
id = "longer is no less"
given = "a.deposit == b.deposit and a.rate == b.rate and a.years <= b.years"
that = "a.result <= b.result + 0.01"
"""
_BALANCE = """
from decimal import Decimal, ROUND_HALF_UP


def balance(deposit: Decimal, rate: Decimal, years: int) -> Decimal:
    return (deposit * (1 + rate) ** years).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
"""


def _judged(spec: str, code: str) -> dict[str, Verdict]:
    with Bench(spec_from_toml(spec), Effort(examples=30, time_limit_s=120)) as bench:
        assert bench.spec_fault() is None
        judgement = bench.judge(code)
        assert isinstance(judgement, Judgement)
        return {obligation.id: verdict for obligation, verdict in judgement.verdicts.items()}


def test_a_balance_in_cents_is_proved_within_a_cent_and_tested_without() -> None:
    verdicts = _judged(_SAVINGS, _BALANCE)
    for obligation in ("reference", "returns", "no crash", "ensure: no loss", "relation: longer is no less"):
        assert isinstance(verdicts[obligation], Proved), (obligation, verdicts[obligation])
    exactly = _judged(_SAVINGS.replace('abs_tol = "0.01"\n', ""), _BALANCE)
    assert isinstance(exactly["reference"], Tested)


def test_the_wrong_rounding_and_a_year_too_many_are_refuted() -> None:
    down = _judged(_SAVINGS.replace('abs_tol = "0.01"\n', ""), _BALANCE.replace("HALF_UP", "FLOOR"))
    assert isinstance(down["reference"], Refuted)
    assert isinstance(_judged(_SAVINGS, _BALANCE.replace("** years", "** (years + 1)"))["reference"], Refuted)


def test_every_mode_of_the_language_but_one_is_read() -> None:
    assert {*MODES, "05up"} == {*ROUNDINGS}
