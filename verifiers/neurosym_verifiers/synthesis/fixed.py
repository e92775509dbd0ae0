"""Inputs and results that are known, as the values of a reading: what runs on them speaks of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.types import DictType, EnumType, FloatType, ListType, OptionalType, RecordType, TupleType, Type
from neurosym_specs.values import Record as SpecRecord

from neurosym_verifiers.reading.data.dates import known_day
from neurosym_verifiers.reading.data.values import (
    Bool,
    Int,
    Member,
    NoneValue,
    NotRead,
    Ratio,
    Record,
    Sequence,
    Table,
    Text,
    Value,
)
from neurosym_verifiers.reading.formulas.narrowing import Narrowing
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Flag, number
from neurosym_verifiers.reading.inputs.assignments import assigned
from neurosym_verifiers.reading.inputs.inputs import SymbolicInputs, symbolic_inputs
from neurosym_verifiers.reading.inputs.shapes import has_lists, shape_of


class Assigned(Narrowing):
    """Rewrites values with those of an assignment in place of its variables and flags."""

    def __init__(self, assignment: Mapping[str, int | bool]) -> None:
        numbers = {name: value for name, value in assignment.items() if not isinstance(value, bool)}
        super().__init__({name: (value, value) for name, value in numbers.items()})
        self._flags = {name: value for name, value in assignment.items() if isinstance(value, bool)}
        self._names = frozenset(assignment)

    def _rewritten_condition(self, condition: Condition) -> Condition:
        if isinstance(condition, Flag) and condition.name in self._flags:
            return TRUE if self._flags[condition.name] else FALSE
        return super()._rewritten_condition(condition)


def fixed_inputs(spec: Spec, inputs: Mapping[str, Any]) -> SymbolicInputs:
    """Inputs of the spec as what a program receives. Raises ``NotRead``."""
    if any(isinstance(type_, OptionalType) and has_lists(type_.of) for type_ in spec.inputs.values()):
        raise NotRead("an input that may be a list or none")
    open_ = symbolic_inputs(spec, shape_of(spec, inputs))
    known = Assigned(assigned(spec, inputs))
    values = {name: known.value(value) for name, value in open_.values.items()}
    return SymbolicInputs(values, known.condition(open_.universe))


def constant(type_: Type, value: Any) -> Value:
    """A spec value of the type as the spec's language sees it. Raises ``NotRead`` for NaN and infinities."""
    match type_, value:
        case _, None:
            return NoneValue()
        case OptionalType(of=of), _:
            return constant(of, value)
        case EnumType(), str():
            names = tuple(member for member, _ in type_.members) or tuple(map(str, type_.choices or ()))
            return Member("", names, number(names.index(value)))
        case FloatType(), float():
            raise NotRead("a result that is no number")
        case _, bool():
            return Bool(TRUE if value else FALSE)
        case _, int():
            return Int(number(value))
        case _, Fraction():
            whole = value.denominator == 1
            return Int(number(value.numerator)) if whole else Ratio(number(value.numerator), number(value.denominator))
        case _, date():
            return known_day(value)
        case _, str():
            return Text(value)
        case ListType(item=item), list() | tuple():
            return Sequence(tuple(constant(item, each) for each in value), isinstance(value, list))
        case TupleType(items=items), tuple():
            return Sequence(tuple(constant(of, each) for of, each in zip(items, value, strict=True)), False)
        case RecordType(fields=fields), SpecRecord():
            return Record(value.type_name, tuple((name, constant(of, value.fields[name])) for name, of in fields))
        case DictType(value=of), dict():
            return Table({key: constant(of, each) for key, each in value.items()})
        case _:
            raise NotRead("a result of this type")
