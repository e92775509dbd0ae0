"""Inputs as trees: the places in them that can be changed, and changing one place.

A *leaf* is a scalar (a number, a text, a date, an enum, a bool, or a none) somewhere in the inputs of a call, with
its type and the path to it. Inputs are never changed in place: ``replaced`` shares what it does not touch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from neurosym_specs.types import (
    DictType,
    ListType,
    OptionalType,
    RecordType,
    SetType,
    TupleType,
    Type,
)
from neurosym_specs.values import Record

Inputs: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Index:
    """An element of a list or tuple."""

    at: int


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record."""

    name: str


@dataclass(frozen=True, slots=True)
class ValueOf:
    """The value of a key of a dict."""

    key: Any


@dataclass(frozen=True, slots=True)
class KeyAt:
    """The key of a dict, or the element of a set, at a position."""

    at: int


Step: TypeAlias = str | Index | Field | ValueOf | KeyAt
Path: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A value somewhere in the inputs, its type there, and whether none is allowed in its place."""

    path: Path
    type: Type
    value: Any
    optional: bool = False


def nodes(types: Mapping[str, Type], inputs: Inputs) -> Iterator[Node]:
    """Every value in the inputs, parents before their parts, in order."""
    for name, type_ in types.items():
        yield from _nodes(type_, inputs[name], (name,), False)


def leaves(types: Mapping[str, Type], inputs: Inputs) -> Iterator[Node]:
    """The scalars in the inputs, in order."""
    return (node for node in nodes(types, inputs) if not is_container(node.type) or node.value is None)


def is_container(type_: Type) -> bool:
    return isinstance(type_, (ListType, TupleType, SetType, DictType, RecordType))


def _nodes(type_: Type, value: Any, path: Path, optional: bool) -> Iterator[Node]:
    if isinstance(type_, OptionalType):
        yield from _nodes(type_.of, value, path, True)
        return
    yield Node(path, type_, value, optional)
    if value is None:
        return
    match type_:
        case ListType(item=item):
            for i, element in enumerate(value):
                yield from _nodes(item, element, (*path, Index(i)), False)
        case TupleType(items=items):
            for i, (item, element) in enumerate(zip(items, value, strict=True)):
                yield from _nodes(item, element, (*path, Index(i)), False)
        case RecordType(fields=fields):
            for name, field in fields:
                yield from _nodes(field, value.fields[name], (*path, Field(name)), False)
        case DictType(key=key, value=of):
            for i, (k, v) in enumerate(value.items()):
                yield from _nodes(key, k, (*path, KeyAt(i)), False)
                yield from _nodes(of, v, (*path, ValueOf(k)), False)
        case SetType(item=item):
            for i, element in enumerate(sorted_set(value)):
                yield from _nodes(item, element, (*path, KeyAt(i)), False)
        case _:
            pass


def sorted_set(value: frozenset[Any]) -> list[Any]:
    """The elements of a set in one fixed order, which no hash seed changes."""
    try:
        return sorted(value)
    except TypeError:
        return sorted(value, key=repr)


def replaced(inputs: Inputs, path: Path, new: Any) -> dict[str, Any]:
    """The inputs with the value at ``path`` replaced."""
    name = path[0]
    assert isinstance(name, str)
    changed = dict(inputs)
    changed[name] = _replaced(inputs[name], path[1:], new)
    return changed


def _replaced(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    step, rest = path[0], path[1:]
    match step:
        case Index(at=at):
            items = list(value)
            items[at] = _replaced(items[at], rest, new)
            return items if isinstance(value, list) else tuple(items)
        case Field(name=name):
            return Record(value.type_name, {**value.fields, name: _replaced(value.fields[name], rest, new)})
        case ValueOf(key=key):
            return {k: _replaced(v, rest, new) if k == key else v for k, v in value.items()}
        case KeyAt(at=at) if isinstance(value, dict):
            return {(_replaced(k, rest, new) if i == at else k): v for i, (k, v) in enumerate(value.items())}
        case KeyAt(at=at):
            ordered = sorted_set(value)
            if at >= len(ordered):
                return value  # an earlier change made two elements one
            ordered[at] = _replaced(ordered[at], rest, new)
            return frozenset(ordered)
        case str():
            raise AssertionError("an input's name can only stand first in a path")


def mapped(types: Mapping[str, Type], inputs: Inputs, change: Callable[[Type, Any], Any]) -> dict[str, Any]:
    """The inputs with every scalar changed, in lists, records, sets and dicts too; what falls together stays once."""
    return {name: _mapped(type_, inputs[name], change) for name, type_ in types.items()}


def _mapped(type_: Type, value: Any, change: Callable[[Type, Any], Any]) -> Any:
    if value is None:
        return None
    match type_:
        case OptionalType(of=of):
            return _mapped(of, value, change)
        case ListType(item=item):
            items = [_mapped(item, element, change) for element in value]
            return items if isinstance(value, list) else tuple(items)
        case TupleType(items=types):
            return tuple(_mapped(item, element, change) for item, element in zip(types, value, strict=True))
        case RecordType(name=name, fields=fields):
            return Record(name, {field: _mapped(of, value.fields[field], change) for field, of in fields})
        case DictType(key=key, value=of):
            return {_mapped(key, k, change): _mapped(of, v, change) for k, v in value.items()}
        case SetType(item=item):
            return frozenset(_mapped(item, element, change) for element in value)
        case _:
            return change(type_, value)


def value_at(inputs: Inputs, path: Path) -> Any:
    """The value that a path leads to."""
    value: Any = inputs
    for step in path:
        match step:
            case str():
                value = value[step]
            case Index(at=at):
                value = value[at]
            case Field(name=name):
                value = value.fields[name]
            case ValueOf(key=key):
                value = value[key]
            case KeyAt(at=at):
                value = list(value)[at] if isinstance(value, dict) else sorted_set(value)[at]
    return value


def key_of(value: Any) -> Any:
    """A hashable form of inputs or a value; equal only for values that Python code can tell apart from no other.

    Exact values with their kinds: ``True`` is not 1, and a decimal written with other places is another input.
    """
    match value:
        case bool() | None | str():
            return value if not isinstance(value, bool) else ("bool", value)
        case list() | tuple():
            return (type(value).__name__, *map(key_of, value))
        case dict():
            return ("dict", *((key_of(k), key_of(v)) for k, v in value.items()))
        case frozenset():
            return ("set", frozenset(map(key_of, value)))
        case Record():
            return ("record", *((k, key_of(v)) for k, v in value.fields.items()))
        case float():
            return ("float", repr(value))
        case _:
            return (value, getattr(value, "places", None))
