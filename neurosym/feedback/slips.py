"""The shape of a slip: how a wrong number stands to the right one, where that tells what kind of step went wrong.

A shape is a fact about one case, said as such. It is given only where the two numbers make it plain, and it names no
formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

_FACTORS = (
    (Fraction(100), "a percentage may be used as a fraction, or cents as whole units"),
    (Fraction(10_000), "basis points may be used as a fraction"),
    (Fraction(1_000), "thousands may be taken for units"),
    (Fraction(10), "a decimal place may be lost"),
    (Fraction(12), "a yearly figure may be taken for a monthly one"),
    (Fraction(2), "something may be counted twice, or halved"),
    (Fraction(365, 360), "the year may have 365 days where 360 are due"),
    (Fraction(366, 365), "the year may have 366 days where 365 are due"),
)


def shapes(expected: Fraction, actual: Fraction, places: int | None) -> Iterator[str]:
    """The shapes that fit, the plainest first. ``places``: the decimals of a result, where they are fixed."""
    if actual == expected:
        return
    unit = None if places is None else Fraction(1, 10**places)
    if expected and actual == -expected:
        yield "the result has the opposite sign"
    for factor, meaning in _FACTORS:
        if expected and actual in (expected * factor, expected / factor):
            more = actual == expected * factor
            times = "times" if more else "of"
            yield f"the result is exactly {_said(factor if more else 1 / factor)} {times} the right one: {meaning}"
    if unit is not None and abs(actual - expected) == unit:
        yield "the result is one unit of the last place off: a rounding at another step, in another direction, or twice"
    elif abs(actual - expected) == 1 and unit != 1:
        yield "the result is off by exactly one"
    if expected and not actual:
        yield "the result is zero where something is due"
    if actual and not expected:
        yield "the result is not zero where nothing is due"


def _said(factor: Fraction) -> str:
    return f"{factor.numerator:,}" if factor.denominator == 1 else f"{factor.numerator}/{factor.denominator}"
