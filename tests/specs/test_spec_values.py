"""Spec values: which belong to a type, and how they are written."""

# ruff: noqa: E501  (a table of cases reads best with one case on one line)
from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neurosym_specs import (
    NegativeZero,
    Record,
    SpecError,
    WrittenDecimal,
    call_source,
    declarations,
    from_plain,
    inputs_strategy,
    inputs_to_plain,
    load_spec,
    member_fault,
    to_plain,
    to_source,
)
from neurosym_specs._alike import same
from neurosym_specs.errors import Place
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    FractionType,
    Interval,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    TupleType,
    Type,
)

CENTS = DecimalType(places=(2, 2), min=Fraction(0), max=Fraction(10))
VARYING = DecimalType(places=(0, 3), negative_zero=True, nan=True, infinity=True)
FREE = DecimalType()
FLOAT = FloatType(nan=True, infinity=True, negative_zero=True)
BAND = EnumType(choices=("LOW", "HIGH"), class_name="Band", members=(("LOW", 1), ("HIGH", 2)), ordered=True)
POINT = RecordType(name="Point", fields=(("x", IntType()), ("y", OptionalType(of=IntType()))))
PAIR = RecordType(name="Pair", fields=(("a", IntType()), ("b", OptionalType(of=StrType()))), form="tuple")
ROW = RecordType(name="Row", fields=(("a", IntType()),), form="dict")
FLAG = RecordType(name="Flag", fields=(("none", BoolType()),))


def money(text: str) -> WrittenDecimal:
    value = from_plain(FREE, text, Place())
    assert isinstance(value, WrittenDecimal)
    return value


# type, plain, spec value, canonical plain, Python source
WRITTEN: list[tuple[Type, Any, Any, Any, str]] = [
    (IntType(), 5, 5, 5, "5"),
    (IntType(), "-12", -12, -12, "-12"),
    (CENTS, "1.5", Fraction(3, 2), "1.50", 'Decimal("1.50")'),
    (CENTS, 1, Fraction(1), "1.00", 'Decimal("1.00")'),
    (CENTS, 0.1, Fraction(1, 10), "0.10", 'Decimal("0.10")'),
    (VARYING, "1.50", Fraction(3, 2), "1.50", 'Decimal("1.50")'),
    (VARYING, "-0.0", 0, "-0.0", 'Decimal("-0.0")'),
    (VARYING, "-inf", -math.inf, "-inf", 'Decimal("-Infinity")'),
    (VARYING, "inf", math.inf, "inf", 'Decimal("Infinity")'),
    (FREE, "1.2E+3", Fraction(1200), "12E+2", 'Decimal("12E+2")'),
    (FREE, "1e-7", Fraction(1, 10**7), "0.0000001", 'Decimal("0.0000001")'),
    (FLOAT, "0.1", Fraction(0.1), "0.1", "0.1"),
    (FLOAT, 3, Fraction(3), "3.0", "3.0"),
    (FLOAT, "5e-324", Fraction(5e-324), "5e-324", "5e-324"),
    (FLOAT, "-0.0", 0, "-0.0", "-0.0"),
    (FLOAT, math.inf, math.inf, "inf", 'float("inf")'),
    (FractionType(), "1/3", Fraction(1, 3), "1/3", "Fraction(1, 3)"),
    (FractionType(), "0.25", Fraction(1, 4), "1/4", "Fraction(1, 4)"),
    (FractionType(), 2, Fraction(2), "2", "Fraction(2)"),
    (BoolType(), True, True, True, "True"),
    (StrType(), "it's", "it's", "it's", '"it\'s"'),
    (StrType(), 'a "b"\n', 'a "b"\n', 'a "b"\n', "'a \"b\"\\n'"),
    (BAND, "LOW", "LOW", "LOW", "Band.LOW"),
    (EnumType(choices=("a",)), "a", "a", "a", '"a"'),
    (DateType(), date(2024, 2, 29), date(2024, 2, 29), "2024-02-29", "date(2024, 2, 29)"),
    (DateType(), "2024-02-29", date(2024, 2, 29), "2024-02-29", "date(2024, 2, 29)"),
    (POINT, {"x": 1}, Record("Point", {"x": 1, "y": None}), {"x": 1, "y": None}, "Point(x=1, y=None)"),
    (PAIR, [1, "b"], Record("Pair", {"a": 1, "b": "b"}), {"a": 1, "b": "b"}, '(1, "b")'),
    (ROW, {"a": 1}, Record("Row", {"a": 1}), {"a": 1}, '{"a": 1}'),
    (ListType(item=IntType()), [1, 2], [1, 2], [1, 2], "[1, 2]"),
    (ListType(item=IntType(), form="tuple"), [1], (1,), [1], "(1,)"),
    (TupleType(items=(IntType(), BoolType())), [1, True], (1, True), [1, True], "(1, True)"),
    (SetType(item=IntType()), [10, 9], frozenset({9, 10}), [9, 10], "{9, 10}"),
    (SetType(item=CENTS), ["10", "9"], frozenset({9, 10}), ["9.00", "10.00"], '{Decimal("9.00"), Decimal("10.00")}'),
    (SetType(item=IntType()), [], frozenset(), [], "set()"),
    (DictType(key=StrType(), value=IntType()), {"b": 1, "a": 2}, {"b": 1, "a": 2}, {"b": 1, "a": 2}, '{"b": 1, "a": 2}'),
    (DictType(key=IntType(), value=IntType()), {"12": 1}, {12: 1}, [[12, 1]], "{12: 1}"),
    (DictType(key=BoolType(), value=IntType()), {"true": 1}, {True: 1}, [[True, 1]], "{True: 1}"),
    (DictType(key=PAIR, value=IntType()), [[[1, "x"], 2]], {Record("Pair", {"a": 1, "b": "x"}): 2},
     [[{"a": 1, "b": "x"}, 2]], '{(1, "x"): 2}'),
    (OptionalType(of=IntType()), None, None, None, "None"),
    (OptionalType(of=IntType()), {"none": True}, None, None, "None"),
    (OptionalType(of=FLAG), {"none": True}, Record("Flag", {"none": True}), {"none": True}, "Flag(none=True)"),
    (OptionalType(of=DictType(key=StrType(), value=BoolType())), [["none", True]], {"none": True},
     [["none", True]], '{"none": True}'),
]  # fmt: skip


