"""Regular expressions as automata over ranges of code points: what a pattern matches, said of texts that vary.

Python's own parser reads the pattern, so that it means what it means in ``re``. Whether a text matches is a question of
the language alone: a deterministic automaton with few states answers it. What a group holds depends on which of several
matches is taken; it is read where no text has more than one.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from re import _constants as sre  # type: ignore[attr-defined]  # not in its published interface; tested against re
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from neurosym_verifiers.reading.data.values import NotRead
from neurosym_verifiers.reading.texts.codepoints import (
    EVERYTHING,
    Ranges,
    accepted_by,
    characters,
    common,
    complement,
    union,
    word,
)
from neurosym_verifiers.reading.texts.machines import Edge, Machine, machine_of

_MOST_STATES = 600
_NO_LINE_FEED = complement(characters("\n"))
_READ_FLAGS = re.ASCII | re.DOTALL | re.VERBOSE | re.UNICODE
_SPACES_OF_ASCII = characters(" \t\n\r\f\v")
_DIGITS_OF_ASCII = characters("0123456789")


@dataclass(frozen=True, slots=True)
class Step:
    """A step without a character; ``opens``: the group that begins there, or 0."""

    source: int
    target: int
    opens: int = 0


class Automaton:
    """A pattern's automaton. State 0 is the start, to which nothing leads; nothing leads on from the ``final`` one.

    ``anchored``: whether it says that a match begins where the text does; ``ends``: what it says of the end ("", "$" or
    "Z"). ``has_scoped_flags``: whether a part has flags of its own; what CPython searches by first does not know them.

    ``groups``: by name and number. ``repeated``: groups that may hold several things one after the other.
    """

    def __init__(self, tree: Any, flags: int) -> None:
        items = list(tree)
        self.ends, self.anchored, self.has_scoped_flags = "", False, False
        while items and items[0] in (_AT_BEGINNING, _AT_BEGINNING_STRING):
            items.pop(0)
            self.anchored = True
        while items and items[-1] in (_AT_END, _AT_END_STRING):
            last = items.pop()
            self.ends = "Z" if last == _AT_END_STRING or self.ends == "Z" else "$"
        self.edges: list[Edge] = []
        self.steps: list[Step] = []
        self.repeated: set[int] = set()
        self.groups: dict[str, int] = {}
        self.count = 0
        self._inside: tuple[int, ...] = ()
        start = self._state()
        self.final = self._sequence(items, start, flags)

    def _state(self) -> int:
        if self.count >= _MOST_STATES:
            raise NotRead(f"a pattern of more than {_MOST_STATES} states")
        self.count += 1
        return self.count - 1

    def _sequence(self, items: Any, start: int, flags: int) -> int:
        for operator, argument in items:
            start = self._item(operator, argument, start, flags)
        return start

    def _step(self, source: int, target: int, opens: int = 0) -> None:
        self.steps.append(Step(source, target, opens))

    def _item(self, operator: Any, argument: Any, start: int, flags: int) -> int:
        match operator:
            case sre.LITERAL | sre.NOT_LITERAL | sre.IN | sre.ANY:
                end = self._state()
                self.edges.append(Edge(start, _accepted(operator, argument, flags), end, frozenset(self._inside)))
                return end
            case sre.BRANCH:
                end = self._state()
                for branch in argument[1]:
                    first = self._state()
                    self._step(start, first)
                    self._step(self._sequence(branch, first, flags), end)
                return end
            case sre.SUBPATTERN:
                return self._group(argument, start, flags)
            case sre.MAX_REPEAT | sre.MIN_REPEAT:
                least, most, inner = argument
                return self._repeat(least, most, inner, start, flags)
            case _:
                raise NotRead(f"a pattern with {str(operator).lower()}")

    def _group(self, argument: Any, start: int, flags: int) -> int:
        group, added, removed, inner = argument
        if added & ~_READ_FLAGS or removed & ~_READ_FLAGS:
            raise NotRead("a pattern with these flags")
        self.has_scoped_flags = self.has_scoped_flags or bool(added or removed)
        flags = (flags | added) & ~removed
        if group is None:
            return self._sequence(inner, start, flags)
        around, first = self._inside, self._state()
        self._step(start, first, group)
        self._inside = (*around, group)
        end = self._sequence(inner, first, flags)
        self._inside = around
        return end

    def _repeat(self, least: int, most: Any, inner: Any, start: int, flags: int) -> int:
        if most is sre.MAXREPEAT or most > 1:
            self.repeated |= set(_groups_in(inner))
        for _ in range(int(least)):
            start = self._sequence(inner, start, flags)
        end = self._state()
        if most is sre.MAXREPEAT:
            loop = self._state()
            self._step(start, loop)
            self._step(self._sequence(inner, loop, flags), loop)
            self._step(loop, end)
            return end
        for _ in range(int(most) - int(least)):
            self._step(start, end)
            fresh = self._state()
            self._step(start, fresh)
            start = self._sequence(inner, fresh, flags)
        self._step(start, end)
        return end

    @cached_property
    def closure(self) -> tuple[frozenset[int], ...]:
        """For each state those that are reached without a character, itself among them."""
        after: list[list[int]] = [[] for _ in range(self.count)]
        for step in self.steps:
            after[step.source].append(step.target)
        return tuple(_reached(state, after) for state in range(self.count))

    @cached_property
    def useful(self) -> frozenset[int]:
        """The states from which the end is reached."""
        before: list[list[int]] = [[] for _ in range(self.count)]
        for step in self.steps:
            before[step.target].append(step.source)
        for edge in self.edges:
            before[edge.target].append(edge.source)
        return _reached(self.final, before)

    @cached_property
    def unambiguous(self) -> bool:
        """Whether each text has at most one way through the automaton."""
        useful = self.useful
        paths: dict[tuple[int, int], int] = {}
        after: dict[int, list[int]] = {}
        for step in self.steps:
            if step.source in useful and step.target in useful:
                after.setdefault(step.source, []).append(step.target)
        for source in range(self.count):
            if any(source in self.closure[target] for target in after.get(source, [])):
                return False  # a way around without a character
        for source in useful:
            pending = [source]
            while pending:
                state = pending.pop()
                paths[source, state] = paths.get((source, state), 0) + 1
                if paths[source, state] > 1:
                    return False
                pending += after.get(state, [])
        leaving: dict[int, list[Edge]] = {state: [] for state in useful}
        for source in useful:
            leaving[source] = [e for e in self.edges if (source, e.source) in paths and e.target in useful]
        pairs, seen = [(0, 0, False)], {(0, 0, False)}
        while pairs:
            one, other, apart = pairs.pop()
            if apart and self.final in self.closure[one] and self.final in self.closure[other]:
                return False
            for a in leaving.get(one, []):
                for b in leaving.get(other, []):
                    following = (a.target, b.target, apart or a != b)
                    if following not in seen and common(a.ranges, b.ranges):
                        seen.add(following)
                        pairs.append(following)
        return True

    @cached_property
    def machine(self) -> Machine:
        """The smallest deterministic automaton of the same language."""
        return self.machine_with([])

    def machine_with(self, more: list[Edge]) -> Machine:
        """The smallest deterministic automaton of the pattern with some steps added."""
        return machine_of([*self.edges, *more], self.closure, self.useful, self.final, most=4 * _MOST_STATES)


def _reached(start: int, after: list[list[int]]) -> frozenset[int]:
    pending, seen = [start], {start}
    while pending:
        for target in after[pending.pop()]:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return frozenset(seen)


@lru_cache(maxsize=128)
def machine_around(of: Automaton, *, before: bool, behind: bool) -> Machine:
    """The automaton of the texts with a match in them, which may have anything before it, or behind it."""
    free = [state for state, wanted in ((0, before), (of.final, behind)) if wanted]
    more = [Edge(state, EVERYTHING, state, frozenset()) for state in free]
    return of.machine_with(more)


_AT_BEGINNING = (sre.AT, sre.AT_BEGINNING)
_AT_BEGINNING_STRING = (sre.AT, sre.AT_BEGINNING_STRING)
_AT_END = (sre.AT, sre.AT_END)
_AT_END_STRING = (sre.AT, sre.AT_END_STRING)


def _groups_in(items: Any) -> Iterator[int]:
    for operator, argument in items:
        match operator:
            case sre.BRANCH:
                for branch in argument[1]:
                    yield from _groups_in(branch)
            case sre.SUBPATTERN:
                if argument[0] is not None:
                    yield argument[0]
                yield from _groups_in(argument[3])
            case sre.MAX_REPEAT | sre.MIN_REPEAT:
                yield from _groups_in(argument[2])
            case _:
                pass


def _accepted(operator: Any, argument: Any, flags: int) -> Ranges:
    match operator:
        case sre.LITERAL:
            return ((argument, argument),)
        case sre.NOT_LITERAL:
            return complement(((argument, argument),))
        case sre.ANY:
            return EVERYTHING if flags & re.DOTALL else _NO_LINE_FEED
        case _:
            found: Ranges = ()
            for kind, value in argument:
                if kind is not sre.NEGATE:
                    found = union(found, _member(kind, value, bool(flags & re.ASCII)))
            return complement(found) if argument[0][0] is sre.NEGATE else found


def _member(kind: Any, value: Any, ascii_only: bool) -> Ranges:
    match kind:
        case sre.LITERAL:
            return ((value, value),)
        case sre.RANGE:
            return (tuple(value),)
        case sre.CATEGORY:
            return _category(value, ascii_only)
        case _:
            raise NotRead(f"a pattern with {str(kind).lower()}")


def _category(value: Any, ascii_only: bool) -> Ranges:
    match value:
        case sre.CATEGORY_DIGIT:
            return _DIGITS_OF_ASCII if ascii_only else accepted_by("isdecimal")
        case sre.CATEGORY_SPACE:
            return _SPACES_OF_ASCII if ascii_only else accepted_by("isspace")
        case sre.CATEGORY_WORD:
            return common(word(), ((0, 127),)) if ascii_only else word()
        case sre.CATEGORY_NOT_DIGIT:
            return complement(_category(sre.CATEGORY_DIGIT, ascii_only))
        case sre.CATEGORY_NOT_SPACE:
            return complement(_category(sre.CATEGORY_SPACE, ascii_only))
        case sre.CATEGORY_NOT_WORD:
            return complement(_category(sre.CATEGORY_WORD, ascii_only))
        case _:
            raise NotRead("a pattern with this category")


@lru_cache(maxsize=128)
def automaton_of(pattern: str, flags: int = 0) -> Automaton:
    """The automaton of a pattern. Raises ``NotRead`` for what is not read exactly, and for what is no pattern."""
    if flags & ~_READ_FLAGS:
        raise NotRead("a pattern with these flags")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a set that may mean something else one day
            tree = sre_parser.parse(pattern, flags)
        found = int(tree.state.flags)
        if found & ~_READ_FLAGS:
            raise NotRead("a pattern with these flags")
        automaton = Automaton(tree, found)
    except (re.error, OverflowError, RecursionError):
        raise NotRead("this pattern") from None
    automaton.groups = dict(tree.state.groupdict)
    return automaton
