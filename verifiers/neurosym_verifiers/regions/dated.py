"""Dates as days that are counted, so that a condition on two dates reads as one on their distance.

A proof has a date input as year, month and day, and its ordinal as a polynomial of these. Here the ordinal is a
variable of its own, bound to them by the universe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.types import DateType, OptionalType, RecordType, TupleType, Type

from neurosym_verifiers.reading.data.values import Day, Maybe, Record, Sequence, Value
from neurosym_verifiers.reading.formulas.bounds import Bound
from neurosym_verifiers.reading.formulas.normal_forms import both, equal
from neurosym_verifiers.reading.formulas.terms import Condition, variable
from neurosym_verifiers.reading.inputs.assignments import anything, assigned
from neurosym_verifiers.reading.inputs.inputs import SymbolicInputs

_SUFFIX = ".ordinal"


def with_ordinals(inputs: SymbolicInputs) -> SymbolicInputs:
    """The inputs with a variable for the ordinal of each date."""
    ties: list[Condition] = []
    values = {name: _counted(name, value, ties) for name, value in inputs.values.items()}
    return SymbolicInputs(values, both(inputs.universe, *ties))


def _counted(place: str, value: Value, ties: list[Condition]) -> Value:
    match value:
        case Day(ordinal=ordinal) if ordinal.constant is None:
            count = variable(place + _SUFFIX, ordinal.low, ordinal.high)
            ties.append(equal(count, ordinal))
            return replace(value, ordinal=count)
        case Maybe(missing=missing, value=some):
            return Maybe(missing, _counted(place, some, ties))
        case Record(fields=fields):
            counted = tuple((name, _counted(f"{place}.{name}", part, ties)) for name, part in fields)
            return replace(value, fields=counted)
        case Sequence(items=items):
            parts = tuple(_counted(f"{place}.{i}", item, ties) for i, item in enumerate(items))
            return replace(value, items=parts)
        case _:
            return value


def ordinal_bounds(inputs: SymbolicInputs) -> dict[str, tuple[Bound, Bound]]:
    """The bounds of these variables."""
    days = (day for value in inputs.values.values() for day in _days(value))
    return {name: bounds for day in days for name, bounds in day.ordinal.spans.items() if name.endswith(_SUFFIX)}


def _days(value: Value) -> Iterator[Day]:
    match value:
        case Day():
            yield value
        case Maybe(value=some):
            yield from _days(some)
        case Record(fields=fields):
            for _, part in fields:
                yield from _days(part)
        case Sequence(items=items):
            for item in items:
                yield from _days(item)
        case _:
            pass


def assigned_with_ordinals(spec: Spec, inputs: Mapping[str, Any]) -> dict[str, int | bool]:
    """The assignment that stands for inputs, these variables included."""
    found = assigned(spec, inputs)
    for name, type_ in spec.inputs.items():
        found |= {place + _SUFFIX: day.toordinal() for place, day in _dates(name, type_, inputs[name])}
    return found


def _dates(place: str, type_: Type, value: Any) -> Iterator[tuple[str, date]]:
    match type_:
        case OptionalType(of=of):
            yield from _dates(place, of, anything(of) if value is None else value)
        case DateType() if isinstance(value, date):
            yield place, value
        case RecordType(fields=fields):
            for name, of in fields:
                yield from _dates(f"{place}.{name}", of, value.fields[name])
        case TupleType(items=types):
            for i, (of, item) in enumerate(zip(types, value, strict=True)):
                yield from _dates(f"{place}.{i}", of, item)
        case _:
            pass
