"""What is proved of floats: right programs are, false claims never, and what a solver is told of rounding is true."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.rounded import Rounded
from neurosym_verifiers.proof.solver import Solver
from neurosym_verifiers.proof.sweeping import twins
from neurosym_verifiers.proof.unrounded import floors
from neurosym_verifiers.reading.formulas import binary64
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, equal, floor_div, nearest, negated
from neurosym_verifiers.reading.formulas.terms import Condition, Nearest, Term, number, variable
from neurosym_verifiers.reading.inputs.assignments import concrete

_SPEC = """
spec = 1
name = "f"
[inputs]
n = {{ type = "int", min = 0, max = 1000000 }}
d = {{ type = "int", min = 1, max = 1000000000 }}
m = {{ type = "int", min = -36028797018963968, max = 36028797018963968 }}
x = {{ type = "float", places = 2, min = "0.00", max = "10000.00" }}
v = {{ type = "float", min = "-1000", max = "1000" }}
w = {{ type = "float", min = "-10", max = "10", nan = true, infinity = true }}
z = {{ type = "float" }}
[output]
type = "{output}"
[reference]
value = "{value}"
[policy]
float = "allow"
"""

_PROGRAM = """
import math
from decimal import Decimal
from fractions import Fraction
def f(n: int, d: int, m: int, x: float, v: float, w: float, z: float) -> {output}:
    return {expression}
"""


@pytest.fixture(scope="module")
def solver() -> Iterator[Solver]:
    with Solver() as made:
        yield made


def answers(solver: Solver, output: str, expression: str, value: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """The solver's verdict and its input, by obligation; an obligation that is not read has none."""
    spec = spec_from_toml(_SPEC.format(output=output, value=value))
    claims = Reader(spec).claims(_PROGRAM.format(output=output, expression=expression))
    found = {}
    for claim in claims.claims:
        answer = solver.ask(claim.against, claim.bounds, seconds=60, units=6_000_000)
        inputs = concrete(spec, claim.shapes[0], answer.model) if answer.verdict == "sat" else {}
        found[claim.obligation] = answer.verdict, inputs
    return found


TRUE_CLAIMS = [
    ("bool", "0.1 + 0.2 == 0.3", "n != n"),
    ("bool", "0.1 + 0.2 == 0.30000000000000004", "n == n"),
    ("bool", "0.5 + 0.25 == 0.75", "n == n"),
    ("bool", "round(2.675, 2) == 2.67", "n == n"),
    ("bool", "math.fsum([0.1] * 10) == 1", "n == n"),
    ("bool", "0.1 == Decimal('0.1')", "n != n"),
    ("bool", "0.5 == Decimal('0.50') and 0.5 == Fraction(1, 2)", "n == n"),
    ("int", "round(2.5) + round(3.5) + round(-0.5)", "6"),
    ("int", "int(1.15 * 100)", "114"),
    ("int", "round(x * 100)", "round(x * 100, 0, half_even)"),
    ("int", "int(round(x * 100.0))", "round(x * 100, 0, half_up)"),
    ("int", "int(x * 100 + 0.5)", "round(x * 100, 0, half_up)"),
    ("int", "round(n / 100 * 100)", "n"),
    ("int", "int(n / 2)", "n // 2"),
    ("int", "math.floor(v)", "floor(v)"),
    ("int", "math.ceil(v) - math.trunc(v)", "ceil(v) - trunc(v)"),
    ("int", "round(Fraction(v))", "round(v, 0, half_even)"),
    ("bool", "n / d <= 0.3", "10 * n <= 3 * d"),
    ("bool", "n / d < 0.5", "2 * n < d"),
    ("bool", "d / 100 == 0.29", "d == 29"),
    ("bool", "round(n / 100, 2) == 0.29", "n == 29"),
    ("bool", "n * 0.5 > n / 2", "n != n"),
    ("bool", "abs(n * 0.1 - n / 10) < 1e-9", "n == n"),
    ("bool", "n / d <= 0.3000000001", "10 * n <= 3 * d"),
    ("bool", "v < v + 1", "n == n"),
    ("bool", "math.isnan(w)", "is_nan(w)"),
    ("bool", "math.isfinite(w)", "is_finite(w)"),
    ("bool", "w <= 3", "w <= 3"),
    ("bool", "w == w", "not is_nan(w)"),
    ("bool", "math.isclose(x, x)", "n == n"),
]


@pytest.mark.parametrize(("output", "expression", "value"), TRUE_CLAIMS)
def test_a_right_program_of_floats_is_proved(solver: Solver, output: str, expression: str, value: str) -> None:
    found = answers(solver, output, expression, value)
    assert {obligation: verdict for obligation, (verdict, _) in found.items()} == dict.fromkeys(
        ("no crash", "returns", "reference"), "unsat"
    )


