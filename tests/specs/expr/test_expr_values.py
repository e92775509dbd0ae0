"""What single expressions are worth: roundings, dates, texts, records, data, running state, undefined operations."""

from __future__ import annotations

import decimal
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neurosym_specs.errors import SpecError
from neurosym_specs.expr.datavalues import DataText
from neurosym_specs.expr.evaluate import Undefined
from neurosym_specs.expr.language import FUNCTIONS, METHODS, MODES
from neurosym_specs.expr.strings import Methods
from neurosym_specs.model import Reference
from neurosym_specs.types import FloatType, IntType, ListType
from neurosym_specs.values import Record, WrittenDecimal

from tests.specs.expr.expr_support import expression, make_spec, scope, value

NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=150, deadline=None)
@given(number=st.decimals(-1000, 1000, places=4), places=st.integers(-3, 5))
def test_roundings_are_those_of_decimal(mode: str, number: Decimal, places: int) -> None:
    with decimal.localcontext() as context:
        context.prec = 60
        expected = Fraction(number.quantize(Decimal(1).scaleb(-places), rounding=f"ROUND_{mode.upper()}"))
    assert value(f"round(x, {places}, {mode})", x=Fraction(number)) == expected
    assert value(f"round(x, n, '{mode}')", x=Fraction(number), n=places) == expected
    assert value(f"round_to(x, 10 ** -n, {mode})", x=Fraction(number), n=places) == expected


