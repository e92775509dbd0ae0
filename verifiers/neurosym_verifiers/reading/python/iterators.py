"""Python's iterators over others: those of ``itertools``, and what a function makes of each item."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, TypeAlias

from neurosym_verifiers.reading.data.exceptions import VALUE_ERROR
from neurosym_verifiers.reading.data.items import Items, compacted, cut, items_of, of_range
from neurosym_verifiers.reading.data.operations import pick, truth
from neurosym_verifiers.reading.data.values import Int, NoneValue, NotRead, Sequence, Stream, Thing, Value
from neurosym_verifiers.reading.execution.on_demand import captured_by
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import below, both, either, negated
from neurosym_verifiers.reading.formulas.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.python.library import lies_over

if TYPE_CHECKING:
    from neurosym_verifiers.reading.python.calls import PythonCalls

HigherOrder: TypeAlias = "Callable[[PythonCalls, Many[Value], Mapping[str, Value], State, int], Value]"

_MOST_ITEMS = 400


def on_demand(
    items: Items, marks: Many[int], arguments: Many[Value], state: State, exits_before: int, line: int
) -> Stream:
    """What a function, the first argument, makes of each item of the second one. ``marks``: the exits before each."""
    raises = state.raises_on_demand(exits_before, line)
    function = arguments[0]
    frames = function.of[1] if isinstance(function, Thing) and function.name in ("nested", "lambda") else state.frames
    around, under = state.visible(frames), lies_over(arguments[1])
    seen = captured_by(arguments, around or {}, frames, state.heap)
    over = None if around is None or under is None or seen.addresses is None else seen.addresses | under
    relative = (*(mark - exits_before for mark in marks), len(state.exits) - exits_before)
    return Stream(items, True, over, raises, seen.names, relative)


def _starmap(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 2 or keywords:
        raise NotRead("starmap with these arguments", line)
    made: list[tuple[Condition, Value]] = []
    marks: list[int] = []
    exits_before = len(state.exits)
    for there, item in items_of(state.top(arguments[1]), line):
        row = state.top(item)
        if not isinstance(row, Sequence):
            raise NotRead("starmap over something whose length is not known", line)
        inner, before = state.assuming(there), len(state.exits)
        made.append((there, reading.called(arguments[0], row.items, inner, line)))
        state.after(inner, there, before, line)
        marks.append(len(state.exits))
    return on_demand(tuple(made), marks, arguments, state, exits_before, line)


def _accumulate(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if (
        not 1 <= len(arguments) <= 2
        or set(keywords) - {"func", "initial"}
        or (len(arguments) > 1 and "func" in keywords)
    ):
        raise NotRead("accumulate with these arguments", line)
    function = keywords.get("func", arguments[1] if len(arguments) > 1 else NoneValue())
    items = compacted(items_of(state.top(arguments[0]), line), line)
    exits_before = len(state.exits)
    initial = keywords.get("initial", NoneValue())
    if not isinstance(initial, NoneValue):
        items = ((TRUE, initial), *items)
    found = list(items[:1])
    for there, item in items[1:]:
        inner, before, total = state.assuming(there), len(state.exits), found[-1][1]
        if isinstance(function, NoneValue):
            value = reading.operated(ast.Add(), total, item, inner, line)
        else:
            value = reading.called(function, [total, item], inner, line)
        state.after(inner, there, before, line)
        found.append((there, value))
    return Stream(tuple(found), True, None, state.raises_on_demand(exits_before, line))


def _pairwise(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 1 or keywords:
        raise NotRead("pairwise with these arguments", line)
    items = compacted(items_of(state.top(arguments[0]), line), line)
    pairs = tuple((there, Sequence((before, item), False)) for (_, before), (there, item) in pairwise(items))
    return Stream(pairs, True, lies_over(arguments[0]))


def _chain(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if keywords:
        raise NotRead("chain with these arguments", line)
    over = [lies_over(each) for each in arguments]
    known = frozenset().union(*(each for each in over if each is not None))
    items = tuple(item for each in arguments for item in items_of(state.top(each), line))
    return Stream(items, True, None if None in over else known)


def _from_iterable(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 1 or keywords:
        raise NotRead("chain.from_iterable with these arguments", line)
    found = [
        (both(there, inner), item)
        for there, part in items_of(state.top(arguments[0]), line)
        for inner, item in items_of(state.top(part), line)
    ]
    return Stream(tuple(found), True, None)


def _islice(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """``islice(iterable, stop)`` or ``islice(iterable, start, stop)``; from the end nothing is counted."""
    if not 2 <= len(arguments) <= 3 or keywords:
        raise NotRead("islice with these arguments", line)
    bounds: list[Term | None] = []
    for each in arguments[1:]:
        match each:
            case Int(term=term):
                state.raise_if(below(term, number(0)), VALUE_ERROR, line)
                bounds.append(term)
            case NoneValue():
                bounds.append(None)
            case _:
                raise NotRead("islice with these arguments", line)
    first, stop = bounds if len(bounds) == 2 else (None, bounds[0])
    return Stream(cut(items_of(state.top(arguments[0]), line), first, stop), True, lies_over(arguments[0]))


def _repeat(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 2 or keywords or not isinstance(arguments[1], Int):
        raise NotRead("repeat with these arguments", line)
    times = of_range(Int(number(0)), arguments[1], Int(number(1)), line)
    return Stream(tuple((there, arguments[0]) for there, _ in times))


def _while(*, taking: bool) -> HigherOrder:
    """``takewhile``, or ``dropwhile``: up to the first item for which a function says no, or from that on."""

    def walk(
        reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if len(arguments) != 2 or keywords:
            raise NotRead("takewhile or dropwhile with these arguments", line)
        exits_before, marks = len(state.exits), list[int]()
        found: list[tuple[Condition, Value]] = []
        so_far: Condition = TRUE
        for there, item in items_of(state.top(arguments[1]), line):
            asked = both(there, so_far)
            inner, before = state.assuming(asked), len(state.exits)
            holds = truth(state.top(reading.called(arguments[0], [item], inner, line)), line)
            state.after(inner, asked, before, line)
            so_far = both(so_far, either(negated(there), holds))
            found.append((both(there, so_far if taking else negated(so_far)), item))
            marks.append(len(state.exits))
        kept = tuple((there, item) for there, item in found)
        return on_demand(kept, marks, arguments, state, exits_before, line)

    return walk


def _zip_longest(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if set(keywords) - {"fillvalue"}:
        raise NotRead("zip_longest with these arguments", line)
    fill = keywords.get("fillvalue", NoneValue())
    columns = [compacted(items_of(state.top(each), line), line) for each in arguments]
    rows: list[tuple[Condition, Value]] = []
    for place in range(max(map(len, columns), default=0)):
        cells = [column[place] if place < len(column) else (FALSE, fill) for column in columns]
        row = tuple(fill if there == FALSE else pick(there, item, fill, line) for there, item in cells)
        rows.append((either(*(there for there, _ in cells)), Sequence(row, False)))
    over = [lies_over(each) for each in arguments]
    known = frozenset().union(*(each for each in over if each is not None))
    return Stream(tuple(rows), True, None if None in over else known)


def _put_together(parts: list[tuple[tuple[Condition, Value], ...]], line: int) -> Stream:
    """Tuples of items, each there where all of them are."""
    if len(parts) > _MOST_ITEMS:
        raise NotRead(f"more than {_MOST_ITEMS} tuples of items", line)
    rows = tuple((both(*(there for there, _ in row)), Sequence(tuple(item for _, item in row), False)) for row in parts)
    return Stream(tuple((there, row) for there, row in rows if there != FALSE), True, None)


def _product(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    repeat = keywords.get("repeat", Int(number(1)))
    times = repeat.term.constant if isinstance(repeat, Int) else None
    if set(keywords) - {"repeat"} or times is None or not 0 <= times <= 4:
        raise NotRead("product with these arguments", line)
    columns = [items_of(state.top(each), line) for each in arguments] * times
    size = 1
    for column in columns:
        size *= len(column)
    if size > _MOST_ITEMS:
        raise NotRead(f"more than {_MOST_ITEMS} tuples of items", line)
    return _put_together([tuple(row) for row in product(*columns)], line)


def _combinations(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    size = arguments[1].term.constant if len(arguments) == 2 and isinstance(arguments[1], Int) else None
    if keywords or size not in (1, 2, 3):
        raise NotRead("combinations with these arguments", line)
    return _put_together(list(combinations(items_of(state.top(arguments[0]), line), size)), line)


ITERATORS: dict[str, HigherOrder] = {
    "itertools.accumulate": _accumulate,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _from_iterable,
    "itertools.combinations": _combinations,
    "itertools.dropwhile": _while(taking=False),
    "itertools.islice": _islice,
    "itertools.pairwise": _pairwise,
    "itertools.product": _product,
    "itertools.repeat": _repeat,
    "itertools.starmap": _starmap,
    "itertools.takewhile": _while(taking=True),
    "itertools.zip_longest": _zip_longest,
}
"""By the names under which programs import them."""
