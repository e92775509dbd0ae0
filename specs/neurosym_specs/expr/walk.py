"""What occurs among the types of a spec."""

from __future__ import annotations

from collections.abc import Iterator

from neurosym_specs.model import Spec
from neurosym_specs.types import (
    DecimalType,
    DictType,
    EnumType,
    FloatType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    TupleType,
    Type,
)


def types_within(type_: Type) -> Iterator[Type]:
    """A type and all types inside it."""
    yield type_
    match type_:
        case OptionalType(of=inner) | ListType(item=inner) | SetType(item=inner):
            yield from types_within(inner)
        case TupleType(items=items):
            for item in items:
                yield from types_within(item)
        case DictType(key=key, value=value):
            yield from types_within(key)
            yield from types_within(value)
        case RecordType(fields=fields):
            for _, field in fields:
                yield from types_within(field)
        case _:
            return


def types_of(spec: Spec) -> Iterator[Type]:
    for type_ in (*spec.types.values(), *spec.inputs.values(), spec.output):
        yield from types_within(type_)


def record_types(spec: Spec) -> dict[str, RecordType]:
    """The record types by name, which are the constructors of the language."""
    return {type_.name: type_ for type_ in types_of(spec) if isinstance(type_, RecordType)}


def nan_occurs(spec: Spec) -> bool:
    return any(isinstance(type_, FloatType | DecimalType) and type_.nan for type_ in types_of(spec))


def orders_occur(spec: Spec) -> bool:
    return any(isinstance(type_, EnumType) and type_.ordered for type_ in types_of(spec))