FALSE_CLAIMS: list[tuple[str, str, str, Callable[..., bool]]] = [
    ("bool", "0.1 + 0.2 == 0.3", "n == n", lambda n: 0.1 + 0.2 != 0.3),
    ("bool", "1.1 * 3 == 3.3", "n == n", lambda n: 1.1 * 3 != 3.3),
    ("int", "round(2.5)", "3", lambda n: round(2.5) != 3),
    ("int", "int(1.15 * 100)", "115", lambda n: int(1.15 * 100) != 115),
    ("bool", "round(2.675, 2) == 2.68", "n == n", lambda n: round(2.675, 2) != 2.68),
    ("int", "int(x * 100)", "round(x * 100, 0, half_even)", lambda n: int(n / 100 * 100) != n),
    ("int", "math.floor(x * 100)", "round(x * 100, 0, half_even)", lambda n: math.floor(n / 100 * 100) != n),
    ("int", "math.ceil(x * 100)", "round(x * 100, 0, half_even)", lambda n: math.ceil(n / 100 * 100) != n),
    ("bool", "v * 100 / 100 == v", "n == n", lambda n: n * 0.0123 * 100 / 100 != n * 0.0123),
    ("bool", "x * 1.1 / 1.1 == x", "n == n", lambda n: n / 100 * 1.1 / 1.1 != n / 100),
    ("bool", "x + 0.1 - 0.1 == x", "n == n", lambda n: n / 100 + 0.1 - 0.1 != n / 100),
    ("bool", "n / 100 * 100 == n", "n == n", lambda n: n / 100 * 100 != n),
    ("bool", "n * 0.1 == n / 10", "n == n", lambda n: n * 0.1 != n / 10),
    ("bool", "n / d <= 0.29999999999999993", "10 * n <= 3 * d", lambda n: not 3 / 10 <= 0.29999999999999993),
    ("bool", "n / d < 0.3", "10 * n <= 3 * d", lambda n: not 3 / 10 < 0.3),
    ("bool", "n / d <= 0.3000001", "10 * n <= 3 * d", lambda n: 3 / 10 < 999997 / 3333323 <= 0.3000001),
    ("bool", "float(m) == m", "n == n", lambda n: float(2**53 + 1) != 2**53 + 1),
    ("int", "int(float(m))", "m", lambda n: int(float(2**53 + 1)) != 2**53 + 1),
    ("bool", "m / 3 * 3 == m", "n == n", lambda n: (2**55 - 1) / 3 * 3 != 2**55 - 1),
    ("bool", "w == w", "n == n", lambda n: math.nan != math.nan),
    ("bool", "not (w < 0)", "w >= 0", lambda n: not math.nan < 0),
    ("bool", "w - 1 < w", "n == n", lambda n: not math.nan < math.nan),
    ("bool", "math.isinf(z + z)", "n != n", lambda n: math.isinf(1e308 + 1e308)),
    ("bool", "z / 2 * 2 == z", "n == n", lambda n: 5e-324 / 2 * 2 != 5e-324),
    ("bool", "v + 1 > 1 or v <= 0", "n == n", lambda n: not 1e-17 + 1 > 1),
]


@pytest.mark.parametrize(("output", "expression", "value", "fails"), FALSE_CLAIMS)
def test_a_false_claim_of_floats_is_not_proved(
    solver: Solver, output: str, expression: str, value: str, fails: Callable[[int], bool]
) -> None:
    assert any(fails(n) for n in range(2000))  # it is false of CPython
    verdict, inputs = answers(solver, output, expression, value).get("reference", ("not read", {}))
    assert verdict != "unsat"
    if verdict == "sat":
        assert _breaks(output, expression, value, inputs)


def _breaks(output: str, expression: str, value: str, inputs: dict[str, Any]) -> bool:
    """Whether CPython, on an input that the solver has found, does not do what the claim says."""
    from neurosym_specs.expr.evaluate import Evaluator
    from neurosym_specs.semantics import expected_value, same_value

    spec = spec_from_toml(_SPEC.format(output=output, value=value))
    expected = expected_value(spec, Evaluator(spec).bind(inputs))
    namespace: dict[str, Any] = {}
    exec(_PROGRAM.format(output=output, expression=expression), namespace)
    given = [float(v) if name in "xvwz" else v for name, v in inputs.items()]
    return not same_value(namespace["f"](*given), expected)


@pytest.mark.parametrize(
    "expression", ["int(w)", "round(w)", "math.floor(w)", "int(1 / n)", "n / (d - 1) > 1", "int(z * 2)"]
)
def test_what_may_raise_is_not_said_to_return(solver: Solver, expression: str) -> None:
    assert answers(solver, "int", expression, "n").get("no crash", ("not read", {}))[0] != "unsat"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sum() compensates there, and is not read")
def test_a_sum_of_floats_is_added_one_after_the_other(solver: Solver) -> None:
    assert answers(solver, "bool", "sum([0.1] * 10) == 1", "n != n")["reference"][0] == "unsat"
    assert answers(solver, "bool", "sum([0.1] * 10) == 1", "n == n")["reference"][0] != "unsat"


_EDGES = (0, 1, 2**52, 2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2, 2**54 + 1, 2**54 + 3, 3 * 2**60, 10**18 + 1, 2**62 - 1)