@pytest.mark.parametrize(("type", "plain", "value", "canonical", "source"), WRITTEN)
def test_written_forms(type: Type, plain: Any, value: Any, canonical: Any, source: str) -> None:
    read = from_plain(type, plain, Place())
    assert read == value
    assert member_fault(type, read) is None
    assert to_plain(type, read) == canonical
    again = from_plain(type, canonical, Place())
    assert again == read
    assert getattr(again, "places", None) == getattr(read, "places", None)
    assert isinstance(again, NegativeZero) == isinstance(read, NegativeZero)
    assert to_source(type, read) == source


def test_nan_is_written() -> None:
    for type, source in ((FLOAT, 'float("nan")'), (VARYING, 'Decimal("NaN")')):
        value = from_plain(type, "NaN", Place())
        assert math.isnan(value)
        assert to_plain(type, value) == "nan"
        assert to_source(type, value) == source


@pytest.mark.parametrize(
    ("type", "plain", "fault"),
    [
        (IntType(), True, "expected a whole number, found true"),
        (IntType(), "1.0", "expected a whole number"),
        (IntType(), math.nan, "expected a whole number, found nan"),
        (CENTS, "1/3", 'expected a number, found "1/3"'),
        (CENTS, " 1", "expected a number"),
        (CENTS, "1e-99999", "expected a number"),
        (CENTS, Fraction(1, 3), "expected a number with decimals"),
        (FLOAT, "1e400", '"1e400" is too large for a float'),
        (FractionType(), "1/0", "expected a number"),
        (BoolType(), 1, "expected true or false, found 1"),
        (StrType(), 1, "expected a string"),
        (BAND, "MID", 'unknown choice "MID"'),
        (BAND, 1, "expected one of LOW, HIGH, found 1"),
        (DateType(), "20240101", "expected a date"),
        (DateType(), "2024-13-01", "there is no date 2024-13-01"),
        (POINT, {"x": 1, "z": 2}, 'unknown field of Point "z"'),
        (POINT, {"y": 2}, 'the field "x" of Point is missing'),
        (POINT, [1, 2], "expected a table with the fields x, y"),
        (PAIR, [1], "1 values for the 2 fields of Pair"),
        (ListType(item=IntType()), {"a": 1}, "expected an array"),
        (TupleType(items=(IntType(),)), [1, 2], "2 values for a tuple of 1"),
        (SetType(item=IntType()), [1, 1], "repeated"),
        (DictType(key=IntType(), value=IntType()), [[1, 1], [1, 2]], "stands twice"),
        (DictType(key=IntType(), value=IntType()), [[1]], "expected a table, or an array of [key, value] pairs"),
    ],
)
def test_plain_values_of_another_kind(type: Type, plain: Any, fault: str) -> None:
    with pytest.raises(SpecError) as caught:
        from_plain(type, plain, Place("f.toml", "[x]", "in.v"))
    assert fault in str(caught.value)
    assert str(caught.value).startswith("f.toml, [x], in.v")


