"""An executed result as a reader sees it: digits in groups, its unit, and in words what was rounded to show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from neurosym_specs.expr.rounding import ROUNDINGS, round_places
from neurosym_specs.types import Type
from neurosym_specs.values import WrittenDecimal
from neurosym_verifiers.wording import say_number, say_value

MODES = tuple(ROUNDINGS)
DEFAULT_MODE = "half_up"
MOST_PLACES = 12
_DEFAULT_PLACES = 10
_LEAST_DIGITS = 6
_MOST_TRIED = 60


@dataclass(frozen=True, slots=True)
class Copy:
    """A result as it is shown: its ``text`` with its unit, and how that differs from the result (``rounding``)."""

    text: str
    rounding: str


def copy_of(type_: Type, value: Any, unit: str, places: int | None = None, mode: str = DEFAULT_MODE) -> Copy:
    """The copy of a spec value. ``places``: to how many decimals a number is rounded for the reader, None for as many
    as it has; one with more than ten, or without end, is rounded to ten (to six digits where it is very small)."""
    if isinstance(value, date):
        return Copy(value.isoformat(), "as it was computed")
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return Copy(say_value(type_, value), "as it was computed")
    number = Fraction(value)
    if places is None and not _fits(number, _DEFAULT_PLACES):
        places = _places_for(number)
    if places is None or _fits(number, places):
        at_least = places or 0
        written = value.places if isinstance(value, WrittenDecimal) else 0
        shown = number if written > _DEFAULT_PLACES else value  # zeros without end are not shown
        return Copy(_with_unit(say_number(shown, at_least), unit), "as it was computed")
    rounded = round_places(number.numerator, number.denominator, places, ROUNDINGS[mode])
    text = _with_unit(say_number(WrittenDecimal(Fraction(rounded), places)), unit)
    many = "a whole number" if places == 0 else f"{places} decimal{'' if places == 1 else 's'}"
    return Copy(text, f"rounded {mode} to {many} to be shown; computed was {_whole(number)}")


def _with_unit(number: str, unit: str) -> str:
    return f"{number} {unit}".rstrip()


def _fits(number: Fraction, places: int) -> bool:
    scaled: Fraction = number * 10**places
    return scaled.denominator == 1


def _places_for(number: Fraction) -> int:
    places = _DEFAULT_PLACES
    while places < _MOST_TRIED and abs(number) * 10**places < 10 ** (_LEAST_DIGITS - 1):
        places += 1
    return places


def _whole(number: Fraction) -> str:
    """All digits of a number, or its quotient where it has no end."""
    for places in range(_MOST_TRIED):
        if _fits(number, places):
            return say_number(WrittenDecimal(number, places)) if places > MOST_PLACES else say_number(number, 0)
    return f"{number.numerator:,}/{number.denominator:,}" if number.denominator < 10**_MOST_TRIED else "one without end"
