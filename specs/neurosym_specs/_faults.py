"""Wording of a spec's faults: the value as text, the legal words, the closest of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from datetime import date, datetime, time
from fractions import Fraction
from typing import Any

from neurosym_specs._numbers import nearest_float
from neurosym_specs.errors import Place, SpecError
from neurosym_specs.types import FloatType, Type
from neurosym_specs.values import NegativeZero, WrittenDecimal

SHOWN = 60


def show(value: object) -> str:
    """The value as a reader of the file would write it: on one line, printable, cut after sixty characters."""
    return _cut(_plain(value))


def show_member(type: Type, value: object) -> str:
    """As ``show``; a float as the float, not as the long exact decimal that it is."""
    if isinstance(type, FloatType) and isinstance(value, int | Fraction):
        return repr(nearest_float(value))
    return show(value)


def _cut(text: str) -> str:
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _plain(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + value[: 2 * SHOWN].replace("\\", "\\\\").replace('"', '\\"') + '"'
        case int() | Fraction():
            return written(value)
        case datetime() | date() | time():
            return value.isoformat()
        case list() | tuple():
            return "[" + ", ".join(_plain(item) for item in value[:12]) + "]"
        case dict():
            return "{ " + ", ".join(f"{key} = {_plain(value[key])}" for key in list(value)[:12]) + " }"
        case _:
            return str(value)


def number_text(number: int | Fraction) -> str:
    """A number as decimals where it is a finite decimal, else as a fraction; huge ones by their size."""
    top, bottom = number.numerator, number.denominator
    if max(top.bit_length(), bottom.bit_length()) > 8000:
        return f"a number of about {top.bit_length() * 30103 // 100000 + 1} digits"
    if bottom == 1:
        return str(top)
    places = decimal_places(bottom)
    if places is None:
        return f"{top}/{bottom}"
    digits = str(abs(top) * 10**places // bottom).rjust(places + 1, "0")
    return f"{'-' if top < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def decimal_places(denominator: int) -> int | None:
    """How many decimals a reduced fraction with this denominator needs; None if no number of them is enough."""
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def legal_words(words: Iterable[str]) -> str:
    return ", ".join(words)


def closest(word: object, legal: Iterable[str]) -> str:
    """The legal word nearest to ``word``, or nothing."""
    if not isinstance(word, str):
        return ""
    by_folded = {candidate.lower(): candidate for candidate in legal}
    near = difflib.get_close_matches(word[:100].lower(), list(by_folded), n=1, cutoff=0.6)
    return by_folded[near[0]] if near else ""


def unknown(what: str, word: object, legal: Iterable[str], place: Place) -> SpecError:
    """``unknown key "whne"``, with the legal ones and the closest."""
    words = list(legal)
    near = closest(word, words)
    legal_part = f"legal: {legal_words(words)}" if words else "there are none"
    hint = f'did you mean "{near}"? {legal_part}' if near else legal_part
    return SpecError(f"unknown {what} {show(word)}", place, hint=hint)


def wrong_kind(expected: str, value: Any, place: Place) -> SpecError:
    """A value of another kind than the key takes."""
    return SpecError(f"expected {expected}, found {show(value)}", place)


def written(value: int | Fraction) -> str:
    """A number with the decimals that it was written with."""
    if not isinstance(value, WrittenDecimal):
        return number_text(value)
    sign = "-" if value < 0 or isinstance(value, NegativeZero) else ""
    if value.places < 0:
        return f"{sign}{number_text(abs(value) / 10**-value.places)}E+{-value.places}"
    if value.places > 1000 or (value * 10**value.places).denominator != 1:
        return number_text(value)
    digits = str(abs(value.numerator) * 10**value.places // value.denominator).rjust(value.places + 1, "0")
    cut = len(digits) - value.places
    return sign + digits[:cut] + ("." + digits[cut:] if value.places else "")
