"""Inputs as axes: their values in rising order, by place from 0, without a list of them where they are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neurosym_specs.model import Spec
from neurosym_specs.notation import to_plain
from neurosym_specs.types import DateType, DecimalType, FloatType, FractionType, IntType, Type

from neurosym_verifiers.search.exhaust import domain_of
from neurosym_verifiers.search.grid import Grid, grid_of

_AMOUNTS = (DecimalType, FloatType, FractionType)


@dataclass(frozen=True, slots=True)
class Axis:
    """An input with its values, or with the points of its grid.

    ``missing``: which of its type's values are not among these, in words; empty where all are. ``ordered``: they rise.
    """

    name: str
    type: Type
    values: Sequence[Any] | Grid
    missing: str
    ordered: bool

    def __len__(self) -> int:
        return self.values.last - self.values.first + 1 if isinstance(self.values, Grid) else len(self.values)

    def at(self, place: int) -> Any:
        """The value at a place."""
        return self.values.point(self.values.first + place) if isinstance(self.values, Grid) else self.values[place]

    def place_of(self, value: Any) -> int | None:
        """Where a value stands; None where it is not among these."""
        if not isinstance(self.values, Grid):
            return self.values.index(value) if value in self.values else None
        position = self.values.position(value)
        place = None if position is None else round(position) - self.values.first
        return place if place is not None and 0 <= place < len(self) and self.at(place) == value else None

    def text(self, place: int) -> str:
        """The value at a place in the spec's notation."""
        return str(to_plain(self.type, self.at(place)))

    @property
    def zero(self) -> int | None:
        """The place of zero, where it is inside of the range."""
        return self.place_of(0) if isinstance(self.type, (IntType, *_AMOUNTS)) else None


def axes_of(spec: Spec) -> list[Axis] | None:
    """An axis for each input; None where one has none: lists, texts, what has no bounds."""
    axes = [_axis(name, type_) for name, type_ in spec.inputs.items()]
    found = [axis for axis in axes if axis is not None]
    return found if len(found) == len(axes) else None


def by_size(axes: Sequence[Axis]) -> list[Axis]:
    """Those that are ordered and have more than one value: amounts first, then by how many values they have."""
    ordered = [axis for axis in axes if axis.ordered and len(axis) > 1]
    return sorted(ordered, key=lambda axis: (not isinstance(axis.type, _AMOUNTS), -len(axis)))


def _axis(name: str, type_: Type) -> Axis | None:
    """All values where they can be listed, else the points of the grid, if one range is all that there is."""
    domain = domain_of(type_)
    if domain is not None:
        numbers = isinstance(type_, (IntType, DateType, *_AMOUNTS)) and not any(isinstance(v, float) for v in domain)
        return Axis(name, type_, sorted(domain) if numbers else domain, "", numbers)
    grid = grid_of(type_)
    if grid is None or grid.type.choices is not None or grid.type.also:
        return None
    if None in (getattr(type_, "min", None), getattr(type_, "max", None)):
        return None
    return Axis(name, type_, grid, _missing(name, type_, grid), True)


def _missing(name: str, type_: Type, grid: Grid) -> str:
    if isinstance(type_, FractionType) or (isinstance(type_, (DecimalType, FloatType)) and type_.places is None):
        return f"{name} in steps of {grid.step if isinstance(type_, FractionType) else f'{float(grid.step):g}'}"
    if isinstance(type_, (DecimalType, FloatType)) and (type_.nan or type_.infinity or type_.negative_zero):
        return f"{name} without NaN, infinities and negative zero"
    return ""
