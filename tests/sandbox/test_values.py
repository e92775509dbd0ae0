"""Values cross the wall exactly: types, signs of zero, places of decimals, lone surrogates, order of dicts."""

import datetime as dt
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neurosym_sandbox import BadValue, EnumMember, Instance, Jail, Program, Raised, Returned, _reply, _wire

zones = st.none() | st.integers(-1439, 1439).map(lambda minutes: dt.timezone(dt.timedelta(minutes=minutes)))
decimals = st.decimals() | st.builds(
    lambda sign, digits, exponent: Decimal((sign, tuple(digits), exponent)),
    st.integers(0, 1),
    st.lists(st.integers(0, 9), min_size=1, max_size=40),
    st.integers(-90_000, 90_000) | st.sampled_from(["F", "n", "N"]),
)
texts = st.text(st.characters(exclude_categories=()))  # lone surrogates too
keys = st.deferred(lambda: scalars.filter(lambda value: not (isinstance(value, Decimal) and value.is_snan())))
hashable = keys | st.lists(keys, max_size=3).map(tuple) | st.frozensets(keys, max_size=3)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    texts,
    st.binary(),
    decimals,
    st.fractions(),
    st.dates(),
    st.times(timezones=zones),
    st.datetimes(timezones=zones),
    st.timedeltas(),
    st.builds(EnumMember, st.just("Side"), st.sampled_from(["BUY", "SELL"])),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(hashable, max_size=4),
        st.frozensets(hashable, max_size=4),
        st.dictionaries(hashable, inner, max_size=4),
        st.builds(lambda a, b: Instance("Trade", "dataclass", (("price", a), ("tags", b))), inner, inner),
        st.builds(lambda a, b: Instance("Pair", "namedtuple", (("first", a), ("second", b))), inner, inner),
    ),
    max_leaves=12,
)

DECLARATIONS = """
import dataclasses, enum, typing
class Side(enum.Enum):
    BUY = 1
    SELL = 2
@dataclasses.dataclass(frozen=True)
class Trade:
    price: object
    tags: object
class Pair(typing.NamedTuple):
    first: object
    second: object
"""


def same(a: object, b: object) -> bool:
    """Equality of types, values, signs, places, and order of dicts; NaN equals itself; sets by their encoding."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float) and isinstance(b, float):
        return a.hex() == b.hex()
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return a.as_tuple() == b.as_tuple()
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, Instance) and isinstance(b, Instance):
        return (a.class_name, a.kind) == (b.class_name, b.kind) and same(a.fields, b.fields)
    if isinstance(a, set | frozenset) and isinstance(b, set | frozenset):
        return _reply.encode_arguments((a,)) == _reply.encode_arguments((b,))
    if isinstance(a, dt.datetime | dt.time) and isinstance(b, dt.datetime | dt.time):
        return repr(a) == repr(b)
    return a == b


def encodable(value: object) -> bytes | None:
    """None for what is legal in Python and refused on purpose: a set of two NaNs."""
    try:
        return _reply.encode_arguments((value,))
    except _wire.Unfit as refusal:
        if "identity" not in str(refusal):
            raise
        return None


@settings(max_examples=300, deadline=None)
@given(values)
def test_round_trip_on_the_host(value):
    body = encodable(value)
    if body is not None:
        decoded = _reply.value(_wire.parse(body))
        assert same(decoded, (value,))
        assert _reply.encode_arguments(decoded) == body  # canonical


@settings(max_examples=300, deadline=None)
@given(values)
def test_round_trip_through_the_jail(value):
    if encodable(value) is None:
        return
    outcome = SESSION.call((value,))
    assert isinstance(outcome, Returned), outcome
    assert same(outcome.value, value)
    assert outcome.arguments_after is None


@pytest.fixture(scope="module", autouse=True)
def _session():
    global SESSION
    with Jail() as jail, jail.open(Program("def f(x): return x", "f", prelude=DECLARATIONS)) as session:
        SESSION = session
        yield


@pytest.mark.parametrize(
    "value",
    [
        -0.0,
        math.inf,
        Decimal("-0E+5"),
        Decimal("1.10"),
        Decimal("-sNaN12"),
        Decimal("-Infinity"),
        Fraction(-7, 3),
        "\ud83d\ude00",  # two lone surrogates are not one character
        "a\0b\u202ec\x1b[31m",
        10**400,
        -(2**63),
        2**63,
        {"b": 1, "a": 2},
        {1: {2: {3: ()}}},
        dt.datetime(2024, 11, 3, 1, 30, fold=1),
        dt.timedelta.min,
        bytes(range(256)),
        {(1, "a"), None, Decimal("2.5")},
        [[]] * 3,
    ],
)
def test_selected_values(value):
    outcome = SESSION.call((value,))
    assert isinstance(outcome, Returned)
    assert same(outcome.value, value)


def test_a_context_with_small_e_writes_the_same_bytes(run):
    source = "import decimal\ndef f(x):\n    decimal.getcontext().capitals = 0\n    return [x]"
    outcome = run(source, [Decimal("1E+30")])
    assert isinstance(outcome, Returned)
    assert same(outcome.value, [[Decimal("1E+30")]])
    assert outcome.arguments_after is None


def test_depth_is_bounded_on_both_sides(run):
    deep: object = 1
    for _ in range(_wire.MAX_DEPTH - 1):
        deep = [deep]
    assert isinstance(SESSION.call((deep,)), Returned)
    with pytest.raises(ValueError, match="nested deeper"):
        SESSION.call(([deep],))
    outcome = run("def f(x): return [[x]]", deep)
    assert isinstance(outcome, BadValue)
    assert "nested deeper" in outcome.reason


def test_declared_classes(run):
    source = """
