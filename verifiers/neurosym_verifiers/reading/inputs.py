"""The inputs of a spec as symbolic values, and the way back from a solver's numbers to inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.types import BoolType, DateType, DecimalType, EnumType, Interval, IntType, StrType, Type
from neurosym_specs.values import WrittenDecimal

from neurosym_verifiers.reading.dates import input_day
from neurosym_verifiers.reading.terms import (
    TRUE,
    Condition,
    Flag,
    at_most,
    both,
    either,
    equal,
    number,
    variable,
)
from neurosym_verifiers.reading.values import Bool, Dec, Int, Member, NotRead, Value
from neurosym_verifiers.search.grid import fewest_places


@dataclass(frozen=True, slots=True)
class SymbolicInputs:
    """``values`` by input name; ``universe``: which assignments of their variables are inputs of the spec."""

    values: Mapping[str, Value]
    universe: Condition


def symbolic_inputs(spec: Spec, prefix: str = "") -> SymbolicInputs:
    """The inputs as variables, named with a prefix where several runs are read. Raises ``NotRead`` for other types."""
    values: dict[str, Value] = {}
    conditions: list[Condition] = []
    for name, type_ in spec.inputs.items():
        value, condition = _symbolic(prefix + name, type_)
        values[name] = value
        conditions.append(condition)
    return SymbolicInputs(values, both(*conditions))


def _symbolic(name: str, type_: Type) -> tuple[Value, Condition]:
    match type_:
        case BoolType(choices=None):
            return Bool(Flag(name)), TRUE
        case EnumType(class_name=kind, members=members):
            names = tuple(member for member, _ in members) or tuple(map(str, type_.choices or ()))
            return Member(kind, names, variable(name, 0, len(names) - 1)), TRUE
        case StrType(choices=choices) if choices is not None and not type_.also:
            return Member("", tuple(map(str, choices)), variable(name, 0, len(choices) - 1)), TRUE
        case DateType(choices=None) if not type_.also:
            return input_day(name, type_.min, type_.max)
        case IntType():
            term, condition = _number(name, type_, Fraction(1))
            return Int(term), condition
        case DecimalType(places=places) if places is not None and not type_.nan and not type_.infinity:
            if type_.negative_zero:
                raise NotRead(f"the input {name}, which may be a negative zero")
            term, condition = _number(name, type_, Fraction(1, 10 ** places[1]))
            return Dec(term, places[1]), condition
        case _:
            raise NotRead(f"the input {name}, whose type the prover does not know yet")


def _number(name: str, type_: IntType | DecimalType, step: Fraction) -> tuple[Any, Condition]:
    """A variable counted in steps. ``choices`` and ``also`` widen its bounds and are spelled out as a condition."""
    pieces: list[tuple[int | None, int | None]] = []
    if type_.choices is not None:
        pieces += [(_steps(choice, step), _steps(choice, step)) for choice in type_.choices]
    else:
        low = None if type_.min is None else -(-type_.min // step)
        high = None if type_.max is None else type_.max // step
        pieces.append((None if low is None else int(low), None if high is None else int(high)))
    for extra in type_.also:
        if not isinstance(extra, Interval):
            pieces.append((_steps(extra, step), _steps(extra, step)))
        elif isinstance(extra.low, date) or isinstance(extra.high, date):
            raise NotRead(f"the input {name}")
        else:
            pieces.append(
                (
                    None if extra.low is None else int(-(-extra.low // step)),
                    None if extra.high is None else int(extra.high // step),
                )
            )
    lows, highs = [low for low, _ in pieces], [high for _, high in pieces]
    term = variable(
        name,
        None if None in lows else min(low for low in lows if low is not None),
        None if None in highs else max(high for high in highs if high is not None),
    )
    inside: list[Condition] = []
    for low, high in pieces:
        above = TRUE if low is None else at_most(number(low), term)
        inside.append(
            equal(term, number(low))
            if low is not None and low == high
            else both(above, TRUE if high is None else at_most(term, number(high)))
        )
    return term, either(*inside)


def _steps(value: Any, step: Fraction) -> int:
    count = Fraction(value) / step
    if count.denominator != 1:
        raise NotRead("a choice that is not a multiple of its type's step")
    return int(count)


def concrete(spec: Spec, assignment: Mapping[str, int | bool], prefix: str = "") -> dict[str, Any]:
    """The inputs that an assignment of the variables stands for; variables that it leaves out are at their simplest."""
    return {name: _concrete(prefix + name, type_, assignment) for name, type_ in spec.inputs.items()}


def _concrete(name: str, type_: Type, assignment: Mapping[str, int | bool]) -> Any:
    match type_:
        case BoolType():
            return bool(assignment.get(name, False))
        case EnumType(members=members):
            names = [member for member, _ in members] or list(map(str, type_.choices or ()))
            return names[int(assignment.get(name, 0))]
        case StrType(choices=choices) if choices is not None:
            return choices[int(assignment.get(name, 0))]
        case DateType():
            year = int(assignment.get(f"{name}.year", type_.min.year))
            return date(year, int(assignment.get(f"{name}.month", 1)), int(assignment.get(f"{name}.day", 1)))
        case DecimalType(places=places) if places is not None:
            value = Fraction(int(assignment.get(name, 0)), 10 ** places[1])
            return WrittenDecimal(value, fewest_places(value, places))
        case _:
            return int(assignment.get(name, 0))


def assigned(spec: Spec, inputs: Mapping[str, Any], prefix: str = "") -> dict[str, int | bool]:
    """The assignment of the variables that stands for inputs."""
    found: dict[str, int | bool] = {}
    for name, type_ in spec.inputs.items():
        value, key = inputs[name], prefix + name
        match type_:
            case BoolType():
                found[key] = bool(value)
            case EnumType(members=members):
                names = [member for member, _ in members] or list(map(str, type_.choices or ()))
                found[key] = names.index(value)
            case StrType(choices=choices) if choices is not None:
                found[key] = choices.index(value)
            case DateType():
                found |= {f"{key}.year": value.year, f"{key}.month": value.month, f"{key}.day": value.day}
            case DecimalType(places=places) if places is not None:
                found[key] = int(Fraction(value) * 10 ** places[1])
            case _:
                found[key] = int(value)
    return found
