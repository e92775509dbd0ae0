"""Places in inputs that can be turned like a dial: a number or date on its grid, a run of digits in a text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from neurosym_specs.types import StrType, Type

from neurosym_verifiers.search.grid import grid_of
from neurosym_verifiers.search.leaves import Inputs, Node, Path, leaves, replaced

_LONGEST_RUN = 9


@dataclass(frozen=True, slots=True)
class Dial:
    """Stands at ``at`` and turns from ``first`` to ``last``; ``origin`` is its simplest position.

    ``put(k)``: the inputs with it turned to k. ``place``: the leaf's path, and where its digits begin. ``snapped``: the
    inputs with it exactly at ``at``, where the value that they have lies beside the grid (a float that nobody wrote);
    else None.
    """

    at: int
    first: int
    last: int
    origin: int
    put: Callable[[int], Inputs]
    place: tuple[Path, int]
    snapped: Inputs | None = None


def dials(types: Mapping[str, Type], inputs: Inputs, rng: random.Random) -> list[Dial]:
    """The dials of inputs in random order, one of each input before a second of any: a long list hides no other."""
    queues: dict[object, list[Dial]] = {}
    for leaf in leaves(types, inputs):
        queues.setdefault(leaf.path[0], []).extend(_dials_of(inputs, leaf))
    for queue in queues.values():
        rng.shuffle(queue)
    return [dial for turn in zip_longest(*queues.values()) for dial in turn if dial is not None]


def dial_at(types: Mapping[str, Type], inputs: Inputs, place: tuple[Path, int]) -> Dial | None:
    """The dial at a place, if these inputs have one there."""
    found = (leaf for leaf in leaves(types, inputs) if leaf.path == place[0])
    return next((dial for leaf in found for dial in _dials_of(inputs, leaf) if dial.place == place), None)


def _dials_of(inputs: Inputs, leaf: Node) -> Iterator[Dial]:
    if leaf.value is None or leaf.type.choices is not None:
        return
    if isinstance(leaf.type, StrType):
        for run in re.finditer(r"[0-9]+", leaf.value):
            if len(run.group()) <= _LONGEST_RUN:
                yield _digits(inputs, leaf, run.start(), run.end())
        return
    grid = grid_of(leaf.type)
    position = grid.position(leaf.value) if grid is not None else None
    if grid is None or position is None:
        return
    at = min(max(round(position), grid.first), grid.last)

    def put(k: int) -> Inputs:
        return replaced(inputs, leaf.path, grid.point(k))

    yield Dial(at, grid.first, grid.last, grid.origin, put, (leaf.path, 0), None if at == position else put(at))


def _digits(inputs: Inputs, leaf: Node, start: int, end: int) -> Dial:
    text: str = leaf.value
    width = end - start

    def put(k: int) -> Inputs:
        return replaced(inputs, leaf.path, text[:start] + str(k).zfill(width) + text[end:])

    return Dial(int(text[start:end]), 0, 10**width - 1, 0, put, (leaf.path, start))
