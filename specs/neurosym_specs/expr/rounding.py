"""Rounding of exact rationals in the eight modes, by integer division alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neurosym_specs.expr.rational import ratio


def _half_up(n: int, d: int) -> int:
    return (2 * n + d) // (2 * d) if n >= 0 else -((d - 2 * n) // (2 * d))


def _half_down(n: int, d: int) -> int:
    return -((d - 2 * n) // (2 * d)) if n >= 0 else (2 * n + d) // (2 * d)


def _half_even(n: int, d: int) -> int:
    quotient, rest = divmod(n, d)
    rest *= 2
    return quotient + 1 if rest > d or (rest == d and quotient & 1) else quotient


def _up(n: int, d: int) -> int:
    return -(-n // d) if n >= 0 else n // d


def _down(n: int, d: int) -> int:
    return n // d if n >= 0 else -(-n // d)


def _ceiling(n: int, d: int) -> int:
    return -(-n // d)


def _floor(n: int, d: int) -> int:
    return n // d


def _05up(n: int, d: int) -> int:
    towards_zero = _down(n, d)
    return _up(n, d) if towards_zero % 5 == 0 else towards_zero


ROUNDINGS: dict[str, Callable[[int, int], int]] = {
    "half_up": _half_up,
    "half_down": _half_down,
    "half_even": _half_even,
    "up": _up,
    "down": _down,
    "ceiling": _ceiling,
    "floor": _floor,
    "05up": _05up,
}
"""By mode: the whole number that ``n / d`` (d > 0) is rounded to."""


def round_places(n: int, d: int, places: int, rounding: Callable[[int, int], int]) -> Any:
    """``n / d`` rounded to so many decimals (negative: to tens, hundreds ...)."""
    if places > 0:
        scale: int = 10**places
        return ratio(rounding(n * scale, d), scale)
    if places == 0:
        return rounding(n, d)
    scale = 10**-places
    return rounding(n, d * scale) * scale


def round_step(n: int, d: int, step_n: int, step_d: int, rounding: Callable[[int, int], int]) -> Any:
    """``n / d`` rounded to a multiple of ``step_n / step_d`` (both positive)."""
    return ratio(rounding(n * step_d, d * step_n) * step_n, step_d)
