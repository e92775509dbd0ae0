"""The directed search: places in inputs, grids, ties, texts, and the smallest input."""

from __future__ import annotations

import random
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neurosym_specs.loader import spec_from_toml
from neurosym_specs.types import (
    DateType,
    DecimalType,
    DictType,
    FloatType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    StrType,
)
from neurosym_specs.values import Record, WrittenDecimal
from neurosym_specs.verdicts import Refuted
from neurosym_verifiers.bench import Bench, Effort
from neurosym_verifiers.judgement import Judgement
from neurosym_verifiers.search.cancelling import cancelling
from neurosym_verifiers.search.climb import Together, climb, goals
from neurosym_verifiers.search.dials import Dial, dial_at
from neurosym_verifiers.search.draw import Constants, Drawer
from neurosym_verifiers.search.grid import fewest_places, grid_of
from neurosym_verifiers.search.leaves import Field, Index, ValueOf, key_of, leaves, replaced, value_at
from neurosym_verifiers.search.moves import Mover
from neurosym_verifiers.search.observe import Lookout, endless
from neurosym_verifiers.search.smallest import shrink, size_key
from neurosym_verifiers.search.ties import ties, ties_in_a_row

CENT = DecimalType(min=Fraction(-100), max=Fraction(1_000_000), places=(2, 2))
LINE = RecordType(name="line", fields=(("day", DateType()), ("amount", OptionalType(of=CENT))), form="tuple")
TYPES = {
    "lines": ListType(item=LINE, max_len=5),
    "rate": FloatType(min=Fraction(0), max=Fraction(1)),
    "names": DictType(key=StrType(max_len=5), value=IntType(min=Fraction(0), max=Fraction(9)), max_len=3),
}


def line(day: date, cents: int | None) -> Record:
    return Record("line", {"day": day, "amount": None if cents is None else WrittenDecimal(Fraction(cents, 100), 2)})


INPUTS = {
    "lines": [line(date(2024, 2, 29), 150), line(date(2024, 3, 1), None)],
    "rate": Fraction(1, 4),
    "names": {"a": 1},
}


def test_leaves_are_the_scalars_in_order() -> None:
    assert [leaf.value for leaf in leaves(TYPES, INPUTS)] == [
        date(2024, 2, 29), Fraction(3, 2), date(2024, 3, 1), None, Fraction(1, 4), "a", 1,
    ]  # fmt: skip


def test_replacing_one_place_leaves_the_rest_and_the_original_alone() -> None:
    path = ("lines", Index(0), Field("amount"))
    changed = replaced(INPUTS, path, None)
    assert value_at(changed, path) is None
    assert value_at(INPUTS, path) == Fraction(3, 2)
    assert changed["lines"][1] is INPUTS["lines"][1]
    assert replaced(INPUTS, ("names", ValueOf("a")), 7)["names"] == {"a": 7}


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (0, False), ([1], (1,)), (WrittenDecimal(1, 0), WrittenDecimal(1, 2))]
)
def test_keys_tell_apart_what_python_code_can_tell_apart(one: object, other: object) -> None:
    assert key_of(one) != key_of(other)


def test_grid_points_are_values_of_the_type_inside_its_range() -> None:
    grid = grid_of(CENT)
    assert grid is not None
    assert grid.point(150) == Fraction(3, 2)
    assert grid.point(150).places == 2
    assert grid.point(-(10**9)) == -100
    assert grid.position(Fraction(3, 2)) == 150


def test_fewest_places_of_varying_decimals() -> None:
    assert fewest_places(Fraction(3, 2), (0, 4)) == 1
    assert fewest_places(Fraction(3), (0, 4)) == 0
    assert fewest_places(Fraction(3), (2, 2)) == 2


@pytest.mark.parametrize(("divisor", "left"), [(1, 1), (30, 3), (-28, 7), (40, 1), (10**30, 1000), (3 * 10**9, 3)])
def test_what_a_decimal_has_no_end_for(divisor: int, left: int) -> None:
    assert endless(divisor) == left


@given(
    position=st.fractions(min_value=-1000, max_value=1000, max_denominator=400),
    slope=st.fractions(min_value=-5, max_value=5, max_denominator=400),
    at=st.integers(-500, 500),
)
def test_every_tie_offered_is_one_and_none_is_missed(position: Fraction, slope: Fraction, at: int) -> None:
    dial = Dial(at, -(10**6), 10**6, 0, lambda k: {}, ((), 0))
    offered = ties(position, slope, dial)
    for offset in offered:
        twice = (position + slope * offset) * 2
        assert twice.denominator == 1
        assert twice.numerator % 2 == 1
    nearby = [m for m in range(-50, 51) if (two := (position + slope * m) * 2).denominator == 1 and two.numerator % 2]
    assert bool(offered) or not nearby or slope == 0
    row = ties_in_a_row(position, slope, dial, most=6)
    assert len(row) == (6 if offered else 0)
    assert not row or row[0] <= 0 <= row[-1]
    assert {m for m in range(row[0], row[-1] + 1) if position_is_tie(position + slope * m)} == set(row) if row else True


def position_is_tie(position: Fraction) -> bool:
    return (position * 2).denominator == 1 and (position * 2).numerator % 2 == 1


