"""Lists that a spec only looks into, at their extremes: everything that it asks for is there, or all but one.

Where a rule picks among what is not in a list (the open days of a month, and the holidays), the cases that it is for
are those where nothing but one is left to pick. Small changes do not get there: each of twenty entries alone shows
nothing new.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neurosym_specs.types import ListType, Type

from neurosym_verifiers.search.draw import in_form
from neurosym_verifiers.search.leaves import Inputs, key_of, nodes, replaced, value_at
from neurosym_verifiers.search.observe import Lookout, Sighting

_FEWEST = 2
"""With fewer values asked for, putting one in or taking it out (``aim.py``) is as much."""


def nearly_full(types: Mapping[str, Type], seed: Inputs, lookout: Lookout) -> Iterator[Inputs]:
    """The seed with each list that is looked into as all that is asked for, and as all but each one of it.

    What is asked for and makes no difference is left out.
    """
    for node in nodes(types, seed):
        if not isinstance(node.type, ListType) or node.type.min_len > 1:
            continue
        empty = replaced(seed, node.path, in_form(node.type, []))
        base = lookout.look(empty)
        content = value_at(empty, node.path)
        asked = {key_of(value): value for value, container in base.members if container is content}
        if len(asked) < _FEWEST:
            continue
        alone = ((value, replaced(seed, node.path, in_form(node.type, [value]))) for value in asked.values())
        noticed = [value for value, shot in alone if _shows(lookout.look(shot)) != _shows(base)]
        for left_out in (None, *range(len(noticed))):
            items = [value for i, value in enumerate(noticed) if i != left_out]
            if _fits(node.type, len(items)):
                yield replaced(seed, node.path, in_form(node.type, sorted(items) if node.type.sorted else items))


def _shows(sighting: Sighting) -> tuple[Any, ...]:
    return sighting.distances, sighting.positions, sighting.remainders, sighting.operands


def _fits(type_: ListType, length: int) -> bool:
    longest = type_.check_len if type_.check_len is not None else type_.max_len
    return type_.min_len <= length and (longest is None or length <= longest)
