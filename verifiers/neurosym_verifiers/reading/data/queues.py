"""Python's ``deque``: items are put in and taken out at both ends, also where they may not be there."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many

from neurosym_verifiers.reading.data.exceptions import INDEX_ERROR
from neurosym_verifiers.reading.data.items import Items, items_of, whichever
from neurosym_verifiers.reading.data.values import NoneValue, NotRead, Queue, Ref, Value
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition


def new_queue(items: Items, state: State) -> Ref:
    return state.new(Queue(items))


def taken(items: Items, line: int, *, first: bool) -> tuple[Value | None, Condition, Items]:
    """The first or last of the items that are there, the condition under which there is one, and the others."""
    order = items if first else items[::-1]
    before: Condition = FALSE
    hits: list[tuple[Condition, Value]] = []
    left: list[tuple[Condition, Value]] = []
    for there, item in order:
        hits.append((both(there, negated(before)), item))
        left.append((both(there, before), item))
        before = either(before, there)
    kept = tuple((there, item) for there, item in left if there != FALSE)
    value = whichever([(hit, item) for hit, item in hits if hit != FALSE], line)
    return value, before, kept if first else kept[::-1]


def queue_method(
    ref: Ref, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """A method of a deque."""
    content = state.top(ref)
    assert isinstance(content, Queue)
    if keywords:
        raise NotRead(f"deque.{name} with a keyword", line)
    match name, arguments:
        case "append", [value]:
            items: Items = (*content.items, (TRUE, value))
        case "appendleft", [value]:
            items = ((TRUE, value), *content.items)
        case "extend", [more]:
            items = (*content.items, *items_of(state.top(more), line))
        case "extendleft", [more]:
            items = (*items_of(state.top(more), line)[::-1], *content.items)
        case "clear", []:
            items = ()
        case "reverse", []:
            items = content.items[::-1]
        case "pop" | "popleft", []:
            found, some, left = taken(content.items, line, first=name == "popleft")
            state.raise_if(negated(some), INDEX_ERROR, line)
            state.change(ref, Queue(left), line)
            return NoneValue() if found is None else found
        case "copy", []:
            return state.new(content)
        case _:
            raise NotRead(f"the method {name} of a deque", line)
    state.change(ref, Queue(items), line)
    return NoneValue()
