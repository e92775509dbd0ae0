"""Sums, products, quotients and numbers as text: signs, brackets, decimals, and how long a text may be."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

LONGEST = 600


class TooLong(Exception):
    """The formula would be longer than anybody reads: shared parts would have to be written out again and again."""


def checked(text: str) -> str:
    if len(text) > LONGEST:
        raise TooLong
    return text


def joined(parts: Sequence[tuple[str, str]]) -> str:
    if not parts:
        return "0"
    (sign, first), *rest = parts
    head = first
    if sign == "-":
        head = f"-({first})" if " % " in first else f"-{grouped(first)}"
    return head + "".join(f" {sign} {grouped(text) if sign == '-' else text}" for sign, text in rest)


def grouped(text: str, *, strict: bool = False) -> str:
    """The text in brackets if it is a sum (or, for a divisor, anything with an operator)."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and char == " " and (text[at + 1] in "+-" or strict):
            return f"({text})"
    return text


def scaled(text: str, factor: Fraction) -> str:
    """``text * factor``, in decimals where there are few, else as a product and a quotient."""
    if factor == 1:
        return text
    if factor.denominator == 1 or decimal(factor) is not None:
        return f"{text} * {number_text(factor)}"
    over = f"{text} * {factor.numerator}" if factor.numerator != 1 else text
    return f"{over} / {factor.denominator}"


def number_text(value: Fraction) -> str:
    return decimal(value) or f"{value.numerator} / {value.denominator}"


def decimal(value: Fraction) -> str | None:
    """The number in decimals, if it has at most nine."""
    for places in range(10):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            text = digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}"
            return f"-{text}" if value < 0 else text
    return None