def _rounded(rng: random.Random) -> tuple[Nearest, dict[str, int]]:
    """A rounded quotient of variables, and values for them."""
    high = rng.choice((1000, 2**53 + 5, 2**62))
    values = {
        "p": min(rng.choice((*_EDGES, rng.randrange(high))), high) * rng.choice((1, -1)),
        "q": rng.randrange(1, 50),
    }
    num = variable("p", -high, high) * number(rng.choice((1, 1, 3, 7, 100)))
    choices = (number(1), number(100), number(7), variable("q", 1, 50), number(2 ** rng.randrange(60)), number(2**1074))
    den = rng.choice(choices)
    constant = den.constant
    scale = 60
    if constant is not None and constant & (constant - 1) == 0:
        scale = min(constant.bit_length() - 1, 1074)
    return Nearest(num, den, scale), values


def test_what_a_solver_is_told_of_rounding_is_true() -> None:
    rng = random.Random(3)
    universe = {"p": (-(2**62), 2**62), "q": (1, 50)}
    checked = 0
    for _ in range(1000):
        (atom, values), (other, _) = _rounded(rng), _rounded(rng)
        rounded = [Rounded(name, of, universe) for name, of in (("r", atom), ("s", other))]
        evaluation = Evaluation(values)
        true = {each.name: each.of.of(evaluation.term(each.of.num), evaluation.term(each.of.den)) for each in rounded}
        told: list[Condition] = [*rounded[0].facts(), *rounded[1].beside(rounded)]
        off = rounded[0].correction(evaluation, Fraction(true["r"] + 1))
        told += [] if off is None else [off]
        assert rounded[0].correction(evaluation, Fraction(true["r"])) is None
        for fact in told:
            assert Evaluation({**values, **true}).condition(fact), (atom.num, atom.den, values)
            checked += 1
    assert checked > 5_000


def test_a_comparison_is_one_of_the_unrounded_quotient_at_and_beside_every_turn() -> None:
    rng = random.Random(4)
    for _ in range(600):
        den = rng.choice((1, 3, 7, 100, 2**20, 10**9))
        limit = Fraction(binary64.nearest(rng.choice((*_EDGES, rng.randrange(10**12))), den)) * rng.choice((1, -1))
        value = float(limit)
        around = [value, math.nextafter(value, math.inf), math.nextafter(value, -math.inf)]
        middle = (Fraction(around[0]) + Fraction(around[1])) / 2
        for exact in (middle, middle + Fraction(1, 10**40), middle - Fraction(1, 10**40), limit, Fraction(around[2])):
            p = variable("p", -(10**60) * exact.denominator, 10**60 * exact.denominator)
            term = nearest(p, number(exact.denominator), 1074)
            scaled = number(int(limit * 2**1074))
            evaluation = Evaluation({"p": exact.numerator})
            rounded = exact.numerator / exact.denominator
            assert evaluation.condition(at_most(term, scaled)) == (rounded <= value)
            assert evaluation.condition(below(term, scaled)) == (rounded < value)
            assert evaluation.condition(equal(term, scaled)) == (rounded == value)
            assert evaluation.condition(negated(at_most(scaled, -term))) == (-rounded < value)


def test_summands_of_the_same_inputs_are_asked_about() -> None:
    def cents(name: str, add: int) -> Term:
        return floor_div(variable(name, 0, 10**6) + number(add), number(100))

    one, other = cents("a", 50) + cents("b", 50), cents("a", 51) + cents("b", 51)
    given = at_most(variable("a", 0, 10**6), number(7))
    found = twins(both(given, at_most(one, number(5)), at_most(number(6), other)))
    assert sorted(sorted(pair.equal.names) for pair in found) == [["a"], ["b"]]
    assert [pair.given for pair in found if pair.equal.names == {"a"}] == [given]


def test_the_floor_of_a_float_is_one_of_those_that_are_named() -> None:
    rng = random.Random(5)
    universe, named = {"p": (-(10**9), 10**9), "q": (0, 10**6)}, 0
    for _ in range(3000):
        p, q = variable("p", *universe["p"]), variable("q", *universe["q"])
        one = nearest(p * number(rng.choice((1, 3, 115))), number(rng.choice((100, 7, 10**6, 3))), 90)
        inner = one * number(rng.choice((1, 100, -3))) + q * number(rng.choice((0, 1)) << 90)
        two = nearest(inner, number(rng.choice((1, 3, 10)) << 90), 140)
        num, den = rng.choice(((one, 1 << 90), (two, 1 << 140), (two + number(1 << 139), 1 << 140)))
        among = floors(num, den, universe)
        named += bool(among)
        values = {"p": rng.choice((0, 29, 115, rng.randrange(-(10**9), 10**9))), "q": rng.randrange(10**6)}
        evaluation = Evaluation(values)
        true = evaluation.term(num) // den
        assert not among or true in [evaluation.term(each) for each in among]
    assert named > 1000
