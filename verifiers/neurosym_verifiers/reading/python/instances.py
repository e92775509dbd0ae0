"""Which type a value is of, as ``isinstance`` and the patterns of ``match`` ask."""

from __future__ import annotations

from collections.abc import Mapping

from neurosym_verifiers.reading.data.values import (
    Bool,
    DataMember,
    Day,
    Days,
    Dec,
    Extended,
    Float,
    Guarded,
    Int,
    ItemSet,
    KeySet,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    OneOf,
    Quotient,
    Ratio,
    Record,
    Ref,
    Sequence,
    Table,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition
from neurosym_verifiers.reading.python.classes import RecordClass
from neurosym_verifiers.reading.python.enums import EnumClass

_TYPES: Mapping[str, frozenset[str]] = {
    "int": frozenset({"int"}),
    "bool": frozenset({"bool", "int"}),
    "float": frozenset({"float"}),
    "str": frozenset({"str"}),
    "list": frozenset({"list"}),
    "tuple": frozenset({"tuple"}),
    "dict": frozenset({"dict"}),
    "set": frozenset({"set"}),
    "frozenset": frozenset({"frozenset"}),
    "decimal.Decimal": frozenset({"decimal.Decimal"}),
    "fractions.Fraction": frozenset({"fractions.Fraction"}),
    "datetime.date": frozenset({"datetime.date"}),
    "datetime.timedelta": frozenset({"datetime.timedelta"}),
}
"""The types that are told apart, each with those among them that an instance of it is of."""

_KNOWN = frozenset({*_TYPES, "datetime.datetime", "bytes", "complex"})
"""What may be asked for. Nothing that is read is of the last three."""


def types_in(value: Value, line: int) -> tuple[Value, ...]:
    """The types of one side of ``int | str``. Raises ``NotRead`` for None, and for what may be no type."""
    match value:
        case Thing(name="union", of=tuple() as types):
            return types
        case Thing(of=RecordClass() | EnumClass()):
            return (value,)
        case Thing(name=name, of=None) if name in _KNOWN:
            return (value,)
        case _:
            raise NotRead("a union of these", line)


def is_instance(value: Value, kinds: Value, state: State, line: int) -> Condition:
    """``isinstance(value, kinds)``. Raises ``NotRead`` for a value whose type is not certain, or another type."""
    content = state.top(value)
    if isinstance(content, Maybe):
        return both(negated(content.missing), is_instance(content.value, kinds, state, line))
    if isinstance(kinds, Thing) and kinds.name == "union":
        kinds = Sequence(kinds.of, False)
    if isinstance(kinds, Sequence) and not kinds.is_list:
        return either(*(is_instance(value, kind, state, line) for kind in kinds.items))
    match kinds:
        case Thing(name="record", of=RecordClass() as record):
            if isinstance(content, Record):
                return TRUE if content.kind == record.name else FALSE
            asked = ""
        case Thing(of=EnumClass() as enum):
            plain = content.member if isinstance(content, DataMember) else content
            if isinstance(plain, Member) and plain.kind:
                return TRUE if plain.kind == enum.name else FALSE
            asked = ""
        case Thing(name=name, of=None) if name in _KNOWN:
            asked = name
        case _:
            raise NotRead("isinstance of this type", line)
    return TRUE if asked in _types_of(value, content, line) else FALSE


def _types_of(value: Value, content: Value, line: int) -> frozenset[str]:
    match content:
        case Int():
            kind = "int"
        case Bool():
            kind = "bool"
        case Dec() | Extended() | Quotient():
            kind = "decimal.Decimal"
        case Float():
            kind = "float"
        case Ratio():
            kind = "fractions.Fraction"
        case Text() | Member(kind=""):
            kind = "str"
        case Day():
            kind = "datetime.date"
        case Days():
            kind = "datetime.timedelta"
        case Sequence(is_list=is_list) | Guarded(is_list=is_list):
            kind = "list" if is_list else "tuple"
        case Table(default=None):
            kind = "dict"
        case KeySet() | ItemSet():
            kind = "set" if isinstance(value, (Ref, OneOf)) else "frozenset"
        case NoneValue() | Member():
            return frozenset()
        case _:
            raise NotRead("isinstance of a value whose type is not certain", line)
    return _TYPES[kind]
