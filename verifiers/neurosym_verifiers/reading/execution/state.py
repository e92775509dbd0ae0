"""A point in the execution: what the names stand for, and under which condition it is reached."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass, field, replace

from neurosym_verifiers.reading.data.values import NotRead, OutOfOrder, Ref, Value
from neurosym_verifiers.reading.execution.heap import Heap, kept
from neurosym_verifiers.reading.execution.merging import CannotMerge
from neurosym_verifiers.reading.execution.ways import any_way, parted
from neurosym_verifiers.reading.formulas.narrowing import Narrowing, beyond, conjuncts, narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition


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
    """How the function ends where the condition holds. The conditions of all exits exclude each other.

    ``names`` and ``heap``: what its names stood for there, and what was in the heap.
    """

    condition: Condition
    outcome: Returned | Raised
    line: int
    names: Mapping[str, Value] = field(default_factory=dict, compare=False, repr=False)
    heap: Heap = field(default_factory=Heap, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a function sees around it: ``enclosing`` are the names of the functions around a nested one, ``hidden``
    those that they assign somewhere, ``frames`` the calls of them, innermost last. ``comprehended``: the names of the
    comprehensions that it was made in, each with a number of its comprehension."""

    enclosing: Mapping[str, Value] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    frames: tuple[int, ...] = ()
    comprehended: frozenset[tuple[int, str]] = frozenset()


MODULE = Surroundings()
"""Those of a function of the module: its names are looked up there."""


@dataclass(slots=True)
class State:
    """``live``: the condition on the inputs under which execution is here. ``locals``: the names that the function
    assigns somewhere; before that they are unbound, whatever they mean outside. ``enclosing``: the names of the
    functions around a nested one, ``hidden`` those that they assign somewhere, ``frames`` the calls, innermost last.
    ``calls``: the functions that are at work, innermost last. ``fixed``: what in the heap must not change, since a loop
    goes through it.
    ``handling``: the exception that an ``except`` is at work on. ``comprehended``: the names of the comprehensions
    around, each with a number of its comprehension: a function made elsewhere does not see them. ``yielded``: what a
    generator has yielded, each with its condition and the number of exits before it; states of one call share it."""

    names: dict[str, Value]
    live: Condition = TRUE
    depth: int = 0
    exits: list[Exit] = field(default_factory=list)
    locals: frozenset[str] = frozenset()
    heap: Heap = field(default_factory=Heap)
    enclosing: Mapping[str, Value] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    frames: tuple[int, ...] = ()
    fixed: frozenset[int] = frozenset()
    calls: tuple[ast.AST, ...] = ()
    handling: tuple[str, ...] = ()
    comprehended: frozenset[tuple[int, str]] = frozenset()
    yielded: list[tuple[Condition, Value, int]] | None = None

    def copy(self) -> State:
        """The same point; exits go to the same list."""
        return replace(self, names=dict(self.names), heap=self.heap.copy())

    def assuming(self, condition: Condition) -> State:
        """The same point on the path where the condition holds, what it knows narrowed."""
        state = self.copy()
        state.live = both(self.live, condition)
        state.narrow(condition)
        return state

    def narrow(self, condition: Condition) -> None:
        narrowing = narrowing_by(condition)
        if narrowing is not None:
            self.names = _narrowed(self.names, narrowing)
            self.heap.narrow(narrowing)
            if self.enclosing:
                self.enclosing = _narrowed(self.enclosing, narrowing)

    def raise_if(self, condition: Condition, names: tuple[str, ...], line: int) -> None:
        """Ends with an exception where the condition holds, and goes on elsewhere."""
        here = both(self.live, condition)
        if here == FALSE or negated(condition) in conjuncts(self.live):
            return
        self.exits.append(Exit(here, Raised(names), line, dict(self.names), self.heap.copy()))
        elsewhere = negated(condition)
        self.live = both(self.live, elsewhere)
        self.narrow(elsewhere)

    def raises_on_demand(self, exits_before: int, line: int) -> bool:
        """Whether making an iterator's items has raised, which it does when they are asked for.

        Raises ``OutOfOrder`` for a ``StopIteration``: in ``map`` it ends the items, in a generator it is another error.
        """
        raised = [each.outcome for each in self.exits[exits_before:]]
        if any(isinstance(each, Raised) and StopIteration.__name__ in each.names for each in raised):
            raise OutOfOrder("StopIteration in an iterator", line)
        return bool(raised)

    def after(self, part: State, where: Condition, exits_before: int, line: int) -> None:
        """Goes on behind a part of an expression that was evaluated in a state of its own, where a condition holds.

        It may have raised, and made lists; that it changed lists is not read. ``exits_before``: how many exits there
        were before it.
        """
        self.take_over([part], line)
        if len(self.exits) > exits_before:
            self.live = any_way(both(self.live, negated(where)), part.live)

    def take_over(self, parts: Many[State], line: int) -> None:
        """Takes over the lists that parts of an expression have made; that they changed some is not read."""
        for part in parts:
            if part.heap.changed_since(self.heap):
                raise NotRead("a change in a part of an expression that is not always evaluated", line)
            self.heap.add_new(part.heap)

    def end_where(self, ends: Many[Exit]) -> None:
        """Ends with exits that were found before, where their conditions hold, and goes on elsewhere."""
        for end in ends:
            here = both(self.live, end.condition)
            if here == FALSE:
                continue
            self.exits.append(Exit(here, end.outcome, end.line, dict(self.names), self.heap.copy()))
            elsewhere = negated(beyond(end.condition, self.live))
            self.live = both(self.live, elsewhere)
            self.narrow(elsewhere)

    def visible(self, frames: tuple[int, ...]) -> Mapping[str, Value] | None:
        """The names that a function made in these calls sees, called from here; None where it cannot be called."""
        if frames == self.frames:
            return {**self.enclosing, **self.names}
        return self.enclosing if frames and frames == self.frames[:-1] else None

    # The heap

    def new(self, content: Value) -> Ref:
        """A new list, dict or set with this in it."""
        return self.heap.new(content)

    def change(self, ref: Ref, content: Value, line: int) -> None:
        """Puts something else into a list, dict or set."""
        if ref.address in self.fixed or ref.address in self.heap.frozen:
            raise NotRead("a change of an argument, of a constant, or of what a loop goes through", line)
        self.heap.change(ref, content)

    def seen(self, value: Value) -> Value:
        """The value with the contents of lists, dicts and sets in their place."""
        return self.heap.seen(value)

    def top(self, value: Value) -> Value:
        """The content of a list, dict or set, as it lies in the heap; any other value as it is."""
        return self.heap.top(value)


def _narrowed(values: Mapping[str, Value], narrowing: Narrowing) -> dict[str, Value]:
    return {name: narrowing.value(value) for name, value in values.items()}


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
            result = _one_of(before, result, other)
        except CannotMerge:
            return alive
    return [result]


def _one_of(before: State, one: State, other: State) -> State:
    shared, here, there = parted(one.live, other.live)
    names = {
        name: kept(before.names.get(name), one.live, other.live, value, other.names[name], here)
        for name, value in one.names.items()
        if name in other.names
    }
    heap = one.heap.joined(other.heap, before.heap, one.live, other.live, here)
    return replace(before, names=names, heap=heap, live=both(shared, any_way(here, there)), exits=one.exits)
