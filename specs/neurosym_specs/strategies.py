"""Hypothesis strategies that give exactly the spec values of a type, all of them within reach.

Hypothesis is imported when a strategy is first asked for, so that reading a spec does not load it. Shrinking goes
towards what a reader finds simple: small numbers, early choices, short lists, few decimals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, assert_never

from neurosym_specs._alike import hashable, sort_key
from neurosym_specs._numbers import from_float, nearest_float
from neurosym_specs.membership import member_fault
from neurosym_specs.model import Spec
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
from neurosym_specs.values import NegativeZero, Record, WrittenDecimal

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

UNBOUNDED_LEN = 30
"""Up to this length lists and texts without a ``max_len`` are drawn."""
UNBOUNDED_PLACES = 12
"""Up to so many decimals a decimal without ``places`` is drawn with."""


def inputs_strategy(spec: Spec) -> SearchStrategy[dict[str, Any]]:
    """All inputs of the spec's universe, valid or not, by name."""

    return _in_order({name: type_strategy(type) for name, type in spec.inputs.items()})


def type_strategy(type: Type) -> SearchStrategy[Any]:
    """The spec values of one type."""
    from hypothesis import strategies as st  # heavy: loaded when asked for

    strategies = [_own(type), *(_added(type, extra) for extra in type.also)]
    return strategies[0] if len(strategies) == 1 else st.one_of(strategies)


