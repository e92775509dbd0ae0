"""Small changes of inputs, each of which some fault answers to.

One unit up or down, a value copied from beside it, a multiple of another amount, elements swapped, doubled or dropped,
all amounts scaled, all dates shifted, a text changed in one place. Used to reach the valid part of a universe
from what is known to be valid, and to make the second run of a relation from the first.

Which kinds of change lead anywhere depends on the spec; a ``Mover`` is told which did, and prefers those.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.types import DateType, DictType, ListType, OptionalType, SetType, StrType, Type, inner_types

from neurosym_verifiers.search.draw import Drawer, in_form
from neurosym_verifiers.search.grid import Grid, grid_of
from neurosym_verifiers.search.leaves import Inputs, Node, is_container, mapped, nodes, replaced, sorted_set
from neurosym_verifiers.search.text import TEXT_MOVES

WORK_OF_A_MOVE = 150
"""What making a change and checking it against the types costs, in the units of a ``Lookout``."""


@dataclass(slots=True)
class Mover:
    """Changes inputs at random. Results may leave the universe; the caller checks that they belong to it.

    ``last``: the kinds of change that made the last result; ``reward`` says whether it was of use.
    """

    types: Mapping[str, Type]
    drawer: Drawer
    last: tuple[str, ...] = ()
    _tried: dict[str, int] = field(default_factory=dict)
    _useful: dict[str, int] = field(default_factory=dict)
    _kinds: list[str] = field(default_factory=list)

    @property
    def rng(self) -> random.Random:
        return self.drawer.rng

    def alike(self) -> Mover:
        """A mover for the same inputs that has learnt nothing yet."""
        return Mover(self.types, self.drawer)

    def changed(self, inputs: Inputs) -> Inputs:
        """The inputs after one change, seldom two or three."""
        made: list[str] = []
        for _ in range(self.rng.choice((1, 1, 1, 1, 2, 3))):
            kind, inputs = self._changed_once(inputs)
            made.append(kind)
        self.last = tuple(made)
        return inputs

    def reward(self, useful: bool) -> None:
        """Learns whether the last change was of use."""
        for kind in self.last:
            self._tried[kind] = self._tried.get(kind, 0) + 1
            self._useful[kind] = self._useful.get(kind, 0) + useful

    def _changed_once(self, inputs: Inputs) -> tuple[str, Inputs]:
        everything = list(nodes(self.types, inputs))
        kinds = self._kinds = self._kinds or _kinds_for(self.types.values())
        for _ in range(20):
            kind = self.rng.choices(kinds, [self._weight(kind) for kind in kinds])[0]
            changed = MOVES[kind](self, inputs, everything)
            if changed is not None:
                return kind, changed
        return "none", inputs

    def _weight(self, kind: str) -> float:
        """The share of uses so far, never below a hundredth: nothing is given up for good."""
        tried = self._tried.get(kind, 0)
        return max(0.01, (1 + self._useful.get(kind, 0)) / (1 + tried))

    def pick(self, everything: Sequence[Node], fits: Callable[[Node], bool]) -> Node | None:
        """A place that fits: any input first, then a place inside it, so that a long list does not hide the rest."""
        fitting = [node for node in everything if fits(node)]
        if not fitting:
            return None
        name = self.rng.choice(sorted({str(node.path[0]) for node in fitting}))
        return self.rng.choice([node for node in fitting if node.path[0] == name])

    def near(self, type_: Type, value: Any, everything: Sequence[Node]) -> Any:
        """A value that differs in one place: a copied element that is not quite a copy."""
        inner = Mover({"value": type_}, self.drawer)
        parts = list(nodes(inner.types, {"value": value}))
        if self.rng.random() < 0.4:
            leaf = self.pick(parts, lambda n: _amount(n) is not None)
            copied = None if leaf is None else _copied(self, leaf, everything)
            if leaf is not None and copied is not None:
                return replaced({"value": value}, leaf.path, copied)["value"]
        return inner._changed_once({"value": value})[1]["value"]


Move = Callable[[Mover, Inputs, Sequence[Node]], Inputs | None]


def _kinds_for(types: Iterable[Type]) -> list[str]:
    """The kinds of change that can apply to inputs of these types at all, so that none is tried in vain."""
    inside = [inner for type_ in types for inner in _inside(type_)]
    prefixes = {
        "value": True,
        "all": True,
        "list": any(isinstance(t, ListType) for t in inside),
        "dict": any(isinstance(t, DictType) for t in inside),
        "set": any(isinstance(t, SetType) for t in inside),
        "text": any(isinstance(t, StrType) and t.choices is None for t in inside),
        "dates": any(isinstance(t, DateType) for t in inside),
        "none": any(isinstance(t, OptionalType) for t in inside),
    }
    return [kind for kind in MOVES if prefixes[kind.split(":")[0]]]


def _inside(type_: Type) -> Iterator[Type]:
    yield type_
    for inner in inner_types(type_):
        yield from _inside(inner)


def _amount(node: Node) -> Grid | None:
    """The grid of a number or date that can be moved."""
    if node.value is None or isinstance(node.value, (bool, str)) or node.type.choices is not None:
        return None
    grid = grid_of(node.type)
    return grid if grid is not None and grid.position(node.value) is not None else None


def _free_text(node: Node) -> bool:
    return isinstance(node.type, StrType) and node.type.choices is None and isinstance(node.value, str)


def _copied(mover: Mover, node: Node, everything: Sequence[Node]) -> Any:
    """A value taken from beside a place: the same, a multiple, or a unit (for a date: a few days) off."""
    beside = [n for n in everything if n.path != node.path and _comparable(n, node)]
    if not beside:
        return None
    other, grid, rng = mover.rng.choice(beside).value, grid_of(node.type), mover.rng
    position = grid.position(other) if grid is not None else None
    if grid is None or position is None:
        return None
    if isinstance(other, date):
        return grid.point(round(position) + rng.choice((0, 0, 1, -1, 2, -2, 3, -3, 7, 30)))
    return grid.point(round(position) * rng.choice((1, 1, 1, 2, 3, 10)) + rng.choice((0, 0, 1, -1)))


def _comparable(one: Node, other: Node) -> bool:
    if one.value is None or isinstance(one.value, (str, bool, float)) or is_container(one.type):
        return False
    return isinstance(one.value, date) == isinstance(other.value, date) and isinstance(one.value, (int, Fraction, date))


def _unit(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    node = mover.pick(everything, lambda n: _amount(n) is not None)
    grid = _amount(node) if node is not None else None
    if node is None or grid is None:
        return None
    at = grid.position(node.value)
    assert at is not None
    return replaced(inputs, node.path, grid.point(round(at) + mover.rng.choice((1, -1, 1, -1, 2, -2, 10, 100, -100))))


def _copy(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    node = mover.pick(everything, lambda n: _amount(n) is not None)
    copied = None if node is None else _copied(mover, node, everything)
    return None if node is None or copied is None else replaced(inputs, node.path, copied)


def _copy_name(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    """A name that stands elsewhere in the inputs too, so that things refer to each other or fall together."""
    node = mover.pick(everything, lambda n: isinstance(n.value, str))
    if node is None:
        return None
    others = [n.value for n in everything if isinstance(n.value, str) and n.value != node.value]
    return replaced(inputs, node.path, mover.rng.choice(others)) if others else None


def _negate(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    node = mover.pick(everything, lambda n: _amount(n) is not None and not isinstance(n.value, date))
    grid = _amount(node) if node is not None else None
    if node is None or grid is None:
        return None
    at = grid.position(node.value)
    assert at is not None
    return replaced(inputs, node.path, grid.point(-round(at)))


def _draw(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    node = mover.pick(everything, lambda n: not is_container(n.type) and n.value is not None)
    return None if node is None else replaced(inputs, node.path, mover.drawer.value(node.type))


def _redraw(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    node = mover.pick(everything, lambda n: is_container(n.type) and n.value is not None)
    return None if node is None else replaced(inputs, node.path, mover.drawer.value(node.type))


def _toggle_none(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    node = mover.pick(everything, lambda n: n.optional)
    if node is None:
        return None
    return replaced(inputs, node.path, mover.drawer.value(node.type) if node.value is None else None)


def _scale_all(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    factor, divide = mover.rng.choice((2, 3, 5, 10, -1, 100)), mover.rng.random() < 0.3
    amounts = [node for node in everything if _amount(node) is not None and not isinstance(node.value, date)]
    if not amounts:
        return None
    part = mover.rng.choice(amounts).path[0] if mover.rng.random() < 0.5 else None

    def scaled(type_: Type, value: Any) -> Any:
        grid = _amount(Node((), type_, value))
        at = grid.position(value) if grid is not None and not isinstance(value, date) else None
        return value if grid is None or at is None else grid.point(round(at / factor if divide else at * factor))

    types = {name: type_ for name, type_ in mover.types.items() if part in (None, name)}
    return {**inputs, **mapped(types, inputs, scaled)}


def _shift_all(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    shift = mover.rng.choice((1, -1, 7, 30, 365, 366, mover.rng.randint(-4000, 4000)))
    days = [node for node in everything if isinstance(node.type, DateType) and node.value is not None]
    for node in days:
        assert isinstance(node.type, DateType)
        if not node.type.min.toordinal() <= node.value.toordinal() + shift <= node.type.max.toordinal():
            return None

    def shifted(type_: Type, value: Any) -> Any:
        return date.fromordinal(value.toordinal() + shift) if isinstance(type_, DateType) else value

    return mapped(mover.types, inputs, shifted) if days else None


def _month_end(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    """A date moved to the last day of its month, the first, or the one before."""
    node = mover.pick(everything, lambda n: isinstance(n.value, date))
    grid = _amount(node) if node is not None else None
    if node is None or grid is None:
        return None
    first = node.value.replace(day=1).toordinal()
    following = (date.fromordinal(min(first + 31, date.max.toordinal()))).replace(day=1).toordinal()
    return replaced(inputs, node.path, grid.point(mover.rng.choice((following - 1, first, following - 2, following))))


def _on_list(change: Callable[[Mover, list[Any], ListType, Sequence[Node]], list[Any] | None]) -> Move:
    def move(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
        node = mover.pick(everything, lambda n: isinstance(n.type, ListType) and n.value is not None)
        if node is None or not isinstance(node.type, ListType):
            return None
        items = change(mover, list(node.value), node.type, everything)
        if items is None:
            return None
        return replaced(inputs, node.path, in_form(node.type, sorted(items) if node.type.sorted else items))

    return move


def _room(type_: ListType, items: list[Any]) -> bool:
    longest = type_.check_len if type_.check_len is not None else type_.max_len
    return longest is None or len(items) < longest


def _append(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    return [*items, mover.drawer.value(type_.item)] if _room(type_, items) else None


def _append_near(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    if not _room(type_, items):
        return None
    start = mover.rng.choice(items) if items and mover.rng.random() < 0.7 else mover.drawer.value(type_.item)
    return [*items, mover.near(type_.item, start, everything)]


def _insert(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    if not _room(type_, items):
        return None
    items.insert(mover.rng.randrange(len(items) + 1), mover.drawer.value(type_.item))
    return items


def _double(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    """An element doubled beside itself, one of the two changed a little or not."""
    if not items or not _room(type_, items):
        return None
    at = mover.rng.randrange(len(items))
    twin = items[at] if mover.rng.random() < 0.4 else mover.near(type_.item, items[at], everything)
    items.insert(at, twin)
    return items


def _delete(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    if len(items) <= type_.min_len:
        return None
    del items[mover.rng.randrange(len(items))]
    return items


def _swap(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    if len(items) < 2:
        return None
    i, j = mover.rng.sample(range(len(items)), 2)
    items[i], items[j] = items[j], items[i]
    return items


def _shuffle(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    if len(items) < 2:
        return None
    mover.rng.shuffle(items)
    return items


def _reverse(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    return items[::-1] if len(items) > 1 else None


def _edit(mover: Mover, items: list[Any], type_: ListType, everything: Sequence[Node]) -> list[Any] | None:
    if not items:
        return None
    at = mover.rng.randrange(len(items))
    items[at] = mover.near(type_.item, items[at], everything)
    return items


def _on_dict(change: Callable[[Mover, list[tuple[Any, Any]], DictType], list[tuple[Any, Any]] | None]) -> Move:
    def move(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
        node = mover.pick(everything, lambda n: isinstance(n.type, DictType) and n.value is not None)
        if node is None or not isinstance(node.type, DictType):
            return None
        entries = change(mover, list(node.value.items()), node.type)
        return None if entries is None else replaced(inputs, node.path, dict(entries))

    return move


def _dict_add(mover: Mover, entries: list[tuple[Any, Any]], type_: DictType) -> list[tuple[Any, Any]] | None:
    longest = type_.check_len if type_.check_len is not None else type_.max_len
    if longest is not None and len(entries) >= longest:
        return None
    return [*entries, (mover.drawer.value(type_.key), mover.drawer.value(type_.value))]


def _dict_drop(mover: Mover, entries: list[tuple[Any, Any]], type_: DictType) -> list[tuple[Any, Any]] | None:
    if len(entries) <= type_.min_len:
        return None
    del entries[mover.rng.randrange(len(entries))]
    return entries


def _dict_shuffle(mover: Mover, entries: list[tuple[Any, Any]], type_: DictType) -> list[tuple[Any, Any]] | None:
    if len(entries) < 2:
        return None
    mover.rng.shuffle(entries)
    return entries


def _set_add(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    """An element added beside another one, or beside a value elsewhere in the inputs: what stands close together."""
    node = mover.pick(everything, lambda n: isinstance(n.type, SetType) and n.value is not None)
    if node is None or not isinstance(node.type, SetType):
        return None
    longest = node.type.check_len if node.type.check_len is not None else node.type.max_len
    if longest is not None and len(node.value) >= longest:
        return None
    known = sorted_set(node.value)
    start = mover.rng.choice(known) if known and mover.rng.random() < 0.6 else mover.drawer.value(node.type.item)
    return replaced(inputs, node.path, node.value | {mover.near(node.type.item, start, everything)})


def _set_drop(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
    node = mover.pick(everything, lambda n: isinstance(n.type, SetType) and bool(n.value))
    if node is None:
        return None
    return replaced(inputs, node.path, node.value - {mover.rng.choice(sorted_set(node.value))})


def _on_text(change: Callable[[str, random.Random, str], str]) -> Move:
    def move(mover: Mover, inputs: Inputs, everything: Sequence[Node]) -> Inputs | None:
        node = mover.pick(everything, _free_text)
        if node is None:
            return None
        return replaced(inputs, node.path, change(node.value, mover.rng, mover.drawer.constants.characters))

    return move


MOVES: dict[str, Move] = {
    "value: unit": _unit,
    "value: copy": _copy,
    "value: copy name": _copy_name,
    "value: negate": _negate,
    "value: draw": _draw,
    "value: redraw": _redraw,
    "all: scale": _scale_all,
    "dates: shift all": _shift_all,
    "dates: month end": _month_end,
    "none: toggle": _toggle_none,
    "list: append": _on_list(_append),
    "list: append near": _on_list(_append_near),
    "list: insert": _on_list(_insert),
    "list: double": _on_list(_double),
    "list: delete": _on_list(_delete),
    "list: swap": _on_list(_swap),
    "list: shuffle": _on_list(_shuffle),
    "list: reverse": _on_list(_reverse),
    "list: edit": _on_list(_edit),
    "set: add": _set_add,
    "set: drop": _set_drop,
    "dict: add": _on_dict(_dict_add),
    "dict: drop": _on_dict(_dict_drop),
    "dict: shuffle": _on_dict(_dict_shuffle),
    **{f"text: {name}": _on_text(change) for name, change in TEXT_MOVES.items()},
}
"""Every kind of change by name: what it applies to, then what it does."""
