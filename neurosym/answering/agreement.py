"""Which answers are the same answer, and how far that can be trusted.

Two programs agree where their numbers are equal in one unit. Numbers that a Decimal context or a float has rounded
differ in their last digits by the way that was taken; they agree up to a part in 10**15, and it is said that they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.rounding import ROUNDINGS, round_places

from neurosym.answering.units import Unit, unit_of

CLOSE = Fraction(1, 10**15)
_MOST_PLACES = 6


class Trust(StrEnum):
    """How far an answer can be trusted, least first."""

    NOTHING = "nothing"
    EXECUTED = "executed"
    AGREED = "agreed"
    CHECKED = "checked"

    def reaches(self, other: Trust) -> bool:
        order = [*Trust]
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Given:
    """The answer of the program with this ``number``: a spec value, its unit (empty: it names none), and for the
    function of a spec the inputs that were read out of the question, in the spec's plain notation. ``text``: the same
    for two programs that differ in no more than spaces and comments."""

    number: int
    value: Any
    unit: str = ""
    inputs: Any = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Programs with one answer, in their order. ``exact``: their values are equal, not only close."""

    members: tuple[Given, ...]
    exact: bool = True

    @property
    def witnesses(self) -> int:
        """How many of them confirm each other: the same text twice says no more than once."""
        return len({each.text or each.number for each in self.members})

    @property
    def lead(self) -> Given:
        """The answer that is shown: of the first program, of the first that names a unit if any does."""
        return next((each for each in self.members if each.unit), self.members[0])


def groups_of(answers: Sequence[Given]) -> tuple[Group, ...]:
    """The answers that are the same, the largest group first, else in the order of the programs.

    A program that names no unit is counted with those whose number is the same.
    """
    groups: list[Group] = []
    for answer in [*filter(lambda each: each.unit, answers), *filter(lambda each: not each.unit, answers)]:
        for at, group in enumerate(groups):
            same = _sameness(group.members[0], answer)
            if same is not None:
                members = tuple(sorted((*group.members, answer), key=lambda each: each.number))
                groups[at] = Group(members, group.exact and same)
                break
        else:
            groups.append(Group((answer,)))
    return tuple(sorted(groups, key=lambda group: (-len(group.members), group.members[0].number)))


def difference_of(one: Given, other: Given) -> str:
    """How two answers differ, where that is plain; empty where it is not."""
    if one.inputs != other.inputs:
        return "they read other inputs out of the question"
    if not (_is_number(one.value) and _is_number(other.value)):
        return ""
    first, second = unit_of(one.unit), unit_of(other.unit)
    a, b = Fraction(one.value), Fraction(other.value)
    if first.base != second.base and one.unit and other.unit:
        numbers = "the numbers are equal, and " if a == b else ""
        return f"{numbers}the units are not the same: {one.unit} and {other.unit}"
    a, b = _in_base(a, first, bool(one.unit and other.unit)), _in_base(b, second, bool(one.unit and other.unit))
    if a == -b:
        return "they differ in their sign"
    if b and a / b in (100, Fraction(1, 100)):
        return "they differ by a factor of a hundred: a percentage and a fraction, or cents and whole units"
    for rounded, exact in ((a, b), (b, a)):
        if said := _rounding(exact, rounded):
            return said
    return ""


def _rounding(exact: Fraction, rounded: Fraction) -> str:
    for places in range(_MOST_PLACES + 1):
        if (rounded * 10**places).denominator != 1:
            continue
        for mode, rounding in ROUNDINGS.items():
            if round_places(exact.numerator, exact.denominator, places, rounding) == rounded:
                many = "a whole number" if places == 0 else f"{places} decimal{'' if places == 1 else 's'}"
                return (
                    f"they agree but for rounding: one is the other rounded {mode} to {many}; say in the question how"
                )
        return ""
    return ""


def _sameness(one: Given, other: Given) -> bool | None:
    """Whether two answers are exactly equal (True), close (False), or not the same answer (None)."""
    if one.inputs != other.inputs:
        return None
    if not (_is_number(one.value) and _is_number(other.value)):
        return True if _same(one.value, other.value) and one.unit == other.unit else None
    both = bool(one.unit and other.unit)
    first, second = unit_of(one.unit), unit_of(other.unit)
    if both and first.base != second.base:
        return None
    a, b = _in_base(Fraction(one.value), first, both), _in_base(Fraction(other.value), second, both)
    if a == b:
        return True
    return False if abs(a - b) <= CLOSE * max(abs(a), abs(b)) else None


def _in_base(value: Fraction, unit: Unit, both: bool) -> Fraction:
    return value * unit.factor if both else value


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