@pytest.mark.parametrize(
    ("mode", "rounded"),
    [
        ("half_up", [-3, -2, 2, 3]),
        ("half_down", [-2, -1, 1, 2]),
        ("half_even", [-2, -2, 2, 2]),
        ("up", [-3, -2, 2, 3]),
        ("down", [-2, -1, 1, 2]),
        ("ceiling", [-2, -1, 2, 3]),
        ("floor", [-3, -2, 1, 2]),
        ("05up", [-2, -1, 1, 2]),
    ],
)
def test_ties(mode: str, rounded: list[int]) -> None:
    assert value(f"[round(t, {mode}) for t in [-2.5, -1.5, 1.5, 2.5]]") == rounded
    assert value(f"[round(t, 0, {mode}) for t in [-2.5, -1.5, 1.5, 2.5]]") == rounded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.0 * 3", 3),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("7 / 2", Fraction(7, 2)),
        ("6 / 2", 3),
        ("2 ** -1", Fraction(1, 2)),
        ("(1/3) ** 3", Fraction(1, 27)),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("7.5 // 2", 3),
        ("-7.5 % 2", Fraction(1, 2)),
        ("round(2.345, 2, half_even)", Fraction(234, 100)),
        ("round_to(12, 5, half_up)", 10),
        ("round_to(0.07, 0.05, up)", Fraction(1, 10)),
        ("round(1250, -2, half_even)", 1200),
        ("places(0.125)", 3),
        ("places(12)", 0),
        ("gcd(12, 18, 8)", 2),
        ("gcd([12, 18])", 6),
        ("clamp(5, 1, 3)", 3),
        ("sign(-2.5)", -1),
        ("min([], default=4)", 4),
        ("max(x for x in [1, 5, 2])", 5),
        ("sum([0.5, 0.25], 1)", Fraction(7, 4)),
        ("sum(1 for i in range(3) if i > 0)", 2),
        ("sum(i > 0 for i in range(3))", 2),
        ("sorted([3, 1, 2], reverse=True)", [3, 2, 1]),
        ("[1] + [2]", [1, 2]),
        ("range(3)", [0, 1, 2]),
        ("range(3) + [7]", [0, 1, 2, 7]),
        ("range(2) == [0, 1]", True),
        ("3 in range(0, 10, 3)", True),
        ("0.5 in range(3)", False),
        ("enumerate('ab', 1)", [(1, "a"), (2, "b")]),
        ("zip([1, 2], 'ab', (3, 4))", [(1, "a", 3), (2, "b", 4)]),
        ("reversed('abc')", ["c", "b", "a"]),
        ("[c for c in {'b', 'a', 'c'}]", ["a", "b", "c"]),
        ("{k: v for (k, v) in {'a': 1}.items()}", {"a": 1}),
        ("{'a': 1}.get('b', 7)", 7),
        ("{'a': 1}.get('b') is None", True),
        ("{'a': 1, 'b': 2}.keys()", ["a", "b"]),
        ("{'a': 1, 'b': 2}.values()", [1, 2]),
        ("{1, 2} <= {1, 2, 3}", True),
        ("{1, 2.0, 2} == {1, 2}", True),
        ("{(1, 'a'): 5}[1, 'a']", 5),
        ("'a' < 'b' < 'c'", True),
        ("(1, 'b') < (1, 'c')", True),
        ("[1, 2] < [1, 2, 0]", True),
        ("'b' in 'abc'", True),
        ("'x' not in ['a', 'b']", True),
        ("date(2024, 2, 29) + 1", date(2024, 3, 1)),
        ("date(2024, 3, 1) - 1", date(2024, 2, 29)),
        ("days(date(2024, 3, 1) - date(2023, 3, 1))", 366),
        ("date(2024, 1, 1).weekday", 0),
        ("add_months(date(2024, 1, 31), 1)", date(2024, 2, 29)),
        ("add_months(date(2024, 3, 31), -13)", date(2023, 2, 28)),
        ("month_end(date(1900, 2, 3))", date(1900, 2, 28)),
        ("leap(2000) and not leap(1900)", True),
        ("min(date(2024, 1, 2), date(2023, 12, 31))", date(2023, 12, 31)),
        ("'a,b,,c'.split(',')", ["a", "b", "", "c"]),
        ("' a  b '.split()", ["a", "b"]),
        ("'a b c'.split(' ', 1)", ["a", "b c"]),
        ("'a b c'.split(maxsplit=1)", ["a", "b c"]),
        ("'-'.join(['a', 'b'])", "a-b"),
        ("''.join(c for c in 'abc' if c != 'b')", "ac"),
        ("'aXbX'.replace('X', '', 1)", "abX"),
        ("'xxax'.strip('x')", "a"),
        ("'abcabc'.find('c', 3)", 5),
        ("'banana'.count('an')", 2),
        ("[1, 2, 1].count(1)", 2),
        ("'abc'.startswith(('x', 'a'))", True),
        ("'٣'.isdigit()", True),
        ("int(' -12 ')", -12),
        ("int(-2.7)", -2),
        ("str(12) + '!'", "12!"),
        ("str(6 / 2)", "3"),
        ("chr(ord('A') + 1)", "B"),
        ("'abc'[::-1]", "cba"),
        ("matches('AB12', '[A-Z]{2}[0-9]+')", True),
        ("matches('AB12\\n', '[A-Z]{2}\\d+')", False),
        ("same_items([1, 2, 2], [2, 1, 2])", True),
        ("same_items([1, 2, 2], [2, 1, 1])", False),
        ("same_items([[1], {'a': (1, 2)}], [{'a': (1, 2)}, [1]])", True),
        ("same_items('ab', 'ba')", True),
        ("same_items([True], [1])", False),
        ("True == 1", True),
        ("[1, 2] == (1, 2)", False),
        ("None is None", True),
        ("1 if False else 2 if False else 3", 3),
        ("False and 1 / 0 == 1", False),
        ("True or 1 / 0 == 1", True),
        ("any(1 / i > 0 for i in [1, 0])", True),
        ("all(xs[i] > 0 for i in range(len(xs)))", True),
        ("sqrt(4) + sqrt(1/9)", Fraction(7, 3)),
        ("exp(0) + log(1)", 1),
        ("round(sqrt(2), 5, half_up)", Fraction(141421, 100000)),
        ("floor(exp(10))", 22026),
        ("ceil(-log(10))", -2),
        ("sqrt(2) < 1.4142135623730951", True),
        ("sqrt(2) * sqrt(2) < 2.0000001", True),
        ("1.4 < sqrt(2) <= 1.5", True),
        ("max(sqrt(2), 1) > min(sqrt(2), 1)", True),
        ("sqrt(2) ** 3 > 2.8 and abs(-sqrt(2)) > 1", True),
        ("7 // sqrt(2)", 4),
        ("0 < 7 % sqrt(2) < 1.35", True),
        ("sum([sqrt(2), 1, sqrt(2)]) > 3.82", True),
        ("log(2) == log(2)", True),
        ("log(2) == log(3)", False),
        ("sorted([sqrt(2), 1, sqrt(3)])[0]", 1),
    ],
)
def test_values(text: str, expected: Any) -> None:
    found = value(text)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 / (n - 3)", "division by zero"),
        ("n // 0", "division by zero"),
        ("n % 0.0", "division by zero"),
        ("0 ** -1", "division by zero"),
        ("2 ** 0.5", "whole exponent"),
        ("xs[3]", "index 3 of a list of 3"),
        ("xs[-4]", "index -4"),
        ("'abc'[3]", "index 3"),
        ("xs[0.5]", "whole number"),
        ("xs['a']", "number"),
        ("xs[::0]", "zero"),
        ("{'a': 1}['b']", "no key 'b'"),
        ("maybe + 1", "`+` needs a number, not None"),
        ("maybe < 1", "None has no order"),
        ("word + n", "needs a number, not a text"),
        ("word < n", "have no order"),
        ("-word", "needs a number"),
        ("day + 0.5", "whole days"),
        ("day - day + 1", "days(b - a)"),
        ("day - day < 3", "no order"),
        ("day + 10000000", "years 1 to 9999"),
        ("date(2023, 2, 29)", "no date 2023-2-29"),
        ("add_months(day, 10 ** 6)", "years 1 to 9999"),
        ("days(3)", "difference of two dates"),
        ("min([])", "`min` of an empty list"),
        ("clamp(1, 3, 2)", "lower bound"),
        ("not n", "no truthiness"),
        ("n and ok", "no truthiness"),
        ("1 if word else 2", "no truthiness"),
        ("any(xs)", "booleans"),
        ("all(n for n in xs)", "no truthiness"),
        ("[1 for i in xs if i]", "no truthiness"),
        ("int('1.5')", "no whole number"),
        ("int(maybe)", "needs a text or a number"),
        ("str(x)", "not whole"),
        ("ord('ab')", "one character"),
        ("chr(-1)", "no character"),
        ("chr(0xD800)", "no character"),
        ("places(1/3)", "no end as a decimal"),
        ("''.split('')", "separator"),
        ("'a'.join([1])", "needs a text"),
        ("len(n)", "`len` needs"),
        ("[i for i in n]", "`for` needs"),
        ("[1 for (i, j) in [(1, 2, 3)]]", "3 values for 2 names"),
        ("[1 for (i, j) in xs]", "taken apart"),
        ("{[1]}", "cannot be in a set"),
        ("{[1]: 2}", "cannot be the key"),
        ("[1] in {1}", "cannot be in a set"),
        ("1 in 'abc'", "asks for a text"),
        ("1 in n", "`in` needs"),
        ("n.year", "a number has no `year`"),
        ("word.upper", "a method"),
        ("n.upper()", "needs a text"),
        ("xs.items()", "needs a dict"),
        ("lots[0].quantity", "index 0"),
        ("Lot(1, 2)[0]", "read by its fields"),
        ("Lot(1, 2) < Lot(1, 3)", "no order"),
        ("sorted([Lot(1, 2)])", "sorted(xs, key=f)"),
        ("sorted([1, 'a'])", "no common order"),
        ("range(1, 2, 0)", "step of zero"),
        ("round_to(x, 0, half_up)", "positive"),
        ("round(x, 0.5, half_up)", "whole number"),
        ("round(x, 2, word)", "no rounding mode"),
        ("sqrt(-1)", "negative"),
        ("log(0)", "not positive"),
        ("log(sqrt(2) - 2)", "not positive"),
        ("sqrt(2) * sqrt(2) == 2", "do not decide"),
        ("floor(sqrt(2) * sqrt(2))", "rounding changes"),
        ("1 / (sqrt(2) - sqrt(2))", "zero"),
        ("sqrt(2) ** 0.5", "whole exponent"),
        ("matches(word, word + '(')", "not a regular expression"),
        ("band < 'NO'", "none of the choices"),
    ],
)
def test_undefined(text: str, reason: str) -> None:
    with pytest.raises(Undefined) as caught:
        value(text)
    assert reason in str(caught.value)
    assert caught.value.expression is not None
    assert caught.value.fragment
    assert caught.value.fragment in text


