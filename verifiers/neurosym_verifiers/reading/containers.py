"""Python's lists, dicts and sets in the heap: making them, looking into them, changing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from dataclasses import replace
from typing import Any

from neurosym_verifiers.reading.characters import (
    Cells,
    all_there,
    as_items,
    cells_of,
    from_items,
    is_text,
    single,
    text_of,
)
from neurosym_verifiers.reading.comparing import check_hashable, equality, keys_of
from neurosym_verifiers.reading.exceptions import INDEX_ERROR, KEY_ERROR, VALUE_ERROR
from neurosym_verifiers.reading.items import (
    Choice,
    Items,
    count,
    cut,
    from_end,
    item_at,
    items_of,
    key_value,
    plain,
    whichever,
    with_item,
)
from neurosym_verifiers.reading.merging import guards_of, presence
from neurosym_verifiers.reading.narrowing import narrowing_by
from neurosym_verifiers.reading.normal_forms import both, choose, either, equal, negated
from neurosym_verifiers.reading.operations import listed, pick
from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.values import (
    Chars,
    Dec,
    Guarded,
    Int,
    ItemSet,
    KeySet,
    Member,
    NoneValue,
    NotRead,
    Ref,
    Sequence,
    Stream,
    Table,
    Text,
    Value,
)


def new_list(items: Items, state: State) -> Ref:
    return state.new(listed(items, True))


def new_set(items: Items, state: State, line: int) -> Ref:
    for _, item in items:
        check_hashable(item, line)
    return state.new(set_of(items))


def set_of(items: Items) -> KeySet | ItemSet:
    """Of texts and members of enums, each is known by name; other items are only compared."""
    present: dict[Any, Condition] = {}
    for there, item in items:
        if not isinstance(item, (Text, Member)):
            return ItemSet(items)
        for key, here in keys_of(item):
            present[key] = either(present.get(key, FALSE), both(there, here))
    return KeySet(present)


def new_dict(pairs: Many[tuple[Value, Value]], state: State, line: int) -> Ref:
    ref = state.new(Table({}))
    for key, value in pairs:
        put(ref, key, value, state, line)
    return ref


def put(
    ref: Ref,
    key: Value,
    value: Value,
    state: State,
    line: int,
    *,
    where: Condition = TRUE,
    choice: Choice = pick,
) -> None:
    """``ref[key] = value`` of a list or dict, where a condition holds."""
    content = state.top(ref)
    if isinstance(content, (Sequence, Guarded)) and content.is_list and isinstance(key, Int) and where == TRUE:
        items, hit = with_item(guards_of(content), key.term, value, line)
        state.raise_if(negated(hit), INDEX_ERROR, line)
        state.change(ref, listed(items, True), line)
        return
    if not isinstance(content, Table):
        raise NotRead(f"an assignment into a {type(content).__name__}", line)
    entries, present, in_order = dict(content.entries), dict(content.present), content.in_order
    for name, here in _known_keys(key):
        hit = both(where, here)
        there = presence(content, name)
        if name not in entries:
            in_order = in_order and hit == TRUE
        known = narrowing_by(hit)
        value_here = known.value(value) if known else value
        elsewhere = entries[name] if name in entries else _nothing(value_here)
        entries[name] = choice(hit, value_here, elsewhere, line)
        if (now := either(there, hit)) != TRUE:
            present[name] = now
        else:
            present.pop(name, None)
    state.change(ref, Table(entries, present, in_order), line)


def _nothing(value: Value) -> Value:
    """What an entry is where its key is not there, which nobody sees: of numbers zero, so that sums by group are sums
    of what is zero outside of the group."""
    match value:
        case Int():
            return Int(number(0))
        case Dec():
            return replace(value, num=number(0))
        case _:
            return value


def _known_keys(key: Value) -> list[tuple[Any, Condition]]:
    if isinstance(key, Int) and key.term.constant is not None:
        return [(key.term.constant, TRUE)]
    return keys_of(key)


def entry(content: Table, key: Value, line: int, choice: Choice = pick) -> tuple[Value | None, Condition]:
    """What a dict has for a key, and the condition under which it has the key."""
    names = _among(content, key) if isinstance(key, (Int, Chars)) else keys_of(key)
    hits = [
        (both(presence(content, name), here), content.entries[name]) for name, here in names if name in content.entries
    ]
    hits = [(hit, value) for hit, value in hits if hit != FALSE]
    return whichever(hits, line, choice), either(*(hit for hit, _ in hits))


def _among(content: Table, key: Int | Chars) -> list[tuple[Any, Condition]]:
    """The numbers or texts among a dict's keys, each with the condition that it is the wanted one."""
    if isinstance(key, Chars):
        return [(name, equality(key, Text(name), 0)) for name in content.entries if isinstance(name, str)]
    return [(name, equal(key.term, number(name))) for name in content.entries if type(name) is int]


