"""The methods of texts that vary. Where all texts are one of a few, Python itself says what comes out."""

from __future__ import annotations

from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.items import Items, count, places
from neurosym_verifiers.reading.data.values import Bool, Int, Member, NoneValue, NotRead, Sequence, Text, Value
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.execution.unread import refuse
from neurosym_verifiers.reading.formulas.normal_forms import below, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.texts.characters import (
    Cells,
    all_there,
    as_items,
    by_pieces,
    cells_of,
    every,
    in_set,
    is_text,
    merged_cells,
    places_in,
    some,
    text_of,
    without,
)
from neurosym_verifiers.reading.texts.codepoints import (
    Ranges,
    accepted_by,
    characters,
    complement,
    mapped_by,
    title_case,
    union,
)
from neurosym_verifiers.reading.texts.operators import over_choices, starting_at
from neurosym_verifiers.reading.texts.parts import partition_text

_BY_CHARACTER = ("isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum", "isspace")
_BY_PYTHON = frozenset(
    {*_BY_CHARACTER, "isupper", "islower", "isascii", "istitle", "isidentifier", "isprintable", "upper", "lower"}
    | {"title", "capitalize", "casefold", "swapcase", "strip", "lstrip", "rstrip", "startswith", "endswith"}
    | {"replace", "find", "rfind", "count", "removeprefix", "removesuffix"}
)
_SIGMA = characters("\u03a3")
_MOST_WIDTH = 200


def text_method(
    value: Value, name: str, arguments: Many[Value], state: State, names: tuple[str, ...], line: int
) -> Value:
    """``value.name(...)`` of a text. ``names``: the exception that a search without success raises."""
    if name in _BY_PYTHON:
        found = over_choices([value, *arguments], getattr(str, name))
        if found is not None:
            return found
    cells = cells_of(value)
    match name, arguments:
        case "find" | "index", [part] if isinstance(value, Text) and _is_single(part):
            return _place_of(value.value, cells_of(part)[0][1], name, state, names, line)
        case _, [] if name in _BY_CHARACTER:
            return Bool(both(some(cells), every(cells, accepted_by(name))))
        case "isascii", []:
            return Bool(every(cells, ((0, 127),)))
        case "isupper" | "islower", []:
            other = accepted_by("islower" if name == "isupper" else "isupper")
            return Bool(both(some(cells, accepted_by(name)), every(cells, complement(union(other, title_case())))))
        case "upper" | "lower", []:
            return _in_case(cells, name, state, line)
        case "strip" | "lstrip" | "rstrip", [] | [_]:
            return text_of(_stripped(cells, name, _character_set(arguments, line)))
        case "startswith" | "endswith", [affix]:
            return Bool(_has_affix(cells, name, affix, state))
        case "removeprefix" | "removesuffix", [affix] if is_text(affix):
            return _without_affix(cells, name, cells_of(affix))
        case "replace", [old, new] if is_text(old) and is_text(new):
            return text_of(_replaced(cells, cells_of(old), cells_of(new)))
        case "count", [part] if is_text(part):
            return Int(count((hit, Int(number(0))) for hit in _hits(cells, cells_of(part))))
        case "find" | "index" | "rfind" | "rindex", [part] if is_text(part):
            return _found(cells, name, cells_of(part), state, names, line)
        case "join", [Sequence(items=parts)]:
            return _joined(cells, tuple((TRUE, part) for part in parts))
        case "partition", [separator]:
            return partition_text(cells, separator, line)
        case "zfill" | "ljust" | "rjust", [Int(term=width)] | [Int(term=width), Text()]:
            return _padded(cells, name, width, arguments[1:], state, line)
        case _:
            raise NotRead(f"the method {name} of a text", line)


def _is_single(value: Value) -> bool:
    """Whether it is a text of surely one character."""
    return is_text(value) and len(cells_of(value)) == 1 and all_there(cells_of(value))


def _place_of(text: str, code: Term, name: str, state: State, names: tuple[str, ...], line: int) -> Value:
    """The first place of a character in a known text."""
    there = in_set(code, characters(text))
    place = by_pieces(code, places_in(text))
    if name == "find":
        return Int(choose(there, place, number(-1)))
    state.raise_if(negated(there), names, line)
    return Int(place)


def joined_items(value: Value, items: Items) -> Value:
    """``value.join(...)`` of items that may be there."""
    return _joined(cells_of(value), items)


def _in_case(cells: Cells, name: str, state: State, line: int) -> Value:
    pieces, several = mapped_by(name)
    if name == "lower" and len(cells) > 1:
        several = union(several, _SIGMA)  # its small form depends on where in a word it stands
    refuse(state, some(cells, several), f"{name}() of characters that become several", line)
    return text_of((there, by_pieces(code, pieces)) for there, code in cells)


def _character_set(arguments: Many[Value], line: int) -> Ranges:
    match arguments:
        case [] | [NoneValue()]:
            return accepted_by("isspace")
        case [Text(value=text)]:
            return characters(text)
        case _:
            raise NotRead("a strip of characters that vary", line)