def test_what_is_undefined_names_the_place_and_the_fragment() -> None:
    spec = make_spec(lets={"share": "n /\n (n - 3)"})
    with pytest.raises(Undefined, match=r"\[let\], x: `n / \(n - 3\)`: division by zero") as caught:
        value("1 + share", spec)
    assert caught.value.expression is spec.lets["share"]


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "//", "%"])
@pytest.mark.parametrize("odd", [NAN, INFINITY, -INFINITY])
def test_arithmetic_on_nan_and_infinity_is_undefined(operator: str, odd: float) -> None:
    spec = make_spec(inputs={"f": FloatType(nan=True, infinity=True)})
    for text in (
        f"f {operator} 2",
        f"2 {operator} f",
        f"1.5 {operator} f",
        "abs(f)",
        "-f",
        "round(f, 2, half_up)",
        "sum([f])",
    ):
        with pytest.raises(Undefined):
            value(text, spec, f=odd)


def test_nan_and_infinity_compare_as_in_ieee() -> None:
    spec = make_spec(inputs={"f": FloatType(nan=True, infinity=True), "fs": ListType(item=FloatType(nan=True))})
    for odd in (NAN, INFINITY, -INFINITY):
        for operator in ("==", "!=", "<", "<=", ">", ">="):
            for other in ("0", "0.5", "10 ** 400"):
                expected = eval(
                    f"odd {operator} Fraction({other!r})" if "**" not in other else f"odd {operator} 10**400"
                )
                assert value(f"f {operator} {other}", spec, f=odd, fs=[]) is expected
    assert value("f == f", spec, f=NAN, fs=[]) is False
    assert value("fs == fs", spec, f=0, fs=[NAN]) is False
    assert value("fs == fs", spec, f=0, fs=[1]) is True
    assert value("f in fs", spec, f=NAN, fs=[NAN]) is False
    assert value("is_nan(f)", spec, f=NAN, fs=[]) is True
    assert value("is_finite(f)", spec, f=INFINITY, fs=[]) is False
    assert value("is_finite(f)", spec, f=Fraction(1, 2), fs=[]) is True
    for text in ("min(f, 1)", "max([f])", "sorted([f, 1])", "[f] < [1]"):
        with pytest.raises(Undefined, match="NaN"):
            value(text, spec, f=NAN, fs=[])
    assert value("min(f, 1)", spec, f=INFINITY, fs=[]) == 1


