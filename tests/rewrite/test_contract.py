"""Checks at run time change nothing of a right function, find what breaks a promise, and compute exactly."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neurosym_sandbox import EnumMember, Instance
from neurosym_specs import load_spec
from neurosym_specs.expr.evaluate import Evaluator
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.model import Spec
from neurosym_specs.semantics import Outside, admission
from neurosym_specs.signature import declarations
from neurosym_specs.strategies import inputs_strategy
from neurosym_verifiers.calls import arguments

from neurosym.rewrite import Rewriting, rewrite
from neurosym.rewrite.plain_python import HELPER, Teller, Untold
from neurosym.rewrite.runtime_checks import left_out
from tests.rewrite.conftest import delivered

EXAM = Path(__file__).parents[1] / "exam"
TASKS = sorted(each.name for each in EXAM.iterdir() if each.is_dir())
LIGHT = settings(
    max_examples=40, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)

SPEC = """
spec = 1
name = "fee"
[inputs]
amount = { type = "decimal", places = 2, min = "-50.00", max = "1000.00", also = ["5000.00", ["2000.00", "2100.00"]] }
age = { type = "int", choices = [0, 7, 30] }
kind = { type = "enum", choices = ["new", "old"] }
due = { type = "date", min = 2024-01-01, max = 2024-12-31 }
note = { type = "str | none", max_len = 5 }
rates = { type = "list[int]", max_len = 3 }
[output]
type = "decimal"
places = 2
min = "0.00"
max = "200.00"
[data]
share = "0.1"
step = 3
[let]
base = "round(amount * 0.015, 2, half_up)"
[define]
"capped(x)" = "clamp(x, 0, 200)"
[[require]]
that = "age > 0 or amount >= 0"
[[reject]]
id = "negative"
when = "amount < 0"
raises = "ValueError"
[reference]
value = "capped(base)"
[[ensure]]
id = "at most the amount"
that = "result <= amount"
[[ensure]]
id = "old"
when = "kind == 'old' and due.month in (1, 2) and days(due - due) == 0"
that = "result == capped(base)"
[[ensure]]
id = "not told"
that = "all(each <= 10 for each in rates) or result >= 0"
[[relation]]
id = "up"
monotone = { amount = "up" }
"""
RIGHT = """
from decimal import ROUND_HALF_UP

def fee(amount, age, kind, due, note, rates):
    \"\"\"The fee's doc.\"\"\"
    if amount < 0:
        raise ValueError("negative amount")
    return min((amount * Decimal("0.015")).quantize(Decimal("0.01"), ROUND_HALF_UP), Decimal("200.00"))
