"""The reading of powers, roots, exponentials and logarithms against CPython, bit for bit, and where they raise."""

# ruff: noqa: E501
from __future__ import annotations

import math
import random
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from neurosym_specs.loader import spec_from_toml
from neurosym_verifiers.proof.claims import Reader
from neurosym_verifiers.proof.holding import known
from neurosym_verifiers.proof.runs import Run
from neurosym_verifiers.reading.data.values import Int, NotRead, Real
from neurosym_verifiers.reading.execution.state import Raised
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.evaluating import Evaluation
from neurosym_verifiers.reading.formulas.terms import number, variable
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.reading.simplification.substituting import Substitution

from tests.verifiers.comparing import compared

_SPEC = """
spec = 1
name = "f"
[inputs]
n = {{ type = "int", min = -400, max = 2000 }}
x = {{ type = "float", min = "-2.0", max = "1000.0" }}
y = {{ type = "float", min = "0.0", max = "5.0" }}
r = {{ type = "float", places = 4, min = "-1.0000", max = "1.0000" }}
d = {{ type = "decimal", places = 3, min = "0.001", max = "90.000" }}
[output]
type = "{output}"
[reference]
where = "n == n"
"""


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def program(self) -> tuple[str, str]:
        rng = self._rng
        kind = rng.choice(("float", "float", "float", "decimal"))
        result = self.number(3) if kind == "float" else self.decimal(2)
        lines = ["import math", "import decimal", "from decimal import Decimal", ""]
        lines.append("def f(n: int, x: float, y: float, r: float, d: Decimal) -> object:")
        lines.append(f"    g = {self.number(1)}")
        if rng.random() < 0.4:
            lines += [f"    if {self.number(1)} {rng.choice(('<', '<=', '==', '>'))} {self.number(1)}:"]
            lines += ["        return " + (self.number(1) if kind == "float" else self.decimal(1))]
        return "\n".join([*lines, f"    return {result}"]) + "\n", kind

    def number(self, depth: int) -> str:
        rng = self._rng
        if depth == 0 or rng.random() < 0.1:
            return rng.choice(("x", "y", "r", "1.5", "0.0", "(1 + r)", "g") if depth < 3 else ("g", "x"))
        a, b = self.number(depth - 1), self.number(depth - 1)
        return rng.choice((
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"({a} ** n)", f"({a} ** 2)", f"(y ** {a})",
            f"math.log({a})", f"math.log1p({a})", f"math.exp({a})", f"math.expm1({a})", f"math.sqrt({a})",
            f"math.pow({a}, n)", f"math.log10({a})", f"math.log2({a})", f"(-{a})", f"abs({a})", f"math.log({a}, 3)",
            f"({a} if x < y else {b})", f"max({a}, {b})", f"round({a}, {rng.randrange(4)})", f"round({a}, 2)",
            f"({self.whole(a)} * {b})", f"float({self.whole(a)})", f"({self.whole(a)} / {self.whole(b)})",
            f"float(round({self.decimal(1)}, 2))", f"(0.5 + ({self.whole(a)} if x < y else 3))",
        ))  # fmt: skip

    def whole(self, of: str) -> str:
        rng = self._rng
        one = rng.choice((f"math.ceil({of})", f"math.floor({of})", f"int({of})", f"round({of})", f"math.trunc({of})"))
        return rng.choice((one, one, f"abs({one} - n)", f"({one} * 2 - {one})", f"-{one}"))

    def decimal(self, depth: int) -> str:
        rng = self._rng
        if depth == 0:
            return rng.choice(("d", "Decimal('1.05')", "Decimal(3)"))
        a, b = self.decimal(depth - 1), self.decimal(depth - 1)
        powers = (f"({a} ** n)", f"(Decimal('1.05') ** n * {b})", f"(d ** Decimal('0.5') + {a})")
        mode = rng.choice(("HALF_UP", "HALF_EVEN", "HALF_DOWN", "FLOOR", "CEILING", "UP", "DOWN"))
        unit = rng.choice(("1", "0.01", "0.01", "0.0001", "1.00000000000"))
        rounded = f"({a}).quantize(Decimal('{unit}'), rounding=decimal.ROUND_{mode})"
        if rng.random() < 0.4:
            more = (rounded, f"round({a}, 2)", f"Decimal(math.floor({a})) * {b}", "(d ** n).quantize(Decimal('0.01'))")
            more = (*more, f"({a}).to_integral_value(rounding=decimal.ROUND_{mode})")
            return rng.choice((*more, f"(int(d ** n) + {b})", f"({rounded} - {b})"))
        return rng.choice((*powers, f"(1 / {a}).sqrt()", f"{a}.ln()", f"(d / 100).exp() * {a}", f"d ** n - {a}"))


