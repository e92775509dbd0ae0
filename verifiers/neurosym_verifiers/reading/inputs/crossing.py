"""Symbolic values on their way into a program and out of it, and as the spec's language sees them.

Inputs are made as the spec's types say. A program gets its own form of them: lists in the heap, records as what they
are in Python. A result comes back without a heap, and is looked at through the output's type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from neurosym_specs.types import DictType, ListType, OptionalType, RecordType, SetType, TupleType, Type

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.exact import as_number
from neurosym_verifiers.reading.data.values import (
    DataMember,
    Dec,
    Extended,
    Float,
    Guarded,
    Int,
    Lookup,
    LoopList,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    Record,
    Sequence,
    Table,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.heap import Heap
from neurosym_verifiers.reading.execution.merging import presence
from neurosym_verifiers.reading.formulas.terms import TRUE
from neurosym_verifiers.reading.loop_lists.making import with_items


def to_python(type_: Type, value: Value, heap: Heap) -> Value:
    """What a program receives for an input of the type; lists are put into the heap."""
    match type_, value:
        case OptionalType(of=of), Maybe(missing=missing, value=some):
            return Maybe(missing, to_python(of, some, heap))
        case ListType(item=item, form=form), Sequence(items=items):
            made = Sequence(tuple(to_python(item, each, heap) for each in items), form == "list")
            return heap.new(made) if form == "list" else made
        case TupleType(items=types), Sequence(items=items):
            return Sequence(tuple(to_python(t, each, heap) for t, each in zip(types, items, strict=True)), False)
        case DictType(key=key_type, value=value_type), Lookup(entries=entries):
            parts = ((there, to_python(key_type, k, heap), to_python(value_type, v, heap)) for there, k, v in entries)
            return heap.new(replace(value, entries=tuple(parts)))
        case RecordType(name=name, form=form), Record(fields=fields):
            of_field = dict(type_.fields)
            named = tuple((field, to_python(of_field[field], part, heap)) for field, part in fields)
            if form == "tuple":
                return Sequence(tuple(part for _, part in named), False)
            if form == "dict":
                return heap.new(Table(dict(named), in_order=False))  # callers may have put the keys in otherwise
            return Record(name, named, form == "namedtuple")
        case _:
            return value


def from_python(type_: Type, value: Value) -> Value:
    """A result in the form of the output's type, where it has that form: a tuple that is a record becomes one."""
    match type_, value:
        case _, (Table() | Lookup()) if value.default is not None:
            raise NotRead("a result that is a dict with a default")
        case OptionalType(of=of), Maybe(missing=missing, value=some):
            return Maybe(missing, from_python(of, some))
        case OptionalType(of=of), _ if not isinstance(value, NoneValue):
            return from_python(of, value)
        case ListType(item=item), Sequence(items=items):
            return replace(value, items=tuple(from_python(item, each) for each in items))
        case ListType(item=item), Guarded(items=guarded):
            return replace(value, items=tuple((there, from_python(item, each)) for there, each in guarded))
        case ListType(item=item), LoopList():
            return with_items(value, lambda each: from_python(item, each))
        case TupleType(items=types), Sequence(items=items) if len(types) == len(items):
            made = (from_python(t, each) for t, each in zip(types, items, strict=True))
            return replace(value, items=tuple(made))
        case RecordType(form="tuple"), Sequence(items=items, is_list=False) if len(items) == len(type_.fields):
            pairs = zip(type_.fields, items, strict=True)
            return Record(type_.name, tuple((name, from_python(of, each)) for (name, of), each in pairs))
        case RecordType(form="dict"), Table(entries=entries) if _has_all(value, dict(type_.fields)):
            return Record(type_.name, tuple((name, from_python(of, entries[name])) for name, of in type_.fields))
        case RecordType(), Record(fields=fields):
            of_field = dict(type_.fields)
            return replace(value, fields=tuple((name, from_python(of_field[name], part)) for name, part in fields))
        case DictType(value=of), Table(entries=entries):
            return replace(value, entries={key: from_python(of, entry) for key, entry in entries.items()})
        case DictType(key=of_key, value=of), Lookup(entries=pairs):
            kept = ((there, from_python(of_key, key), from_python(of, each)) for there, key, each in pairs)
            return replace(value, entries=tuple(kept))
        case _, DataMember(member=member):
            raise NotRead(f"a result that is a member of {member.kind} and more")
        case _, Extended():
            raise NotRead("a result that may be infinite")
        case SetType(), _:
            raise NotRead("a result that is a set")
        case _, Thing(name=name):
            raise NotRead(name if "." in name else "a result that is no data")
        case _:
            return value


def _has_all(table: Table, fields: Mapping[str, Type]) -> bool:
    """Whether a dict surely has just these keys."""
    return set(table.entries) == fields.keys() and all(presence(table, key) == TRUE for key in fields)


def in_spec(value: Value) -> Value:
    """A value as the spec's language sees it: a Decimal is its number, an enum's member its name."""
    match value:
        case Dec():
            exact = numbers.ratio(*numbers.as_ratio(value))
            return Int(exact.num) if exact.den.constant == 1 else exact
        case Float():
            return as_number(value)
        case Member(names=names, index=index):
            return Member("", names, index)
        case Maybe(missing=missing, value=some):
            return Maybe(missing, in_spec(some))
        case Sequence(items=items):
            return replace(value, items=tuple(map(in_spec, items)))
        case Guarded(items=guarded):
            return replace(value, items=tuple((there, in_spec(item)) for there, item in guarded))
        case LoopList():
            return with_items(value, in_spec)
        case Record(fields=fields):
            return replace(value, fields=tuple((name, in_spec(part)) for name, part in fields))
        case Table(entries=entries):
            return replace(value, entries={key: in_spec(entry) for key, entry in entries.items()})
        case Lookup(entries=pairs):
            return replace(value, entries=tuple((there, in_spec(key), in_spec(each)) for there, key, each in pairs))
        case _:
            return value