def test_written_decimals_remember_their_places() -> None:
    assert value("places(x)", x=WrittenDecimal(Fraction(5, 2), 2)) == 2
    assert value("places(x + 0)", x=WrittenDecimal(Fraction(5, 2), 2)) == 1
    assert value("str(x)", x=WrittenDecimal(Fraction(-5, 2), 2)) == "-2.50"
    assert value("str(x)", x=WrittenDecimal(Fraction(1, 100), 2)) == "0.01"
    assert value("x == 2.5 and x in [2.5] and x in {2.5}", x=WrittenDecimal(Fraction(5, 2), 2)) is True
    whole = WrittenDecimal(3, 2)
    assert type(value("x * 2", x=whole)) is int
    assert value("[10, 20, 30, 40][x]", x=whole) == 40
    assert value("range(x)", x=whole) == [0, 1, 2]


def test_records() -> None:
    lots = [Record("Lot", {"quantity": 2, "cost": 5}), Record("Lot", {"quantity": 1, "cost": None})]
    assert value("[l.quantity for l in lots]", lots=lots) == [2, 1]
    assert value("Lot(2, 5) == lots[0]", lots=lots) is True
    assert value("Lot(cost=5, quantity=2) in lots", lots=lots) is True
    assert value("Lot(1) == lots[1]", lots=lots) is True
    assert value("{l: 1 for l in lots}[Lot(1)]", lots=lots) == 1
    assert value("same_items(lots, reversed(lots))", lots=lots) is True
    spec = make_spec(define={"by_quantity": ("l", "l.quantity")})
    assert value("sorted(lots, key=by_quantity)[0].cost is None", spec, lots=lots) is True
    with pytest.raises(Undefined, match="no field `prize`"):
        value("lots[0].prize", lots=lots)


