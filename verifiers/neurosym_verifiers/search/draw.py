"""Values of a type: the ones that matter by themselves, and random ones that love boundaries.

Seeded and independent of hash order, so that the same spec and seed give the same inputs everywhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import count
from typing import Any

from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    Interval,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    StrType,
    TupleType,
    Type,
)
from neurosym_specs.values import Record

from neurosym_verifiers.search.grid import Grid, grid_of
from neurosym_verifiers.search.leaves import key_of
from neurosym_verifiers.search.text import LONG_RUNS, draw_text

_MOST_ELEMENTS = 64
"""Longer collections are not drawn, unless their type asks for them; changes may still make them longer."""

_ROUND_NUMBERS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 5000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Constants:
    """Numbers, texts and dates that a spec or a candidate names: thresholds worth standing on and beside."""

    numbers: tuple[Fraction, ...] = ()
    texts: tuple[str, ...] = ()
    dates: tuple[date, ...] = ()

    @property
    def characters(self) -> str:
        """The characters of the short texts: marks, signs, separators."""
        return "".join(sorted({c for text in self.texts if len(text) <= 3 for c in text}))


@dataclass(slots=True)
class Drawer:
    """Draws values of types. One per purpose and seed."""

    rng: random.Random
    constants: Constants = Constants()
    _special: dict[int, tuple[Type, list[Any]]] = field(default_factory=dict)

    def inputs(self, types: Mapping[str, Type]) -> dict[str, Any]:
        """One value for every input. Some calls use small sizes only, so that parts meet often."""
        return {name: self.value(type_) for name, type_ in types.items()}

    def value(self, type_: Type) -> Any:
        """A value of a type; strings of a pattern may miss it and are checked by the caller."""
        rng = self.rng
        match type_:
            case OptionalType(of=of):
                return None if rng.random() < 0.2 else self.value(of)
            case ListType() | SetType() | DictType():
                return self._collection(type_)
            case TupleType(items=items):
                return tuple(self.value(item) for item in items)
            case RecordType(name=name, fields=fields):
                return Record(name, {field_name: self.value(of) for field_name, of in fields})
            case StrType() if type_.choices is None:
                special = self.special(type_)
                if special and rng.random() < 0.15:
                    return rng.choice(special)
                return draw_text(type_, rng)
            case _:
                special = self.special(type_)
                grid = grid_of(type_) if type_.choices is None else None
                if grid is None or (special and rng.random() < 0.4):
                    return rng.choice(special)
                return grid.point(self._position(grid))

    def special(self, type_: Type) -> list[Any]:
        """The values of a scalar type that matter by themselves, the simplest first, each once."""
        known = self._special.get(id(type_))
        if known is None:
            unique = {key_of(value): value for value in special_values(type_, self.constants)}
            known = self._special[id(type_)] = (type_, list(unique.values()))
        return known[1]

    def _position(self, grid: Grid) -> int:
        """A point of the grid: of every magnitude, often a round number."""
        rng = self.rng
        span = grid.last - grid.first
        kind = rng.random()
        if kind < 0.25:
            return rng.randint(grid.first, grid.last)
        if kind < 0.5:
            unit = max(1, int(1 / grid.step))
            return grid.origin + rng.choice(_ROUND_NUMBERS) * rng.choice((1, unit)) * rng.choice((1, 1, 1, -1, 3, 7))
        bits = rng.randint(1, max(1, span.bit_length()))
        return grid.origin + rng.choice((1, 1, 1, -1)) * rng.getrandbits(bits)

    def _collection(self, type_: ListType | SetType | DictType) -> Any:
        rng = self.rng
        longest = type_.check_len if type_.check_len is not None else type_.max_len
        high = min(longest if longest is not None else type_.min_len + 8, max(type_.min_len, _MOST_ELEMENTS))
        size = rng.choice(
            (
                type_.min_len,
                rng.randint(type_.min_len, high),
                min(high, type_.min_len + rng.randint(0, 3)),
                high,
            )
        )
        if isinstance(type_, DictType):
            keys = self._distinct(type_.key, size, type_.min_len)
            return {key: self.value(type_.value) for key in keys}
        if isinstance(type_, SetType):
            return frozenset(self._distinct(type_.item, size, type_.min_len))
        if type_.unique:
            items = self._distinct(type_.item, size, type_.min_len)
        else:
            items = [self.value(type_.item) for _ in range(size)]
            if items and rng.random() < 0.2:
                items[rng.randrange(len(items))] = rng.choice(items)
        return in_form(type_, sorted(items) if type_.sorted else items)

    def _distinct(self, type_: Type, size: int, at_least: int) -> list[Any]:
        found: dict[Any, Any] = {}
        for attempt in count():
            if len(found) >= size or (attempt > 4 * size + 20 and (len(found) >= at_least or attempt > 1000)):
                return list(found.values())
            value = self.value(type_)
            found.setdefault(key_of(value), value)
        raise AssertionError("unreachable")


def in_form(type_: ListType, items: list[Any]) -> Any:
    """The items as the type holds them: a list, or a tuple for ``tuple[T, ...]``."""
    return items if type_.form == "list" else tuple(items)


def special_values(type_: Type, constants: Constants) -> list[Any]:
    """Range ends and their neighbours, zero and its, constants and theirs, what ``also`` adds, NaN and infinities."""
    if type_.choices is not None:
        return [*type_.choices, *(v for v in type_.also if not isinstance(v, Interval))]
    values: list[Any] = []
    match type_:
        case BoolType():
            return [False, True]
        case EnumType(members=members):
            return [name for name, _ in members]
        case StrType(min_len=shortest):
            values += ["", *constants.texts] if shortest == 0 else constants.texts
            values += ["1" * run for run in LONG_RUNS]
        case DateType() as dates:
            values += _special_dates(dates, constants.dates)
        case _:
            pass
    grid = grid_of(type_)
    if grid is not None and not isinstance(type_, DateType):
        anchors = [grid.origin, grid.first, grid.last]
        anchors += [round(number / grid.step) for number in constants.numbers if _near(grid, number / grid.step)]
        for anchor in anchors:
            values += [grid.point(anchor + delta) for delta in (0, 1, -1)]
    if isinstance(type_, FloatType):
        values += [end for end in (type_.min, type_.max) if end is not None]
        values += [near for n in constants.numbers for near in _floats_beside(n) if _inside(type_, near)]
    if isinstance(type_, (DecimalType, FloatType)):
        values += [float("nan")] if type_.nan else []
        values += [float("inf"), float("-inf")] if type_.infinity else []
    for extra in type_.also:
        if not isinstance(extra, Interval):
            values.append(extra)
        elif grid is not None:
            values += [grid.nearest(_exact(end)) for end in (extra.low, extra.high) if end is not None]
    return values


def _floats_beside(number: Fraction) -> list[Fraction]:
    """A threshold as a float, the floats next to it, its half and its double; beside zero nothing is near."""
    at = float(number)
    if at == 0:
        return [Fraction(0)]
    beside = (at, math.nextafter(at, -math.inf), math.nextafter(at, math.inf), at / 2, at * 2)
    return [Fraction(value) for value in beside if math.isfinite(value)]


def constant_values(type_: Type, constants: Constants) -> list[Any]:
    """The values of a scalar type that constants bring: each that fits and one unit beside it, each value once."""
    if type_.choices is not None:
        return []
    bare = {key_of(value) for value in special_values(type_, Constants())}
    values = {key_of(value): value for value in special_values(type_, constants)}
    return [value for key, value in values.items() if key not in bare]


def _exact(value: Fraction | date) -> Fraction:
    return Fraction(value.toordinal()) if isinstance(value, date) else value


def _near(grid: Grid, position: Fraction) -> bool:
    return grid.first - 1 <= position <= grid.last + 1


def _inside(type_: FloatType, number: Fraction) -> bool:
    return (type_.min is None or type_.min <= number) and (type_.max is None or number <= type_.max)


def _special_dates(type_: DateType, named: Sequence[date]) -> list[date]:
    """Ends of the range, of months and years, leap days, the days around them and around named days, a weekend."""
    days = [type_.min, type_.max]
    years = [y for y in (2000, 2001, 2003, 2004, 2023, 2024, 2100, 1900) if type_.min.year <= y <= type_.max.year]
    for year in years or [type_.min.year]:
        days += [date(year, 1, 1), date(year, 12, 31), date(year, 2, 28), date(year, 3, 1)]
        days += [date(year, month, 31) for month in (1, 3, 5, 7, 8, 10)] + [
            date(year, 4, 30),
            date(year, 11, 30),
        ]
        days += [date(year, 6, 15) + timedelta(n) for n in range(7)]
        if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):
            days.append(date(year, 2, 29))
    for day in named:
        days += [day + timedelta(n) for n in (-1, 0, 1) if date.min < day < date.max]
    return [day for day in days if type_.min <= day <= type_.max]