def test_drawing_is_repeatable_and_stays_inside_the_types() -> None:
    first = [Drawer(random.Random(3)).inputs(TYPES) for _ in range(3)]
    again = [Drawer(random.Random(3)).inputs(TYPES) for _ in range(3)]
    assert first == again
    drawer = Drawer(random.Random(1), Constants(numbers=(Fraction(10),)))
    for _ in range(300):
        drawn = drawer.inputs(TYPES)
        assert len(drawn["lines"]) <= 5
        assert 0 <= drawn["rate"] <= 1
        assert all(-100 <= r.fields["amount"] <= 10**6 for r in drawn["lines"] if r.fields["amount"] is not None)


def test_constants_bring_their_neighbours() -> None:
    special = Drawer(random.Random(0), Constants(numbers=(Fraction(10_000),))).special(CENT)
    assert {Fraction(10_000), Fraction(10_000) + Fraction(1, 100), Fraction(10_000) - Fraction(1, 100)} <= set(special)


def test_moves_keep_the_shape_of_inputs() -> None:
    mover = Mover(TYPES, Drawer(random.Random(5)))
    inputs = INPUTS
    for _ in range(500):
        inputs = mover.changed(inputs)
        assert set(inputs) == set(TYPES)
        size_key(TYPES, inputs)


def test_shrinking_finds_the_smallest_amount_over_a_threshold() -> None:
    def fails(inputs: object) -> bool:
        lines = inputs["lines"]  # type: ignore[index]
        return sum((r.fields["amount"] or 0) for r in lines) > Fraction("1234.56")

    start = {
        **INPUTS,
        "lines": [line(date(2031, 5, 7), 99_999_91), line(date(1999, 1, 1), 12345), line(date(2024, 1, 1), 7)],
    }
    small = shrink(TYPES, start, fails, tries=2000)
    assert [r.fields["amount"] for r in small["lines"]] == [Fraction("1234.57")]
    assert small["lines"][0].fields["day"] == date(2000, 1, 1)
    assert small["names"] == {}


def test_shrinking_keeps_two_amounts_in_step() -> None:
    types = {"a": IntType(min=Fraction(0), max=Fraction(10**9)), "b": IntType(min=Fraction(0), max=Fraction(10**9))}
    small = shrink(types, {"a": 734_001, "b": 734_000}, lambda i: i["a"] == i["b"] + 1, tries=500)
    assert small == {"a": 1, "b": 0}


SHARES = """
spec = 1
name = "owners"
[types.Part]
type = "record"
as = "tuple"
fields = { of = { type = "int", min = 0, max = 10000 }, held = { type = "int", min = 0, max = 10000 } }
[inputs]
parts = { type = "list[Part]", max_len = 5 }
least = { type = "int", min = 1, max = 10000 }
[output]
type = "bool"
[reference]
value = "sum(p.of * p.held / 10000 for p in parts if p.of != p.held) >= least"
"""
TRUNCATES_EACH = """
def owners(parts, least):
    return sum(of * held // 10000 for of, held in parts if of != held) >= least
"""


@pytest.mark.parametrize("seed", range(4))
def test_who_truncates_each_share_is_found(seed: int) -> None:
    with Bench(spec_from_toml(SHARES), Effort(seed=seed, proof=False)) as bench:
        judgement = bench.judge(TRUNCATES_EACH)
        assert isinstance(judgement, Judgement)
        assert any(isinstance(verdict, Refuted) for verdict in judgement.verdicts.values())


def test_several_fine_shares_are_climbed_to() -> None:
    spec = spec_from_toml(SHARES)
    lookout = Lookout(spec)
    part = Record("Part", {"of": 101, "held": 103})
    start: dict[str, object] = {"parts": [part], "least": 1}
    seen = lookout.look(start)
    (goal, *_) = [each for each in goals([seen]) if isinstance(each, Together)]
    assert goal.score(seen) == 1
    mover = Mover(spec.inputs, Drawer(random.Random(0), Constants()))
    (found,) = climb(goal, [(start, seen)], mover, lookout, lambda inputs: True, work=100_000)
    assert len(found["parts"]) >= 2
    assert goal.score(lookout.look(found)) == 0


SHARE = """
spec = 1
name = "share"
[inputs]
price = { type = "decimal", places = 2, min = 0, max = 100000 }
parts = { type = "int", min = 1, max = 360 }
[output]
type = "decimal"
places = 2
[reference]
value = "round(price * parts / 360, 2, half_up)"
"""
DIVIDES_FIRST = """
from decimal import Decimal, ROUND_HALF_UP
def share(price, parts):
    return (price / 360 * parts).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
"""


@pytest.mark.parametrize("seed", range(3))
def test_who_divides_first_is_found_on_a_tie_at_which_the_divisor_is_cancelled(seed: int) -> None:
    with Bench(spec_from_toml(SHARE), Effort(seed=seed, proof=False)) as bench:
        judgement = bench.judge(DIVIDES_FIRST)
        assert isinstance(judgement, Judgement)
        assert any(isinstance(verdict, Refuted) for verdict in judgement.verdicts.values())


def test_a_second_input_is_turned_until_the_divisor_is_cancelled() -> None:
    spec = spec_from_toml(SHARE)
    lookout = Lookout(spec)
    start: dict[str, object] = {"price": WrittenDecimal(Fraction(1), 2), "parts": 10}
    seen = lookout.look(start)
    assert seen.divisor == 9
    (key,) = seen.positions
    dial = dial_at(spec.inputs, start, (("price",), 0))
    assert dial is not None
    shots = list(cancelling(spec.inputs, lookout, seen, key, dial, random.Random(0)))
    assert shots
    assert all(shot["parts"] % 9 == 0 and lookout.look(shot).is_tie(key) for shot in shots)
    assert any(shot["price"] * 100 % 3 for shot in shots)
