"""Strategies give the values of a type, and reach all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis.errors import NoSuchExample
from neurosym_specs import NegativeZero, WrittenDecimal, member_fault, spec_from_toml, type_strategy
from neurosym_specs.types import (
    DateType,
    DecimalType,
    DictType,
    FloatType,
    FractionType,
    Interval,
    IntType,
    ListType,
    OptionalType,
    SetType,
    StrType,
    Type,
)

QUICK = settings(max_examples=2000, database=None, deadline=None, derandomize=True)
INT = IntType(min=Fraction(0), max=Fraction(3))

REACHED: list[tuple[Type, Callable[[Any], bool]]] = [
    (IntType(min=Fraction(-5), max=Fraction(5)), lambda v: v == -5),
    (IntType(choices=(1,), also=(7, Interval(Fraction(20), Fraction(22)))), lambda v: v == 7),
    (IntType(choices=(1,), also=(7, Interval(Fraction(20), Fraction(22)))), lambda v: v == 22),
    (DecimalType(places=(0, 3), min=Fraction(0), max=Fraction(1)), lambda v: v.places == 0),
    (DecimalType(places=(0, 3), min=Fraction(0), max=Fraction(1)), lambda v: v.places == 3 and v == 1),
    (DecimalType(places=(2, 2), min=Fraction("0.005"), max=Fraction("0.015")), lambda v: v == Fraction(1, 100)),
    (DecimalType(places=(0, 2), negative_zero=True), lambda v: isinstance(v, NegativeZero) and v.places == 2),
    (DecimalType(nan=True), lambda v: isinstance(v, float)),
    (FloatType(min=Fraction(0.1), max=Fraction(0.3)), lambda v: v == Fraction(0.3)),
    (FloatType(places=1, min=Fraction(0.1), max=Fraction(0.3)), lambda v: v == Fraction(0.3)),
    (FloatType(infinity=True), lambda v: v == -math.inf),
    (FloatType(negative_zero=True), lambda v: isinstance(v, NegativeZero)),
    (FractionType(min=Fraction(0), max=Fraction(1), max_denominator=3), lambda v: v == Fraction(2, 3)),
    (StrType(max_len=3, pattern="[ab]{2}|c+"), lambda v: v == "ba"),
    (StrType(alphabet="xy", min_len=2, max_len=2), lambda v: v == "yx"),
    (DateType(min=date(2024, 2, 28), max=date(2024, 3, 1), also=(date(2030, 1, 1),)), lambda v: v == date(2024, 2, 29)),
    (DateType(min=date(2024, 2, 28), max=date(2024, 3, 1), also=(date(2030, 1, 1),)), lambda v: v == date(2030, 1, 1)),
    (ListType(item=INT, max_len=4), lambda v: len(v) == 4),
    (ListType(item=INT, max_len=9, check_len=2, sorted=True, unique=True), lambda v: v == [1, 3]),
    (SetType(item=INT, min_len=2), lambda v: v == frozenset({0, 1, 2, 3})),
    (DictType(key=INT, value=INT, max_len=3), lambda v: list(v) == [2, 0, 1]),
    (OptionalType(of=INT), lambda v: v is None),
]  # fmt: skip


@pytest.mark.parametrize(("type", "wanted"), REACHED)
def test_members_only_and_within_reach(type: Type, wanted: Callable[[Any], bool]) -> None:
    assert wanted(find(type_strategy(type), wanted, settings=QUICK))

    @settings(max_examples=60, deadline=None, database=None, derandomize=True)
    @given(type_strategy(type))
    def members(value: Any) -> None:
        assert member_fault(type, value) is None

    members()


def test_no_more_than_is_checked() -> None:
    type = ListType(item=INT, max_len=9, check_len=2)
    with pytest.raises(NoSuchExample):
        find(
            type_strategy(type),
            lambda value: len(value) > 2,
            settings=settings(max_examples=200, database=None, derandomize=True),
        )


def test_it_shrinks_to_what_is_simple() -> None:
    type = DecimalType(places=(2, 2), min=Fraction(-100), max=Fraction(100), nan=True)
    smallest = find(type_strategy(type), lambda value: value > Fraction("1.5"), settings=QUICK)
    assert (smallest, smallest.places) == (WrittenDecimal(Fraction("1.51"), 2), 2)


def test_an_empty_table_of_inputs() -> None:
    from neurosym_specs import inputs_strategy

    spec = spec_from_toml('spec = 1\nname = "f"\n[inputs]\n[output]\ntype = "int"\n')
    assert find(inputs_strategy(spec), lambda value: True, settings=QUICK) == {}