def _in_order(strategies: dict[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    """A value by each name, in the order of the names (``fixed_dictionaries`` may draw in another)."""
    from hypothesis import strategies as st

    return st.fixed_dictionaries(strategies).map(lambda values: {name: values[name] for name in strategies})


def _own(type: Type) -> SearchStrategy[Any]:
    """The type's values without those of ``also``."""
    from hypothesis import strategies as st

    if type.choices is not None and not isinstance(type, BoolType):
        return _with_specials(type, st.sampled_from(type.choices))
    match type:
        case IntType():
            return st.integers(_ceiling(type.min), _floor(type.max))
        case DecimalType():
            return _with_specials(type, _decimals(type, type.min, type.max))
        case FloatType():
            return _with_specials(type, _floats(type, type.min, type.max))
        case FractionType():
            return st.fractions(type.min, type.max, max_denominator=type.max_denominator)
        case BoolType():
            return st.booleans() if type.choices is None else st.sampled_from(type.choices)
        case EnumType():
            return st.sampled_from(type.choices or ())
        case StrType():
            return _texts(type)
        case DateType():
            return st.dates(type.min, type.max)
        case RecordType():
            fields = {name: type_strategy(inner) for name, inner in type.fields}
            return _in_order(fields).map(lambda values: Record(type.name, values))
        case ListType():
            return _lists(type)
        case TupleType():
            return st.tuples(*(type_strategy(inner) for inner in type.items))
        case SetType():
            return st.frozensets(type_strategy(type.item), min_size=type.min_len, max_size=_limit(type))
        case DictType():
            return _dicts(type)
        case OptionalType():
            return st.one_of(st.none(), type_strategy(type.of))
        case _:
            assert_never(type)


def _added(type: Type, extra: object | Interval) -> SearchStrategy[Any]:
    """One value or one range of ``also``."""
    from hypothesis import strategies as st

    if not isinstance(extra, Interval):
        return st.just(extra)
    low, high = extra.low, extra.high
    match type:
        case IntType():
            return st.integers(_ceiling(_number(low)), _floor(_number(high)))
        case DecimalType():
            return _decimals(type, _number(low), _number(high))
        case FloatType():
            return _floats(type, _number(low), _number(high))
        case FractionType():
            return st.fractions(_number(low), _number(high), max_denominator=type.max_denominator)
        case DateType():
            first = low if isinstance(low, date) else date.min
            last = high if isinstance(high, date) else date.max
            return st.dates(first, last)
        case _:
            raise AssertionError("the loader allows ranges in also for numbers and dates only")


def _number(end: Fraction | date | None) -> Fraction | None:
    assert end is None or isinstance(end, Fraction)
    return end


def _ceiling(bound: Fraction | None) -> int | None:
    return None if bound is None else math.ceil(bound)


def _floor(bound: Fraction | None) -> int | None:
    return None if bound is None else math.floor(bound)


def _limit(type: StrType | ListType | SetType | DictType) -> int | None:
    """The largest length that is checked."""
    if type.check_len is not None:
        return type.check_len
    if type.max_len is not None:
        return type.max_len
    return max(type.min_len, UNBOUNDED_LEN)


def _with_specials(type: Type, strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """The strategy, with NaN, the infinities and negative zero where the type allows them."""
    from hypothesis import strategies as st

    if not isinstance(type, DecimalType | FloatType):
        return strategy
    specials: list[Any] = []
    if type.nan:
        specials.append(math.nan)
    if type.infinity:
        specials += [math.inf, -math.inf]
    if type.negative_zero and type.choices is None:
        places = range(type.places[0], type.places[1] + 1) if isinstance(type.places, tuple) else (0,)
        zeros = (NegativeZero(each) for each in places)
        specials += [zero for zero in zeros if member_fault(type, zero) is None]
    # Numbers first and several times, so that they shrink to the front and are not drowned by the specials.
    return st.one_of(strategy, strategy, strategy, st.sampled_from(specials)) if specials else strategy


def _decimals(type: DecimalType, low: Fraction | None, high: Fraction | None) -> SearchStrategy[Any]:
    """Decimals as scaled whole numbers; where ``places`` varies every number of places occurs."""
    from hypothesis import strategies as st

    least, most = type.places if type.places is not None else (0, UNBOUNDED_PLACES)

    def with_places(places: int) -> SearchStrategy[Any]:
        step = 10**places
        lowest = None if low is None else math.ceil(low * step)
        highest = None if high is None else math.floor(high * step)
        if lowest is not None and highest is not None and lowest > highest:
            return st.nothing()
        return st.integers(lowest, highest).map(lambda whole: WrittenDecimal(Fraction(whole, step), places))

    return st.one_of([with_places(places) for places in range(least, most + 1)])


def _floats(type: FloatType, low: Fraction | None, high: Fraction | None) -> SearchStrategy[Any]:
    """Floats as exact fractions; with ``places`` those nearest to numbers with so many decimals."""
    from hypothesis import strategies as st

    if type.places is not None:
        step = 10**type.places
        # A step further out on both sides: the nearest float of such a number may still lie inside.
        lowest = None if low is None else math.floor(low * step)
        highest = None if high is None else math.ceil(high * step)
        limit = 10**15 if lowest is None or highest is None else None
        if limit is not None:
            lowest = -limit if lowest is None else lowest
            highest = limit if highest is None else highest
        nearest = st.integers(lowest, highest).map(lambda whole: from_float(nearest_float(Fraction(whole, step))))
        return nearest.filter(lambda value: _between(low, value, high))
    return st.sampled_from(_float_places(low, high)).flatmap(lambda places: _decimal_floats(places, low, high))


def _float_places(low: Fraction | None, high: Fraction | None) -> list[int]:
    """With how many decimals the floats of a range are drawn: those that people write, more where it is narrow."""
    least = 0
    if low is not None and high is not None:
        while least < 300 and math.ceil(low * 10**least) > math.floor(high * 10**least):
            least += 1
    return sorted({least, *(max(least, places) for places in (2, 4, 6))})


def _decimal_floats(places: int, low: Fraction | None, high: Fraction | None) -> SearchStrategy[Any]:
    """The floats nearest to numbers with so many decimals, and the ends of the range.

    Amounts, rates and shares are written with a few decimals; a float drawn bit by bit is nearly always one that nobody
    wrote, such as 7.0e-161, and every clause that speaks of cents would have to exclude it.
    """
    from hypothesis import strategies as st

    step, far = 10**places, 10 ** (15 + places)
    lowest = -far if low is None else math.ceil(low * step)
    highest = far if high is None else math.floor(high * step)
    ends = [end for end in (low, high) if end is not None]
    if lowest > highest:
        return st.sampled_from(ends)
    inside = st.integers(lowest, highest).map(lambda whole: from_float(nearest_float(Fraction(whole, step))))
    kept = inside.filter(lambda value: _between(low, value, high))
    return st.one_of(kept, kept, kept, st.sampled_from(ends)) if ends else kept


def _between(low: Fraction | None, value: Any, high: Fraction | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def _texts(type: StrType) -> SearchStrategy[str]:
    from hypothesis import strategies as st

    limit = _limit(type)
    if type.pattern is not None:
        matching = st.from_regex(type.pattern, fullmatch=True, alphabet=st.characters(exclude_categories=["Cs"]))
        return matching.filter(lambda text: type.min_len <= len(text) and (limit is None or len(text) <= limit))
    alphabet = st.characters(exclude_categories=["Cs"]) if type.alphabet is None else st.sampled_from(type.alphabet)
    return st.text(alphabet, min_size=type.min_len, max_size=limit)


def _lists(type: ListType) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    key: Callable[[Any], Any] | None = hashable if type.unique else None
    lists: SearchStrategy[Any] = st.lists(
        type_strategy(type.item), min_size=type.min_len, max_size=_limit(type), unique_by=key
    )
    if type.sorted:
        lists = lists.map(lambda items: sorted(items, key=lambda item: sort_key(type.item, item)))
    return lists if type.form == "list" else lists.map(tuple)


def _dicts(type: DictType) -> SearchStrategy[dict[Any, Any]]:
    """Dicts in every order of their keys: the order in which the pairs were drawn."""
    from hypothesis import strategies as st

    pairs = st.tuples(type_strategy(type.key), type_strategy(type.value))
    drawn = st.lists(pairs, min_size=type.min_len, max_size=_limit(type), unique_by=lambda pair: hashable(pair[0]))
    return drawn.map(dict)
