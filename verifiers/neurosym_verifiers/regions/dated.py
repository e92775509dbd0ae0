"""Dates as days that are counted, so that a condition on two dates reads as one on their distance.

A proof has a date input as year, month and day, and its ordinal as a polynomial of these. Here the ordinal is a
variable of its own, bound to them by the universe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from neurosym_specs.model import Spec

from neurosym_verifiers.reading.assignments import assigned
from neurosym_verifiers.reading.bounds import Bound
from neurosym_verifiers.reading.inputs import SymbolicInputs
from neurosym_verifiers.reading.normal_forms import both, equal
from neurosym_verifiers.reading.terms import Condition, variable
from neurosym_verifiers.reading.values import Day, Value

_SUFFIX = ".ordinal"


def with_ordinals(inputs: SymbolicInputs) -> SymbolicInputs:
    """The inputs with a variable for the ordinal of each date."""
    ties: list[Condition] = []
    values = {name: _counted(name, value, ties) for name, value in inputs.values.items()}
    return SymbolicInputs(values, both(inputs.universe, *ties))


def _counted(name: str, value: Value, ties: list[Condition]) -> Value:
    if not isinstance(value, Day) or value.ordinal.constant is not None:
        return value
    count = variable(name + _SUFFIX, value.ordinal.low, value.ordinal.high)
    ties.append(equal(count, value.ordinal))
    return replace(value, ordinal=count)


def ordinal_bounds(inputs: SymbolicInputs) -> dict[str, tuple[Bound, Bound]]:
    """The bounds of these variables."""
    return {
        name + _SUFFIX: (value.ordinal.low, value.ordinal.high)
        for name, value in inputs.values.items()
        if isinstance(value, Day)
    }


def assigned_with_ordinals(spec: Spec, inputs: Mapping[str, Any]) -> dict[str, int | bool]:
    """The assignment that stands for inputs, these variables included."""
    found = assigned(spec, inputs)
    for name, value in inputs.items():
        if isinstance(value, date):
            found[name + _SUFFIX] = value.toordinal()
    return found