def subscript(content: Value, index: Value, state: State, line: int) -> Value:
    """``content[index]``, which raises where there is no such item."""
    match content, index:
        case ((Sequence() | Guarded()), Int(term=at)):
            value, there = item_at(guards_of(content), at, line)
            state.raise_if(negated(there), INDEX_ERROR, line)
        case Table(), _:
            value, there = entry(content, index, line)
            state.raise_if(negated(there), KEY_ERROR, line)
        case _, Int(term=at) if is_text(content):
            value, there = item_at(as_items(cells_of(content)), at, line)
            state.raise_if(negated(there), INDEX_ERROR, line)
            return single(value.term) if isinstance(value, Int) else Text("")
        case _:
            raise NotRead(f"an index into a {type(content).__name__}", line)
    return NoneValue() if value is None else value


def slice_of(content: Value, bounds: Many[Value | None], state: State, line: int) -> Value:
    """``content[first:stop:step]``."""
    known = [None if bound is None or isinstance(bound, NoneValue) else bound for bound in bounds]
    if not all(bound is None or isinstance(bound, Int) for bound in known):
        raise NotRead("a slice with these bounds", line)
    first, stop, step = (bound.term if isinstance(bound, Int) else None for bound in known)
    if is_text(content):
        return cut_text(cells_of(content), first, stop, step, line)
    if not isinstance(content, (Sequence, Guarded)):
        raise NotRead(f"a slice of a {type(content).__name__}", line)
    items = guards_of(content)
    if step is not None and step.constant == -1 and first is None and stop is None:
        items = items[::-1]
    elif step is not None and step.constant != 1:
        raise NotRead("a slice with a step", line)
    else:
        items = cut(items, first, stop)
    found = listed(items, content.is_list)
    return state.new(found) if content.is_list else found


def cut_text(cells: Cells, first: Term | None, stop: Term | None, step: Term | None, line: int) -> Value:
    """``text[first:stop:step]``."""
    ends = [None if term is None else term.constant for term in (first, stop, step)]
    known = all(term is None or end is not None for term, end in zip((first, stop, step), ends, strict=True))
    if step is not None and step.constant == 0:
        raise NotRead("a slice with a step of zero", line)
    if (known and all_there(cells)) or (first is stop is None and known and abs(ends[2] or 1) == 1):
        return text_of(cells[slice(*ends)])
    if step is not None and step.constant != 1:
        raise NotRead("a slice of a text with a step", line)
    return from_items(cut(as_items(cells), first, stop))


