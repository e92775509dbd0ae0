"""``choices`` and ``also``: the only values of a type, and values and ranges beside its own."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

from neurosym_specs._alike import same
from neurosym_specs._faults import show, wrong_kind
from neurosym_specs._plain import from_plain
from neurosym_specs._tables import Table
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.membership import member_fault
from neurosym_specs.types import BoolType, Interval, StrType, Type
from neurosym_specs.values import Record


def with_choices(type: Type, table: Table) -> Type:
    """The type with its ``choices`` and ``also``, each a value of the type."""
    if "choices" in table:
        raw = table.raw["choices"]
        if not isinstance(raw, list) or not raw:
            raise wrong_kind("an array of values", raw, table.at("choices"))
        choices: list[object] = []
        for item in raw:
            value = from_plain(type, item, table.at("choices"))
            fault = member_fault(type, value)
            if fault is not None:
                raise SpecError(f"a choice outside the type: {fault}", table.at("choices"))
            if any(
                same(value, other) and getattr(value, "places", 0) == getattr(other, "places", 0) for other in choices
            ):
                raise SpecError(f"the choice {show(item)} is repeated", table.at("choices"))
            choices.append(value)
        type = dataclasses.replace(type, choices=tuple(choices))
    if "also" in table:
        raw = table.raw["also"]
        if not isinstance(raw, list):
            raise wrong_kind("an array of values and ranges", raw, table.at("also"))
        extras = tuple(_also(type, item, table.at("also")) for item in raw)
        type = dataclasses.replace(type, also=extras)
    return type


def _also(type: Type, raw: Any, place: Place) -> object | Interval:
    """A value, or a range: ``{ min, max }``, ``[min, max]`` or ``"min..max"`` (but a string of a ``str``)."""
    low, high = None, None
    if isinstance(raw, dict):
        bounds = Table(raw, place, ("min", "max")).raw
        low, high = bounds.get("min"), bounds.get("max")
    elif isinstance(raw, list) and len(raw) == 2:
        low, high = raw
    elif isinstance(raw, str) and ".." in raw and not isinstance(type, StrType):
        low, high = (part.strip() for part in raw.split("..", 1))
    else:
        return _added_value(type, raw, place)
    if isinstance(type, StrType | BoolType):
        raise wrong_kind("a string", raw, place)
    if low is None and high is None:
        raise wrong_kind("a value or a range like { min = ..., max = ... }", raw, place)
    lower, upper = (None if end is None else _bound(type, end, place) for end in (low, high))
    if lower is not None and upper is not None and lower > upper:
        raise SpecError(f"min {show(lower)} is above max {show(upper)}", place)
    return Interval(lower, upper)


def _bound(type: Type, raw: Any, place: Place) -> Any:
    value = from_plain(type, raw, place)
    if isinstance(value, float):
        raise wrong_kind("a bound", raw, place)
    return Fraction(value) if isinstance(value, int | Fraction) else value


def _added_value(type: Type, raw: Any, place: Place) -> object:
    value = from_plain(type, raw, place)
    if isinstance(value, Record):
        raise wrong_kind("a value or a range", raw, place)
    if isinstance(type, StrType) and any("\ud800" <= character <= "\udfff" for character in str(value)):
        raise SpecError("a surrogate, which no text contains", place)
    return value