def test_ordered_enums_compare_in_the_order_of_their_choices() -> None:
    assert value("'LOW' < band", band="MID") is True
    assert value("band >= 'HIGH'", band="MID") is False
    assert value("max('LOW', band)", band="HIGH") == "HIGH"
    assert value("sorted([band, 'LOW', 'HIGH'])", band="MID") == ["LOW", "MID", "HIGH"]
    assert value("(1, band) < (1, 'HIGH')", band="MID") is True
    assert value("band == 'MID' and band in {'MID'} and {'MID': 1}[band] == 1", band="MID") is True
    spec = make_spec(output=ListType(item=make_spec().inputs["band"]))
    answered = scope(spec).with_result(["MID"])
    assert answered.holds(expression("result[0] < 'HIGH'"))


def test_data() -> None:
    spec = make_spec(
        data={
            "rate": "0.015",
            "rates": {"2024": Fraction(1, 4), "2025": "0.5"},
            "brackets": [{"upper": "9.5", "rate": 1}, {"upper": "10", "rate": 2}],
            "codes": ["A1", "B2"],
            "since": date(2024, 1, 1),
            "half": Fraction(1, 2),
        }
    )
    assert value("rate * 1000", spec) == 15
    assert value("rate < 1 and 1 > rate and rate == 0.015 and rate != 1", spec) is True
    assert value("rate == '0.015' and rate + '%' == '0.015%'", spec) is True
    assert value("rates[2024] + rates['2025']", spec) == Fraction(3, 4)
    assert value("2025 in rates and 2026 not in rates and rates.get(2026, 0) == 0", spec) is True
    assert value("brackets[0].rate + brackets[1]['rate']", spec) == 3
    assert value("max(b.upper for b in brackets)", spec) == "10"
    assert value("min(9.7, brackets[0].upper) + 0", spec) == Fraction(19, 2)
    assert value("sum(b.upper for b in brackets)", spec) == Fraction(39, 2)
    assert value("round(rate, 2, half_up)", spec) == Fraction(2, 100)
    assert value("'A1' in codes and codes[1] + 'x' == 'B2x'", spec) is True
    assert value("day >= since", spec) is True
    with pytest.raises(Undefined, match="no key 2026"):
        value("rates[2026]", spec)
    with pytest.raises(Undefined, match="needs a number"):
        value("codes[0] + 1", spec)
    assert DataText("1e3").number == 1000
    assert DataText("abc").number is None


def test_definitions_fold_and_scan() -> None:
    spec = make_spec(
        define={
            "add": ("state, item", "state + item"),
            "month": ("s, i", "(s[0] * 2 + i, s[1] + 1)"),
            "scaled": ("n", "n * x"),
            "twice": ("n", "scaled(n) + scaled(n)"),
        },
        lets={"base": "n + 1", "total": "fold(add, xs, base)"},
    )
    assert value("fold(add, xs, 0)", spec) == 6
    assert value("total", spec) == 10
    assert value("scan(add, xs, 1)", spec) == [4, 5, 7]
    assert value("fold(month, range(3), (1, 0))", spec) == (12, 3)
    assert value("twice(2)", spec) == 10
    assert value("max(xs, key=scaled) + min(xs, key=scaled, default=9)", spec) == 4
    assert value("max(1, n, 2, key=scaled)", spec, x=Fraction(-1)) == 1
    assert value("min([], key=scaled, default=9)", spec) == 9
    assert value("[scaled(n) for n in [1, 2]]", spec) == [Fraction(5, 2), 5]
    assert value("fold(add, [], 'empty')", spec) == "empty"