def list_method(
    ref: Ref, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """A method of a list."""
    content = state.top(ref)
    assert isinstance(content, (Sequence, Guarded))
    items = guards_of(content)
    if keywords:
        raise NotRead(f"list.{name} with a keyword", line)
    match name, arguments:
        case "append", [value]:
            state.change(ref, listed((*items, (TRUE, value)), True), line)
            return NoneValue()
        case "extend", [more]:
            state.change(ref, listed((*items, *items_of(state.top(more), line)), True), line)
            return NoneValue()
        case "insert", [Int(term=at), value]:
            here = from_end(at, number(len(items)))
            if isinstance(content, Guarded) or here.constant is None:
                raise NotRead("list.insert at a place that varies", line)
            place = min(max(here.constant, 0), len(items))
            state.change(ref, listed((*items[:place], (TRUE, value), *items[place:]), True), line)
            return NoneValue()
        case "pop", [] | [Int()]:
            return _pop(ref, content, arguments, state, line)
        case "copy", []:
            return state.new(content)
        case "reverse", []:
            state.change(ref, listed(items[::-1], True), line)
            return NoneValue()
        case "count", [value]:
            wanted = state.seen(value)
            total = number(0)
            for there, item in items:
                hit = both(there, equality(state.seen(item), wanted, line))
                total = total + choose(hit, number(1), number(0))
            return Int(total)
        case "index", [value]:
            return _index(content, value, state, line)
        case _:
            raise NotRead(f"the method {name} of a list", line)


def _pop(ref: Ref, content: Sequence | Guarded, arguments: Many[Value], state: State, line: int) -> Value:
    at = arguments[0].term.constant if arguments and isinstance(arguments[0], Int) else -1
    if isinstance(content, Guarded) or at is None:
        raise NotRead("list.pop where the length or the place varies", line)
    items = list(content.items)
    if not -len(items) <= at < len(items):
        state.raise_if(TRUE, INDEX_ERROR, line)
        return NoneValue()
    value = items.pop(at)
    state.change(ref, listed(plain(items), True), line)
    return value


def _index(content: Sequence | Guarded, value: Value, state: State, line: int) -> Value:
    if isinstance(content, Guarded):
        raise NotRead("list.index where the length varies", line)
    wanted = state.seen(value)
    found = number(0)
    some: Condition = FALSE
    for i, item in reversed(list(enumerate(content.items))):
        hit = equality(state.seen(item), wanted, line)
        found, some = choose(hit, number(i), found), either(some, hit)
    state.raise_if(negated(some), VALUE_ERROR, line)
    return Int(found)


def dict_method(
    ref: Ref, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """A method of a dict."""
    content = state.top(ref)
    assert isinstance(content, Table)
    if keywords:
        raise NotRead(f"dict.{name} with a keyword", line)
    match name, arguments:
        case "get", [key] | [key, _]:
            default = arguments[1] if len(arguments) == 2 else NoneValue()
            value, there = entry(content, key, line)
            return default if value is None else pick(there, value, default, line)
        case "setdefault", [key, default]:
            value, there = entry(content, key, line)
            put(ref, key, default if value is None else pick(there, value, default, line), state, line)
            return subscript(state.top(ref), key, state, line)
        case "keys", []:
            return view(content, lambda key: key_value(key, line), ref)
        case "values", []:
            return view(content, lambda key: content.entries[key], ref)
        case "items", []:
            return view(content, lambda key: Sequence((key_value(key, line), content.entries[key]), False), ref)
        case "copy", []:
            return state.new(content)
        case _:
            raise NotRead(f"the method {name} of a dict", line)


def view(content: Table, make: Callable[[Any], Value], ref: Ref | None = None) -> Stream:
    """What goes through a dict: ``make`` of each of its keys. ``ref``: where it lies, if it may be changed."""
    items = tuple((presence(content, key), make(key)) for key in content.entries)
    return Stream(items, content.in_order, frozenset({ref.address} if ref else ()))


def set_method(
    ref: Ref, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """A method of a set."""
    content = state.top(ref)
    if name != "add" or len(arguments) != 1 or keywords:
        raise NotRead(f"the method {name} of a set", line)
    if isinstance(content, ItemSet) or (isinstance(content, KeySet) and not content.present):
        items = content.items if isinstance(content, ItemSet) else ()
        made = new_set((*items, (TRUE, arguments[0])), state, line)
        state.change(ref, state.top(made), line)
        return NoneValue()
    assert isinstance(content, KeySet)
    present = dict(content.present)
    for key, here in keys_of(arguments[0]):
        present[key] = either(present.get(key, FALSE), here)
    state.change(ref, KeySet(present), line)
    return NoneValue()


def length(content: Value, line: int) -> Int:
    """``len(content)``."""
    match content:
        case Sequence(items=items):
            return Int(number(len(items)))
        case _ if is_text(content):
            return Int(count(as_items(cells_of(content))))
        case Guarded() | Table() | KeySet():
            total = number(0)
            for there, _ in items_of(content, line, any_order=True):
                total = total + choose(there, number(1), number(0))
            return Int(total)
        case _:
            raise NotRead("the length of this", line)