def random_inputs(rng: random.Random) -> dict[str, Any]:
    ends = (0.0, 1.0, -1.0, -2.0, 1000.0, 5e-324, 1e-17, 1.0000000000000002, 709.79, 0.5)
    x = rng.choice((*ends, rng.uniform(-2, 1000), rng.uniform(0, 1)))
    return {
        "n": rng.choice((0, 1, -1, 2, 360, 2000, -400, rng.randrange(-400, 2000))),
        "x": x,
        "y": min(max(rng.choice((*ends, rng.uniform(0, 5))), 0.0), 5.0),
        "r": rng.choice((0, 1, -10_000, 10_000, rng.randrange(-10_000, 10_000))) / 10_000,
        "d": Decimal(rng.choice((1, 1000, 90_000, rng.randrange(1, 90_000)))).scaleb(-3),
    }


def _as_spec(value: Any) -> Any:
    if isinstance(value, float):
        return Fraction(value) if math.isfinite(value) else value
    return Fraction(value) if isinstance(value, Decimal) else value


def by_python(namespace: dict[str, Any], inputs: Mapping[str, Any]) -> Any:
    try:
        value = namespace["f"](*inputs.values())
    except Exception as error:
        return "raises", type(error).__name__
    return "returns", "nan" if value != value else _as_spec(value)


def by_reading(run: Run, spec: Any, inputs: Mapping[str, Any]) -> Any:
    evaluation = Evaluation(assigned(spec, {name: _as_spec(value) for name, value in inputs.items()}))
    taken = [end for end in run.exits if evaluation.condition(end.condition)]
    assert len(taken) == 1, f"{len(taken)} exits"
    if isinstance(taken[0].outcome, Raised):
        return "raises", taken[0].outcome.names[0]
    value = known(in_spec(taken[0].outcome.value), evaluation)
    return "returns", "nan" if value != value else value


def test_random_programs_with_real_functions_are_read_as_cpython_runs_them() -> None:
    rng = random.Random(5)
    specs = {kind: spec_from_toml(_SPEC.format(output=kind)) for kind in ("float", "decimal")}
    pairs, read = compared(
        lambda: _Writer(rng).program(), specs, lambda: random_inputs(rng), by_python, by_reading,
        programs=500, inputs_each=20,
    )  # fmt: skip
    assert read >= 150
    assert pairs >= 3000


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("x ** 0.5", "may be negative"),
        ("r ** y", "may be negative"),
        ("(d - 1) ** n", "may not be positive"),
        ("(d - 1).ln()", "may not be positive"),
        ("round(y ** n, -2)", "so many decimals"),
        ("Decimal(y ** n)", "a Decimal of a float"),
        ("math.ceil(y ** n) // 2", "FloorDiv"),
        ("round(y ** n, n)", "varying"),
        ("y ** n // 2", "FloorDiv"),
        ("math.log(d)", "Decimal"),
    ],
)
def test_what_has_no_real_value_or_is_not_read_after_it_is_named(expression: str, why: str) -> None:
    source = f"import math\nfrom decimal import Decimal\ndef f(n, x, y, r, d):\n    return {expression}\n"
    with pytest.raises(NotRead, match=why):
        Reader(spec_from_toml(_SPEC.format(output="float"))).run(source)


def test_a_question_about_another_number_is_another_question() -> None:
    n = variable("n", 0, 9)
    question = RealTest("<", (Real("float", "exp", (Int(n),)), Int(number(3))))
    assert question.names == {question.name, "n"}
    other = Substitution({"n": variable("m", 0, 9)}, {}).condition(question)
    assert isinstance(other, RealTest)
    assert other.name != question.name
    assert other.names == {other.name, "m"}
    assert Substitution({"k": n}, {}).condition(question) is question
    assert Evaluation({"n": 1}).condition(question)
    assert not Evaluation({"n": 2}).condition(question)


@pytest.mark.parametrize(
    ("body", "is_read"),
    [
        ("if x >= 0:\n        b = x * math.exp(y)\n    else:\n        b = x * math.exp(y)\n    return 0.0 if b ** 0.5 > 1 else 0.0", False),
        ("b = x * math.exp(y) if x >= 0 else x * math.exp(y)\n    return b ** 0.5", False),
        ("if x < 0:\n        return 0.0\n    b = x * math.exp(y)\n    return b ** 0.5", True),
    ],
)  # fmt: skip
def test_what_a_branch_knows_of_a_real_number_is_not_believed_behind_it(body: str, is_read: bool) -> None:
    """Of a negative base it would be a complex number, which has no order."""
    source = f"import math\n\ndef f(n: int, x: float, y: float, r: float, d: object) -> float:\n    {body}\n"
    reader = Reader(spec_from_toml(_SPEC.format(output="float")))
    if is_read:
        assert reader.run(source).exits
    else:
        with pytest.raises(NotRead, match="a power of a float that may be negative"):
            reader.run(source)
