"""Contracts as they are read, against what icontract and deal do with the same arguments and results.

Needs these two beside neurosym, which are no dependency of it: ``PYTHONPATH`` may name where they are.
"""

from __future__ import annotations

import ast
import random
import re
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from neurosym_specs import inputs_strategy
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.expr.undefined import Undefined
from neurosym_specs.model import Spec
from neurosym_verifiers.calls import arguments, read_result

from neurosym.contracts.reading import Contracts, read_contracts

pytestmark = pytest.mark.slow

HEAD = """
import math
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum
from fractions import Fraction
from typing import Literal, Optional

import deal
import icontract

CENT = Decimal("0.01")
LIMIT = 10
FIRST = date(2024, 2, 28)

class Kind(Enum):
    LOW = "l"
    HIGH = "h"

def inside(n, low, high):
    return low <= n <= high

def all_below(n):
    return all(i < n for i in range(3))

"""
LISTS = "xs: list[int], n: int"
CASES = [
    ("n: int, m: int", "int", [
        "n > 3", "0 <= n < LIMIT", "n != m", "not n == m", "n % 2 == 0", "n // 7 == m // 7", "n * n >= 100 or m < 0",
        "10 // n > 1", "m % n == 0", "n ** 2 > m", "n if n > m else m > 3", "abs(n - m) <= 5", "n in (1, 2, 3)",
        "n not in {1, 2}", "n in range(-5, m)", "max(n, m, 4) > 5", "inside(n, -3, m)", "all_below(n)", "n >= 0.5",
        "n == 2.0", "n < 1e300", "n and m", "n", "isinstance(n, int)", "n > 0.1", "-n > m - 1", "round(n) == n",
        "(lambda x: x)(n) > 1", "n > Decimal('0.1')", "Fraction(n, 3) > m", "n / 2 > m",
        "any(n == i for i in range(4))",
    ]),
    ("a: Decimal, b: Decimal", "Decimal", [
        "a > b", "a >= 0.1", "a == Decimal('1.50')", "a + b > Decimal('0.05')", "a * b < 1000", "a - b == b - a",
        "a == round(a, 2)", "a == a.quantize(CENT)", "a.quantize(CENT, rounding=ROUND_HALF_UP) >= b", "abs(a) >= b",
        "a / 3 > b", "a % 2 == 0", "a // 2 == b", "-a < b", "max(a, b) == a", "round(a) > b", "a * a * a * a * a > b",
        "math.floor(a) >= b", "min(a, b, 5) == b", "sum([a, b]) > 1", "int(a) == 3", "a == 1 or b < CENT",
    ]),
    ("x: float, y: float", "float", [
        "x > 0.1", "x == y", "x + y > 1", "x < 1000000", "abs(x) >= y", "-x <= y", "max(x, y) >= 0.25", "x != x",
        "math.isnan(x)", "math.isfinite(x)", "round(x) > 2", "math.floor(y) <= x", "not x < y", "x in (1.0, 0.5)",
    ]),
    (LISTS, "list[int]", [
        "len(xs) > 0", "xs[0] > 0", "xs[-1] == n", "n in xs", "all(x >= 0 for x in xs)", "sum(xs) > n",
        "xs == sorted(xs)", "any(x == n for x in xs if x > 0)", "min(xs) <= n", "len(xs) > 1 and xs[1] >= xs[0]",
        "xs[1:] == xs[:1]", "[x + 1 for x in xs] == xs", "all(all_below(i) for i in xs)", "xs", "len(xs)",
        "all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))", "list(xs) == xs", "sorted(xs)[0] < n", "xs == [1, 2]",
        "all(any(x == y for y in xs) for x in xs)", "max(x * x for x in xs) > n", "sum(1 for x in xs if x > n) < 2",
    ]),
    ("s: str, t: str", "str", [
        "s != t", "len(s) <= 3", "s.startswith(t)", "t in s", "s < t", "s.upper() == s", "s[0] == 'a'",
        "s + t == t + s",
        "s.strip() == s", "s.isdigit()", "s.count('a') > 1", "all(c != 'x' for c in s)", "s.replace('a', 'b') == t",
        "s.find('b') >= 0", "s[:2] == t[-2:]", "s in ('a', 'b')", "s.endswith('a') or not t", "s.title() == s",
    ]),
    ("d: date, e: date", "date", [
        "d <= e", "d > FIRST", "d.year == 2024", "(d - e).days > 30", "d.weekday() < 5", "d == date(2024, 2, 29)",
        "d.isoweekday() == 7", "d.month in (1, 2, 12)", "max(d, e) > FIRST", "d - e == e - d", "d.replace(day=1) == d",
    ]),
    ("k: Kind, o: Optional[int], c: Literal['x', 'y'], b: bool, f: Fraction", "Kind", [
        "k == Kind.LOW", "k is Kind.LOW", "k in (Kind.LOW, Kind.HIGH)", "k != Kind.HIGH or b", "o is None or o > 3",
        "o is not None and o + 1 > 3", "o == 3", "o > 3", "c == 'x'", "c in ('x', 'z')", "b", "not b", "b == True",
        "f > 1", "f * 3 == 1", "f + 1 >= f", "f / 2 < 1", "1 / f > 1", "f // 1 == 0", "f > 0.5", "b and f < 2",
        "(o is None) == b", "f == round(f, 2)", "round(f) == 1", "k.value == 'l'", "o in (1, None)",
    ]),
]  # fmt: skip


