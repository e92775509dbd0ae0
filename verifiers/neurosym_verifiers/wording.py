"""Values in words for a counterexample: what was right, what came out, and how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from neurosym_sandbox import (
    BadValue,
    Crashed,
    Exited,
    MemoryExceeded,
    Outcome,
    OutputExceeded,
    Raised,
    RefusedCall,
    ResultExceeded,
    Returned,
    Tampered,
    TimedOut,
)
from neurosym_specs.notation import to_source
from neurosym_specs.types import DecimalType, FloatType, IntType, OptionalType, Type
from neurosym_specs.values import WrittenDecimal

from neurosym_verifiers.calls import kind_of

_LONGEST = 400
_MOST_DIGITS = 3_000
_MOST_CALLS = 3


def say_value(type_: Type, value: Any) -> str:
    """A value as its reader writes it: amounts with thousands separated and their unit, anything else as Python."""
    inner = type_.of if isinstance(type_, OptionalType) else type_
    if isinstance(inner, (IntType, DecimalType)) and isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return f"{say_number(value, _places(inner))} {inner.unit}".rstrip()
    if value is not None and isinstance(inner, FloatType) and isinstance(value, Fraction):
        return repr(float(value))
    try:
        return cut(to_source(type_, value))
    except (TypeError, ValueError, AttributeError, KeyError):
        pass
    try:
        return cut(repr(value))
    except ValueError:
        return "a value too large to be shown"


def _places(type_: Type) -> int:
    """With how many decimals amounts of a type are written at least."""
    return type_.places[0] if isinstance(type_, DecimalType) and type_.places is not None else 0


def say_number(value: int | Fraction, at_least: int = 0) -> str:
    """An exact number, with its decimals where it has finitely many: ``12,345.60``; else a quotient and about what."""
    number = Fraction(value)
    if isinstance(value, WrittenDecimal):
        at_least = max(at_least, value.places)
    for places in range(at_least, at_least + 13):
        if (number * 10**places).denominator == 1:
            return _decimal(number, places)
    about = Decimal(number.numerator) / Decimal(number.denominator)
    return f"{number.numerator}/{number.denominator} (about {about:.10f})"


def _decimal(number: Fraction, places: int) -> str:
    scaled = number * 10**places
    if abs(scaled) >= 10**_MOST_DIGITS:
        return f"{'-' if scaled < 0 else ''}a number of more than {_MOST_DIGITS:,} digits"
    sign = "-" if scaled < 0 else ""
    digits = str(abs(int(scaled))).rjust(places + 1, "0")
    whole = digits[: len(digits) - places]
    grouped = f"{int(whole):,}" if len(whole) < 4000 else whole
    return sign + grouped + ("." + digits[len(digits) - places :] if places else "")


def say_difference(type_: Type, expected: Any, actual: Any) -> str:
    """By how much the actual number is above or below the right one; empty where that makes no sense."""
    inner = type_.of if isinstance(type_, OptionalType) else type_
    numbers = all(isinstance(v, (int, Fraction)) and not isinstance(v, bool) for v in (expected, actual))
    if not numbers or not isinstance(inner, (IntType, DecimalType, FloatType)):
        return ""
    difference = Fraction(actual) - Fraction(expected)
    text = f"{float(difference):+.6g}" if isinstance(inner, FloatType) else say_number(difference, _places(inner))
    return f"{'' if text.startswith(('-', '+')) else '+'}{text} {inner.unit}".rstrip()


def say_outcome(type_: Type, outcome: Outcome) -> str:
    """What a call came to."""
    match outcome:
        case Returned(value=value):
            return f"returned {kind_of(value)}"
        case Raised(exception=exception):
            message = f": {cut(exception.message, 160)}" if exception.message else ""
            return f"raised {exception.name}{message}"
        case TimedOut(kind="cpu"):
            return "did not return within its time limit"
        case TimedOut():
            return "did not return, without computing anything (asleep or waiting)"
        case MemoryExceeded():
            return "needed more memory than its limit"
        case Crashed():
            return f"crashed ({outcome.signal_name})"
        case Exited():
            return "ended its process instead of returning"
        case BadValue(reason=reason):
            return f"returned something that is no plain value: {cut(reason, 200)}"
        case OutputExceeded():
            return "flooded its output"
        case ResultExceeded():
            return "returned more data than is allowed"
        case Tampered(reason=reason):
            return f"tampered with the channel to the judge: {cut(reason, 200)}"


def say_refused(calls: Sequence[RefusedCall], more: bool) -> str:
    """Refused system calls with number and class of arguments; ``more``: there were others, which were not kept."""
    said = [
        f"{call.name} (system call {call.number})"
        + (f" {call.arguments}" if call.arguments else "")
        + (f", {call.count:,} times" if call.count > 1 else "")
        for call in calls[:_MOST_CALLS]
    ]
    others = len(calls) - len(said)
    return "; ".join(said) + ("; and more" if more else f"; and {others} more" if others else "")


def cut(text: str, longest: int = _LONGEST) -> str:
    """The text, or its start and how much was left out."""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text) - longest} more characters)"
