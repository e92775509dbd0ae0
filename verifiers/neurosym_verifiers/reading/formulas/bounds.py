"""Intervals of whole numbers, and what arithmetic makes of them. ``None`` is no bound on that side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from neurosym_verifiers.reading.formulas.budget import check_size

Bound: TypeAlias = int | None
Bounds: TypeAlias = tuple[Bound, Bound]
Spans: TypeAlias = Mapping[str, Bounds]
"""Bounds of variables by their names."""

ANY: Bounds = (None, None)
ONE: Bounds = (1, 1)


def hull(one: Bounds, other: Bounds) -> Bounds:
    """The interval that holds both."""
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return low, None if one[1] is None or other[1] is None else max(one[1], other[1])


def meet(one: Bounds, other: Bounds) -> Bounds:
    """What lies in both; it may be empty, with a low bound above the high one."""
    low = one[0] if other[0] is None else other[0] if one[0] is None else max(one[0], other[0])
    return low, one[1] if other[1] is None else other[1] if one[1] is None else min(one[1], other[1])


def inside(narrow: Bounds, wide: Bounds) -> bool:
    low = wide[0] is None or (narrow[0] is not None and wide[0] <= narrow[0])
    return low and (wide[1] is None or (narrow[1] is not None and wide[1] >= narrow[1]))


def all_meet(spans: Iterable[Spans]) -> dict[str, Bounds]:
    """The tightest that some spans say of each variable."""
    found: dict[str, Bounds] = {}
    for each in spans:
        for name, bounds in each.items():
            found[name] = meet(found.get(name, ANY), bounds)
    return found


def times(one: Bounds, other: Bounds) -> Bounds:
    """Of a product."""
    if one in ((1, 1), (0, 0)):
        return other if one == (1, 1) else one
    if None in one or None in other:
        known_positive = all(pair[0] is not None and pair[0] >= 0 for pair in (one, other))
        if known_positive and one[0] is not None and other[0] is not None:
            return one[0] * other[0], None
        return ANY
    products = [a * b for a in one for b in other if a is not None and b is not None]
    low, high = min(products), max(products)
    check_size(low)
    check_size(high)
    return low, high


def power(of: Bounds, count: int) -> Bounds:
    """Of a power; an even one is not negative."""
    low, high = of
    for _ in range(count - 1):
        low, high = times((low, high), of)
    if count % 2 == 0:
        return (0 if low is None or low < 0 else low), high
    return low, high


def divided(num: Bounds, den: Bounds) -> Bounds:
    """Of ``num // den``, rounded down, for a ``den`` of at least 1."""
    smallest = max(den[0] or 1, 1)
    largest = None if den[1] is None else max(den[1], 1)
    low, high = num
    if low is not None:
        low = low // smallest if low < 0 else (0 if largest is None else low // largest)
    if high is not None:
        high = high // smallest if high >= 0 else (-1 if largest is None else high // largest)
    return low, high


def ratios(num: Bounds, den: Bounds) -> tuple[Fraction | None, Fraction | None]:
    """Of ``num / den``, exactly, for a ``den`` of at least 1."""
    smallest = max(den[0] or 1, 1)
    largest = None if den[1] is None else max(den[1], smallest)
    low, high = (None if edge is None else Fraction(edge) for edge in num)
    if low is not None:
        low = low / smallest if low < 0 else (Fraction(0) if largest is None else low / largest)
    if high is not None:
        high = high / smallest if high >= 0 else (Fraction(0) if largest is None else high / largest)
    return low, high
