"""Exits taken apart into regions: parts of the inputs on each of which the function does one thing.

An exit's condition, and the choices in what it returns, are made of elementary conditions. Beginning with all inputs,
the first one that is still open where it matters splits them in two, until nothing is open: then one exit is taken and
what it returns is one formula. Conditions and terms are shared graphs, so nothing is ever written out as a tree.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from neurosym_verifiers.reading.data.dates import ordinal
from neurosym_verifiers.reading.data.values import Bool, Day, Days, Dec, Int, Maybe, Member, NotRead, Ratio, Value
from neurosym_verifiers.reading.data.values import Sequence as Items
from neurosym_verifiers.reading.execution.state import Exit, Raised, Returned
from neurosym_verifiers.reading.formulas.bounds import Bounds
from neurosym_verifiers.reading.formulas.normal_forms import negated
from neurosym_verifiers.reading.formulas.terms import Atom, Condition, Div, Ite, Not, NotPositive, Term, Truth, Zero
from neurosym_verifiers.regions.knowing import Known
from neurosym_verifiers.regions.roundings import extreme, half_even_in, mirrored

MOST_REGIONS = 120


class TooMany(Exception):
    """The function does more different things than a table can show."""

    def __init__(self) -> None:
        super().__init__(f"it has more than {MOST_REGIONS} regions")


@dataclass(frozen=True, slots=True)
class Piece:
    """Where all of ``conditions`` hold, the function ends like this, at this line: one exception, or one formula."""

    conditions: tuple[Condition, ...]
    outcome: Returned | Raised
    line: int


class Universe(Protocol):
    """What is known of the inputs."""

    @property
    def bounds(self) -> Mapping[str, Bounds]:
        """The bounds of their variables."""
        ...

    def possible(self, conditions: Sequence[Condition]) -> bool:
        """Whether any input fulfils all of some conditions; True where that is not known."""
        ...


def pieces(exits: Sequence[Exit], universe: Universe, opaque: Container[str]) -> Iterator[Piece]:
    """The pieces of the exits. ``opaque``: keys of choices that have a name of their own, and are not to be split.

    Raises ``TooMany``, and ``NotRead`` where inputs may be left that no exit takes.
    """
    count = 0
    open_paths: list[tuple[Condition, ...]] = [()]
    while open_paths:
        path = open_paths.pop()
        known = Known(path, universe.bounds)
        question, end = _next(exits, known, opaque)
        if question is None:
            if end is None:
                raise NotRead("how it ends on every input: on some that may be there no exit is known")
            count += 1
            if count > MOST_REGIONS:
                raise TooMany
            yield Piece(path, _resolved(end.outcome, known), end.line)
            continue
        sides = [(*path, question), (*path, negated(question))]
        here = [side for side in sides if universe.possible(side)]
        open_paths += here[::-1]


def _next(exits: Sequence[Exit], known: Known, opaque: Container[str]) -> tuple[Condition | None, Exit | None]:
    """The next elementary condition to decide, or the exit that is taken."""
    for each in exits:
        holds_here = known.truth(each.condition)
        if holds_here is None:
            return _question(each.condition, known, opaque), None
        if holds_here:
            outcome = _resolved(each.outcome, known)
            choice = None if isinstance(outcome, Raised) else _open_in(outcome.value, opaque)
            return (None if choice is None else _question(choice, known, opaque)), each
    return None, None


def _question(condition: Condition, known: Known, opaque: Container[str]) -> Condition:
    """The elementary condition to decide first: one without choices inside, so that it speaks of the inputs plainly."""
    while True:
        condition = known.condition(known.open(condition))
        compared = condition.of if isinstance(condition, Not) else condition
        inner = _open_choice(compared.term, opaque, True) if isinstance(compared, (NotPositive, Zero)) else None
        if inner is None:
            return condition
        condition = inner


def _resolved(outcome: Returned | Raised, known: Known) -> Returned | Raised:
    return outcome if isinstance(outcome, Raised) else Returned(known.value(outcome.value))


def _open_in(value: Value, opaque: Container[str]) -> Condition | None:
    """The condition of the first choice that is left in a value."""
    match value:
        case Bool(condition=condition):
            return None if isinstance(condition, Truth) else condition
        case Member(index=index):
            return _open_choice(index, opaque)
        case Maybe(missing=missing):
            return missing
        case _:
            return next((found for term in terms_of(value) if (found := _open_choice(term, opaque))), None)


def terms_of(value: Value) -> tuple[Term, ...]:
    """The terms of a value by which it is shown."""
    match value:
        case Day() if is_put_together(value):
            return value.year, value.month, value.day
        case Int(term=term) | Dec(num=term) | Day(ordinal=term) | Days(count=term):
            return (term,)
        case Ratio(num=num, den=den):
            return num, den
        case Items(items=items):
            return tuple(term for item in items for term in terms_of(item))
        case _:
            return ()


def is_put_together(day: Day) -> bool:
    """Whether a date is one of a year, a month and a day, and no number of days from another one."""
    return day.ordinal.constant is None and day.ordinal == ordinal(day.year, day.month, day.day)


def _open_choice(term: Term, opaque: Container[str], extremes: bool = False) -> Condition | None:
    """The condition of the first choice in a term that is no rounding and has no name of its own.

    ``extremes``: a minimum or maximum is no choice either.
    """
    even = half_even_in(term)
    inside = [even.rounding.num, even.rest] if even is not None else []
    for each in inside or [term]:
        for monomial, _ in each.parts:
            for factor in monomial:
                found = _open_in_atom(factor, opaque, extremes)
                if found is not None:
                    return found
    return None


def _open_in_atom(factor: Atom, opaque: Container[str], extremes: bool) -> Condition | None:
    inside: tuple[Term, ...] = ()
    match factor:
        case Ite(then=then, other=other) if factor.key not in opaque:
            rounding = mirrored(factor)
            if rounding is not None:
                inside = rounding.num, rounding.den
            elif extremes and extreme(factor):
                inside = then, other
            else:
                return factor.condition
        case Div(num=num, den=den):
            inside = num, den
        case _:
            pass
    return next((found for term in inside if (found := _open_choice(term, opaque, extremes))), None)