def _random_result(kind: str, source: random.Random) -> object:
    """A result, also outside of what inputs are drawn from."""
    if kind == "list[int]":
        return [source.randint(-3, 4) for _ in range(source.randint(0, 4))]
    if kind == "Decimal":
        sizes = [source.randint(-300, 300), source.randint(-(10**40), 10**40), source.randint(-(10**9), 10**9)]
        return Decimal(source.choice(sizes)).scaleb(-source.choice([0, 1, 2, 3, 35]))
    if kind == "float":
        return source.choice([0.0, 0.1, 0.25, 1.0, -2.5, 1e300, float("inf"), float("nan"), source.uniform(-3, 3)])
    if kind == "str":
        return "".join(source.choice("abx 1A") for _ in range(source.randint(0, 4)))
    if kind == "date":
        return date(2024, 2, 20) + timedelta(days=source.choice([0, 8, 9, 10, 400, -3000, 11]))
    return source.choice([source.randint(-5, 12), source.randint(-(10**12), 10**12)])


def _holds(contracts: Contracts, evaluator: Evaluator, inputs: dict[str, Any], result: object) -> object:
    spec = contracts.spec
    assert spec is not None
    scope = evaluator.bind(inputs)
    try:
        if spec.requires:
            return all(scope.holds(each.that) for each in spec.requires)
        read = read_result(spec.output, result)
        return all(scope.with_result(read).holds(each.that) for each in spec.ensures)
    except Undefined:
        return "undefined"


def _called(namespace: dict[str, Any], values: tuple[object, ...], result: object) -> object:
    namespace["RESULT"] = result
    try:
        namespace["f"](*values)
    except Exception as error:
        broken = type(error).__name__ in ("ViolationError", "PreContractError", "PostContractError", "AssertionError")
        return False if broken else "undefined"
    return True


def _programs(parameters: str, returns: str, condition: str) -> list[str]:
    names = [each.partition(":")[0].strip() for each in re.split(r", (?=\w+:)", parameters)]
    listed = ", ".join(names)
    attributes = {name: ast.parse(f"_.{name}", mode="eval").body for name in names}

    class _Short(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return attributes.get(node.id, node)

    short = ast.unparse(_Short().visit(ast.parse(condition, mode="eval")))
    of_result = condition.replace(names[0], "result") if returns not in ("str", "date", "Kind") else ""
    made = [
        f"@icontract.require(lambda {listed}: {condition}, error=AssertionError())",
        f"@deal.pre(lambda {listed}: {condition})",
        f"@deal.pre(lambda _: {short})",
    ]
    head = f"def f({parameters}) -> {returns}:\n    "
    made = [f"{HEAD}{each}\n{head}return RESULT\n" for each in made] + [
        f"{HEAD}{head}assert {condition}\n    return RESULT\n"
    ]
    if of_result and returns != "Kind":

        class _Named(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                return ast.Name(id="result") if node.id == names[0] else node

        post = ast.unparse(_Named().visit(ast.parse(condition, mode="eval")))
        for decorator in ("icontract.ensure(lambda result, ", "deal.ensure(lambda "):
            rest = f"{listed}, result" if decorator.startswith("deal") else ", ".join(names[1:])
            error = "" if decorator.startswith("deal") else ", error=AssertionError()"
            made.append(f"{HEAD}@{decorator}{rest}: {post}{error})\n{head}return RESULT\n")
    return made


@pytest.mark.parametrize(
    ("parameters", "returns", "condition"),
    [(parameters, returns, condition) for parameters, returns, conditions in CASES for condition in conditions],
)
def test_what_is_read_holds_where_the_library_lets_it_pass(parameters: str, returns: str, condition: str) -> None:
    pytest.importorskip("icontract")
    pytest.importorskip("deal")
    for program in _programs(parameters, returns, condition):
        (contracts,) = read_contracts(ast.parse(program), "m").functions
        if contracts.spec is None or not (contracts.spec.requires or contracts.spec.ensures):
            assert contracts.unread
        else:
            assert not contracts.unread
            _agree(program, contracts, contracts.spec, returns)


def _agree(program: str, contracts: Contracts, spec: Spec, returns: str) -> None:
    """Calls the program with drawn arguments, and asks the spec about the same."""
    namespace: dict[str, Any] = {"__name__": "m"}
    exec(compile(program, "m", "exec"), namespace)
    evaluator, source = Evaluator(spec), random.Random(program)

    @seed(1)
    @settings(max_examples=120, deadline=None, phases=[Phase.generate], database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(inputs_strategy(spec))
    def agree(inputs: dict[str, Any]) -> None:
        values = tuple(
            namespace["Kind"][inputs[name]] if name == "k" else value
            for name, value in zip(spec.inputs, arguments(spec, inputs), strict=True)
        )
        result = _random_result(returns, source)
        assert _called(namespace, values, result) == _holds(contracts, evaluator, inputs, result)

    agree()


def test_most_of_the_conditions_are_read() -> None:
    read = unread = 0
    for parameters, returns, conditions in CASES:
        for condition in conditions:
            (contracts,) = read_contracts(ast.parse(_programs(parameters, returns, condition)[0]), "m").functions
            read, unread = read + (contracts.spec is not None), unread + (contracts.spec is None)
    assert (read, unread) == (123, 22)
