"""Between real inputs and assignments of the variables that symbolic inputs are made of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    BoolType,
    DateType,
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    ListType,
    OptionalType,
    RecordType,
    StrType,
    TupleType,
    Type,
)
from neurosym_specs.values import Record, WrittenDecimal

from neurosym_verifiers.reading.data.months import as_in_month, date_in_month
from neurosym_verifiers.reading.formulas.members import as_assigned
from neurosym_verifiers.reading.inputs.floats import assign_float, assigned_float
from neurosym_verifiers.reading.inputs.in_months import InMonth
from neurosym_verifiers.reading.inputs.inputs import missing_flag
from neurosym_verifiers.reading.inputs.looked_into import LookedInto
from neurosym_verifiers.reading.inputs.seen_texts import SeenText, given_by, taken_flag
from neurosym_verifiers.reading.inputs.shapes import Shape, first_shape, parts_of_entry
from neurosym_verifiers.reading.inputs.texts import simplest_code
from neurosym_verifiers.search.grid import fewest_places


def concrete(spec: Spec, shape: Shape, assignment: Mapping[str, int | bool], prefix: str = "") -> dict[str, Any]:
    """The inputs of a shape that an assignment of the variables stands for.

    Variables that it leaves out are at their simplest.
    """
    reader = _Concrete(shape, assignment, prefix)
    return {name: reader.read(name, type_) for name, type_ in spec.inputs.items()}


class _Concrete:
    def __init__(self, shape: Shape, assignment: Mapping[str, int | bool], prefix: str) -> None:
        self._shape = shape
        self._assignment = assignment
        self._prefix = prefix

    def read(self, place: str, type_: Type) -> Any:
        name, known = self._prefix + place, self._assignment
        match type_:
            case OptionalType(of=of):
                return None if known.get(missing_flag(name), False) else self.read(place, of)
            case LookedInto(form=form):
                return [] if form == "list" else ()
            case ListType(item=item):
                items = [self.read(f"{place}.{i}", item) for i in range(self._shape[place])]
                return items if type_.form == "list" else tuple(items)
            case DictType(key=of_key, value=of_value):
                entries = (parts_of_entry(place, i) for i in range(self._shape[place]))
                return {self.read(at_key, of_key): self.read(at_value, of_value) for at_key, at_value in entries}
            case RecordType(fields=fields):
                return Record(type_.name, {field: self.read(f"{place}.{field}", of) for field, of in fields})
            case TupleType(items=items):
                return tuple(self.read(f"{place}.{i}", of) for i, of in enumerate(items))
            case BoolType():
                return bool(known.get(name, False))
            case EnumType():
                return _choices(type_)[int(known.get(name, 0))]
            case StrType(choices=choices) if choices is not None:
                return choices[int(known.get(name, 0))]
            case StrType():
                codes = [known.get(f"{name}.{i}", simplest_code(type_)) for i in range(self._shape[place])]
                return "".join(chr(int(code)) for code in codes)
            case InMonth():
                return date_in_month(name, type_.min.year, known)
            case DateType():
                year = int(known.get(f"{name}.year", type_.min.year))
                return date(year, int(known.get(f"{name}.month", 1)), int(known.get(f"{name}.day", 1)))
            case FloatType():
                return assigned_float(name, type_, known)
            case DecimalType(places=places) if places is not None:
                value = Fraction(int(known.get(name, 0)), 10 ** places[1])
                return WrittenDecimal(value, fewest_places(value, places))
            case _:
                return int(known.get(name, 0))


def anything(type_: Type) -> Any:
    """Some value of the type, for variables whose value does not matter."""
    return _Concrete(first_shape("", type_), {}, "").read("", type_)


def _choices(type_: EnumType) -> list[str]:
    return [member for member, _ in type_.members] or list(map(str, type_.choices or ()))


def assigned(spec: Spec, inputs: Mapping[str, Any], prefix: str = "") -> dict[str, int | bool]:
    """The assignment of the variables that stands for inputs (which also have a shape, ``shapes.shape_of``)."""
    found: dict[str, int | bool] = {}
    for name, type_ in spec.inputs.items():
        _assign(prefix + name, type_, inputs[name], found)
    return found


def _assign(name: str, type_: Type, value: Any, found: dict[str, int | bool]) -> None:
    match type_:
        case OptionalType(of=of):
            found[missing_flag(name)] = value is None
            _assign(name, of, anything(of) if value is None else value, found)
        case LookedInto(item=item):
            found |= as_assigned(
                name, (each.toordinal() if isinstance(item, DateType) else int(each) for each in value)
            )
        case ListType(item=item):
            for i, element in enumerate(value):
                _assign(f"{name}.{i}", item, element, found)
        case DictType():
            for i, entry in enumerate(value.items()):
                for inner, of, part in zip(parts_of_entry(name, i), (type_.key, type_.value), entry, strict=True):
                    _assign(inner, of, part, found)
        case RecordType(fields=fields):
            for field, of in fields:
                _assign(f"{name}.{field}", of, value.fields[field], found)
        case TupleType(items=items):
            for i, of in enumerate(items):
                _assign(f"{name}.{i}", of, value[i], found)
        case BoolType():
            found[name] = bool(value)
        case EnumType():
            found[name] = _choices(type_).index(value)
        case StrType(choices=choices) if choices is not None:
            found[name] = choices.index(value)
        case SeenText(form=form):
            seen = given_by(form, value)
            found[taken_flag(name)] = seen != value
            found |= {f"{name}.{i}": ord(char) for i, char in enumerate(seen)}
        case StrType():
            found |= {f"{name}.{i}": ord(char) for i, char in enumerate(value)}
        case InMonth():
            found |= as_in_month(name, value)
        case DateType():
            found |= {f"{name}.year": value.year, f"{name}.month": value.month, f"{name}.day": value.day}
        case FloatType():
            found |= assign_float(name, type_, value)
        case DecimalType(places=places) if places is not None:
            found[name] = int(Fraction(value) * 10 ** places[1])
        case _:
            found[name] = int(value)
