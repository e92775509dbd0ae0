"""Loops with too many rounds to go through them one by one: what one round does to the variables, over and over.

The body is read once, with unknown numbers for the variables that it changes. What these are afterwards is an atom
(``Iterated``) that keeps the round, the start and the number of rounds. Two loops that do the same, from the same
start, equally often, are the same atom; all else that is to be known of it takes induction (``proof/induction.py``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import replace

from neurosym_verifiers.reading.data.items import MOST_ROUNDS
from neurosym_verifiers.reading.data.values import Int, NotRead, Thing, Value
from neurosym_verifiers.reading.execution.flow import Flow
from neurosym_verifiers.reading.execution.state import State, joined
from neurosym_verifiers.reading.floats.reals import RealTest
from neurosym_verifiers.reading.formulas.terms import ROUND, TRUE, Iterated, Term, atom, place, variable
from neurosym_verifiers.reading.formulas.walking import parts_of
from neurosym_verifiers.reading.python.program import stored_names
from neurosym_verifiers.reading.simplification.substituting import Substitution

MANY_ROUNDS = 48
"""A loop of more rounds is read as a long one if it can be, though it might be gone through round by round."""

_MOST_ROUNDS = 100_000
"""Beyond that it is no longer sure that the steps fit the limits of a run."""


def is_long(iterated: Value, many: int) -> bool:
    """Whether it is a range that may have more rounds than ``many``, and not too many to be run."""
    rounds = _rounds(iterated)
    return rounds is not None and rounds.high is not None and many < rounds.high <= _MOST_ROUNDS


def _rounds(iterated: Value) -> Term | None:
    match iterated:
        case Thing(name="range", of=(Int(term=first), Int(term=stop), Int(term=step))) if step.constant == 1:
            return stop - first
        case _:
            return None


def summary(statement: ast.For, iterated: Value, state: State, read: Callable[[Many[ast.stmt], State], Flow]) -> State:
    """The state after a long loop (``is_long``). Raises ``NotRead`` where a round does more than to change numbers.

    ``read``: reads statements from a state on.
    """
    line, rounds = statement.lineno, _rounds(iterated)
    assert rounds is not None
    assert isinstance(iterated, Thing)
    if not isinstance(statement.target, ast.Name):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds", line)
    bound = stored_names(statement)
    changed = [name for name in state.names if name in bound and name != statement.target.id]
    start = [_number(state.names[name], name, line) for name in changed]
    counted = iterated.of[0].term + variable(ROUND, 0, None if rounds.high is None else max(rounds.high - 1, 0))
    names = state.names | {name: Int(variable(place(i), None, None)) for i, name in enumerate(changed)}
    inside = replace(state.copy(), names=names | {statement.target.id: Int(counted)}, live=TRUE, exits=[], yielded=None)
    before = inside.copy()
    flow = read(statement.body, inside)
    ends = joined(before, [*flow.going, *flow.continued])
    if flow.broken or inside.exits or len(ends) != 1 or ends[0].live != TRUE:
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that may be left before its end", line)
    kept = {name: value for name, value in ends[0].names.items() if name not in bound}
    if any(name not in ends[0].names for name in changed) or any(value != names[name] for name, value in kept.items()):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes more than its names", line)
    if ends[0].heap.changed_since(state.heap):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes lists", line)
    step = [_number(ends[0].names[name], name, line) for name in changed]
    if any(isinstance(part, Iterated) for term in step for part in parts_of(term)):
        raise NotRead("a loop of many rounds in another", line)
    if any(isinstance(part, RealTest) for term in step for part in parts_of(term)):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that asks what a real function gives", line)
    after = state.copy()
    after.names = {name: value for name, value in state.names.items() if name not in bound}
    for i, name in enumerate(changed):
        if step[i] == variable(place(i), None, None):
            after.names[name] = state.names[name]
        else:
            after.names[name] = Int(after_rounds(i, step, start, rounds, changed))
    return after


def _number(value: Value, name: str, line: int) -> Term:
    if not isinstance(value, Int):
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds that changes {name}, which is no int", line)
    return value.term


def after_rounds(of: int, step: Many[Term], start: Many[Term], rounds: Term, labels: Many[str]) -> Term:
    """What one variable is after so many rounds. Only those that it depends on are kept, itself before the others."""
    order = [of]
    for i in order:  # grows while it is gone through
        order += [j for j in range(len(step)) if place(j) in step[i].names and j not in order]
    renamed = Substitution({place(j): variable(place(i), None, None) for i, j in enumerate(order)}, {})
    steps, starts = tuple(renamed.term(step[j]) for j in order), tuple(start[j] for j in order)
    return atom(Iterated(steps, starts, rounds, tuple(labels[j] for j in order)))
