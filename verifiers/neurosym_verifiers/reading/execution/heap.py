"""Where Python's lists, dicts and sets lie: they can be changed, and several names may stand for the same one.

A name holds a ``Ref``; what is in it lies in the heap of the state. What a path changes, only that path sees. Where
paths meet, contents become choices like everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from neurosym_verifiers.reading.data.values import (
    Guarded,
    Int,
    ItemSet,
    Lookup,
    Maybe,
    NoneValue,
    NotRead,
    OneOf,
    Queue,
    Record,
    Ref,
    Sequence,
    Stream,
    Table,
    Value,
)
from neurosym_verifiers.reading.execution.merging import CannotMerge, merged
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, conjuncts, narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import negated
from neurosym_verifiers.reading.formulas.terms import Condition

_addresses = count()
_versions = count()


@dataclass(slots=True)
class Heap:
    """``contents`` by address. ``versions``: an address that was changed has another number than before.

    ``frozen``: what must not change, since it outlives the call: the arguments, and the module's constants.
    """

    contents: dict[int, Value] = field(default_factory=dict)
    versions: dict[int, int] = field(default_factory=dict)
    frozen: frozenset[int] = frozenset()

    def copy(self) -> Heap:
        return Heap(dict(self.contents), dict(self.versions), self.frozen)

    def freeze(self) -> None:
        """What is there now must not change."""
        self.frozen |= self.contents.keys()

    def new(self, content: Value) -> Ref:
        """A new list, dict or set."""
        address = next(_addresses)
        self.contents[address] = content
        return Ref(address)

    def change(self, ref: Ref, content: Value) -> None:
        self.contents[ref.address] = content
        self.versions[ref.address] = next(_versions)

    def narrow(self, narrowing: Narrowing) -> None:
        self.contents = {address: narrowing.value(content) for address, content in self.contents.items()}

    def changed_since(self, before: Heap) -> bool:
        """Whether something that was there before is another now."""
        return any(self.versions.get(address) != before.versions.get(address) for address in before.contents)

    def add_new(self, other: Heap) -> None:
        """Takes over what another heap has more."""
        for address, content in other.contents.items():
            self.contents.setdefault(address, content)
        self.frozen |= other.frozen

    def top(self, value: Value) -> Value:
        """The content of a list, dict or set, as it lies here; any other value as it is. Raises ``NotRead``."""
        match value:
            case Ref(address=address):
                return self.contents[address]
            case OneOf(choices=choices):
                content = self.contents[choices[-1][1].address]
                try:
                    for where, ref in choices[-2::-1]:
                        content = merged(where, self.contents[ref.address], content)
                except CannotMerge as problem:
                    raise NotRead(f"one of several {problem}") from None
                return content
            case _:
                return value

    def seen(self, value: Value) -> Value:
        """The value with the contents of lists, dicts and sets in their place."""
        match value:
            case Ref() | OneOf():
                return self.seen(self.top(value))
            case Sequence(items=items):
                return replace(value, items=tuple(map(self.seen, items)))
            case Guarded() | Queue() | Stream() | ItemSet():
                return replace(value, items=tuple((guard, self.seen(item)) for guard, item in value.items))
            case Record(fields=fields):
                return replace(value, fields=tuple((name, self.seen(part)) for name, part in fields))
            case Maybe(value=of):
                return replace(value, value=self.seen(of))
            case Table(entries=entries):
                return replace(value, entries={key: self.seen(entry) for key, entry in entries.items()})
            case Lookup(entries=pairs):
                return replace(value, entries=tuple((there, key, self.seen(each)) for there, key, each in pairs))
            case _:
                return value

    def joined(
        self, other: Heap, before: Heap, here: Condition, there: Condition, choice: Condition | None = None
    ) -> Heap:
        """This heap on the path of one condition, the other's on that of another that excludes it.

        ``choice``: what tells the first from the other, where either holds. Raises ``CannotMerge``.
        """
        contents, versions = {**other.contents, **self.contents}, {**other.versions, **self.versions}
        result = Heap(contents, versions, self.frozen | other.frozen)
        for address, content in self.contents.items():
            if address not in other.contents:
                continue
            if self.versions.get(address) == other.versions.get(address) == before.versions.get(address):
                if address in before.contents:
                    result.contents[address] = before.contents[address]
                    continue
            else:
                result.versions[address] = next(_versions)
            old = before.contents.get(address)
            result.contents[address] = kept(old, here, there, content, other.contents[address], choice)
        return result


def kept(
    old: Value | None, here: Condition, there: Condition, one: Value, other: Value, choice: Condition | None = None
) -> Value:
    """What a value is behind two paths: still the old one, or a choice. Raises ``CannotMerge``.

    ``choice``: what tells the first path from the other, where either is taken.
    """
    if old is not None and still(old, one, here) and still(old, other, there):
        return old
    return merged(here if choice is None else choice, one, other)


def still(old: Value, new: Value, path: Condition) -> bool:
    """Whether a value is the old one, perhaps with what the path knows of it."""
    if old == new:
        return True
    if isinstance(old, Maybe):
        known = conjuncts(path)
        if isinstance(new, NoneValue):
            return old.missing in known
        return new == old.value and negated(old.missing) in known
    match old, new:
        case (Sequence(items=before), Sequence(items=after)) | (Guarded(items=before), Guarded(items=after)):
            return len(before) == len(after) and all(map(_still_item(path), before, after))
        case Int(), Int() if not new.term.names <= old.term.names:
            return False
        case _ if type(old) is type(new) or isinstance(old, OneOf):  # what the path knows may have made a number of it
            narrowing = narrowing_by(path)
            return narrowing is not None and narrowing.value(old) == new
        case _:
            return False


def _still_item(path: Condition) -> Callable[[Any, Any], bool]:
    def item_still(old: Any, new: Any) -> bool:
        if isinstance(old, tuple):  # an item with its guard
            return bool(old[0] == new[0]) and still(old[1], new[1], path)
        return still(old, new, path)

    return item_still
