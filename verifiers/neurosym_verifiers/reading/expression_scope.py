"""Where an expression of the spec is read: what its names stand for, and what is known there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from neurosym_verifiers.reading.narrowing import Narrowing, narrowing_by
from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.terms import Condition
from neurosym_verifiers.reading.values import Value


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
    """What names stand for: the inputs of one run, and its ``result`` if it has one."""

    names: Mapping[str, Value]

    def narrowed(self, narrowing: Narrowing | None) -> Meaning:
        """The same, where what is known narrows it."""
        return self if narrowing is None else Meaning(Narrowed(self.names, narrowing))

    def with_result(self, result: Value) -> Meaning:
        """The same, of a run that has this result."""
        return Meaning({**self.names, "result": result})


@dataclass(slots=True)
class Scope:
    """Where an expression is read: local names, and the state that collects where it is undefined (as exits)."""

    local: Mapping[str, Value]
    state: State
    meaning: Meaning
    depth: int = 0
    runs: Mapping[str, Meaning] = field(default_factory=dict)
    exits_before: int = 0

    def assuming(self, condition: Condition) -> Scope:
        narrowing = narrowing_by(condition)
        meaning, local = self.meaning.narrowed(narrowing), self.local
        if narrowing is not None:
            local = Narrowed(self.local, narrowing)
        state = self.state.assuming(condition)
        return Scope(local, state, meaning, self.depth, self.runs, len(state.exits))

    def after(self, part: Scope, where: Condition) -> None:
        """Goes on behind a part that was read where a condition holds."""
        self.state.after(part.state, where, part.exits_before, 0)