MEMBERS: list[tuple[Type, Any, str | None]] = [
    (IntType(min=Fraction(0)), True, "true is not a whole number"),
    (IntType(min=Fraction(0)), -1, "-1 is below the minimum 0"),
    (IntType(choices=(1, 3), also=(5, Interval(Fraction(7), Fraction(9)))), 5, None),
    (IntType(choices=(1, 3), also=(5, Interval(Fraction(7), Fraction(9)))), 8, None),
    (IntType(choices=(1, 3), also=(5, Interval(Fraction(7), Fraction(9)))), 6, "6 is none of the choices 1, 3"),
    (CENTS, WrittenDecimal(1, 2), None),
    (CENTS, WrittenDecimal(1, 0), "1 has 0 decimals instead of 2"),
    (CENTS, WrittenDecimal(11, 2), "11.00 is above the maximum 10"),
    (CENTS, NegativeZero(2), "a negative zero, which the type excludes"),
    (CENTS, math.nan, "NaN, which the type excludes"),
    (VARYING, NegativeZero(1), None),
    (VARYING, WrittenDecimal(Fraction(1, 10000), 4), "0.0001 has 4 decimals instead of 0 to 3"),
    (DecimalType(places=(2, 2), choices=(WrittenDecimal(1, 2),)), WrittenDecimal(1, 2), None),
    (FLOAT, Fraction(0.1), None),
    (FLOAT, Fraction(1, 10), "0.1 is no float"),
    (FLOAT, 0.5, "0.5 is not a number"),
    (FloatType(places=1), Fraction(0.3), None),
    (FloatType(places=1), Fraction(0.1 + 0.2), "0.30000000000000004 is not the float nearest to a number with 1 decimal"),
    (FractionType(max_denominator=3), Fraction(1, 4), "0.25 has a denominator above 3"),
    (StrType(min_len=2), "a", '"a" is shorter than 2'),
    (StrType(max_len=2), "abc", '"abc" is longer than 2'),
    (StrType(alphabet="ab"), "abc", '"c" is not in the alphabet'),
    (StrType(pattern="a|ab"), "ab", None),
    (StrType(pattern="a*"), "ab", '"ab" does not match the pattern a*'),
    (StrType(), "\ud800", "a surrogate, which no text contains"),
    (DateType(min=date(2024, 1, 1)), date(2023, 12, 31), "2023-12-31 is below the minimum 2024-01-01"),
    (ListType(item=IntType(max=Fraction(5)), max_len=2), [1, 9], "[1]: 9 is above the maximum 5"),
    (ListType(item=IntType(), max_len=2), [1, 2, 3], "3 elements, more than 2"),
    (ListType(item=IntType(), max_len=2), (1, 2), "[1, 2] is not a list"),
    (ListType(item=CENTS, unique=True), [money("1.00"), money("1.00")], "1.00 is repeated"),
    (ListType(item=IntType(), sorted=True), [1, 3, 2], "not sorted: 3 stands before 2"),
    (ListType(item=BAND, sorted=True), ["LOW", "HIGH"], None),
    (ListType(item=BAND, sorted=True), ["HIGH", "LOW"], 'not sorted: "HIGH" stands before "LOW"'),
    (POINT, Record("Point", {"x": 1, "y": "a"}), 'y: "a" is not a whole number'),
    (POINT, Record("Point", {"x": 1}), 'the field "y" of Point is missing'),
    (ListType(item=POINT), [Record("Point", {"x": None, "y": 1})], "[0].x: none is not a whole number"),
    (DictType(key=IntType(), value=BAND), {1: "MID"}, '[1]: "MID" is none of the choices "LOW", "HIGH"'),
    (DictType(key=IntType(), value=BAND), {"x": "LOW"}, '["x"] (its key): "x" is not a whole number'),
    (SetType(item=IntType(), min_len=1), frozenset(), "0 elements, fewer than 1"),
    (TupleType(items=(IntType(), IntType())), (1,), "1 elements instead of 2"),
    (OptionalType(of=IntType(max=Fraction(1))), None, None),
    (OptionalType(of=IntType(max=Fraction(1))), 2, "2 is above the maximum 1"),
]  # fmt: skip


