"""Texts cut at a character: ``split`` and ``partition`` of texts that vary."""

from __future__ import annotations

from neurosym_verifiers.reading.data.items import Items
from neurosym_verifiers.reading.data.values import NotRead, Sequence, Value
from neurosym_verifiers.reading.formulas.normal_forms import both, either, equal, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term
from neurosym_verifiers.reading.texts.characters import Cells, all_there, cells_of, is_text, text_of


def split_text(cells: Cells, separator: Value, line: int) -> Items:
    """The items of ``text.split(separator)``; each is there where so many separators are.

    Each character is in the item whose number is that of the separators before it.
    """
    hits = _hits(cells, separator, line)
    before: list[Condition] = [TRUE]  # by number: whether there are just so many separators before here
    held: list[list[tuple[Condition, Term]]] = [[] for _ in range(len(cells) + 1)]
    for (there, code), hit in zip(cells, hits, strict=True):
        stays = both(there, negated(hit))
        for parts, here in zip(held, before, strict=False):
            if (inside := both(here, stays)) != FALSE:
                parts.append((inside, code))
        counted = zip([*before, FALSE], [FALSE, *before], strict=True)
        before = [either(both(same, negated(hit)), both(one_less, hit)) for same, one_less in counted]
    return tuple(
        (either(*before[k:]) if k else TRUE, text_of(parts))
        for k, parts in enumerate(held)
        if k == 0 or any(here != FALSE for here in before[k:])
    )


def partition_text(cells: Cells, separator: Value, line: int) -> Value:
    """``text.partition(separator)``."""
    head: list[tuple[Condition, Term]] = []
    tail: list[tuple[Condition, Term]] = []
    found: Condition = FALSE
    for (there, code), hit in zip(cells, _hits(cells, separator, line), strict=True):
        tail.append((both(there, found), code))
        found = either(found, hit)
        head.append((both(there, negated(found)), code))
    between = text_of([(found, _code(separator, line))])
    return Sequence((text_of(head), between, text_of(tail)), False)


def _hits(cells: Cells, separator: Value, line: int) -> list[Condition]:
    """For each character whether it is there and the separator."""
    code = _code(separator, line)
    return [both(there, equal(each, code)) for there, each in cells]


def _code(separator: Value, line: int) -> Term:
    cells = cells_of(separator) if is_text(separator) else ()
    if len(cells) != 1 or not all_there(cells):
        raise NotRead("a text that is cut at what is not one character", line)
    return cells[0][1]
