"""The scalars in a function's inputs: what a region is a range of.

A place is an input, or a part of one (``line.amount``), with its symbolic value. A number and a date have a term that
can be bounded; a yes or no and a name have options, and so has the question whether an optional value is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.types import BoolType, DecimalType, OptionalType, RecordType, TupleType, Type
from neurosym_specs.values import WrittenDecimal

from neurosym_verifiers.reading.data.dates import month_length
from neurosym_verifiers.reading.data.values import Bool, Day, Dec, Int, Maybe, Member, NotRead, Record, Sequence, Value
from neurosym_verifiers.reading.formulas.normal_forms import both, equal, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Flag, Ite, Term, Var, number
from neurosym_verifiers.search.grid import fewest_places

IS_NONE = " is None"
"""How the label of a place ends that says whether an optional value is there."""

_FEW = 20
"""A number with at most so many choices is shown by them, and not by a range."""


@dataclass(frozen=True, slots=True)
class Place:
    """``label`` as the spec's language writes it; ``type`` of the values. ``there``: where it has one at all."""

    label: str
    type: Type
    value: Value
    there: Condition = TRUE

    @property
    def term(self) -> Term | None:
        """The number whose range counts: steps of the last decimal, days of the calendar; None for names."""
        match self.value:
            case Int() | Dec() if self._choices:
                return None
            case Int(term=term) | Dec(num=term) | Day(ordinal=term):
                return term
            case _:
                return None

    @property
    def _choices(self) -> tuple[Any, ...]:
        """The values of a number that has only a few."""
        few = self.type.choices if not self.type.also else None
        return few if few is not None and len(few) <= _FEW else ()

    @property
    def options(self) -> tuple[tuple[Any, Condition], ...]:
        """For a yes or no, or a name: each value with the condition that it is the one."""
        match self.value:
            case Bool(condition=condition):
                return (True, condition), (False, negated(condition))
            case Member(names=names, index=index):
                return tuple((name, equal(index, number(at))) for at, name in enumerate(names))
            case Int(term=term) | Dec(num=term) if self._choices:
                unit = 10 ** (self.value.places if isinstance(self.value, Dec) else 0)
                return tuple((choice, equal(term, number(int(Fraction(choice) * unit)))) for choice in self._choices)
            case _:
                return ()

    def assignment(self, steps_or_option: Any) -> dict[str, int | bool]:
        """The variables' values that put this place at so many steps, or at an option."""
        match self.value:
            case Bool(condition=Flag(name=name)):
                return {name: bool(steps_or_option)}
            case Member(names=names, index=index):
                return dict.fromkeys(_variables(index), names.index(steps_or_option))
            case Day(year=year, month=month, day=day):
                at = date.fromordinal(steps_or_option)
                parts = ((year, at.year), (month, at.month), (day, at.day))
                return {name: number_ for term, number_ in parts for name in _variables(term)}
            case Int(term=term) | Dec(num=term):
                unit = 10 ** (self.value.places if isinstance(self.value, Dec) else 0)
                steps = int(Fraction(steps_or_option) * unit) if self._choices else steps_or_option
                return dict.fromkeys(_variables(term), steps)
            case _:
                return {}

    def spec_value(self, steps: int) -> Any:
        """The value at so many steps."""
        match self.value:
            case Dec(places=places):
                exact = Fraction(steps, 10**places)
                allowed = self.type.places if isinstance(self.type, DecimalType) else None
                return WrittenDecimal(exact, fewest_places(exact, allowed))
            case Day():
                return date.fromordinal(steps)
            case _:
                return steps


def places_of(types: Mapping[str, Type], values: Mapping[str, Value]) -> tuple[Place, ...]:
    """The places of inputs, in order. Raises ``NotRead`` for parts that have none."""
    return tuple(place for name, value in values.items() for place in _places(name, types[name], value, TRUE))


def _places(label: str, type_: Type, value: Value, there: Condition) -> Iterator[Place]:
    match type_, value:
        case _, Int() | Dec() | Day() | Bool() | Member():
            yield Place(label, type_, value, there)
        case OptionalType(of=of), Maybe(missing=missing, value=some):
            yield Place(label + IS_NONE, BoolType(), Bool(missing), there)
            yield from _places(label, of, some, both(there, negated(missing)))
        case RecordType(fields=fields), Record(fields=parts):
            for (name, of), (_, part) in zip(fields, parts, strict=True):
                yield from _places(f"{label}.{name}", of, part, there)
        case TupleType(items=types), Sequence(items=parts):
            for i, (of, part) in enumerate(zip(types, parts, strict=True)):
                yield from _places(f"{label}[{i}]", of, part, there)
        case _:
            raise NotRead(f"the input {label} (regions are known for a fixed number of single values)")


@dataclass(frozen=True, slots=True)
class Names:
    """How variables of the reading are written: ``numbers`` with how many decimal places a unit has, ``members`` with
    their names, ``flags``, ``dates`` by the variable of their ordinal; ``choices`` that have a name, by their keys."""

    numbers: Mapping[str, tuple[str, int]]
    members: Mapping[str, tuple[str, tuple[str, ...]]]
    flags: Mapping[str, str]
    dates: Mapping[str, str]
    choices: Mapping[str, str]


def names_of(places: tuple[Place, ...]) -> Names:
    """The names of the variables behind places."""
    numbers: dict[str, tuple[str, int]] = {}
    members: dict[str, tuple[str, tuple[str, ...]]] = {}
    flags: dict[str, str] = {}
    dates: dict[str, str] = {}
    choices: dict[str, str] = {}
    for place in places:
        match place.value:
            case Int(term=term):
                numbers |= dict.fromkeys(_variables(term), (place.label, 0))
            case Dec(num=num, places=decimals):
                numbers |= dict.fromkeys(_variables(num), (place.label, decimals))
            case Member(names=names, index=index):
                members |= dict.fromkeys(_variables(index), (place.label, names))
            case Bool(condition=condition):
                flags[condition.key] = place.label
            case Day(ordinal=ordinal, year=year, month=month, day=day):
                dates |= dict.fromkeys(_variables(ordinal), place.label)
                choices |= dict.fromkeys(_choices(month_length(year, month)), f"month_end({place.label}).day")
                for part, term in (("year", year), ("month", month), ("day", day)):
                    numbers |= dict.fromkeys(_variables(term), (f"{place.label}.{part}", 0))
            case _:
                pass
    return Names(numbers, members, flags, dates, choices)


def _choices(term: Term) -> list[str]:
    """The key of the choice that a term is, if it is one."""
    return [factor.key for monomial, _ in term.parts for factor in monomial if isinstance(factor, Ite)]


def _variables(term: Term) -> list[str]:
    """The name of the variable that a term is, if it is one."""
    return [factor.name for monomial, _ in term.parts for factor in monomial if isinstance(factor, Var)]
