"""Where an expression of the spec is read: what its names stand for, and what is known there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from neurosym_verifiers.reading.data.values import Bool, Chars, Day, Int, LoopList, Member, Members, Text, Value
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, narrowing_by
from neurosym_verifiers.reading.formulas.terms import Condition
from neurosym_verifiers.reading.loop_lists.walks import Walk

_BY_KEY = (Bool, Chars, Day, Int, Member, Members, Text)
"""What is equal where its terms have equal keys."""


class Narrowed(Mapping[str, Value]):
    """What names stand for on a path. Each is narrowed when it is asked for: an expression speaks of few of them."""

    def __init__(self, names: Mapping[str, Value], narrowing: Narrowing) -> None:
        self._names = names
        self._narrowing = narrowing
        self._known: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._narrowing.value(self._names[name])
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


@dataclass(slots=True)
class Meaning:
    """What names stand for: the inputs of one run, and its ``result`` if it has one.

    ``read``: what lets and calls of definitions came to, by their name, where they were read, and their arguments.
    """

    names: Mapping[str, Value]
    read: dict[tuple[str, Condition, tuple[Value, ...]], Value] = field(default_factory=dict, compare=False)

    def narrowed(self, narrowing: Narrowing | None) -> Meaning:
        """The same, where what is known narrows it."""
        return self if narrowing is None else Meaning(Narrowed(self.names, narrowing))

    def with_result(self, result: Value) -> Meaning:
        """The same, of a run that has this result."""
        return Meaning({**self.names, "result": result})


@dataclass(slots=True)
class Scope:
    """Where an expression is read: local names, and the state that collects where it is undefined (as exits).

    ``walks``: the loops over lists of many rounds that it stands in."""

    local: Mapping[str, Value]
    state: State
    meaning: Meaning
    depth: int = 0
    runs: Mapping[str, Meaning] = field(default_factory=dict)
    exits_before: int = 0
    walks: tuple[Walk, ...] = ()

    def loop_lists(self) -> list[LoopList]:
        """The lists of many rounds that the runs have as their results."""
        results = (run.names.get("result") for run in (self.meaning, *self.runs.values()))
        return [each for each in results if isinstance(each, LoopList)]

    def assuming(self, condition: Condition) -> Scope:
        narrowing = narrowing_by(condition)
        meaning, local = self.meaning.narrowed(narrowing), self.local
        if narrowing is not None:
            local = Narrowed(self.local, narrowing)
        state = self.state.assuming(condition)
        return Scope(local, state, meaning, self.depth, self.runs, len(state.exits), self.walks)

    def once(self, name: str, values: tuple[Value, ...], read: Callable[[], Value]) -> Value:
        """What a let or a call of a definition comes to, read once for each place and arguments.

        Where it may be undefined it is read again, since that belongs to the place.
        """
        if not all(isinstance(value, _BY_KEY) for value in values):
            return read()
        state = self.state
        key = (name, state.live, values)
        if key in self.meaning.read:
            return self.meaning.read[key]
        exits = len(state.exits)
        value = read()
        if len(state.exits) == exits and state.live == key[1]:
            self.meaning.read[key] = value
        return value

    def after(self, part: Scope, where: Condition) -> None:
        """Goes on behind a part that was read where a condition holds."""
        self.state.after(part.state, where, part.exits_before, 0)
