"""Pieces of the input space with the box around each; pieces that do the same and lie side by side are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from neurosym_verifiers.reading.execution.state import Raised, Returned
from neurosym_verifiers.reading.formulas.normal_forms import both, either
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.inputs.crossing import in_spec
from neurosym_verifiers.regions.asking import Asking
from neurosym_verifiers.regions.kinds import same_kind
from neurosym_verifiers.regions.places import Place
from neurosym_verifiers.regions.ranges import Box, box_of, ties

_MOST_COMPARED = 48

Ends = tuple[Returned | Raised, ...]
"""How a program ends; of several programs, how each does."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where ``condition`` holds it ends in one way: inside the ``box``, where all the ``ties`` hold."""

    condition: Condition
    ends: Ends
    lines: tuple[int, ...]
    box: Box
    ties: tuple[Condition, ...]


def entry_of(
    conditions: Sequence[Condition], ends: Ends, lines: tuple[int, ...], places: Sequence[Place], asking: Asking
) -> Entry:
    """The entry of all inputs on which some conditions hold."""
    condition = both(*conditions)
    box = box_of(places, condition, asking)
    return Entry(condition, ends, lines, box, ties(conditions, box, asking))


def joined(entries: list[Entry], asking: Asking) -> list[Entry]:
    """The entries, those joined that end alike and together fill a box."""
    at = 0
    while at < len(entries) <= _MOST_COMPARED:
        one = entries[at]
        for other in entries[at + 1 :]:
            joint = _one_of(one, other, asking)
            if joint is not None:
                entries = [joint if each is one else each for each in entries if each is not other]
                break
        else:
            at += 1
    return entries


def _one_of(one: Entry, other: Entry, asking: Asking) -> Entry | None:
    if not all(map(same_end, one.ends, other.ends)):
        return None
    box, where = one.box.beside(other.box), either(one.condition, other.condition)
    if not asking.follows(box.condition, where):
        return None
    return Entry(where, one.ends, tuple(sorted({*one.lines, *other.lines})), box, ())


def same_end(one: Returned | Raised, other: Returned | Raised) -> bool:
    """Whether two ends raise the same exception, or return the same formula."""
    if isinstance(one, Raised) or isinstance(other, Raised):
        return isinstance(one, Raised) and isinstance(other, Raised) and one.names[0] == other.names[0]
    return same_kind(one.value, other.value) and in_spec(one.value) == in_spec(other.value)