def _stripped(cells: Cells, name: str, ranges: Ranges) -> Cells:
    """A character stays where one that is not stripped stands at its place or before it, and at it or behind it."""
    kept = [there for there, _ in without(cells, ranges)]
    before: list[Condition] = []
    so_far: Condition = FALSE
    for each in kept:
        so_far = either(so_far, each)
        before.append(so_far if name != "rstrip" else TRUE)
    so_far = FALSE
    found: list[tuple[Condition, Term]] = []
    for (there, code), each, left in zip(reversed(cells), reversed(kept), reversed(before), strict=True):
        so_far = either(so_far, each)
        found.append((both(there, left, so_far if name != "lstrip" else TRUE), code))
    return tuple(found[::-1])


def _has_affix(cells: Cells, name: str, affix: Value, state: State) -> Condition:
    if isinstance(affix, Sequence) and not affix.is_list:
        return either(*(_has_affix(cells, name, each, state) for each in affix.items))
    if not is_text(affix):
        raise NotRead(f"{name} of this")
    if isinstance(affix, Member):
        whole = text_of(cells)
        found = [(Text(text), equal(affix.index, number(i))) for i, text in enumerate(affix.names)]
        return either(*(both(here, _has_affix(cells_of(whole), name, each, state)) for each, here in found))
    wanted = cells_of(affix)
    if not all_there(wanted):
        raise NotRead(f"{name} of a text whose length varies")
    return _begins(cells, wanted) if name == "startswith" else _begins(cells[::-1], wanted[::-1])


def _begins(cells: Cells, wanted: Cells) -> Condition:
    """Whether the characters that are there begin with some."""
    if all_there(cells):
        return starting_at(cells, wanted, 0)
    row: list[Condition] = [*(FALSE for _ in wanted), TRUE]
    for there, code in reversed(cells):
        row = [
            either(both(negated(there), row[j]), both(there, equal(code, wanted[j][1]), row[j + 1]))
            for j in range(len(wanted))
        ] + [TRUE]
    return row[0]


def _without_affix(cells: Cells, name: str, wanted: Cells) -> Value:
    if not all_there(cells) or not all_there(wanted):
        raise NotRead(f"{name} of texts whose length varies")
    if name == "removeprefix":
        return text_of(merged_cells(_begins(cells, wanted), cells[len(wanted) :], cells))
    rest = cells[: len(cells) - len(wanted)] if len(wanted) <= len(cells) else cells
    return text_of(merged_cells(_begins(cells[::-1], wanted[::-1]), rest, cells))


def _hits(cells: Cells, wanted: Cells) -> list[Condition]:
    """For each place whether a text is found there, looking from the left, without overlaps."""
    if not wanted or not all_there(wanted):
        raise NotRead("a search for a text that may be empty")
    found: list[Condition] = []
    for at in range(len(cells)):
        overlapping = found[max(0, at - len(wanted) + 1) :]
        found.append(both(starting_at(cells, wanted, at), *map(negated, overlapping)))
    return found


def _replaced(cells: Cells, old: Cells, new: Cells) -> Cells:
    hits = _hits(cells, old)
    found: list[tuple[Condition, Term]] = []
    for at, (there, code) in enumerate(cells):
        covered = either(*hits[max(0, at - len(old) + 1) : at + 1])
        if len(old) == len(new) == 1 and new[0][0] == TRUE:
            found.append((there, choose(hits[at], new[0][1], code)))
            continue
        found += [(both(hits[at], here), each) for here, each in new]
        found.append((both(there, negated(covered)), code))
    return tuple((there, code) for there, code in found if there != FALSE)


def _found(cells: Cells, name: str, wanted: Cells, state: State, names: tuple[str, ...], line: int) -> Value:
    """The first or last place of a text in another; each search looks at all places, so overlaps do not matter."""
    if not wanted or not all_there(wanted):
        raise NotRead("a search for a text that may be empty", line)
    hits = [starting_at(cells, wanted, at) for at in range(len(cells))]
    where = places(as_items(cells))
    pairs = list(zip(hits, where, strict=True))
    result = number(-1)
    for hit, place in pairs if name in ("rfind", "rindex") else reversed(pairs):
        result = choose(hit, place, result)
    if name.endswith("index"):
        state.raise_if(negated(either(*hits)), names, line)
    return Int(result)


def _joined(between: Cells, items: Items) -> Value:
    found: list[tuple[Condition, Term]] = []
    if between and any(there != TRUE for there, _ in items):
        raise NotRead("a join of texts whose number varies")
    for i, (there, item) in enumerate(items):
        if not is_text(item):
            raise NotRead("a join of what is no text")
        found += between if i else ()
        found += [(both(there, here), code) for here, code in cells_of(item)]
    return text_of(found)


def _padded(cells: Cells, name: str, width: Term, fill: Many[Value], state: State, line: int) -> Value:
    known = width.constant
    filler = fill[0].value if fill and isinstance(fill[0], Text) else "0" if name == "zfill" else " "
    if known is None or known > _MOST_WIDTH or len(filler) != 1:
        raise NotRead(f"{name} with these arguments", line)
    if name == "zfill":
        refuse(state, some(cells, characters("+-")), "zfill() of a text with a sign", line)
    length = count(as_items(cells))
    padding = [(below(length, number(known - k)), number(ord(filler))) for k in range(known)]
    return text_of((*cells, *padding) if name == "ljust" else (*padding, *cells))
