"""Sets of code points as ranges, and Python's own character tables as such sets.

The tables are taken from the running interpreter, character by character, since they are what the candidate meets: its
digits are not only ASCII's, and they change with the version of Unicode.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Inclusive ranges in order, with a gap between each two."""

LAST = 0x10FFFF
EVERYTHING: Ranges = ((0, LAST),)
NO_SURROGATES: Ranges = ((0, 0xD7FF), (0xE000, LAST))
"""What a text of a spec is made of."""


def ranges_of(codes: Iterable[int]) -> Ranges:
    """The set of some code points."""
    return union(((code, code) for code in sorted(codes)), ())


@lru_cache(maxsize=256)
def characters(text: str) -> Ranges:
    """The characters of a text, as a set."""
    return ranges_of(map(ord, text))


def union(one: Iterable[tuple[int, int]], other: Iterable[tuple[int, int]]) -> Ranges:
    """What lies in either."""
    found: list[tuple[int, int]] = []
    for low, high in sorted((*one, *other)):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def complement(of: Ranges) -> Ranges:
    """What does not lie in it."""
    edges = [(-1, -1), *of, (LAST + 1, LAST + 1)]
    return tuple((a[1] + 1, b[0] - 1) for a, b in pairwise(edges) if a[1] + 1 <= b[0] - 1)


def common(one: Ranges, other: Ranges) -> Ranges:
    """What lies in both."""
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < len(one) and j < len(other):
        low, high = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if low <= high:
            found.append((low, high))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


@lru_cache(maxsize=32)
def accepted_by(method: str) -> Ranges:
    """The characters of which a method of texts (``isdigit``, ``isspace``) is true."""
    test: Callable[[str], bool] = getattr(str, method)
    return ranges_of(code for code in range(LAST + 1) if test(chr(code)))


@lru_cache(maxsize=1)
def title_case() -> Ranges:
    """The characters of title case, which are neither upper nor lower case."""
    return ranges_of(code for code in range(LAST + 1) if unicodedata.category(chr(code)) == "Lt")


@lru_cache(maxsize=1)
def word() -> Ranges:
    r"""What ``\w`` matches in a pattern without flags."""
    return union(accepted_by("isalnum"), characters("_"))


@lru_cache(maxsize=1)
def digit_values() -> tuple[tuple[Ranges, int], ...]:
    """The decimal digits, those of ASCII first, by what is to be added to a code point to get the digit's value."""
    by_offset: dict[int, list[int]] = {-ord("0"): []}
    for low, high in accepted_by("isdecimal"):
        for code in range(low, high + 1):
            by_offset.setdefault(unicodedata.decimal(chr(code)) - code, []).append(code)
    return tuple((ranges_of(codes), offset) for offset, codes in by_offset.items())


@lru_cache(maxsize=4)
def mapped_by(method: str) -> tuple[tuple[tuple[Ranges, int], ...], Ranges]:
    """What ``upper`` or ``lower`` makes of single characters: by what is added to their code point, where one character
    comes out, and where several come out."""
    change: Callable[[str], str] = getattr(str, method)
    by_offset: dict[int, list[int]] = {}
    several: list[int] = []
    for code in range(LAST + 1):
        made = change(chr(code))
        if len(made) == 1:
            by_offset.setdefault(ord(made) - code, []).append(code)
        else:
            several.append(code)
    return tuple((ranges_of(codes), offset) for offset, codes in by_offset.items()), ranges_of(several)
