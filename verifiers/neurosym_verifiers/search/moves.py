"""Small changes of inputs, each of which some fault answers to.

One unit up or down, a value copied from beside it, a multiple of another amount, elements swapped, doubled or dropped,
all amounts scaled, all dates shifted, a text changed in one place. Used to reach the valid part of a universe
from what is known to be valid, and to make the second run of a relation from the first.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from neurosym_specs.types import DateType, DictType, ListType, SetType, StrType, Type

from neurosym_verifiers.search.draw import Drawer
from neurosym_verifiers.search.grid import grid_of
from neurosym_verifiers.search.leaves import Inputs, Node, is_container, nodes, replaced
from neurosym_verifiers.search.text import changed_texts


@dataclass(slots=True)
class Mover:
    """Changes inputs at random. Results may leave the universe; the caller checks that they belong to it."""

    types: Mapping[str, Type]
    drawer: Drawer

    @property
    def rng(self) -> random.Random:
        return self.drawer.rng

    def changed(self, inputs: Inputs) -> Inputs:
        """The inputs after one change, seldom two or three."""
        for _ in range(self.rng.choice((1, 1, 1, 1, 2, 3))):
            inputs = self._changed_once(inputs)
        return inputs

    def _changed_once(self, inputs: Inputs) -> Inputs:
        everything = list(nodes(self.types, inputs))
        if self.rng.random() < 0.08:
            return self._all_scaled(inputs, everything)
        if self.rng.random() < 0.08:
            return self._all_shifted(inputs, everything)
        node = self._some_node(everything)
        if node.optional and (node.value is None or self.rng.random() < 0.15):
            return replaced(inputs, node.path, self.drawer.value(node.type) if node.value is None else None)
        return replaced(inputs, node.path, self._other(node, everything))

    def _some_node(self, everything: list[Node]) -> Node:
        """Any input first, then a place inside it, so that a long list does not hide the other inputs."""
        name = self.rng.choice(list(self.types))
        return self.rng.choice([node for node in everything if node.path[0] == name])

    def _other(self, node: Node, everything: list[Node]) -> Any:
        if isinstance(node.type, ListType):
            return self._other_list(node)
        if isinstance(node.type, DictType):
            return self._other_dict(node)
        if isinstance(node.type, SetType) or is_container(node.type):
            return self.drawer.value(node.type)
        if isinstance(node.type, StrType) and node.type.choices is None:
            return self._other_text(node.type, node.value)
        return self._other_scalar(node, everything)

    def _other_scalar(self, node: Node, everything: list[Node]) -> Any:
        rng = self.rng
        grid = grid_of(node.type) if node.type.choices is None else None
        at = grid.position(node.value) if grid is not None else None
        if grid is None or at is None:
            return self.drawer.value(node.type)
        kind = rng.random()
        if kind < 0.3:
            return grid.point(round(at) + rng.choice((1, -1, 1, -1, 2, -2, 10, 100, -100)))
        if kind < 0.6:
            beside = [n for n in everything if n.path != node.path and _comparable(n, node)]
            if beside:
                other = rng.choice(beside).value
                unit = 0 if rng.random() < 0.5 else rng.choice((1, -1))
                factor = rng.choice((1, 1, 1, 2, 3, 10)) if not isinstance(other, date) else 1
                position = grid.position(other)
                assert position is not None
                return grid.point(round(position) * factor + unit)
        if kind < 0.65 and not isinstance(node.value, date):
            return grid.point(-round(at))
        return self.drawer.value(node.type)

    def _other_list(self, node: Node) -> Any:
        assert isinstance(node.type, ListType)
        rng, items, item_type = self.rng, list(node.value), node.type.item
        longest = node.type.check_len if node.type.check_len is not None else node.type.max_len
        room = longest is None or len(items) < longest
        kind = rng.randrange(9)
        if kind <= 2 and room:
            new = self.drawer.value(item_type) if not items or kind == 0 else self._near(item_type, rng.choice(items))
            items.insert(len(items) if rng.random() < 0.6 else rng.randrange(len(items) + 1), new)
        elif kind == 3 and len(items) > node.type.min_len:
            del items[rng.randrange(len(items))]
        elif kind == 4 and items and room:
            at = rng.randrange(len(items))
            items.insert(at, self._near(item_type, items[at]) if rng.random() < 0.5 else items[at])
        elif kind == 5 and len(items) > 1:
            i, j = rng.sample(range(len(items)), 2)
            items[i], items[j] = items[j], items[i]
        elif kind == 6:
            rng.shuffle(items)
        elif kind == 7:
            items.reverse()
        elif items:
            at = rng.randrange(len(items))
            items[at] = self._near(item_type, items[at])
        if node.type.sorted:
            items.sort()
        return items

    def _other_dict(self, node: Node) -> Any:
        assert isinstance(node.type, DictType)
        rng, entries = self.rng, list(node.value.items())
        longest = node.type.check_len if node.type.check_len is not None else node.type.max_len
        kind = rng.randrange(4)
        if kind <= 1 and (longest is None or len(entries) < longest):
            entries.append((self.drawer.value(node.type.key), self.drawer.value(node.type.value)))
        elif kind == 2 and len(entries) > node.type.min_len:
            del entries[rng.randrange(len(entries))]
        else:
            rng.shuffle(entries)
        return dict(entries)

    def _other_text(self, type_: StrType, text: str) -> str:
        longest = type_.check_len if type_.check_len is not None else type_.max_len
        options = list(
            changed_texts(text, longest if longest is not None else 60, self.rng, self.drawer.constants.characters)
        )
        return self.rng.choice(options)

    def _near(self, type_: Type, value: Any) -> Any:
        """A value that differs in one place: a copied element that is not quite a copy."""
        inner = Mover({"value": type_}, self.drawer)
        return inner._changed_once({"value": value})["value"]

    def _all_scaled(self, inputs: Inputs, everything: list[Node]) -> Inputs:
        factor = self.rng.choice((2, 3, 5, 10, -1, 100))
        part = self.rng.choice(list(self.types)) if self.rng.random() < 0.5 else None
        for node in everything:
            grid = grid_of(node.type) if node.type.choices is None else None
            at = grid.position(node.value) if grid is not None and not isinstance(node.value, date) else None
            if grid is not None and at is not None and part in (None, node.path[0]):
                inputs = replaced(inputs, node.path, grid.point(round(at * factor)))
        return inputs

    def _all_shifted(self, inputs: Inputs, everything: list[Node]) -> Inputs:
        shift = timedelta(self.rng.choice((1, -1, 7, 30, 365, 366, self.rng.randint(-4000, 4000))))
        for node in everything:
            if isinstance(node.type, DateType) and node.value is not None:
                at = node.value.toordinal() + shift.days
                if node.type.min.toordinal() <= at <= node.type.max.toordinal():
                    inputs = replaced(inputs, node.path, date.fromordinal(at))
        return inputs


def _comparable(one: Node, other: Node) -> bool:
    """Whether two places hold amounts, or both dates, that could be copied between them."""
    if one.value is None or isinstance(one.value, (str, bool)) or is_container(one.type):
        return False
    if isinstance(one.value, float):
        return False
    return isinstance(one.value, date) == isinstance(other.value, date) and isinstance(one.value, (int, Fraction, date))