def f(side, trade, pair):
    assert side is Side.BUY and type(trade) is Trade and pair.first == 1
    return Side["SELL"], dataclasses.replace(trade, price=pair.second), Pair(*pair), {side: [pair]}
"""
    pair = Instance("Pair", "namedtuple", (("first", 1), ("second", Decimal("2.50"))))
    trade = Instance("Trade", "dataclass", (("price", 0), ("tags", ("a",))))
    outcome = run(source, EnumMember("Side", "BUY"), trade, pair, prelude=DECLARATIONS)
    assert isinstance(outcome, Returned), outcome
    changed = Instance("Trade", "dataclass", (("price", Decimal("2.50")), ("tags", ("a",))))
    assert outcome.value == (EnumMember("Side", "SELL"), changed, pair, {EnumMember("Side", "BUY"): [pair]})


def test_the_candidates_own_declarations_win(run):
    source = "import enum\nclass Side(enum.IntEnum):\n    BUY = 7\ndef f(side): return side + 1, side"
    outcome = run(source, EnumMember("Side", "BUY"), prelude=DECLARATIONS)
    assert isinstance(outcome, Returned)
    assert outcome.value == (8, EnumMember("Side", "BUY"))


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        (EnumMember("Side", "HOLD"), "no enum Side with a member HOLD"),
        (EnumMember("Trade", "BUY"), "no enum Trade"),
        (Instance("Trade", "dataclass", (("price", 1),)), "no dataclass Trade with the fields price"),
        (Instance("Nowhere", "dataclass", ()), "no dataclass Nowhere"),
        (Instance("Pair", "namedtuple", (("second", 1), ("first", 1))), "no namedtuple Pair"),
    ],
)
def test_arguments_that_fit_no_declaration(run, argument, reason):
    outcome = run("def f(x): return x", argument, prelude=DECLARATIONS)
    assert isinstance(outcome, BadValue)
    assert reason in outcome.reason


CHECKED = """
import dataclasses
@dataclasses.dataclass
class Amount:
    cents: int
    half: int = dataclasses.field(init=False, default=0)
    def __post_init__(self):
        if self.cents < 0: raise ValueError("negative")
        self.half = self.cents // 2
"""


def test_a_class_that_refuses_its_fields_raises(run):
    fields = (("cents", -1), ("half", 0))
    outcome = run(CHECKED + "def f(x): return x", Instance("Amount", "dataclass", fields))
    assert isinstance(outcome, Raised)
    assert outcome.exception.message == "negative"


def test_mutated_instances_are_seen_and_derived_fields_kept(run):
    amount = Instance("Amount", "dataclass", (("cents", 10), ("half", 9)))
    outcome = run(CHECKED + "def f(x): return x.half", amount)
    assert isinstance(outcome, Returned)
    assert (outcome.value, outcome.arguments_after) == (9, None)
    outcome = run(CHECKED + "def f(x): x.half += 1", amount)
    changed = Instance("Amount", "dataclass", (("cents", 10), ("half", 10)))
    assert isinstance(outcome, Returned)
    assert outcome.arguments_after == (changed,)


def test_large_flat_lists_cost_little(run):
    numbers = list(range(100_000))
    outcome = run("def f(x): return x", numbers)
    assert isinstance(outcome, Returned)
    assert outcome.value == numbers
    assert outcome.usage.cpu_s < 0.5
