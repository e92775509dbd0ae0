"""The functions of the spec's language on symbolic values; where one is undefined, the state's exits say so."""

from __future__ import annotations

import ast
from collections.abc import Callable

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.comparing import equality
from neurosym_verifiers.reading.data.containers import length
from neurosym_verifiers.reading.data.dates import is_date, leap, month_length, ordinal
from neurosym_verifiers.reading.data.exact import chosen, exact, leaves, needs_number, needs_order, simplest
from neurosym_verifiers.reading.data.items import Items, best, count, in_order, items_of, places, plain
from neurosym_verifiers.reading.data.operations import listed
from neurosym_verifiers.reading.data.values import (
    Bool,
    Day,
    Days,
    Float,
    Int,
    LoopList,
    NotRead,
    Real,
    Sequence,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.expressions.texts import text_functions
from neurosym_verifiers.reading.floats import reals, rounded_reals
from neurosym_verifiers.reading.floats.arithmetic import is_finite
from neurosym_verifiers.reading.formulas.normal_forms import (
    at_most,
    below,
    both,
    choose,
    either,
    equal,
    floor_div,
    negated,
)
from neurosym_verifiers.reading.formulas.rounding import rounded
from neurosym_verifiers.reading.formulas.terms import TRUE, Condition, number
from neurosym_verifiers.reading.loop_lists.asking import sum_of
from neurosym_verifiers.reading.loop_lists.views import numbered, side_by_side

UNDEFINED = ("undefined",)

Function = Callable[[list[Value], State], Value]


def defined(value: Value, state: State) -> Value:
    """A number to compute with: where it is NaN or infinite, there is no result."""
    if isinstance(value, Real):
        return reals.exact_defined(value, state)
    if not isinstance(value, Float):
        return value
    state.raise_if(negated(is_finite(value)), UNDEFINED, 0)
    return simplest(numbers.ratio(value.num, number(2**value.scale)))


def _is_nan(values: list[Value], state: State) -> Value:
    return Bool(_number(values[0]).nan)


def _is_finite(values: list[Value], state: State) -> Value:
    return Bool(is_finite(_number(values[0])))


def _number(value: Value) -> Float:
    """A number as one that may be NaN or infinite; any other is as good as zero."""
    value = exact(value)
    if isinstance(value, Float):
        return value
    numbers.as_ratio(value)  # raises for what is no number
    return Float(number(0), 0)


def _whole(mode: str) -> Function:
    def make(values: list[Value], state: State) -> Value:
        value = defined(exact(values[0]), state)
        if isinstance(value, Real):
            return rounded_reals.exactly(value, mode)
        num, den = numbers.as_ratio(value)
        whole = rounded(num, den, mode)
        assert whole is not None
        return Int(whole)

    return make


def _abs(values: list[Value], state: State) -> Value:
    value = defined(exact(values[0]), state)
    if isinstance(value, Real):
        return reals.made("", "abs", value)
    return chosen(numbers.compare(">=", value, Int(number(0))), value, numbers.negative(value))


def _sign(values: list[Value], state: State) -> Value:
    value, nothing = defined(exact(values[0]), state), Int(number(0))
    above = chosen(reals.compared(">", value, nothing), Int(number(1)), nothing)
    return chosen(reals.compared("<", value, nothing), Int(number(-1)), above)


def either_of(condition: Condition, then: Value, other: Value, line: int) -> Value:
    return chosen(condition, then, other)


def _extreme(op: ast.cmpop) -> Function:
    def make(values: list[Value], state: State) -> Value:
        items = walked(values[0]) if len(values) == 1 else plain(values)
        known = tuple((there, exact(item)) for there, item in items)
        for _, item in known:
            needs_order(item)
            needs_number(item)
        found, some = best(known, [item for _, item in known], op, 0, either_of)
        state.raise_if(negated(some), UNDEFINED, 0)
        return Int(number(0)) if found is None else found

    return make


def _clamp(values: list[Value], state: State) -> Value:
    value, low, high = (defined(exact(each), state) for each in values)
    state.raise_if(reals.compared(">", low, high), UNDEFINED, 0)
    return _extreme(ast.Lt())([_extreme(ast.Gt())([value, low], state), high], state)


def walked(value: Value, *, any_order: bool = True) -> Items:
    """What a loop goes through; a function for which the order does not matter says so."""
    return items_of(value, 0, any_order=any_order)


def _sum(values: list[Value], state: State) -> Value:
    if isinstance(values[0], LoopList):
        start = exact(values[1]) if len(values) > 1 else Int(number(0))
        return simplest(numbers.add(start, sum_of(values[0])))
    total = exact(values[1]) if len(values) > 1 else Int(number(0))
    for there, item in walked(values[0]):
        item = exact(item)
        if reals.is_real(total, item):
            more = reals.exact_binary(ast.Add(), defined(total, state), defined(item, state), state)
        else:
            more = simplest(numbers.add(total, item))
        total = chosen(there, more, total)
    return total


def _real(name: str) -> Function:
    def make(values: list[Value], state: State) -> Value:
        return reals.exact_function(name, defined(exact(values[0]), state), state)

    return make


def _len(values: list[Value], state: State) -> Value:
    return length(values[0], 0)


def _sorted(values: list[Value], state: State) -> Value:
    return by_key(values[0], None)


def by_key(value: Value, key: Callable[[Value], Value] | None, *, reverse: bool = False, texts: bool = False) -> Value:
    """``sorted``; without a key the order that equal items had cannot be seen."""
    items = tuple((there, exact(item)) for there, item in walked(value, any_order=key is None))
    keys = [item if key is None else exact(key(item)) for _, item in items]
    for each in keys:
        needs_order(each, texts=texts)
        needs_number(each)
    return listed(in_order(items, keys, reverse=reverse, line=0, choice=either_of), True)


def _range(values: list[Value], state: State) -> Value:
    parts = [Int(numbers.as_int(exact(value))) for value in values]
    first = parts[0] if len(parts) > 1 else Int(number(0))
    stop = parts[1] if len(parts) > 1 else parts[0]
    return Thing("range", (first, stop, parts[2] if len(parts) > 2 else Int(number(1))))


def _enumerate(values: list[Value], state: State) -> Value:
    start = numbers.as_int(exact(values[1])) if len(values) > 1 else number(0)
    if isinstance(values[0], LoopList):
        return numbered(values[0], start)
    items = walked(values[0], any_order=False)
    pairs = [
        (there, Sequence((Int(start + place), item), False))
        for (there, item), place in zip(items, places(items), strict=True)
    ]
    return listed(pairs, True)


def _zip(values: list[Value], state: State) -> Value:
    lists = [value for value in values if isinstance(value, LoopList)]
    if lists and len(lists) == len(values):
        return side_by_side(lists)
    columns = [walked(value, any_order=False) for value in values]
    if any(there != TRUE for column in columns for there, _ in column):
        raise NotRead("zip of lists whose length varies")
    rows = zip(*([item for _, item in column] for column in columns), strict=False)
    return Sequence(tuple(Sequence(row, False) for row in rows), True)


def _reversed(values: list[Value], state: State) -> Value:
    return listed(walked(values[0], any_order=False)[::-1], True)


def _same_items(values: list[Value], state: State) -> Value:
    """Each item as often on one side as on the other."""
    one, other = (walked(value) for value in values)
    truths = {tuple(isinstance(leaf, Bool) for leaf in leaves(item)) for _, item in (*one, *other)}
    if len(truths) > 1 and any(map(any, truths)):
        raise NotRead("same_items of booleans beside others")
    parts: list[Condition] = [equal(count(one), count(other))]
    for there, item in one:
        mine = count((both(here, equality(exact(item), exact(each), 0)), each) for here, each in one)
        theirs = count((both(here, equality(exact(item), exact(each), 0)), each) for here, each in other)
        parts.append(either(negated(there), equal(mine, theirs)))
    return Bool(both(*parts))


def _add_months(values: list[Value], state: State) -> Value:
    """So many months later, at most on the last day of that month; undefined outside of the calendar."""
    of, months = values[0], numbers.as_int(exact(values[1]))
    if not isinstance(of, Day):
        raise NotRead("add_months() of this")
    since = of.month - number(1) + months
    year = of.year + floor_div(since, number(12))
    month = since - number(12) * floor_div(since, number(12)) + number(1)
    state.raise_if(either(at_most(year, number(0)), below(number(9999), year)), UNDEFINED, 0)
    last = month_length(year, month)
    day = choose(at_most(of.day, last), of.day, last)
    return Day(ordinal(year, month, day), year, month, day)


def _days(values: list[Value], state: State) -> Value:
    if not isinstance(values[0], Days):
        raise NotRead("days() of this")
    return Int(values[0].count)


def _date(values: list[Value], state: State) -> Value:
    year, month, day = (numbers.as_int(exact(v)) for v in values)
    state.raise_if(negated(is_date(year, month, day)), UNDEFINED, 0)
    return Day(ordinal(year, month, day), year, month, day)


def _month_end(values: list[Value], state: State) -> Value:
    if not isinstance(values[0], Day):
        raise NotRead("month_end() of this")
    of = values[0]
    last = month_length(of.year, of.month)
    return Day(ordinal(of.year, of.month, last), of.year, of.month, last)


def _leap(values: list[Value], state: State) -> Value:
    return Bool(leap(numbers.as_int(exact(values[0]))))


FUNCTIONS: dict[str, Function] = {
    "sqrt": _real("sqrt"),
    "exp": _real("exp"),
    "log": _real("log"),
    "floor": _whole("floor"),
    "ceil": _whole("ceiling"),
    "trunc": _whole("down"),
    "is_nan": _is_nan,
    "is_finite": _is_finite,
    "abs": _abs,
    "sign": _sign,
    "min": _extreme(ast.Lt()),
    "max": _extreme(ast.Gt()),
    "clamp": _clamp,
    "sum": _sum,
    "len": _len,
    "sorted": _sorted,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
    "same_items": _same_items,
    "add_months": _add_months,
    "days": _days,
    "date": _date,
    "month_end": _month_end,
    "leap": _leap,
    **text_functions(UNDEFINED),
}
