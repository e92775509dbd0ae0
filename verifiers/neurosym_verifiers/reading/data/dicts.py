"""Python's dicts: making them, looking into them, changing them; also those with a default, and counters.

A dict whose keys are texts, members of enums or known numbers is read key by key (``Table``). Where other keys are put
in, they are compared (``Lookup``): an entry is changed where its key is equal, and added behind the others elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from dataclasses import replace
from typing import Any

from neurosym_verifiers.reading.data.comparing import check_hashable, equality, family_of, keys_of
from neurosym_verifiers.reading.data.exceptions import KEY_ERROR
from neurosym_verifiers.reading.data.items import Choice, Items, cut, has_order, in_order, items_of, whichever
from neurosym_verifiers.reading.data.operations import binary, listed, pick
from neurosym_verifiers.reading.data.values import (
    COUNTER,
    Chars,
    Dec,
    Int,
    Lookup,
    Maybe,
    Member,
    NoneValue,
    NotRead,
    Ref,
    Sequence,
    Stream,
    Table,
    Text,
    Value,
    as_data,
)
from neurosym_verifiers.reading.execution.merging import compared, key_value, presence
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.narrowing import narrowing_by
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, number

DICTS = (Table, Lookup)


def new_dict(pairs: Many[tuple[Value, Value]], state: State, line: int) -> Ref:
    ref = state.new(Table({}))
    for key, value in pairs:
        put_entry(ref, key, value, state, line)
    return ref


def put_entry(
    ref: Ref, key: Value, value: Value, state: State, line: int, *, where: Condition = TRUE, choice: Choice = pick
) -> None:
    """``ref[key] = value`` of a dict, where a condition holds."""
    content = state.top(ref)
    names = _known_keys(key)
    if isinstance(content, Table) and names is None:
        content = compared(content)
    if isinstance(content, Lookup):
        state.change(ref, _with_compared(content, key, value, where, line, choice), line)
        return
    assert isinstance(content, Table)
    entries, present, in_order = dict(content.entries), dict(content.present), content.in_order
    for name, here in names or ():
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
    own = content.own.difference(name for name, _ in names or ())
    state.change(ref, replace(content, entries=entries, present=present, in_order=in_order, own=own), line)


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


def _known_keys(key: Value) -> list[tuple[Any, Condition]] | None:
    """The keys that a value may be, each with its condition; None where they can only be compared."""
    if isinstance(key, Int) and key.term.constant is not None:
        return [(key.term.constant, TRUE)]
    return keys_of(key) if isinstance(key, (Text, Member)) else None


def _with_compared(content: Lookup, key: Value, value: Value, where: Condition, line: int, choice: Choice) -> Lookup:
    check_hashable(key, line)
    if not isinstance(as_data(key), type(key)):
        raise NotRead("a member that is more as a key", line)
    entries: list[tuple[Condition, Value, Value]] = []
    hits: list[Condition] = []
    for there, other, old in content.entries:
        here = both(there, equality(other, key, line))
        hits.append(here)
        hit = both(where, here)
        known = narrowing_by(hit)
        entries.append((there, other, choice(hit, known.value(value) if known else value, old, line)))
    added = both(where, negated(either(*hits)))
    if added != FALSE:
        entries.append((added, key, value))
    return replace(content, entries=tuple(entries))


def entry(content: Table | Lookup, key: Value, line: int, choice: Choice = pick) -> tuple[Value | None, Condition]:
    """What a dict has for a key, and the condition under which it has the key."""
    key = as_data(key)
    if isinstance(content, Lookup):
        check_hashable(key, line)
        hits = [(both(there, equality(other, key, line)), value) for there, other, value in content.entries]
    else:
        hits = [
            (both(presence(content, name), here), content.entries[name])
            for name, here in _names_of(content, key, line)
            if name in content.entries
        ]
    hits = [(hit, value) for hit, value in hits if hit != FALSE]
    return whichever(hits, line, choice), either(*(hit for hit, _ in hits))


def _names_of(content: Table, key: Value, line: int) -> list[tuple[Any, Condition]]:
    """The keys that a value may be; of one that is neither a text nor a member, those of a dict that it may equal."""
    match key:
        case Text() | Member():
            return keys_of(key)
        case Chars():
            return [(name, equality(key, Text(name), line)) for name in content.entries if isinstance(name, str)]
        case Maybe(missing=missing, value=some):
            return [(name, both(negated(missing), here)) for name, here in _names_of(content, some, line)]
        case NoneValue():
            return []
    check_hashable(key, line)
    if not family_of(key) and content.entries:
        raise NotRead(f"a {type(key).__name__} as a key", line)
    return [(name, equality(key, key_value(name, line), line)) for name in content.entries if type(name) is int]


def dict_method(
    ref: Ref, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """A method of a dict."""
    content = state.top(ref)
    assert isinstance(content, (Table, Lookup))
    if content.default == COUNTER and name in _OF_COUNTERS:
        return _counter_method(ref, name, arguments, keywords, state, line)
    if keywords and name != "update":
        raise NotRead(f"dict.{name} with a keyword", line)
    match name, arguments:
        case "get", [key] | [key, _]:
            default = arguments[1] if len(arguments) == 2 else NoneValue()
            value, there = entry(content, key, line)
            return default if value is None else pick(there, value, default, line)
        case "setdefault", [key, default]:
            value, there = entry(content, key, line)
            put_entry(ref, key, default if value is None else pick(there, value, default, line), state, line)
            found, _ = entry(_dict_in(ref, state), key, line)
            return NoneValue() if found is None else found
        case "keys", []:
            return view(content, line, lambda key, value: key, ref)
        case "values", []:
            return values_of(content, ref)
        case "items", []:
            return view(content, line, lambda key, value: Sequence((key, value), False), ref)
        case "copy", []:  # what is made for a missing key is made for each dict
            return state.new(replace(content, own=frozenset()) if isinstance(content, Table) else content)
        case "clear", []:
            state.change(ref, Table({}, default=content.default), line)
            return NoneValue()
        case "pop", [key] | [key, _]:
            value, there = entry(content, key, line)
            remove(ref, key, state, line, missing=None if len(arguments) == 2 else KEY_ERROR)
            default = arguments[1] if len(arguments) == 2 else NoneValue()
            if value is None:
                return default
            return pick(there, value, default, line) if len(arguments) == 2 else value
        case "update", [] | [_]:
            for argument in arguments:
                put_all(ref, state.top(argument), state, line)
            for word, value in keywords.items():
                put_entry(ref, Text(word), value, state, line)
            return NoneValue()
        case _:
            raise NotRead(f"the method {name} of a dict", line)


def _dict_in(ref: Ref, state: State) -> Table | Lookup:
    content = state.top(ref)
    assert isinstance(content, (Table, Lookup))
    return content


def put_all(ref: Ref, content: Value, state: State, line: int) -> None:
    """Puts in all that another dict has, in whatever order, or pairs of a key and its value."""
    of_dict, known = isinstance(content, (Table, Lookup)), has_order(content)
    if isinstance(content, (Table, Lookup)):
        content = view(content, line, lambda key, value: Sequence((key, value), False))
    for there, pair in items_of(content, line, any_order=of_dict):
        match state.top(pair):
            case Sequence(items=(key, value)):
                put_entry(ref, key, value, state, line, where=there)
            case _:
                raise NotRead("a dict of what are no pairs", line)
    if not known:
        state.change(ref, replace(_dict_in(ref, state), in_order=False), line)


def remove(ref: Ref, key: Value, state: State, line: int, *, missing: tuple[str, ...] | None) -> None:
    """Takes a key out. ``missing``: what is raised where it is not there; None: nothing."""
    content = _dict_in(ref, state)
    if isinstance(content, Table) and content.own:
        raise NotRead("a key that is taken out of a dict of lists", line)
    _, there = entry(content, key, line)
    if missing is not None:
        state.raise_if(negated(there), missing, line)
        content = _dict_in(ref, state)  # as it is known behind that
    key = as_data(key)
    if isinstance(content, Lookup):
        left = (
            (both(here, negated(equality(other, key, line))), other, value) for here, other, value in content.entries
        )
        made: Table | Lookup = replace(content, entries=tuple(each for each in left if each[0] != FALSE))
    else:
        names = _names_of(content, key, line)
        present = dict(content.present)
        for name, here in names:
            if name in content.entries:
                present[name] = both(presence(content, name), negated(here))
        # a key that is put in again comes last
        kept = {name: value for name, value in content.entries.items() if present.get(name, TRUE) != FALSE}
        known = content.in_order and all(present.get(name, TRUE) == content.present.get(name, TRUE) for name in kept)
        made = replace(
            content,
            entries=kept,
            present={name: here for name, here in present.items() if name in kept},
            in_order=known,
        )
    state.change(ref, made, line)


def view(content: Table | Lookup, line: int, make: Callable[[Value, Value], Value], ref: Ref | None = None) -> Stream:
    """What goes through a dict: ``make`` of each key and its value. ``ref``: where it lies, if it may be changed."""
    over = frozenset({ref.address} if ref else ())
    if isinstance(content, Lookup):
        return Stream(tuple((there, make(key, value)) for there, key, value in content.entries), content.in_order, over)
    items = tuple((presence(content, key), make(key_value(key, line), value)) for key, value in content.entries.items())
    return Stream(items, content.in_order, over)


def with_own(ref: Ref, key: Text | Member, make: Callable[[], Value], state: State, line: int) -> Value | None:
    """``ref[key]`` of a dict whose default is an empty list, dict or set: each key that it may be has one of its own.

    None where some key has a value that was put in.
    """
    content = state.top(ref)
    assert isinstance(content, Table)
    names = keys_of(key)
    if any(name in content.entries and name not in content.own for name, _ in names):
        return None
    entries, present, known = dict(content.entries), dict(content.present), content.in_order
    for name, here in names:
        if name not in entries:
            entries[name], known = make(), known and here == TRUE
        if (now := either(presence(content, name), here)) != TRUE:
            present[name] = now
        else:
            present.pop(name, None)
    own = content.own.union(name for name, _ in names)
    state.change(ref, replace(content, entries=entries, present=present, in_order=known, own=own), line)
    return whichever([(here, entries[name]) for name, here in names], line)


def values_of(content: Table | Lookup, ref: Ref | None = None) -> Stream:
    """The values of a dict."""
    over = frozenset({ref.address} if ref else ())
    if isinstance(content, Lookup):
        items: Items = tuple((there, value) for there, _, value in content.entries)
    else:
        items = tuple((presence(content, key), value) for key, value in content.entries.items())
    return Stream(items, content.in_order, over)


# Counters

_OF_COUNTERS = frozenset({"update", "total", "most_common", "elements", "subtract", "fromkeys", "copy", "setdefault"})


def new_counter(items: Items, state: State, line: int) -> Ref:
    """``Counter(iterable)``."""
    ref = state.new(Table({}, default=COUNTER))
    _count(ref, items, state, line)
    return ref


def _count(ref: Ref, items: Items, state: State, line: int) -> None:
    for there, item in items:
        before = counted(_dict_in(ref, state), item, line)
        put_entry(ref, item, binary(ast.Add(), before, Int(number(1)), state, line), state, line, where=there)


def counted(content: Table | Lookup, key: Value, line: int) -> Value:
    """``counter[key]``: zero for a key that it does not have."""
    value, there = entry(content, key, line)
    return Int(number(0)) if value is None else pick(there, value, Int(number(0)), line)


def _counter_method(
    ref: Ref, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    content = _dict_in(ref, state)
    match name, arguments:
        case "update", [argument] if not keywords and not isinstance(state.top(argument), DICTS):
            _count(ref, items_of(state.top(argument), line), state, line)
            return NoneValue()
        case "total", [] if not keywords:
            total: Value = Int(number(0))
            values = values_of(content)
            whole = all(isinstance(value, Int) for _, value in values.items)
            for there, value in items_of(values, line, any_order=whole):
                total = pick(there, binary(ast.Add(), total, value, state, line), total, line)
            return total
        case "most_common", [] | [Int()] if not keywords:
            wanted = arguments[0].term if arguments and isinstance(arguments[0], Int) else None
            if wanted is not None and (wanted.low is None or wanted.low < 0):
                raise NotRead("most_common of a number that may be negative", line)
            pairs = items_of(view(content, line, lambda key, value: Sequence((key, value), False)), line)
            counts = [pair.items[1] for _, pair in pairs if isinstance(pair, Sequence)]
            found = in_order(pairs, counts, reverse=True, line=line)
            return state.new(listed(found if wanted is None else cut(found, None, wanted), True))
        case _:
            raise NotRead(f"the method {name} of a Counter", line)
