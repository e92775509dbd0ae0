"""What an iterator's items are made from when they are asked for: names around it, and lists in the heap.

The reading makes items at once. That is the same as making them on demand where none of these changes meanwhile.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from neurosym_verifiers.reading.data.values import (
    DataMember,
    Growing,
    Guarded,
    ItemSet,
    Lookup,
    Maybe,
    OneOf,
    Queue,
    Record,
    Ref,
    Sequence,
    Stream,
    Table,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.heap import Heap


@dataclass(frozen=True, slots=True)
class Captured:
    """``names`` of the functions around, and the addresses of what lies in the heap; None where that is not known."""

    names: frozenset[str]
    addresses: frozenset[int] | None


def captured(node: ast.AST, around: Mapping[str, Value], frames: tuple[int, ...], heap: Heap) -> Captured:
    """What a piece of a program looks at: ``around`` are the names that it sees of functions, called in ``frames``."""
    return _followed(_loaded(node), (), around, frames, heap)


def captured_by(values: Iterable[Value], around: Mapping[str, Value], frames: tuple[int, ...], heap: Heap) -> Captured:
    """What is looked at through values, among them functions that are called."""
    return _followed(frozenset(), values, around, frames, heap)


def _loaded(node: ast.AST) -> frozenset[str]:
    return frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def _followed(
    names: frozenset[str],
    values: Iterable[Value],
    around: Mapping[str, Value],
    frames: tuple[int, ...],
    heap: Heap,
) -> Captured:
    found: set[str] = set()
    addresses: set[int] = set()
    known = True
    waiting: list[object] = list(values)
    for name in names:
        _follow(name, around, found, waiting)
    while waiting:
        value = waiting.pop()
        match value:
            case Ref(address=address):
                if address not in addresses:
                    addresses.add(address)
                    waiting.append(heap.contents[address])
            case OneOf(choices=choices):
                waiting += [ref for _, ref in choices]
            case Sequence(items=items) | Growing(items=items):
                waiting += items
            case Guarded(items=guarded) | Queue(items=guarded) | Stream(items=guarded) | ItemSet(items=guarded):
                waiting += [item for _, item in guarded]
            case Record(fields=fields):
                waiting += [part for _, part in fields]
            case Maybe(value=some) | DataMember(data=some):
                waiting.append(some)
            case Table(entries=entries):
                waiting += entries.values()
            case Lookup(entries=pairs):
                waiting += [part for _, *both in pairs for part in both]
            case Thing(name="nested" | "lambda", of=(ast.AST() as function, made_in, _)):
                known = known and made_in == frames
                for name in _loaded(function):
                    _follow(name, around, found, waiting)
            case Thing(of=of):
                waiting.append(of)
            case tuple():
                waiting += value
            case _:
                pass
    return Captured(frozenset(found), frozenset(addresses) if known else None)


def _follow(name: str, around: Mapping[str, Value], found: set[str], waiting: list[object]) -> None:
    if name in around and name not in found:
        found.add(name)
        waiting.append(around[name])
