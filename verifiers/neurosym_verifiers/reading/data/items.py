"""Lists of items that may or may not be there: counting, picking, cutting out, and sorting them.

Python's lists of varying length are read as items with conditions. The place of an item is the number of items before
it that are there; where all are, places are known and everything here is what it is for plain lists.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from collections.abc import Sequence as Many
from itertools import combinations, pairwise
from typing import TypeAlias

from neurosym_verifiers.reading.data.comparing import compare, equality
from neurosym_verifiers.reading.data.operations import pick
from neurosym_verifiers.reading.data.values import (
    Guarded,
    Int,
    ItemSet,
    KeySet,
    Lookup,
    NotRead,
    Queue,
    Record,
    Sequence,
    Stream,
    Table,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.merging import key_value, presence
from neurosym_verifiers.reading.formulas.narrowing import conjuncts
from neurosym_verifiers.reading.formulas.normal_forms import at_most, below, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.ranks import ranks, switch, values_of
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, NotPositive, Term, number
from neurosym_verifiers.reading.python.enums import EnumClass, all_members
from neurosym_verifiers.reading.texts.characters import cells_of, is_text, single

Items: TypeAlias = tuple[tuple[Condition, Value], ...]

Choice: TypeAlias = Callable[[Condition, Value, Value, int], Value]
"""How one value or another becomes one; ``pick`` in Python, where a number keeps its type."""

MOST_ROUNDS = 400
_MOST_SORTED = 16
_FEWEST_RANKED = 3
"""So many items are sorted by ranks; fewer by the sums that these are, which are small."""


def count(items: Iterable[tuple[Condition, Value]]) -> Term:
    """How many are there."""
    total = number(0)
    for there, _ in items:
        total = total + choose(there, number(1), number(0))
    return total


def places(items: Items) -> list[Term]:
    """The place of each item among those that are there."""
    found: list[Term] = []
    before = number(0)
    for there, _ in items:
        found.append(before)
        before = before + choose(there, number(1), number(0))
    return found


def from_end(index: Term, length: Term) -> Term:
    """An index that may be negative, and then counts from the end."""
    return choose(at_most(number(0), index), index, index + length)


def whichever(hits: Many[tuple[Condition, Value]], line: int, choice: Choice = pick) -> Value | None:
    """The value whose condition holds, as one value; where none does, it does not matter. None if there are none."""
    if not hits:
        return None
    value = hits[-1][1]
    for hit, other in hits[-2::-1]:
        value = choice(hit, other, value, line)
    return value


def item_at(items: Items, index: Term, line: int, choice: Choice = pick) -> tuple[Value | None, Condition]:
    """The item at an index, and the condition under which there is one; no value if there never is.

    Of a known index that is said of the length, as loops over ``range(len(items))`` say it.
    """
    if index.constant in (0, -1):  # the first or the last that is there
        ends = [(there, item) for there, item in (items if index.constant == 0 else items[::-1]) if there != FALSE]
        return whichever(ends, line, choice), either(*(there for there, _ in ends))
    where, length = places(items), count(items)
    at = from_end(index, length)
    hits = [(both(there, equal(at, place)), item) for (there, item), place in zip(items, where, strict=True)]
    hits = [(hit, item) for hit, item in hits if hit != FALSE]
    if all(there == TRUE for there, _ in items) and _inside(at, len(items)):
        return _the_one(hits, line, choice), TRUE
    value, known = whichever(hits, line, choice), index.constant
    if known is not None:
        return value, at_most(number(known + 1 if known >= 0 else -known), length)
    return value, either(*(hit for hit, _ in hits))


def _inside(index: Term, length: int) -> bool:
    """Whether an index is one of a few numbers, all of them places of a list of such a length."""
    values = list(values_of(index))
    return bool(values) and all(0 <= value < length for _, value in values)


def _the_one(hits: Many[tuple[Condition, Value]], line: int, choice: Choice) -> Value | None:
    """``whichever``, where it is known that exactly one of the conditions holds."""
    values = [value for _, value in hits]
    if len(hits) < 2:
        return whichever(hits, line, choice)
    if all(isinstance(value, Int) for value in values):
        return Int(switch(tuple((hit, value.term) for hit, value in hits if isinstance(value, Int))))
    rows = [value for value in values if isinstance(value, Sequence)]
    if len(rows) == len(values) and len({(row.is_list, len(row.items)) for row in rows}) == 1:
        columns = zip(*(row.items for row in rows), strict=True)
        conditions = [hit for hit, _ in hits]
        items = [_the_one(list(zip(conditions, column, strict=True)), line, choice) for column in columns]
        return Sequence(tuple(item for item in items if item is not None), rows[0].is_list)
    return whichever(hits, line, choice)


def with_item(items: Items, index: Term, new: Value, line: int) -> tuple[Items, Condition]:
    """The items with another one at an index, and the condition under which there is one to replace."""
    at = from_end(index, count(items))
    changed: list[tuple[Condition, Value]] = []
    hits: list[Condition] = []
    for (there, item), place in zip(items, places(items), strict=True):
        hit = both(there, equal(at, place))
        hits.append(hit)
        changed.append((there, pick(hit, new, item, line)))
    if all(there == TRUE for there, _ in items) and _inside(at, len(items)):
        return tuple(changed), TRUE
    return tuple(changed), either(*hits)


def cut(items: Items, first: Term | None, stop: Term | None) -> Items:
    """``items[first:stop]``; bounds outside of the list mean its ends, as in Python."""
    length = count(items)
    start = number(0) if first is None else from_end(first, length)
    end = length if stop is None else from_end(stop, length)
    kept = []
    for (there, item), place in zip(items, places(items), strict=True):
        kept.append((both(there, at_most(start, place), below(place, end)), item))
    return tuple((there, item) for there, item in kept if there != FALSE)


def in_order(items: Items, keys: Many[Value], *, reverse: bool, line: int, choice: Choice = pick) -> Items:
    """The items sorted by their keys, equal ones in the order they had (also where it is reversed, as in Python)."""
    if len(items) > _MOST_SORTED:
        raise NotRead(f"a sort of more than {_MOST_SORTED} items", line)
    if len(items) < 2:
        return items
    if any(map(_has_sets, keys)):
        raise NotRead("a sort by sets, which have no order from first to last", line)
    if len(items) >= _FEWEST_RANKED and all(there == TRUE for there, _ in items):
        return _by_ranks(items, keys, reverse, line, choice)
    own = [_rank(i, items, keys, reverse, line) for i in range(len(items))]
    total = count(items)
    result: list[tuple[Condition, Value]] = []
    for place in range(len(items)):
        hits = [(both(there, equal(rank, number(place))), item) for (there, item), rank in zip(items, own, strict=True)]
        hits = [(hit, item) for hit, item in hits if hit != FALSE]
        value = whichever(hits, line, choice)
        if value is not None:
            result.append((below(number(place), total), value))
    return tuple(result)


def _by_ranks(items: Items, keys: Many[Value], reverse: bool, line: int, choice: Choice) -> Items:
    """The items sorted, all of which are there: then their ranks are all places, each once."""
    sums = [number(0)] * len(items)
    for j, i in combinations(range(len(items)), 2):
        equality(keys[j], keys[i], line)  # what has no order from first to last is not read
        behind = compare(
            ast.Gt() if reverse else ast.Lt(), keys[i], keys[j], line
        )  # of equal ones the earlier is first
        sums[j] = sums[j] + choose(behind, number(1), number(0))
        sums[i] = sums[i] + choose(negated(behind), number(1), number(0))
    found = ranks(tuple(sums))
    result: list[tuple[Condition, Value]] = []
    for place in range(len(items)):
        hits = [(equal(rank, number(place)), item) for (_, item), rank in zip(items, found, strict=True)]
        value = _the_one([(hit, item) for hit, item in hits if hit != FALSE], line, choice)
        if value is not None:
            result.append((TRUE, value))
    return tuple(result)


def _has_sets(key: Value) -> bool:
    """Whether a key is a set, or compared by one: of two sets neither may come first."""
    match key:
        case KeySet() | ItemSet() | Stream():
            return True
        case Sequence(items=parts):
            return any(map(_has_sets, parts))
        case Guarded(items=guarded):
            return any(_has_sets(part) for _, part in guarded)
        case Record():
            return any(map(_has_sets, key.compared))
        case _:
            return False


def _rank(i: int, items: Items, keys: Many[Value], reverse: bool, line: int) -> Term:
    """How many of the items stand before this one when they are sorted."""
    rank = number(0)
    for j, (there, _) in enumerate(items):
        if j == i:
            continue
        smaller = compare(ast.Gt() if reverse else ast.Lt(), keys[j], keys[i], line)
        before = either(smaller, equality(keys[j], keys[i], line)) if j < i else smaller
        rank = rank + choose(both(there, before), number(1), number(0))
    return rank


def best(
    items: Items, keys: Many[Value], op: ast.cmpop, line: int, choice: Choice = pick
) -> tuple[Value | None, Condition]:
    """The first of the items whose key stands before all others, and the condition under which there is one."""
    found: Value | None = None
    key: Value | None = None
    some: Condition = FALSE
    for (there, item), its_key in zip(items, keys, strict=True):
        if found is None or key is None:
            found, key, some = item, its_key, there
            continue
        better = both(there, either(negated(some), compare(op, its_key, key, line)))
        found, key = choice(better, item, found, line), choice(better, its_key, key, line)
        some = either(some, there)
    return found, some


def of_range(first: Int, stop: Int, step: Int, line: int) -> Items:
    """What a range goes through; where its ends vary, each number under the condition that it is not past the end."""
    a, b, by = first.term, stop.term, step.term.constant
    if by is None or by == 0:
        raise NotRead("a range whose step varies", line)
    span = b - a if by > 0 else a - b
    if span.high is None:
        raise NotRead("a loop over a range without bounds", line)
    rounds = max(0, -(-span.high // abs(by)))
    if rounds > MOST_ROUNDS:
        raise NotRead(f"a loop of more than {MOST_ROUNDS} rounds", line)
    found: list[tuple[Condition, Value]] = []
    for i in range(rounds):
        term = a + number(i * by)
        found.append((below(term, b) if by > 0 else below(b, term), Int(term)))
    return tuple((there, item) for there, item in found if there != FALSE)


def compacted(items: Items, line: int) -> Items:
    """The same items so that each stands at its place: where one is there, all before it are."""
    if all(_implies(after, before) for (before, _), (after, _) in pairwise(items)):
        return items
    where, total = places(items), count(items)
    found: list[tuple[Condition, Value]] = []
    for place in range(len(items)):
        hits = [(both(there, equal(at, number(place))), item) for (there, item), at in zip(items, where, strict=True)]
        value = whichever([(hit, item) for hit, item in hits if hit != FALSE], line)
        if value is not None:
            found.append((below(number(place), total), value))
    return tuple(found)


def _implies(one: Condition, other: Condition) -> bool:
    """Whether one condition is seen to imply another."""
    if isinstance(one, NotPositive) and isinstance(other, NotPositive):
        apart = (one.term - other.term).constant
        if apart is not None:
            return apart >= 0
    return conjuncts(other) - {TRUE} <= conjuncts(one)


def distinct(items: Items, line: int) -> Items:
    """The items that equal none before them, which is what a set has."""
    found: list[tuple[Condition, Value]] = []
    for there, item in items:
        again = [both(before, equality(item, other, line)) for before, other in found]
        found.append((both(there, negated(either(*again))), item))
    return tuple((there, item) for there, item in found if there != FALSE)


def plain(items: Iterable[Value]) -> Items:
    """Items that are all there."""
    return tuple((TRUE, item) for item in items)


def items_of(content: Value, line: int, *, any_order: bool = False) -> Items:
    """What going through a value gives: a list, tuple, stream, range, text, or a dict's keys.

    ``any_order``: the order does not matter for what is done with them. Raises ``NotRead``.
    """
    match content:
        case Sequence(items=items):
            return plain(items)
        case Guarded(items=items) | Queue(items=items):
            return items
        case Stream(items=guarded, in_order=known):
            if not known and not any_order:
                raise NotRead("going through what has no known order", line)
            return guarded
        case Thing(name="range", of=(Int() as first, Int() as stop, Int() as step)):
            return of_range(first, stop, step, line)
        case Thing(of=EnumClass() as enum) if content.name == f"enum {enum.name}":
            return plain(all_members(enum))
        case Text(value=text):
            return plain(Text(char) for char in text)
        case Lookup(entries=pairs):
            if not any_order and not content.in_order:
                raise NotRead("going through a dict whose order is not known", line)
            return tuple((there, key) for there, key, _ in pairs)
        case _ if is_text(content):
            return tuple((there, single(code)) for there, code in cells_of(content))
        case Table() | KeySet():
            return _keys(content, line, any_order)
        case ItemSet(items=items):
            if not any_order and not has_order(content):
                raise NotRead("going through a set, whose order is not known", line)
            return distinct(items, line)
        case _:
            raise NotRead(f"a loop over a {type(content).__name__}", line)


def has_order(content: Value) -> bool:
    """Whether what going through a value gives comes in a known order."""
    match content:
        case Stream(in_order=known) | Table(in_order=known) | Lookup(in_order=known):
            return known
        case KeySet(present=present):
            return len(present) < 2
        case ItemSet(items=items):
            return len(items) < 2
        case _:
            return True


def _keys(content: Value, line: int, any_order: bool) -> Items:

    if not has_order(content) and not any_order:
        raise NotRead("going through a dict or set whose order is not known", line)
    if isinstance(content, Table):
        return tuple((presence(content, key), key_value(key, line)) for key in content.entries)
    assert isinstance(content, KeySet)
    return tuple((there, key_value(key, line)) for key, there in content.present.items())
