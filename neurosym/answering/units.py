"""Units of answers: which words name the same one, and which are the same up to an exact factor.

Months and years, and currencies, have no exact factor to anything, and stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

_ALIKE = {
    "€": "eur", "euro": "eur", "$": "usd", "us$": "usd", "dollar": "usd", "us dollar": "usd", "£": "gbp",
    "pound sterling": "gbp", "¥": "jpy", "yen": "jpy", "percent": "%", "per cent": "%", "pct": "%",
    "percentage": "%", "basis point": "bp", "bps": "bp", "second": "s", "sec": "s", "minute": "min", "mins": "min",
    "hour": "h", "hr": "h", "hrs": "h", "days": "day", "d": "day", "metre": "m", "meter": "m", "kilometre": "km",
    "kilometer": "km", "gram": "g", "kilogram": "kg", "tonne": "t", "litre": "l", "liter": "l",
    "euro cent": "eur cent", "pieces": "piece", "none": "", "unitless": "", "dimensionless": "", "ratio": "",
}  # fmt: skip
_FACTORS: Mapping[str, tuple[str, Fraction]] = {
    "": ("", Fraction(1)), "%": ("", Fraction(1, 100)), "‰": ("", Fraction(1, 1000)), "bp": ("", Fraction(1, 10_000)),
    "s": ("s", Fraction(1)), "min": ("s", Fraction(60)), "h": ("s", Fraction(3600)),
    "day": ("s", Fraction(86_400)), "week": ("s", Fraction(604_800)),
    "mm": ("m", Fraction(1, 1000)), "cm": ("m", Fraction(1, 100)), "m": ("m", Fraction(1)), "km": ("m", Fraction(1000)),
    "g": ("g", Fraction(1)), "kg": ("g", Fraction(1000)), "t": ("g", Fraction(10**6)),
    "ml": ("l", Fraction(1, 1000)), "l": ("l", Fraction(1)),
    "eur cent": ("eur", Fraction(1, 100)), "eur": ("eur", Fraction(1)),
    "us cent": ("usd", Fraction(1, 100)), "usd": ("usd", Fraction(1)),
}  # fmt: skip
MOST_CHARS = 40


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it is ``written``; one of it is ``factor`` of its ``base``, which other units may share."""

    written: str
    base: str
    factor: Fraction


def unit_of(written: str) -> Unit:
    """The unit that a text names; one that is not known is one of its own."""
    word = " ".join(written.strip().casefold().split())
    word = re.sub(r"\s*(?:/|\bper\b)\s*", "/", word)
    whole, slash, part = word.partition("/")
    word = _word(whole) + (f"/{_word(part)}" if slash else "")
    base, factor = _FACTORS.get(word, (word, Fraction(1)))
    return Unit(written.strip(), base, factor)


def is_known(word: str) -> bool:
    """Whether a word names a unit of the tables."""
    plain = word.strip().casefold()
    return bool(plain) and (plain in _ALIKE or _word(plain) in _FACTORS or _word(plain) in _ALIKE.values())


def _word(word: str) -> str:
    if word in _ALIKE or word in _FACTORS:
        return _ALIKE.get(word, word)
    single = word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word
    return _ALIKE.get(single, single)