def test_names_of_functions_and_of_values_do_not_mix() -> None:
    spec = make_spec(lets={"days": "days(day - date(2024, 1, 1))", "up": "1"})
    assert value("days + up", spec) == 60
    assert value("round(x, up, up)", spec) == Fraction(5, 2)
    assert value("[sum([sum, 1]) for sum in xs]", spec) == [4, 2, 3]
    assert value("[round(x, 0, up) for up in ['down', 'up']]") == [2, 3]


def test_lets_are_lazy_and_computed_once() -> None:
    spec = make_spec(lets={"bad": "1 / 0", "good": "n + 1", "both": "good if n > 0 else bad"})
    here = scope(spec)
    assert here.let("both") == 4
    assert here.let("good") == 4
    with pytest.raises(Undefined):
        here.let("bad")
    later = here.with_result(7)
    assert later.evaluate(expression("result + both")) == 11
    with pytest.raises(Undefined, match="nothing has run"):
        here.evaluate(expression("result"))
    assert scope(spec).with_result(None, "ValueError").evaluate(expression("raised")) == "ValueError"
    assert later.evaluate(expression("raised is None")) is True


def test_inputs_must_all_be_given() -> None:
    with pytest.raises(KeyError, match="'a'"):
        scope(make_spec(inputs={"a": IntType()}))


def test_runs() -> None:
    spec = make_spec(
        inputs={"n": IntType()},
        lets={"double": "2 * n", "ten": "10"},
        define={"plus": ("m", "n + m"), "square": ("m", "m * m"), "add": ("s, m", "s + m + n")},
        data={"one": 1},
    )
    first, second = scope(spec, n=1).with_result(10), scope(spec, n=2).with_result(20)
    runs = first._evaluator.bind_runs({"a": first, "b": second})
    for text, expected in [
        ("b.result - a.result", 10),
        ("a.n + b.double", 5),
        ("b.plus(a.n)", 3),
        ("square(b.n) + ten + one", 15),
        ("[a + b.n for a in [5]]", [7]),
        ("fold(b.add, [1, 1], 0)", 6),
        ("a.raised is None", True),
    ]:
        assert runs.evaluate(expression(text)) == expected
    assert runs.holds(expression("a.result <= b.result"))
    with pytest.raises(SpecError, match="is a run"):
        runs.evaluate(expression("a"))
    with pytest.raises(SpecError, match="say of which run"):
        runs.evaluate(expression("n"))


def test_approx_uses_the_tolerance_of_the_reference() -> None:
    spec = make_spec(reference=Reference(id="reference", abs_tol=Fraction(1, 10), rel_tol=Fraction(1, 100)))
    assert value("approx(1000, 1010.1)", spec) is True
    assert value("approx(1010.3, 1000)", spec) is False
    assert value("approx([1, (2,)], [1.05, (2.1,)])", spec) is True
    assert value("approx(sqrt(2), 1.4)", spec) is True
    assert value("approx(n, 3)", make_spec()) is True
    assert value("approx(n, 3.001)", make_spec()) is False


def test_every_function_and_method_of_the_language_is_there() -> None:
    program = scope()._evaluator.program
    compiled_specially = {"min", "max", "all", "any", "sorted", "fold", "scan", "round", "round_to", "matches"}
    assert set(program.library.by_name) | compiled_specially == set(FUNCTIONS)
    assert set(Methods(program.meter, program.comparing).by_name) == set(METHODS)
