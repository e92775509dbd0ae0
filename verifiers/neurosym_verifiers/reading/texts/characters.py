"""Texts that vary, as vectors of code points: where each character may be there or not, and which it is.

Python's texts are read so, and not as a solver's strings, which are others (no characters above 0x2FFFF, escapes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Many
from typing import TypeAlias, TypeVar

from neurosym_verifiers.reading.data.values import Chars, Int, Member, NotRead, Text, Value
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, choose, decided, either, equal, negated, within
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Ite, Term, number
from neurosym_verifiers.reading.texts.codepoints import LAST, Ranges, characters, common, complement

_T = TypeVar("_T")

_MOST_PIECES = 100

Cells: TypeAlias = tuple[tuple[Condition, Term], ...]
"""Characters, each with the condition that it is there; those that are there are the text, in this order."""


def is_text(value: Value) -> bool:
    return isinstance(value, (Text, Chars)) or (isinstance(value, Member) and not value.kind)


def choices_of(value: Text | Member) -> list[tuple[str, Condition]]:
    """The texts that a value with known ones may be, each with its condition."""
    if isinstance(value, Text):
        return [(value.value, TRUE)]
    found = [(name, equal(value.index, number(i))) for i, name in enumerate(value.names)]
    return [(name, here) for name, here in found if here != FALSE]


def cells_of(value: Value) -> Cells:
    """The characters of a text."""
    match value:
        case Chars(cells=cells):
            return cells
        case Text(value=text):
            return tuple((TRUE, number(ord(char))) for char in text)
        case Member():
            *others, (last, _) = choices_of(value) or [("", TRUE)]  # it is the last one where it is no other
            cells = cells_of(Text(last))
            for name, here in others:
                cells = merged_cells(here, cells_of(Text(name)), cells)
            return cells
        case _:
            raise AssertionError(f"no text: {type(value).__name__}")


def text_of(cells: Iterable[tuple[Condition, Term]]) -> Text | Chars:
    """The text of some characters; a known one, if all of them are known."""
    kept = tuple((there, code) for there, code in cells if there != FALSE)
    codes = [code.constant for there, code in kept if there == TRUE]
    if len(codes) == len(kept) and None not in codes:
        return Text("".join(chr(code) for code in codes if code is not None))
    return Chars(kept)


def single(code: Term) -> Text | Chars:
    """The text of one character."""
    return text_of([(TRUE, code)])


def all_there(cells: Cells) -> bool:
    """Whether the length is known."""
    return all(there == TRUE for there, _ in cells)


def as_items(cells: Cells) -> tuple[tuple[Condition, Value], ...]:
    """The characters as a list's items, for what is done with places alone."""
    return tuple((there, Int(code)) for there, code in cells)


def from_items(items: Iterable[tuple[Condition, Value]]) -> Text | Chars:
    """The text of a list's items that stand for characters."""
    return text_of((there, item.term) for there, item in items if isinstance(item, Int))


def merged_cells(condition: Condition, then: Cells, other: Cells) -> Cells:
    """Character by character; what the longer text has more is there on its side only."""
    if condition == TRUE:
        return then
    if condition == FALSE:
        return other
    shared = min(len(then), len(other))
    found = [
        (decided(condition, g, h), choose(condition, a, b))
        for (g, a), (h, b) in zip(then[:shared], other[:shared], strict=True)
    ]
    found += [(both(condition, g), a) for g, a in then[shared:]]
    found += [(both(negated(condition), h), b) for h, b in other[shared:]]
    return tuple(found)


def equal_cells(a: Cells, b: Cells) -> Condition:
    """Whether two texts are the same."""
    return TRUE if a == b else same_in_turn(a, b, equal)


def same_in_turn(
    a: Many[tuple[Condition, _T]], b: Many[tuple[Condition, _T]], same: Callable[[_T, _T], Condition]
) -> Condition:
    """Whether what is there is the same one by one; where places vary, by the rest of either behind each pair of them.

    Both are given with the condition that each is there.
    """
    if all(there == TRUE for there, _ in (*a, *b)):
        if len(a) != len(b):
            return FALSE
        return both(*(same(x, y) for (_, x), (_, y) in zip(a, b, strict=True)))
    below: list[Condition] = [both(*(negated(h) for h, _ in b[j:])) for j in range(len(b) + 1)]
    for guard, x in reversed(a):
        row: list[Condition] = [both(negated(guard), below[-1])]
        for j in range(len(b) - 1, -1, -1):
            there, y = b[j]
            row.append(
                either(
                    both(negated(guard), below[j]),
                    both(guard, negated(there), row[-1]),
                    both(guard, there, same(x, y), below[j + 1]),
                )
            )
        below = row[::-1]
    return below[0]


def in_set(code: Term, ranges: Ranges) -> Condition:
    """Whether a character is one of some."""
    return within(code, ranges)


def narrowed(code: Term, ranges: Ranges) -> Term:
    """The code point with what it knows where it is in a set, which it is wherever that is used.

    A choice whose one side is never in the set is the other side there.
    """
    of = code.parts[0][0][0] if len(code.parts) == 1 and len(code.parts[0][0]) == 1 and code.parts[0][1] == 1 else None
    if isinstance(of, Ite):
        if within(of.then, ranges) == FALSE:
            return narrowed(of.other, ranges)
        if within(of.other, ranges) == FALSE:
            return narrowed(of.then, ranges)
        return choose(of.condition, narrowed(of.then, ranges), narrowed(of.other, ranges))
    narrowing = narrowing_by(within(code, ranges))
    return narrowing.term(code) if narrowing else code


def every(cells: Cells, ranges: Ranges) -> Condition:
    """Whether all characters are of some set."""
    return both(*(either(negated(there), within(code, ranges)) for there, code in cells))


def some(cells: Cells, ranges: Ranges | None = None) -> Condition:
    """Whether there is any character (of some set)."""
    return either(*(both(there, TRUE if ranges is None else within(code, ranges)) for there, code in cells))


def without(cells: Cells, ranges: Ranges) -> Cells:
    """What is left where the characters of a set are taken out."""
    kept = complement(ranges)
    return tuple((both(there, within(code, kept)), code) for there, code in cells)


def by_pieces(code: Term, pieces: Many[tuple[Ranges, int]]) -> Term:
    """The code point and what is added to it for the set that it is in; it is in one of them wherever that is used.

    Sets that its bounds exclude are left out.
    """
    known: Ranges = ((0 if code.low is None else code.low, LAST if code.high is None else code.high),)
    open_ = [(part, offset) for ranges, offset in pieces if (part := common(ranges, known))]
    if len(open_) > _MOST_PIECES:
        raise NotRead("what Python makes of each of so many characters")
    term = number(open_[0][0][0][0] + open_[0][1] if open_ else 0)
    for ranges, offset in reversed(open_):
        here = within(code, ranges)
        narrowing = narrowing_by(here)
        term = choose(here, (narrowing.term(code) if narrowing else code) + number(offset), term)
    return term


def places_in(text: str) -> tuple[tuple[Ranges, int], ...]:
    """The first places of the characters of a text, by what is to be added to a code point to get its place."""
    by_offset: dict[int, list[int]] = {}
    for place, char in enumerate(text):
        if text.index(char) == place:
            by_offset.setdefault(place - ord(char), []).append(ord(char))
    return tuple((characters("".join(map(chr, codes))), offset) for offset, codes in by_offset.items())