"""


@pytest.fixture(scope="module")
def spec() -> Spec:
    return spec_from_toml(SPEC)


def _checked(spec: Spec, text: str) -> str:
    found = rewrite(delivered(text), spec, ["contract", "declared"])
    assert isinstance(found, Rewriting)
    assert not found.failed
    return found.source.text


def _function(spec: Spec, text: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec(declarations(spec) + "\n" + text, namespace)
    function = namespace[spec.name]
    assert callable(function)
    return function


def _outcome(function: Callable[..., Any], values: tuple[object, ...]) -> object:
    try:
        return function(*values)
    except Exception as error:
        return type(error).__name__, str(error)


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple | set):
        return all(map(_is_plain, value))
    return not isinstance(value, Instance | EnumMember | dict)


@pytest.mark.parametrize("task", TASKS)
def test_a_right_function_behaves_as_before(task: str) -> None:
    spec = load_spec(next((EXAM / task).glob("*.spec.toml")))
    text = (EXAM / task / "correct_1.py").read_text()
    checked = _checked(spec, text)
    assert f"_unchecked_{spec.name}(" in checked
    before, after = _function(spec, text), _function(spec, checked)
    evaluator = Evaluator(spec)

    @LIGHT
    @given(inputs_strategy(spec))
    def same(inputs: dict[str, Any]) -> None:
        values = arguments(spec, inputs)
        if all(map(_is_plain, values)) and not isinstance(admission(spec, evaluator.bind(inputs)), Outside):
            assert repr(_outcome(after, values)) == repr(_outcome(before, values))

    same()


GOOD = (Decimal("100.00"), 7, "old", datetime.date(2024, 1, 5), None, [1])


def test_it_keeps_name_parameters_and_docstring(spec: Spec) -> None:
    text = _checked(spec, RIGHT)
    function = _function(spec, text)
    assert function.__doc__ == "The fee's doc."
    assert function(*GOOD) == Decimal("1.50")
    assert function(amount=GOOD[0], age=7, kind="new", due=GOOD[3], note="x", rates=[]) == Decimal("1.50")
    with pytest.raises(ValueError, match="negative amount"):  # its own words
        function(Decimal("-1.00"), *GOOD[1:])
    assert "float" not in text


@pytest.mark.parametrize(
    ("at", "value", "error", "says"),
    [
        (0, 100.0, TypeError, "amount must be of the type Decimal"),
        (0, 100, TypeError, "amount must be of the type Decimal"),
        (0, Decimal("1000.01"), ValueError, "amount is outside of its range"),
        (0, Decimal("2100.01"), ValueError, "amount is outside of its range"),
        (0, Decimal("NaN"), ValueError, "amount is outside of its range"),
        (0, Decimal("sNaN"), ValueError, "amount is outside of its range"),
        (0, Decimal("Infinity"), ValueError, "amount is outside of its range"),
        (0, Decimal("1.005"), ValueError, "amount has more than 2 decimal places"),
        (1, True, TypeError, "age must be of the type int"),
        (1, 8, ValueError, "age is outside of its range"),
        (2, "odd", ValueError, "kind is no choice"),
        (2, 3, TypeError, "kind must be of the type str"),
        (3, datetime.datetime(2024, 1, 5), TypeError, "due must be of the type date"),
        (3, datetime.date(2025, 1, 1), ValueError, "due is outside of its range"),
        (4, "longer than five", ValueError, "note is outside of its range"),
        (4, 5, TypeError, "note must be of the type str"),
        (5, (1,), TypeError, "rates must be of the type list"),
        (5, [1, 2, 3, 4], ValueError, "rates has a length outside of its range"),
    ],
)
def test_inputs_outside_of_the_contract_are_refused(
    spec: Spec, at: int, value: object, error: type[Exception], says: str
) -> None:
    function = _function(spec, _checked(spec, RIGHT))
    values = [*GOOD[:at], value, *GOOD[at + 1 :]]
    with pytest.raises(error, match=says):
        function(*values)


def test_what_is_beside_the_range_is_inside(spec: Spec) -> None:
    function = _function(spec, _checked(spec, RIGHT))
    for amount in ("5000.00", "2000.00", "2050.50", "2100.00", "1000.00"):
        assert function(Decimal(amount), *GOOD[1:]) == min(Decimal(amount) * Decimal("0.015"), 200).quantize(
            Decimal("0.01"), "ROUND_HALF_UP"
        )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("return min(", "return float(", "the result must be of the type Decimal"),
        ("return min(", "return 1 + max(", "the result is outside of its range"),
        ("return min(", 'return Decimal("NaN") + min(', "the result is outside of its range"),
        ("return min(", 'return Decimal("0.001") + min(', "the result has more than 2 decimal places"),
        ("return min(", 'return Decimal("0.01") + min(', r"ensures: result == capped\(base\)"),
        ('raise ValueError("negative amount")', 'return Decimal("0.00")', "had to refuse these inputs: amount < 0"),
    ],
)
def test_a_broken_promise_is_an_error(spec: Spec, old: str, new: str, says: str) -> None:
    text = RIGHT.replace(old, new)
    if "float" in new:
        text = text.replace(', Decimal("200.00"))', ")")
    function = _function(spec, _checked(spec, text))
    amount = Decimal("-1.00") if "refuse" in says else GOOD[0]
    with pytest.raises(AssertionError, match=says):
        function(amount, *GOOD[1:])


def test_what_is_required_of_several_inputs_is_checked(spec: Spec) -> None:
    with pytest.raises(ValueError, match="outside of what is promised: age > 0 or amount >= 0"):
        _function(spec, _checked(spec, RIGHT))(Decimal("-1.00"), 0, *GOOD[2:])


def test_what_is_left_out_is_named(spec: Spec) -> None:
    assert left_out(spec) == ("what is in rates", "ensure: not told", "reference", "relation: up")


@pytest.mark.parametrize(
    "text",
    [
        "class Decimal: ...\ndef fee(amount, age, kind, due, note, rates): return 1\n",
        "def fee(amount, *rest): return amount\n",
        "def fee(amount, age, kind, due, note, rates): return amount\nfee = fee\n",
        "Fraction = 1\ndef fee(amount, age, kind, due, note, rates): return amount\n",
        "def type(x): return x\ndef fee(amount, age, kind, due, note, rates): return amount\n",
        "_checked_x = 1\ndef fee(amount, age, kind, due, note, rates): return amount\n",
        "import functools\n@functools.cache\ndef fee(amount, age, kind, due, note, rates): return amount\n",
    ],
)
def test_it_does_all_or_nothing(spec: Spec, text: str) -> None:
    found = rewrite(delivered(text), spec, ["contract"])
    assert isinstance(found, Rewriting)
    assert found.source.text == text


def test_a_function_that_calls_itself_checks_once(spec: Spec) -> None:
    text = (
        "def fee(amount, age, kind, due, note, rates, deep=0):\n"
        "    return fee(amount, -1, kind, due, note, rates, 1) if not deep else amount\n"
    )
    checked = _checked(spec, text)
    assert "return _unchecked_fee(amount, -1" in checked
    assert _function(spec, checked)(Decimal("0.00"), 7, "new", *GOOD[3:]) == 0


EXPRESSIONS = [
    "amount / 3 > 1 and amount % 7 <= 3",
    "amount // 7 == floor(amount / 7)",
    "round(amount * 0.005, 2, {mode}) == round(amount / 200, 2, {mode})",
    "round(amount / 8, 1, {mode}) <= 5 or round(-amount / 8, {mode}) < -3",
    "round(amount, -2, {mode}) > amount",
    "ceil(amount / 9) - floor(amount / 9) == 1",
    "trunc(-amount / 3) + trunc(amount / 3) == 0",
    "abs(amount - 100) < 50 if age == 7 else amount * share > base",
    "not (kind == 'old') or kind in ('new', 'odd')",
    "due.weekday < 5 and due.day % 2 == 0",
    "min(amount, 10, age) == max(age, 1) or age ** 3 > 300",
    "capped(amount) == amount and step * 2 == 6",
    "0 <= amount <= 100 or 1 < age < 30",
    "len(rates) == 2",
    "-7 // 2 == -4 and -amount % 4 < 2",
]
MODES = ("half_up", "half_down", "half_even", "up", "down", "ceiling", "floor")


@pytest.mark.parametrize(
    "text", [e.format(mode=m) for e in EXPRESSIONS for m in (MODES if "{mode}" in e else MODES[:1])]
)
def test_plain_python_computes_what_the_expression_does(text: str) -> None:
    table = SPEC.replace('that = "result <= amount"', f'when = "{text}"\nthat = "result <= 200"')
    table = table.replace('share = "0.1"', "share = 0.1")
    spec = spec_from_toml(table)
    when = spec.ensures[0].when
    assert when is not None
    told = Teller(spec, {name: name for name in spec.inputs}).condition(when.tree)
    compiled = compile(told, "told", "eval")
    helper: dict[str, Any] = {"Fraction": Fraction}
    exec(HELPER, helper)
    evaluator = Evaluator(spec)
    seen: list[bool] = []

    @settings(LIGHT, max_examples=80)
    @given(inputs_strategy(spec), st.just(0))
    def same(inputs: dict[str, Any], _: int) -> None:
        names = dict(zip(spec.inputs, arguments(spec, inputs), strict=True))
        expected = evaluator.bind(inputs).holds(when)
        assert eval(compiled, helper, names) is expected
        seen.append(expected)

    same()
    assert seen
    assert not any(
        isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(ast.parse(told))
    )


@pytest.mark.parametrize(
    "text", ["sqrt(amount) > 1", "places(amount) == 2", "approx(amount, 1)", "sum(rates) > 1", "amount ** age > 1",
             "kind < 'old'",
             "due + 1 > due", "round(amount, 2, 05up) > 1", "rates == [1]", "note == 'x'", "1 in rates"],
)  # fmt: skip
def test_what_is_not_sure_is_not_told(text: str) -> None:
    spec = spec_from_toml(SPEC)
    tree = ast.parse(text.replace("05up", "o5up"), mode="eval").body
    with pytest.raises(Untold):
        Teller(spec, {name: name for name in spec.inputs}).condition(tree)


def test_an_undefined_condition_is_a_fault_of_the_spec_and_no_silence(spec: Spec) -> None:
    expression = ast.parse("amount / (age - age) > 1", mode="eval").body
    told = Teller(spec, {name: name for name in spec.inputs}).condition(expression)
    with pytest.raises(ZeroDivisionError):
        eval(told, {"Fraction": Fraction, "amount": Decimal(1), "age": 7})
