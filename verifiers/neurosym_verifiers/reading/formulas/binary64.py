"""The floats of Python (IEEE 754 binary64) as exact numbers: the nearest to a quotient, and where rounding turns.

Rounding to nearest is monotone, so whether a rounded quotient is at most a number is whether the quotient itself is at
most one point: the middle between two neighbouring floats. A tie goes to the float whose last bit is even, which says
whether the middle itself counts.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

DIGITS = 53
"""Binary digits of a float."""

FINEST = 1074
"""Every finite float is a multiple of ``2**-FINEST``."""

LARGEST = 2**1024 - 2**971
"""The largest finite float."""

INFINITE = 2**1024
"""What stands for an infinity: where the next float would be."""


def nearest(num: int, den: int) -> Fraction:
    """The float nearest to ``num / den`` (``den`` positive), ties to even; what is too large is ``INFINITE``."""
    try:
        value = num / den  # correctly rounded in CPython, for integers of any size
    except OverflowError:
        return Fraction(INFINITE if num > 0 else -INFINITE)
    return Fraction(value)


@lru_cache(maxsize=4096)
def turning_point(limit: Fraction) -> tuple[Fraction, bool] | None:
    """A number rounds to at most ``limit`` exactly if it is at most the point, or below it where it does not count.

    None if every number is. Where none is, the point lies below all that are not infinite.
    """
    if limit >= INFINITE:
        return None
    if limit < -INFINITE:
        raise ValueError("nothing lies below an infinity")
    below = _at_most(limit)
    middle = (below + _next(below)) / 2
    return middle, nearest(middle.numerator, middle.denominator) == below


def _at_most(limit: Fraction) -> Fraction:
    """The largest float, or negative infinity, of at most so much."""
    if limit < -LARGEST:
        return Fraction(-INFINITE)
    value = min(nearest(limit.numerator, limit.denominator), Fraction(LARGEST))
    return value if value <= limit else Fraction(math.nextafter(float(value), -math.inf))


def _next(value: Fraction) -> Fraction:
    if value == -INFINITE:
        return Fraction(-LARGEST)
    return Fraction(INFINITE) if value == LARGEST else Fraction(math.nextafter(float(value), math.inf))


def unit_in_last_place(size: Fraction) -> Fraction:
    """The distance of the floats around a number of that size, which is finite."""
    return Fraction(math.ulp(float(nearest(size.numerator, size.denominator))))
