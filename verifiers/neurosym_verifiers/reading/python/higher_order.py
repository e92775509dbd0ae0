"""Functions of Python that call another, or may, and those that make iterators or functions of what they are given."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as Many
from typing import TYPE_CHECKING

from neurosym_verifiers.reading.data.comparing import compare
from neurosym_verifiers.reading.data.containers import new_list
from neurosym_verifiers.reading.data.exceptions import STOP_ITERATION, TYPE_ERROR, VALUE_ERROR
from neurosym_verifiers.reading.data.items import best, compacted, in_order, items_of, plain, whichever
from neurosym_verifiers.reading.data.operations import pick, truth
from neurosym_verifiers.reading.data.values import (
    Chars,
    Day,
    Int,
    Member,
    NoneValue,
    NotRead,
    Sequence,
    Stream,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.formulas.normal_forms import both, choose, either, negated
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, Term, number
from neurosym_verifiers.reading.python.iterators import ITERATORS, HigherOrder, on_demand

if TYPE_CHECKING:
    from neurosym_verifiers.reading.python.calls import PythonCalls


def sorted_items(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 1 or set(keywords) - {"key", "reverse"}:
        raise NotRead("sorted with these arguments", line)
    content = state.top(arguments[0])
    items = items_of(content, line, any_order="key" not in keywords and _has_one_order(content))
    turned = _known(keywords.get("reverse"), line)
    keys = reading.keys(items, keywords.get("key"), state, line)
    return new_list(in_order(items, keys, reverse=turned, line=line), state)


def _has_one_order(content: Value) -> bool:
    """Whether sorting gives one list: nothing in it equals anything else in it, as a dict's keys or items, or what is
    equal is the same."""
    if not isinstance(content, Stream):
        return True
    if content.raises:  # which of several exceptions comes first is the order's
        return False
    items = [item for _, item in content.items]
    pairs = (isinstance(item, Sequence) and item.items and isinstance(item.items[0], Text) for item in items)
    return all(map(_same_if_equal, items)) or all(pairs)


def _same_if_equal(value: Value) -> bool:
    """Whether all that equals a value is the value, in type as well, among others of which that is so: a Decimal has
    equals with other decimals, and a boolean is a number."""
    match value:
        case Int() | Text() | Chars() | Day() | Member(kind=""):
            return True
        case Sequence(items=items, is_list=False):
            return all(map(_same_if_equal, items))
        case _:
            return False


def _known(value: Value | None, line: int) -> bool:
    if value is None:
        return False
    condition = truth(value, line)
    if condition not in (TRUE, negated(TRUE)):
        raise NotRead("a reverse that varies", line)
    return condition == TRUE


def _extreme(op: ast.cmpop) -> HigherOrder:
    def extreme(
        reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if set(keywords) - {"key", "default"} or not arguments:
            raise NotRead("min or max with these arguments", line)
        if len(arguments) > 1 and "default" in keywords:
            raise NotRead("min or max with these arguments", line)
        any_order = not isinstance(state.top(arguments[0]), Stream) and "key" not in keywords
        items = (
            items_of(state.top(arguments[0]), line, any_order=any_order) if len(arguments) == 1 else plain(arguments)
        )
        keys = reading.keys(items, keywords.get("key"), state, line)
        found, some = best(items, keys, op, line)
        if "default" in keywords and len(arguments) == 1:
            default = keywords["default"]
            return default if found is None else pick(some, found, default, line)
        state.raise_if(negated(some), VALUE_ERROR, line)
        return NoneValue() if found is None else found

    return extreme


def _map(reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if len(arguments) != 2 or keywords:
        raise NotRead("map with these arguments", line)
    items, exits_before = items_of(state.top(arguments[1]), line), len(state.exits)
    made, marks = reading.applied(arguments[0], items, state, line)
    pairs = tuple((there, value) for (there, _), value in zip(items, made, strict=True))
    return on_demand(pairs, marks, arguments, state, exits_before, line)


def _filter(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if len(arguments) != 2 or keywords:
        raise NotRead("filter with these arguments", line)
    items, exits_before = items_of(state.top(arguments[1]), line), len(state.exits)
    tests, marks = reading.applied(arguments[0], items, state, line)
    kept: list[tuple[Condition, Value]] = [
        (both(there, truth(state.top(test), line)), item) for (there, item), test in zip(items, tests, strict=True)
    ]
    return on_demand(tuple(kept), marks, arguments, state, exits_before, line)


def _reduce(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if not 2 <= len(arguments) <= 3 or keywords:
        raise NotRead("reduce with these arguments", line)
    if len(arguments) == 3:
        folded = reading.folded(arguments[0], arguments[2], arguments[1], state, line)
        if folded is not None:
            return folded
    items = items_of(state.top(arguments[1]), line)
    if len(arguments) == 2:
        items = compacted(items, line)
        if not items:
            state.raise_if(TRUE, TYPE_ERROR, line)
            return NoneValue()
        state.raise_if(negated(items[0][0]), TYPE_ERROR, line)
        result, items = items[0][1], items[1:]
    else:
        result = arguments[2]
    for there, item in items:
        inner, exits_before = state.assuming(there), len(state.exits)
        value = reading.called(arguments[0], [result, item], inner, line)
        state.after(inner, there, exits_before, line)
        result = pick(there, value, result, line)
    return result


def _next(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """Of an iterator that nothing else goes through: its first item."""
    if not 1 <= len(arguments) <= 2 or keywords or not isinstance(arguments[0], Stream):
        raise NotRead("next of this", line)
    items = items_of(arguments[0], line)
    some, found = either(*(there for there, _ in items)), whichever(items, line)
    if len(arguments) == 2:
        return arguments[1] if found is None else pick(some, found, arguments[1], line)
    state.raise_if(negated(some), STOP_ITERATION, line)
    return NoneValue() if found is None else found


def _bisect(*, right: bool) -> HigherOrder:
    """The very search that ``bisect`` makes, also in a list that is not in order."""

    def bisect(
        reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if len(arguments) != 2 or set(keywords) - {"key"}:
            raise NotRead("bisect with these arguments", line)
        guarded, wanted = items_of(state.top(arguments[0]), line), state.seen(arguments[1])
        if any(there != TRUE for there, _ in guarded):
            raise NotRead("bisect in a list whose length varies", line)
        items = [item for _, item in guarded]
        if "key" in keywords:
            raise NotRead("bisect with a key", line)

        def place(low: int, high: int) -> Term:
            if low == high:
                return number(low)
            middle = (low + high) // 2
            here = state.seen(items[middle])
            before = negated(compare(ast.Lt(), wanted, here, line)) if right else compare(ast.Lt(), here, wanted, line)
            return choose(before, place(middle + 1, high), place(low, middle))

        return Int(place(0, len(items)))

    return bisect


def _operator(op: ast.operator) -> HigherOrder:
    def operate(
        reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        if len(arguments) != 2 or keywords:
            raise NotRead("an operator with these arguments", line)
        return reading.operated(op, arguments[0], arguments[1], state, line)

    return operate


def _getter(kind: str) -> HigherOrder:
    def getter(
        reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
    ) -> Value:
        texts = all(isinstance(each, Text) and each.value.isidentifier() for each in arguments)
        if not arguments or keywords or (kind == "attrgetter" and not texts):
            raise NotRead(f"{kind} with these arguments", line)
        return Thing(kind, tuple(arguments))

    return getter


def _partial(
    reading: PythonCalls, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    if not arguments or not isinstance(arguments[0], Thing):
        raise NotRead("partial of this", line)
    if any(isinstance(each, Stream) for each in (*arguments, *keywords.values())):
        raise NotRead("an iterator that is kept", line)
    return Thing("partial", (arguments[0], tuple(arguments[1:]), tuple(keywords.items())))


HIGHER_ORDER: dict[str, HigherOrder] = {
    "sorted": sorted_items,
    "min": _extreme(ast.Lt()),
    "max": _extreme(ast.Gt()),
    "map": _map,
    "filter": _filter,
    "next": _next,
    "functools.reduce": _reduce,
    "functools.partial": _partial,
    **ITERATORS,
    "bisect.bisect_left": _bisect(right=False),
    "bisect.bisect_right": _bisect(right=True),
    "bisect.bisect": _bisect(right=True),
    "operator.add": _operator(ast.Add()),
    "operator.sub": _operator(ast.Sub()),
    "operator.mul": _operator(ast.Mult()),
    "operator.floordiv": _operator(ast.FloorDiv()),
    "operator.truediv": _operator(ast.Div()),
    "operator.mod": _operator(ast.Mod()),
    "operator.itemgetter": _getter("itemgetter"),
    "operator.attrgetter": _getter("attrgetter"),
}
"""By the names under which programs find them: builtins, and what is imported from a module."""
