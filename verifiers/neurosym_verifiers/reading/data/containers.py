"""Python's lists in the heap: making them, changing them; looking into lists, texts and dicts."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.comparing import equality
from neurosym_verifiers.reading.data.dicts import entry, put_entry
from neurosym_verifiers.reading.data.exceptions import INDEX_ERROR, KEY_ERROR, VALUE_ERROR
from neurosym_verifiers.reading.data.items import (
    Choice,
    Items,
    count,
    cut,
    from_end,
    item_at,
    items_of,
    plain,
    with_item,
)
from neurosym_verifiers.reading.data.operations import listed, pick
from neurosym_verifiers.reading.data.queues import taken
from neurosym_verifiers.reading.data.values import (
    Growing,
    Guarded,
    Int,
    ItemSet,
    KeySet,
    Lookup,
    LoopList,
    NoneValue,
    NotRead,
    Queue,
    Ref,
    Sequence,
    Table,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.merging import guards_of
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import both, choose, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.loop_lists.asking import length_of
from neurosym_verifiers.reading.loop_lists.views import slice_of_loop_list
from neurosym_verifiers.reading.python.enums import EnumClass
from neurosym_verifiers.reading.texts.characters import (
    Cells,
    all_there,
    as_items,
    cells_of,
    from_items,
    is_text,
    single,
    text_of,
)


def new_list(items: Items, state: State) -> Ref:
    return state.new(listed(items, True))


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
    if not isinstance(content, (Table, Lookup)):
        raise NotRead(f"an assignment into a {type(content).__name__}", line)
    put_entry(ref, key, value, state, line, where=where, choice=choice)


def subscript(content: Value, index: Value, state: State, line: int) -> Value:
    """``content[index]``, which raises where there is no such item."""
    match content, index:
        case ((Sequence() | Guarded() | Queue()), Int(term=at)):
            value, there = item_at(items_of(content, line), at, line)
            state.raise_if(negated(there), INDEX_ERROR, line)
        case ((Table() | Lookup()), _):
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
    if isinstance(content, LoopList):
        return state.new(slice_of_loop_list(content, known, line))
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
        case "clear", []:
            state.change(ref, Sequence((), True), line)
            return NoneValue()
        case "remove", [value]:
            return _remove(ref, items, value, state, line)
        case "index", [value]:
            return _index(content, value, state, line)
        case _:
            raise NotRead(f"the method {name} of a list", line)


def append(
    ref: Ref,
    content: Growing,
    name: str,
    arguments: Many[Value],
    keywords: Mapping[str, Value],
    state: State,
    line: int,
) -> Value:
    """A method of a list in a round of a long loop: nothing else is known of it than that it grows."""
    match name, arguments:
        case "append", [value] if not keywords:
            more: tuple[Value, ...] = (value,)
        case "extend", [others] if not keywords and isinstance(known := state.top(others), Sequence):
            more = known.items
        case _:
            raise NotRead(f"the method {name} of a list to which a loop of many rounds appends", line)
    state.change(ref, Growing((*content.items, *more)), line)
    return NoneValue()


def _pop(ref: Ref, content: Sequence | Guarded, arguments: Many[Value], state: State, line: int) -> Value:
    at = arguments[0].term.constant if arguments and isinstance(arguments[0], Int) else -1
    if isinstance(content, Guarded) and at in (0, -1):
        found, some, left = taken(content.items, line, first=at == 0)
        state.raise_if(negated(some), INDEX_ERROR, line)
        state.change(ref, listed(left, True), line)
        return NoneValue() if found is None else found
    if isinstance(content, Guarded) or at is None:
        raise NotRead("list.pop where the length or the place varies", line)
    items = list(content.items)
    if not -len(items) <= at < len(items):
        state.raise_if(TRUE, INDEX_ERROR, line)
        return NoneValue()
    value = items.pop(at)
    state.change(ref, listed(plain(items), True), line)
    return value


def _remove(ref: Ref, items: Items, value: Value, state: State, line: int) -> Value:
    """Takes out the first item that is equal to a value."""
    wanted = state.seen(value)
    before: Condition = FALSE
    left: list[tuple[Condition, Value]] = []
    for there, item in items:
        hit = both(there, equality(state.seen(item), wanted, line))
        left.append((both(there, either(before, negated(hit))), item))
        before = either(before, hit)
    state.raise_if(negated(before), VALUE_ERROR, line)
    state.change(ref, listed(left, True), line)
    return NoneValue()


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


def length(content: Value, line: int) -> Int:
    """``len(content)``."""
    match content:
        case LoopList():
            return Int(length_of(content))
        case Sequence(items=items):
            return Int(number(len(items)))
        case _ if is_text(content):
            return Int(count(as_items(cells_of(content))))
        case KeySet(present=present):
            return Int(count((there, content) for there in present.values()))
        case Guarded() | Queue() | Table() | Lookup() | ItemSet() | Thing(of=EnumClass()):
            return Int(count(items_of(content, line, any_order=True)))
        case _:
            raise NotRead("the length of this", line)
