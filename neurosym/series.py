"""A result that is a list, entry by entry, at a counterexample: what a plot of a schedule is drawn from.

The candidate is called once more in the sandbox, the spec says what is right. This only shows: the verdict stands
before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeAlias

from neurosym_sandbox import LoadFailed, Returned
from neurosym_specs.model import Reference, Spec
from neurosym_specs.notation import to_plain
from neurosym_specs.semantics import within_tolerance
from neurosym_specs.types import (
    DecimalType,
    FloatType,
    FractionType,
    IntType,
    ListType,
    OptionalType,
    RecordType,
    Type,
)
from neurosym_specs.verdicts import Counterexample
from neurosym_verifiers.bench import Bench
from neurosym_verifiers.calls import OutsideType, WrongType, read_result

from neurosym.slices import Point, case_at, loaded, number_text
from neurosym.source import Delivered

_MOST_SERIES = 3
_MOST_POINTS = 240

Part: TypeAlias = Callable[[Any], Any]
"""Takes a part out of a value."""


@dataclass(frozen=True, slots=True)
class Series:
    """A number of each entry of a list, by the entry's place from 1; ``name``: which number, empty where an entry is
    one. ``entries``: how many there are, of which ``departing`` are not as they should be; the first of those is among
    the points."""

    name: str
    entries: int
    departing: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    type: Type
    rows: Part
    part: Part


def series_at(spec: Spec, bench: Bench, source: Delivered, found: Counterexample) -> tuple[Series, ...]:
    """The numbers that depart from the right ones, at most three of them, in the order of the output's type.

    Empty where the result holds no list of numbers or of records with numbers, where the spec does not say which one is
    right, or where no such result came.
    """
    columns = [*_columns(spec.output)]
    if len(found.inputs) != 1 or not columns or spec.reference is None:
        return ()
    case = case_at(spec, bench, found.inputs[0])
    if case is None or not case.accepted:
        return ()
    with loaded(spec, bench, source) as session:
        if isinstance(session.loaded, LoadFailed):
            return ()
        outcome = session.call(case.arguments)
    value = read_result(spec.output, outcome.value) if isinstance(outcome, Returned) else None
    if value is None or case.expected is None or isinstance(value, WrongType):
        return ()
    actual = value.value if isinstance(value, OutsideType) else value
    made = (_series(each, spec.reference, each.rows(case.expected), each.rows(actual)) for each in columns)
    return tuple(each for each in made if each.departing and len(each.points) > 1)[:_MOST_SERIES]


def _columns(output: Type) -> Iterator[_Column]:
    """The numbers in lists: the output itself, or fields of it."""
    inner = _inner(output)
    if isinstance(inner, ListType):
        yield from _numbers(inner.item, "", lambda value: value)
    elif isinstance(inner, RecordType):
        for field, type_ in inner.fields:
            if isinstance(type_, ListType):
                yield from _numbers(type_.item, field, _field(field))


def _numbers(item: Type, name: str, rows: Part) -> Iterator[_Column]:
    inner = _inner(item)
    if _is_number(inner):
        yield _Column(name, item, rows, lambda row: row)
    elif isinstance(inner, RecordType):
        for field, type_ in inner.fields:
            if _is_number(_inner(type_)):
                yield _Column(f"{name}.{field}".lstrip("."), type_, rows, _field(field))


def _inner(type_: Type) -> Type:
    return type_.of if isinstance(type_, OptionalType) else type_


def _is_number(type_: Type) -> bool:
    return isinstance(type_, (IntType, DecimalType, FloatType, FractionType))


def _field(name: str) -> Part:
    return lambda record: None if record is None else record.fields[name]


def _series(column: _Column, reference: Reference, expected: Sequence[Any], actual: Sequence[Any]) -> Series:
    pairs = [(None if e is None else column.part(e), None if a is None else column.part(a))
             for e, a in zip_longest(expected, actual)]  # fmt: skip
    right = [(e is not None and a is not None and within_tolerance(reference, e, a)) or e is a for e, a in pairs]
    first = right.index(False) if False in right else 0
    points = tuple(
        Point(str(place + 1), _text(column.type, pairs[place][0]), _text(column.type, pairs[place][1]), right[place])
        for place in _shown(len(pairs), first)
    )
    return Series(column.name, len(pairs), right.count(False), points)


def _shown(entries: int, first: int) -> list[int]:
    """Which entries are shown of too many: evenly spread ones, and around the first that departs."""
    step = max(1, -(-entries // _MOST_POINTS))
    near = (place for place in (first - 1, first, first + 1) if 0 <= place < entries)
    return sorted({*range(0, entries, step), entries - 1, *near} if entries else ())


def _text(type_: Type, value: Any) -> str | None:
    return None if value is None else number_text(to_plain(type_, value))