@pytest.mark.parametrize(("type", "value", "fault"), MEMBERS)
def test_members(type: Type, value: Any, fault: str | None) -> None:
    assert member_fault(type, value) == fault


def test_results_may_be_written_with_other_places() -> None:
    for text in ("5", "5.0", "5.00", "5.000"):
        assert member_fault(CENTS, money(text), result=True) is None
    assert member_fault(CENTS, money("5.001"), result=True) == "5.001 has more than 2 decimals"
    assert member_fault(CENTS, NegativeZero(2), result=True) is None  # only the number counts
    assert member_fault(FloatType(), NegativeZero(), result=True) is None
    exact = DecimalType(places=(2, 2), exact_exponent=True)
    assert member_fault(exact, money("5.00"), result=True) is None
    assert member_fault(exact, NegativeZero(2), result=True) == "a negative zero, which the type excludes"
    assert member_fault(exact, money("5.0"), result=True) == "5.0 has 1 decimal instead of 2"


def test_a_negative_zero_computes_as_zero() -> None:
    zero = NegativeZero(2)
    assert zero == 0
    assert zero + 1 == 1
    assert type(-zero) is Fraction
    assert not same(zero, WrittenDecimal(0, 2))


@dataclass
class Sink:
    """What ``f(...)`` was called with."""

    arguments: tuple[Any, ...] = ()


def test_every_input_can_be_written_and_read_back(everything: Path) -> None:
    spec = load_spec(everything)
    names: dict[str, Any] = {}
    source = (
        declarations(spec)
        + "\nfrom decimal import Decimal\nfrom fractions import Fraction\nfrom datetime import date\n"
    )
    exec(compile(source, "<declarations>", "exec"), names)  # our own text, in a test
    sink = Sink()

    def take(*arguments: Any) -> None:
        sink.arguments = arguments

    names[spec.name] = take
    run: Callable[[str], Any] = lambda text: eval(text, names)  # noqa: E731

    @settings(max_examples=60, deadline=None, database=None, derandomize=True)
    @given(inputs_strategy(spec))
    def check(values: dict[str, Any]) -> None:
        plain = inputs_to_plain(spec.inputs, values)
        for name, type in spec.inputs.items():
            assert member_fault(type, values[name]) is None
            again = from_plain(type, plain[name], Place())
            assert to_plain(type, again) == plain[name]
            assert again == values[name] or plain_has_nan(plain[name])
        run(call_source(spec, values))
        money_in, line, grade = (sink.arguments[list(spec.inputs).index(name)] for name in ("money", "line", "grade"))
        assert type_name(money_in) == "Decimal"
        assert money_in.as_tuple().exponent == -2
        assert Fraction(money_in) == values["money"]
        assert line == (values["line"].fields["cents"], values["line"].fields["day"])
        assert (grade is None) == (values["grade"] is None)
        assert grade is None or grade.name == values["grade"]

    check()


def plain_has_nan(plain: object) -> bool:
    return '"nan"' in json.dumps(plain)


def type_name(value: object) -> str:
    return type(value).__name__


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(st.floats())
def test_floats_survive(value: float) -> None:
    read = from_plain(FLOAT, repr(value), Place())
    text = to_source(FLOAT, read)
    assert repr(eval(text)) == repr(value)


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=4) | st.integers().map(Decimal))
def test_decimals_survive(value: Decimal) -> None:
    read = from_plain(FREE, str(value), Place())
    assert repr(eval(to_source(FREE, read))) == repr(value)
