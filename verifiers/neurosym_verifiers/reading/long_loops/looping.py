"""What a statement says of its rounds: how many there are at most, and how one of them is read."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from neurosym_verifiers.reading.data.values import Int, Thing, Value
from neurosym_verifiers.reading.execution.flow import Flow
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import floor_div
from neurosym_verifiers.reading.formulas.terms import Condition, Term, number
from neurosym_verifiers.reading.python.program import stored_names

MANY_ROUNDS = 48
"""A loop of more rounds is read as a long one if it can be, though it might be gone through round by round."""

MOST_ROUNDS = 100_000
"""Beyond that it is no longer sure that the steps fit the limits of a run."""


Offers: TypeAlias = Callable[[int, Mapping[str, Value]], tuple[tuple[str, Condition], ...]]
"""What is said to be kept by every round of the loop at a line, of its variables; each condition in words."""

ReadRound: TypeAlias = Callable[[State], Flow]
"""Reads one round, from a state on; that of a ``while`` breaks first of all where its test does not hold."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The name that a ``for`` gives to ``first``, ``first + step``, …"""

    name: str
    first: Term
    step: Term


@dataclass(frozen=True, slots=True)
class Going:
    """How a loop goes through its rounds.

    ``rounds``: how many at most; None for a ``while``, of which that is still to be found. ``stored``: the
    names that are assigned anywhere in it. ``counted``: of a ``for``.
    """

    line: int
    read: ReadRound
    stored: frozenset[str]
    rounds: Term | None = None
    counted: Counted | None = None
    has_else: bool = False

    @property
    def target(self) -> str | None:
        """The name that the loop itself sets in each round."""
        return None if self.counted is None else self.counted.name


def is_long(iterated: Value, many: int) -> bool:
    """Whether it is a range that may have more rounds than ``many``, and not too many to be run."""
    rounds = _rounds(iterated)
    return rounds is not None and has_many(rounds, many)


def has_many(rounds: Term, many: int) -> bool:
    """Whether there may be more than so many, and not too many to be run."""
    return rounds.high is not None and many < rounds.high <= MOST_ROUNDS


def through(statement: ast.For, iterated: Value, read: ReadRound) -> Going | None:
    """A ``for`` over a range; None where it assigns to more than one name, or goes through something else."""
    rounds = _rounds(iterated)
    if rounds is None or not isinstance(iterated, Thing) or not isinstance(statement.target, ast.Name):
        return None
    first, _, step = (each.term for each in iterated.of if isinstance(each, Int))
    name, stored = statement.target.id, stored_names(statement)
    return Going(statement.lineno, read, stored, rounds, Counted(name, first, step), bool(statement.orelse))


def _rounds(iterated: Value) -> Term | None:
    match iterated:
        case Thing(name="range", of=(Int(term=first), Int(term=stop), Int(term=step))) if step.constant:
            by = step.constant
            if by < 0:
                first, stop, by = -first, -stop, -by
            return floor_div(stop - first + number(by - 1), number(by))
        case _:
            return None
