"""Where an expression of the spec is read: what its names stand for, and what is known there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from neurosym_verifiers.reading.narrowing import Narrowing, narrowing_by
from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.terms import Condition
from neurosym_verifiers.reading.values import Value


@dataclass(slots=True)
class Meaning:
    """The inputs of one run, its result if it has one, and what else names stand for."""

    names: Mapping[str, Value]
    result: Value | None = None

    def narrowed(self, narrowing: Narrowing | None) -> Meaning:
        """The same, where what is known narrows it."""
        if narrowing is None:
            return self
        names = {name: narrowing.value(value) for name, value in self.names.items()}
        return Meaning(names, None if self.result is None else narrowing.value(self.result))


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
            local = {name: narrowing.value(value) for name, value in self.local.items()}
        state = self.state.assuming(condition)
        return Scope(local, state, meaning, self.depth, self.runs, len(state.exits))

    def after(self, part: Scope, where: Condition) -> None:
        """Goes on behind a part that was read where a condition holds."""
        self.state.after(part.state, where, part.exits_before, 0)
