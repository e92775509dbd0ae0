"""The values of a hole that are likely: those that the spec names, and the plain ones; small ranges whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from itertools import islice
from typing import Any

from neurosym_specs.membership import member_fault
from neurosym_specs.model import Spec
from neurosym_specs.types import BoolType, DateType, DecimalType, EnumType, IntType, StrType, Type
from neurosym_specs.values import WrittenDecimal

from neurosym_verifiers.search.constants import spec_constants
from neurosym_verifiers.search.draw import Constants
from neurosym_verifiers.search.grid import fewest_places

_PLAIN = (0, 1, 2, 10, 100, -1, Fraction(1, 2), 5, 12, 365, 360, 1000)
_SMALL = 400
"""A range of so many values is gone through whole."""

_MOST = 2_000
_NUMBER = 10**12


def likely_values(spec: Spec, type_: Type) -> tuple[tuple[Any, ...], bool]:
    """The values, the likelier first, and whether these are all that there are."""
    match type_:
        case BoolType(choices=None):
            return (True, False), True
        case EnumType() | StrType():
            return tuple(map(str, type_.choices or ())), not type_.also
        case IntType() | DecimalType() if type_.choices is not None:
            return tuple(_as(type_, Fraction(str(each))) for each in type_.choices), not type_.also
        case IntType() | DecimalType():
            return _numbers(type_, _constants(spec))
        case DateType():
            return _dates(type_, spec_constants(spec))
        case _:
            return tuple(type_.choices or ()), False


def _constants(spec: Spec) -> tuple[Fraction, ...]:
    """The numbers of clauses and data, then those of the problem's text and of the examples."""
    found = [*spec_constants(spec).numbers]
    for word in spec.problem.replace(",", "").replace("%", " ").split():
        try:
            found.append(Fraction(word.strip(".;:()$€£")))
        except (ValueError, ZeroDivisionError):
            continue
    for example in spec.examples:
        found += [Fraction(v) for v in (*example.inputs.values(), example.out) if isinstance(v, int | Fraction)]
    return tuple(dict.fromkeys(found))


def _numbers(type_: IntType | DecimalType, constants: tuple[Fraction, ...]) -> tuple[tuple[Any, ...], bool]:
    places = type_.places[1] if isinstance(type_, DecimalType) and type_.places else 0
    step = Fraction(1, 10**places)
    near = [c + d for c in constants for d in (step, -step)]
    ends = [end for end in (type_.min, type_.max) if end is not None]
    plain = [Fraction(each) for each in _PLAIN]
    wanted = [*constants, *(c / 100 for c in constants), *plain, *(1 - c for c in constants), *near, *ends]
    found = dict.fromkeys(n for n in wanted if abs(n) < _NUMBER and (n / step).denominator == 1 and _is_in(type_, n))
    whole = False
    if type_.min is not None and type_.max is not None and not type_.also:
        first, last = -(-type_.min // step), type_.max // step
        whole = last - first < _SMALL
        found |= dict.fromkeys(n * step for n in range(int(first), int(last) + 1)) if whole else {}
    return tuple(_as(type_, each) for each in islice(found, _MOST)), whole


def _dates(type_: DateType, constants: Constants) -> tuple[tuple[Any, ...], bool]:
    days = (type_.max - type_.min).days
    whole = days < _SMALL and not type_.also
    found = dict.fromkeys((*(d for d in constants.dates if _is_in(type_, d)), type_.min, type_.max))
    found |= dict.fromkeys(type_.min + timedelta(n) for n in range(days + 1)) if whole else {}
    return tuple(found), whole


def _is_in(type_: IntType | DecimalType | DateType, value: Fraction | date) -> bool:
    of = value if isinstance(value, date) else _as(type_, value)
    return member_fault(type_, of) is None


def _as(type_: Type, value: Fraction) -> Any:
    """The spec value of a number."""
    if isinstance(type_, DecimalType) and type_.places:
        return WrittenDecimal(value, fewest_places(value, type_.places))
    return int(value)


def by_rank(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every combination of places in lists of these lengths, those near the beginning first."""
    for total in range(sum(sizes) - len(sizes) + 1):
        yield from _of_sum(sizes, total)


def _of_sum(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    if not sizes:
        if total == 0:
            yield ()
        return
    rest = sum(sizes[1:]) - len(sizes) + 1
    for first in range(max(0, total - rest), min(sizes[0] - 1, total) + 1):
        for others in _of_sum(sizes[1:], total - first):
            yield first, *others
