"""The part of a stored result that says what a candidate does where; as in a document of ``neurosym regions``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The values of a ``place`` in a region, in the spec's notation; null where an end is that of all inputs.

    ``text``: the same in words.
    """

    place: str
    low: Any
    high: Any
    options: tuple[Any, ...] | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A call that was run, and what came out, in words."""

    inputs: dict[str, Any]
    call: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndCase(Case):
    """A call at the ``low`` or ``high`` ``end`` of the range of a ``place``."""

    place: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A part of the inputs on which one thing is done: it ``raises``, or returns the ``formula``; ``text`` says which.

    ``constant``: the formula is one value, in words. ``ties``: conditions between places; ``and`` in JSON. ``lines``
    are the original's.
    """

    where: tuple[Span, ...]
    ties: Annotated[tuple[str, ...], Field(alias="and")]
    raises: str | None
    formula: str | None
    constant: bool
    unit: str | None
    text: str
    lines: tuple[int, ...]
    case: Case
    ends: tuple[EndCase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Regions:
    """The regions. ``complete``: every input is known to be in exactly one of them; ``held_against``: how many runs
    the reading agreed with; ``missing``: why there are none."""

    regions: tuple[Region, ...]
    complete: bool
    held_against: int
    missing: str
