"""The inputs of a call in plain notation, read by the types of the parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurosym_specs._faults import unknown, wrong_kind
from neurosym_specs._plain import from_plain
from neurosym_specs._text import json_from_text
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.membership import member_fault
from neurosym_specs.types import Type


def input_values(types: Mapping[str, Type], raw: Any, at: Place, *, all_needed: bool = True) -> dict[str, Any]:
    """The values of a table of inputs, or of an array in the order of the parameters.

    Raises ``SpecError`` for a table of other inputs, and for a value that is not of the input's type.
    """
    if isinstance(raw, list) and len(raw) == len(types):
        raw = dict(zip(types, raw, strict=True))
    if not isinstance(raw, dict):
        raise wrong_kind("a table of inputs", raw, at)
    for name in raw:
        if name not in types:
            raise unknown("input", name, types, at)
    values: dict[str, Any] = {}
    for name, type in types.items():
        if name not in raw:
            if all_needed and member_fault(type, None) is not None:
                raise SpecError(f'the input "{name}" is missing', at)
            if all_needed:
                values[name] = None
            continue
        here = at.at(f"{at.key}.{name}")
        value = from_plain(type, raw[name], here)
        fault = member_fault(type, value)
        if fault is not None:
            raise SpecError(f"outside the universe: {fault}", here, hint=f"the type of {name} in [inputs] says so")
        values[name] = value
    return values


def calls_from_plain(types: Mapping[str, Type], raw: Any, place: Place) -> tuple[dict[str, Any], ...]:
    """The inputs of one call, a table, or of several, an array of tables. Raises ``SpecError``."""
    calls = raw if isinstance(raw, list | tuple) else [raw]
    if not calls:
        raise wrong_kind("the inputs of a call, or an array of them", raw, place)
    return tuple(input_values(types, call, place.at(f"call {number}")) for number, call in enumerate(calls, start=1))


def calls_from_json(types: Mapping[str, Type], text: str, place: Place) -> tuple[dict[str, Any], ...]:
    """The same from a JSON text."""
    return calls_from_plain(types, json_from_text(text, place), place)
