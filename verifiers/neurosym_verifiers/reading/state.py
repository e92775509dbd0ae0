"""A point in the execution: what the names stand for, and under which condition it is reached."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass, field

from neurosym_verifiers.reading.merging import CannotMerge, merged
from neurosym_verifiers.reading.narrowing import Narrowing, bounds_from
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition, both, either, negated
from neurosym_verifiers.reading.values import Value


@dataclass(frozen=True, slots=True)
class Returned:
    """The function returns a value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Raised:
    """The function raises: the exception's name and those of its bases, nearest first."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exit:
    """How the function ends where the condition holds. The conditions of all exits exclude each other."""

    condition: Condition
    outcome: Returned | Raised
    line: int


@dataclass(slots=True)
class State:
    """``live``: the condition on the inputs under which execution is here. ``locals``: the names that the function
    assigns somewhere; before that they are unbound, whatever they mean outside."""

    names: dict[str, Value]
    live: Condition = TRUE
    depth: int = 0
    exits: list[Exit] = field(default_factory=list)
    locals: frozenset[str] = frozenset()

    def assuming(self, condition: Condition) -> State:
        """The same point on the path where the condition holds, its variables narrowed; exits go to the same list."""
        state = State(dict(self.names), both(self.live, condition), self.depth, self.exits, self.locals)
        state.narrow(condition)
        return state

    def narrow(self, condition: Condition) -> None:
        bounds = bounds_from(condition)
        if bounds:
            narrowing = Narrowing(bounds)
            self.names = {name: narrowing.value(value) for name, value in self.names.items()}

    def raise_if(self, condition: Condition, names: tuple[str, ...], line: int) -> None:
        """Ends with an exception where the condition holds, and goes on elsewhere."""
        here = both(self.live, condition)
        if here == FALSE:
            return
        self.exits.append(Exit(here, Raised(names), line))
        elsewhere = negated(condition)
        self.live = both(self.live, elsewhere)
        self.narrow(elsewhere)


def joined(before: State, states: Many[State]) -> list[State]:
    """States that exclude each other as one, where their values fit; else as they are.

    A name that stands for what it stood for before keeps that value: what a branch knows of it stays in the branch.
    """
    alive = [state for state in states if state.live != FALSE]
    if len(alive) < 2:
        return alive
    result = alive[0]
    for other in alive[1:]:
        try:
            names = {name: _kept(before, name, result, other) for name in result.names if name in other.names}
        except CannotMerge:
            return alive
        result = State(names, either(result.live, other.live), before.depth, before.exits, before.locals)
    return [result]


def _kept(before: State, name: str, one: State, other: State) -> Value:
    a, b = one.names[name], other.names[name]
    old = before.names.get(name)
    if old is not None and old == a and old == b:
        return old
    return merged(one.live, a, b)
