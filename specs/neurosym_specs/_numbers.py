"""Numbers as written: text to exact value, inside bounds that a stranger's file cannot stretch."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from neurosym_specs.values import NegativeZero, WrittenDecimal

MAX_DIGITS = 1000

Number: TypeAlias = int | Fraction | float
"""An exact number; a ``float`` only for NaN and the infinities."""

_DECIMAL = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?", re.ASCII)
_RATIO = re.compile(r"([+-]?[0-9]+)/([0-9]+)", re.ASCII)
_SPECIAL = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}


def decimal_from_text(text: str) -> WrittenDecimal | float | None:
    """``10.10`` with its two places, ``1.5e-3``, ``nan``, ``-inf``; None if the text is no such number.

    A number of more than ``MAX_DIGITS`` digits is none either.
    """
    text = text.replace("_", "")
    special = _SPECIAL.get(text.lstrip("+-").lower()) if text[:2].count("+") + text[:2].count("-") < 2 else None
    if special is not None:
        return -special if text.startswith("-") else special
    if len(text) > MAX_DIGITS + 10:
        return None
    parts = _DECIMAL.fullmatch(text)
    if parts is None:
        return None
    sign, whole, fraction, exponent = parts.groups(default="")
    places = len(fraction) - int(exponent or 0)
    if len(whole) + abs(places) > MAX_DIGITS:
        return None
    digits = int(whole + fraction)
    if digits == 0 and sign == "-":
        return NegativeZero(places)
    value = Fraction(digits) / 10**places if places >= 0 else Fraction(digits * 10**-places)
    return WrittenDecimal(-value if sign == "-" else value, places)


def ratio_from_text(text: str) -> Fraction | float | None:
    """As ``decimal_from_text``, and ``1/3``."""
    parts = _RATIO.fullmatch(text) if len(text) <= 2 * MAX_DIGITS else None
    if parts is None:
        return decimal_from_text(text)
    bottom = int(parts[2])
    return Fraction(int(parts[1]), bottom) if bottom else None


def float_from_toml(text: str) -> WrittenDecimal | float:
    """What ``tomllib`` and ``json`` call for a number that is not whole."""
    number = decimal_from_text(text)
    if number is None:
        raise ValueError(f"a number of more than {MAX_DIGITS} digits")
    return number


def exact(value: object) -> Number | None:
    """The exact value of a number in a TOML, JSON or Python value; None if it is no number.

    A Python float counts as its shortest decimal text (``0.1`` is 1/10), since that is what was written.
    """
    match value:
        case bool():
            return None
        case int() | Fraction():
            return value
        case float() if math.isfinite(value):
            return decimal_from_text(repr(value))
        case float():
            return value
        case Decimal():
            return decimal_from_text(str(value).replace("s", "").replace("S", ""))
        case _:
            return None


def nearest_float(number: Number) -> float:
    """The float nearest to an exact number; too large ones are infinite."""
    if isinstance(number, float):
        return number
    if isinstance(number, NegativeZero):
        return -0.0
    try:
        return number.numerator / number.denominator
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def from_float(value: float) -> Fraction | float:
    """The spec value of a float: the exact fraction; NaN and infinities as they are."""
    if not math.isfinite(value):
        return value
    if value == 0 and math.copysign(1, value) < 0:
        return NegativeZero()
    return Fraction(value)
