"""What the reading knows of Python's own functions: what each computes, and where it raises."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation

from neurosym_verifiers.reading.data import numbers
from neurosym_verifiers.reading.data.containers import length, new_list
from neurosym_verifiers.reading.data.dates import known_day
from neurosym_verifiers.reading.data.decimal_contexts import made, mode
from neurosym_verifiers.reading.data.dicts import DICTS, new_counter, put_all, put_entry
from neurosym_verifiers.reading.data.exceptions import INVALID_OPERATION, VALUE_ERROR
from neurosym_verifiers.reading.data.items import compacted, count, items_of, places
from neurosym_verifiers.reading.data.operations import binary, known_decimal, listed, pick, round_decimal, truth
from neurosym_verifiers.reading.data.queues import new_queue
from neurosym_verifiers.reading.data.sets import set_from, set_of
from neurosym_verifiers.reading.data.values import (
    Bool,
    Days,
    Dec,
    Float,
    Int,
    ItemSet,
    KeySet,
    Lookup,
    Members,
    NoneValue,
    NotRead,
    OneOf,
    Quotient,
    Ratio,
    Real,
    Ref,
    Sequence,
    Stream,
    Table,
    Text,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.arguments import Call, check_plain, given
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats import arithmetic as floats
from neurosym_verifiers.reading.floats.functions import FLOAT_FUNCTIONS, decimal_of, fraction_of, summed_in_order
from neurosym_verifiers.reading.floats.real_functions import REAL_FUNCTIONS
from neurosym_verifiers.reading.floats.reals import absolute
from neurosym_verifiers.reading.floats.rounded_reals import as_decimal, quantized, to_places, whole
from neurosym_verifiers.reading.formulas.normal_forms import at_most, both, choose, either, equal, negated
from neurosym_verifiers.reading.formulas.rounding import half_even, rounded
from neurosym_verifiers.reading.formulas.terms import number
from neurosym_verifiers.reading.python.date_functions import DATE_FUNCTIONS
from neurosym_verifiers.reading.python.instances import is_instance
from neurosym_verifiers.reading.texts.characters import is_text
from neurosym_verifiers.reading.texts.functions import TEXT_FUNCTIONS
from neurosym_verifiers.reading.texts.numbers import decimal_number, whole_number


def _abs(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    value = arguments[0]
    if isinstance(value, Float):
        return floats.absolute(value)
    if isinstance(value, Real):
        return absolute(value)
    if isinstance(value, Days):
        return Days(choose(at_most(number(0), value.count), value.count, -value.count))
    if isinstance(value, Bool):
        value = Int(numbers.as_int(value))
    if isinstance(value, Quotient):
        value = numbers.add_quotients(value, Int(number(0)))  # the context rounds it
    return pick(numbers.compare(">=", value, Int(number(0))), value, numbers.negative(value), line)


def _sum(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    known = given(("iterable", "start"), arguments, keywords, line)
    total = start = known.get("start", Int(number(0)))
    if not arguments or is_text(start):  # of texts it raises
        raise NotRead("a sum of this", line)
    content = state.top(arguments[0])
    if any(
        isinstance(item, (Float, Real))
        for item in (start, *(item for _, item in items_of(content, line, any_order=True)))
    ):
        summed_in_order(line)
    for there, item in items_of(content, line, any_order=_exact_sum(content)):
        inner, exits_before = state.assuming(there), len(state.exits)
        more = binary(ast.Add(), total, item, inner, line)
        state.after(inner, there, exits_before, line)
        total = pick(there, more, total, line)
    return total


def _exact_sum(content: Value) -> bool:
    """Whether the order of the summands cannot matter: whole numbers only."""
    return isinstance(content, (Stream, ItemSet)) and all(isinstance(item, Int) for _, item in content.items)


def _len(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    return length(state.top(arguments[0]), line)


def _all(of: bool) -> Call:
    def every(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
        check_plain(arguments, keywords, (1,), line)
        parts = [
            (there, truth(state.top(item), line))
            for there, item in items_of(state.top(arguments[0]), line, any_order=True)
        ]
        if of:
            return Bool(both(*(either(negated(there), holds) for there, holds in parts)))
        return Bool(either(*(both(there, holds) for there, holds in parts)))

    return every


def _int(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (0, 1), line)
    match arguments[0] if arguments else Int(number(0)):
        case Int() as value:
            return value
        case value if is_text(value):
            return whole_number(value, state, VALUE_ERROR, line)
        case Bool() as value:
            return Int(numbers.as_int(value))
        case Float() as value:
            return floats.to_int(value, "down", state, line)
        case Real() as value:
            return whole(value, "down", state, line)
        case Dec() | Ratio() as value:
            num, den = numbers.as_ratio(value)
            found = rounded(num, den, "down")
            assert found is not None
            return Int(found)
        case Quotient() as value:
            numbers.settled(value, 1)
            found = rounded(value.num, value.den, "down")
            assert found is not None
            return Int(found)
        case _:
            raise NotRead("int() of this", line)


def _round(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1, 2), line)
    value = arguments[0]
    if isinstance(value, Real) and len(arguments) == 1:
        return whole(value, "half_even", state, line)
    if len(arguments) == 2:
        places = arguments[1].term.constant if isinstance(arguments[1], Int) else None
        if places is None:
            raise NotRead("round() to a varying number of decimals", line)
        if isinstance(value, Real) and value.kind == "Decimal":
            return quantized(value, places, mode(None, line), state, line)
        if isinstance(value, Real):
            return to_places(value, places, line)
        if isinstance(value, Int) and places >= 0:
            return value
        if isinstance(value, Float):
            return floats.round_to_places(value, places, line)
        return round_decimal(value, places, mode(None, line), line)  # of Decimals, by the context
    match value:
        case Int():
            return value
        case Float():
            return floats.to_int(value, "half_even", state, line)
        case Dec() | Ratio():
            return Int(half_even(*numbers.as_ratio(value)))
        case Quotient(num=num, den=den):
            numbers.settled(value, 2)
            return Int(half_even(num, den))
        case _:
            raise NotRead("round() of this", line)


def _bool(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    return Bool(truth(state.top(arguments[0]), line))


def _divmod(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (2,), line)
    a, b = arguments
    if isinstance(a, Dec) or isinstance(b, Dec):  # by zero it raises what the remainder does
        rest = binary(ast.Mod(), a, b, state, line)
        return Sequence((binary(ast.FloorDiv(), a, b, state, line), rest), False)
    return Sequence((binary(ast.FloorDiv(), a, b, state, line), binary(ast.Mod(), a, b, state, line)), False)


def _decimal(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if not arguments and not keywords:
        return Dec(number(0), 0, written=True)
    check_plain(arguments, keywords, (1,), line)
    match arguments[0]:
        case Text(value=text):
            try:
                return known_decimal(Decimal(text), line)
            except InvalidOperation:
                return decimal_number(arguments[0], state, INVALID_OPERATION, line)
        case value if is_text(value):
            return decimal_number(value, state, INVALID_OPERATION, line)
        case Int() | Bool() as value:
            return Dec(numbers.as_int(value), 0, written=True)
        case Dec() as value:
            return value
        case Float() as value:
            return decimal_of(value, line)
        case Real() as value:
            return as_decimal(value, line)
        case _:
            raise NotRead("Decimal() of this", line)


def _context(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    return Thing("decimal context", made(arguments, keywords, line))


def _fraction(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1, 2), line)
    if len(arguments) == 1 and isinstance(arguments[0], Float):
        return fraction_of(arguments[0], state, line)
    whole = [a for a in arguments if isinstance(a, (Int, Bool, Ratio))]
    if len(whole) != len(arguments):
        if len(arguments) == 1 and isinstance(arguments[0], Dec):
            return numbers.ratio(*numbers.as_ratio(arguments[0]))
        raise NotRead("Fraction() of this", line)
    first = numbers.ratio(*numbers.as_ratio(whole[0]))
    return first if len(whole) == 1 else binary(ast.Div(), first, whole[1], state, line)


def _floor_or_ceil(mode: str) -> Call:
    def make(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
        check_plain(arguments, keywords, (1,), line)
        value = arguments[0]
        if isinstance(value, Float):
            return floats.to_int(value, mode, state, line)
        if isinstance(value, Real):
            return whole(value, mode, state, line)
        if isinstance(value, Quotient):
            numbers.settled(value, 1)
            num, den = value.num, value.den
        else:
            num, den = numbers.as_ratio(value)
        found = rounded(num, den, mode)
        assert found is not None
        return Int(found)

    return make


def _range(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1, 2, 3), line)
    parts = [Int(numbers.as_int(a)) for a in arguments]
    first = parts[0] if len(parts) > 1 else Int(number(0))
    stop = parts[1] if len(parts) > 1 else parts[0]
    step = parts[2] if len(parts) > 2 else Int(number(1))
    return Thing("range", (first, stop, step))


def _list(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (0, 1), line)
    return new_list(items_of(state.top(arguments[0]), line) if arguments else (), state)


def _tuple(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (0, 1), line)
    return listed(items_of(state.top(arguments[0]), line) if arguments else (), False)


def _set(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (0, 1), line)
    if arguments and isinstance(arguments[0], Members):
        return replace(arguments[0], is_list=False)
    return state.new(set_from(state.top(arguments[0]), line) if arguments else set_of((), line))


def _frozenset(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    return state.top(_set(arguments, keywords, state, line))


def _isinstance(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (2,), line)
    return Bool(is_instance(arguments[0], arguments[1], state, line))


def _dict(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, {}, (0, 1), line)
    content = state.top(arguments[0]) if arguments else Table({})
    ref = state.new(replace(content, default=None) if isinstance(content, (Table, Lookup)) else Table({}))
    if not isinstance(content, DICTS):
        put_all(ref, content, state, line)
    for name, value in keywords.items():
        put_entry(ref, Text(name), value, state, line)
    return ref


def _defaultdict(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (0, 1), line)
    match arguments:
        case [Thing() as default]:
            return state.new(Table({}, default=default))
        case [] | [NoneValue()]:
            raise NotRead("a defaultdict without a default", line)
        case _:
            raise NotRead("a defaultdict with this default", line)


def _deque(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (0, 1), line)
    return new_queue(items_of(state.top(arguments[0]), line) if arguments else (), state)


def _counter(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (0, 1), line)
    content = state.top(arguments[0]) if arguments else Sequence((), False)
    if isinstance(content, DICTS):
        raise NotRead("a Counter of a dict", line)
    return new_counter(items_of(content, line), state, line)


def lies_over(value: Value) -> frozenset[int] | None:
    """Where the lists lie that going through a value would go through."""
    if isinstance(value, Ref):
        return frozenset({value.address})
    if isinstance(value, OneOf):
        return frozenset(ref.address for _, ref in value.choices)
    if isinstance(value, Stream):
        return None if value.reads else value.over
    return frozenset()


def _over(arguments: Many[Value]) -> frozenset[int] | None:
    all_ = [lies_over(argument) for argument in arguments]
    known = [one for one in all_ if one is not None]
    return frozenset().union(*known) if len(known) == len(all_) else None


def _enumerate(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    start = given(("iterable", "start"), arguments, keywords, line).get("start", Int(number(0)))
    if not isinstance(start, Int) or not arguments:
        raise NotRead("enumerate with these arguments", line)
    items = items_of(state.top(arguments[0]), line)
    numbered = [
        (there, Sequence((Int(start.term + place), item), False))
        for (there, item), place in zip(items, places(items), strict=True)
    ]
    return Stream(tuple(numbered), True, _over(arguments[:1]))


def _zip(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if set(keywords) - {"strict"}:
        raise NotRead("zip with a keyword", line)
    columns = [compacted(items_of(state.top(a), line), line) for a in arguments]
    rows = tuple(
        (both(*(there for there, _ in row)), Sequence(tuple(item for _, item in row), False))
        for row in zip(*columns, strict=False)
    )
    exits_before = len(state.exits)
    if keywords:
        lengths, after = [count(column) for column in columns], state.copy()
        alike = both(*(equal(one, lengths[0]) for one in lengths[1:]))
        after.raise_if(both(truth(keywords["strict"], line), negated(alike)), VALUE_ERROR, line)
        state.live = after.live
    raised = len(state.exits) - exits_before  # behind the last row
    return Stream(rows, True, _over(arguments), raised > 0, frozenset(), (*(0 for _ in rows), raised))


def _reversed(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    check_plain(arguments, keywords, (1,), line)
    content = state.top(arguments[0])
    if isinstance(content, (Stream, KeySet, ItemSet)):
        raise NotRead("reversed of this", line)
    return Stream(items_of(content, line)[::-1], True, _over(arguments))


CONSTANTS: dict[str, Value] = {
    **{f"math.{name}": floats.known_float(getattr(math, name)) for name in ("pi", "e", "tau", "inf", "nan")},
    "datetime.date.min": known_day(date.min),
    "datetime.date.max": known_day(date.max),
}
"""Values that programs find in modules."""

FUNCTIONS: dict[str, Call] = {
    "abs": _abs,
    "sum": _sum,
    "len": _len,
    "all": _all(True),
    "any": _all(False),
    "int": _int,
    "bool": _bool,
    "round": _round,
    "divmod": _divmod,
    "range": _range,
    "list": _list,
    "tuple": _tuple,
    "set": _set,
    "frozenset": _frozenset,
    "dict": _dict,
    "collections.defaultdict": _defaultdict,
    "collections.Counter": _counter,
    "collections.deque": _deque,
    "isinstance": _isinstance,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
    "decimal.Decimal": _decimal,
    "decimal.Context": _context,
    "fractions.Fraction": _fraction,
    **DATE_FUNCTIONS,
    "math.floor": _floor_or_ceil("floor"),
    "math.ceil": _floor_or_ceil("ceiling"),
    "math.trunc": _floor_or_ceil("down"),
    **FLOAT_FUNCTIONS,
    **TEXT_FUNCTIONS,
    **REAL_FUNCTIONS,
}
