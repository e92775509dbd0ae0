"""Deterministic automata over ranges of code points: each text goes one way through them, or none."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass
from itertools import pairwise

from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.texts.codepoints import LAST, Ranges, union


@dataclass(frozen=True, slots=True)
class Edge:
    """A character's step; ``groups``: those that the character is in."""

    source: int
    ranges: Ranges
    target: int
    groups: frozenset[int]


@dataclass(frozen=True, slots=True)
class Machine:
    """A deterministic automaton. ``moves``: for each state the ranges that lead to each following one, all apart.

    State 0 is the start. A character that no move names leads nowhere.
    """

    moves: tuple[tuple[tuple[Ranges, int], ...], ...]
    finals: frozenset[int]

    @property
    def longest(self) -> int | None:
        """How long an accepted text is at the most; None if there is no end to it."""
        alive = self.alive(len(self.moves))
        return None if alive[-1] else max((n for n, states in enumerate(alive) if 0 in states), default=0)

    def alive(self, length: int) -> list[frozenset[int]]:
        """For each number of characters that are left, the states from which just so many lead to an end."""
        found = [self.finals]
        for _ in range(length):
            last = found[-1]
            found.append(frozenset(s for s, moves in enumerate(self.moves) if any(t in last for _, t in moves)))
        return found


def machine_of(
    edges: Many[Edge], closure: Many[frozenset[int]], useful: frozenset[int], final: int, *, most: int
) -> Machine:
    """The smallest deterministic automaton of a language.

    ``closure``: for each state those that are reached without a character, itself among them. ``useful``: the states
    that lead to the ``final`` one. Raises ``NotRead`` where there are more than ``most`` states on the way.
    """
    return _smallest(_deterministic(edges, closure, useful, final, most))


def _deterministic(
    edges: Many[Edge], closure: Many[frozenset[int]], useful: frozenset[int], final: int, most: int
) -> Machine:
    classes = _classes([edge.ranges for edge in edges])
    leaving: list[list[tuple[frozenset[int], int]]] = [[] for _ in closure]
    for i, edge in enumerate(edges):
        leaving[edge.source].append(
            (frozenset(c for c, (_, members) in enumerate(classes) if i in members), edge.target)
        )
    start = closure[0] & useful
    numbers: dict[frozenset[int], int] = {start: 0}
    moves: list[tuple[tuple[Ranges, int], ...]] = []
    order = [start]
    for states in order:  # grows while it is gone through
        by_class: dict[int, set[int]] = {}
        for state in states:
            for kinds, target in leaving[state]:
                for kind in kinds:
                    by_class.setdefault(kind, set()).update(closure[target] & useful)
        by_target: dict[int, Ranges] = {}
        for kind, targets in by_class.items():
            if targets:
                number_ = numbers.setdefault(frozenset(targets), len(numbers))
                if number_ == len(order):
                    order.append(frozenset(targets))
                by_target[number_] = union(by_target.get(number_, ()), classes[kind][0])
        if len(numbers) > most:
            raise NotRead("a pattern whose automaton is too large")
        moves.append(tuple((ranges, target) for target, ranges in by_target.items()))
    finals = frozenset(number_ for states, number_ in numbers.items() if final in states)
    return Machine(tuple(moves), finals)


def _smallest(of: Machine) -> Machine:
    """States that accept the same made one (Moore's algorithm)."""
    block = [int(state in of.finals) for state in range(len(of.moves))]
    while True:
        signatures: dict[object, int] = {}
        following: list[int] = []
        for state, moves in enumerate(of.moves):
            merged: dict[int, Ranges] = {}
            for ranges, target in moves:
                merged[block[target]] = union(merged.get(block[target], ()), ranges)
            signature = (block[state], tuple(sorted(merged.items())))
            following.append(signatures.setdefault(signature, len(signatures)))
        if len(signatures) == len(set(block)):
            break
        block = following
    order = {block[0]: 0}
    for each in block:
        order.setdefault(each, len(order))
    moves_of: dict[int, tuple[tuple[Ranges, int], ...]] = {}
    for state, moves in enumerate(of.moves):
        merged = {}
        for ranges, target in moves:
            goal = order[block[target]]
            merged[goal] = union(merged.get(goal, ()), ranges)
        moves_of[order[block[state]]] = tuple((ranges, target) for target, ranges in merged.items())
    finals = frozenset(order[block[state]] for state in of.finals)
    return Machine(tuple(moves_of[i] for i in range(len(order))), finals)


def _classes(sets: list[Ranges]) -> list[tuple[Ranges, frozenset[int]]]:
    """The code points in classes that no set tells apart, each with the sets that it is in; none that is in no set."""
    cuts = sorted({0, LAST + 1, *(low for ranges in sets for low, _ in ranges), *(h + 1 for r in sets for _, h in r)})
    opened: dict[int, set[int]] = {}
    closed: dict[int, set[int]] = {}
    for i, ranges in enumerate(sets):
        for low, high in ranges:
            opened.setdefault(low, set()).add(i)
            closed.setdefault(high + 1, set()).add(i)
    members: set[int] = set()
    by_members: dict[frozenset[int], list[tuple[int, int]]] = {}
    for low, above in pairwise(cuts):
        members -= closed.get(low, set())
        members |= opened.get(low, set())
        if members:
            by_members.setdefault(frozenset(members), []).append((low, above - 1))
    return [(union(ranges, ()), key) for key, ranges in by_members.items()]
