"""What the reading knows of Python's own functions: what each computes, and where it raises."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from neurosym_verifiers.reading import floats, numbers
from neurosym_verifiers.reading.containers import length, new_dict, new_list, new_set
from neurosym_verifiers.reading.dates import is_date, known_day, leap, month_length, ordinal, weekday
from neurosym_verifiers.reading.exceptions import ILLEGAL_MONTH, OVERFLOW, VALUE_ERROR
from neurosym_verifiers.reading.float_functions import FLOAT_FUNCTIONS, decimal_of, fraction_of, summed_in_order
from neurosym_verifiers.reading.items import items_of, places, plain
from neurosym_verifiers.reading.operations import (
    MOST_DAYS,
    binary,
    known_decimal,
    listed,
    pick,
    round_decimal,
    truth,
)
from neurosym_verifiers.reading.rounding import half_even, rounded
from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.terms import (
    FALSE,
    TRUE,
    Condition,
    Term,
    at_most,
    below,
    both,
    choose,
    either,
    equal,
    floor_div,
    modulo,
    negated,
    number,
)
from neurosym_verifiers.reading.values import (
    Bool,
    Day,
    Days,
    Dec,
    Float,
    Int,
    Member,
    NoneValue,
    NotRead,
    Quotient,
    Ratio,
    Ref,
    Sequence,
    Stream,
    Text,
    Thing,
    Value,
)

Call = Callable[[Many[Value], Mapping[str, Value], State, int], Value]

_C_INT = 2**31
"""A part of a date that is no C int is no ``ValueError``, as other parts that are none, but an ``OverflowError``."""

_MOST_SCALED = 100
_MOST_DIVISORS = 30
_MOST_DENOMINATOR = 100_000

MODES = {
    "ROUND_HALF_UP": "half_up",
    "ROUND_HALF_DOWN": "half_down",
    "ROUND_HALF_EVEN": "half_even",
    "ROUND_UP": "up",
    "ROUND_DOWN": "down",
    "ROUND_CEILING": "ceiling",
    "ROUND_FLOOR": "floor",
}


def _plain(arguments: Many[Value], keywords: Mapping[str, Value], count: tuple[int, ...], line: int) -> None:
    if keywords or len(arguments) not in count:
        raise NotRead("these arguments", line)


def _abs(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1,), line)
    value = arguments[0]
    if isinstance(value, Float):
        return floats.absolute(value)
    if isinstance(value, Days):
        return Days(choose(at_most(number(0), value.count), value.count, -value.count))
    if isinstance(value, Bool):
        value = Int(numbers.as_int(value))
    return pick(numbers.compare(">=", value, Int(number(0))), value, numbers.negative(value), line)


def _sum(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    start = keywords.get("start", arguments[1] if len(arguments) > 1 else Int(number(0)))
    if not arguments or set(keywords) - {"start"} or len(arguments) > 2:
        raise NotRead("a sum of this", line)
    total = start
    content = state.top(arguments[0])
    if any(isinstance(item, Float) for item in (start, *(item for _, item in items_of(content, line, any_order=True)))):
        summed_in_order(line)
    for there, item in items_of(content, line, any_order=_exact_sum(content)):
        inner, exits_before = state.assuming(there), len(state.exits)
        more = binary(ast.Add(), total, item, inner, line)
        state.after(inner, there, exits_before, line)
        total = pick(there, more, total, line)
    return total


def _exact_sum(content: Value) -> bool:
    """Whether the order of the summands cannot matter: whole numbers only."""
    return isinstance(content, Stream) and all(isinstance(item, Int) for _, item in content.items)


def _len(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1,), line)
    return length(state.top(arguments[0]), line)


def _all(of: bool) -> Call:
    def every(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
        _plain(arguments, keywords, (1,), line)
        parts = [
            (there, truth(state.top(item), line))
            for there, item in items_of(state.top(arguments[0]), line, any_order=True)
        ]
        if of:
            return Bool(both(*(either(negated(there), holds) for there, holds in parts)))
        return Bool(either(*(both(there, holds) for there, holds in parts)))

    return every


def _int(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1,), line)
    match arguments[0]:
        case Int() as value:
            return value
        case Bool() as value:
            return Int(numbers.as_int(value))
        case Float() as value:
            return floats.to_int(value, "down", state, line)
        case Dec() | Ratio() as value:
            num, den = numbers.as_ratio(value)
            whole = rounded(num, den, "down")
            assert whole is not None
            return Int(whole)
        case Quotient() as value:
            numbers.settled(value, 1)
            whole = rounded(value.num, value.den, "down")
            assert whole is not None
            return Int(whole)
        case _:
            raise NotRead("int() of this", line)


def _round(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1, 2), line)
    value = arguments[0]
    if len(arguments) == 2:
        places = arguments[1].term.constant if isinstance(arguments[1], Int) else None
        if places is None:
            raise NotRead("round() to a varying number of decimals", line)
        if isinstance(value, Int) and places >= 0:
            return value
        if isinstance(value, Float):
            return floats.round_to_places(value, places, line)
        return round_decimal(value, places, "half_even", line)
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
    _plain(arguments, keywords, (1,), line)
    return Bool(truth(state.top(arguments[0]), line))


def _divmod(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (2,), line)
    a, b = arguments
    return Sequence((binary(ast.FloorDiv(), a, b, state, line), binary(ast.Mod(), a, b, state, line)), False)


def _decimal(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if not arguments and not keywords:
        return Dec(number(0), 0, written=True)
    _plain(arguments, keywords, (1,), line)
    match arguments[0]:
        case Text(value=text):
            try:
                return known_decimal(Decimal(text), line)
            except InvalidOperation:
                raise NotRead(f"Decimal({text!r})", line) from None
        case Int() | Bool() as value:
            return Dec(numbers.as_int(value), 0, written=True)
        case Dec() as value:
            return value
        case Float() as value:
            return decimal_of(value, line)
        case _:
            raise NotRead("Decimal() of this", line)


def _fraction(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1, 2), line)
    if len(arguments) == 1 and isinstance(arguments[0], Float):
        return fraction_of(arguments[0], state, line)
    whole = [a for a in arguments if isinstance(a, (Int, Bool, Ratio))]
    if len(whole) != len(arguments):
        if len(arguments) == 1 and isinstance(arguments[0], Dec):
            return numbers.ratio(*numbers.as_ratio(arguments[0]))
        raise NotRead("Fraction() of this", line)
    first = numbers.ratio(*numbers.as_ratio(whole[0]))
    return first if len(whole) == 1 else binary(ast.Div(), first, whole[1], state, line)


def lowest_terms(num: Term, den: Term, line: int) -> tuple[Int, Int]:
    """Numerator and denominator without a common factor: divided by the largest divisor of the denominator that
    divides the numerator."""
    divisor = den.constant
    if divisor is None:
        raise NotRead("the lowest terms of a fraction whose denominator varies", line)
    divisors = [each for each in range(1, min(divisor, _MOST_DENOMINATOR) + 1) if divisor % each == 0]
    if divisor > _MOST_DENOMINATOR or len(divisors) > _MOST_DIVISORS:
        raise NotRead("the lowest terms of a fraction with this denominator", line)
    top, bottom = num, den
    for each in divisors[1:]:
        common = equal(modulo(num, number(each)), number(0))
        top = choose(common, floor_div(num, number(each)), top)
        bottom = choose(common, number(divisor // each), bottom)
    return Int(top), Int(bottom)


def _date(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    names = ("year", "month", "day")
    given = dict(zip(names, arguments, strict=False)) | dict(keywords)
    if set(given) != set(names):
        raise NotRead("date() with these arguments", line)
    year, month, day = (numbers.as_int(given[name]) for name in names)
    beyond = (either(below(part, number(-_C_INT)), at_most(number(_C_INT), part)) for part in (year, month, day))
    state.raise_if(either(*beyond), OVERFLOW, line)
    known = (year.constant, month.constant, day.constant)
    if None not in known:
        try:
            return known_day(date(*[int(part) for part in known if part is not None]))
        except (OverflowError, ValueError):
            state.raise_if(TRUE, VALUE_ERROR, line)
            return known_day(date(1, 1, 1))
    state.raise_if(negated(is_date(year, month, day)), VALUE_ERROR, line)
    return Day(ordinal(year, month, day), year, month, day)


def _timedelta(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    if set(keywords) - {"days", "weeks"} or len(arguments) > 1:
        raise NotRead("a timedelta of other than whole days", line)
    count = number(0)
    if arguments or "days" in keywords:
        count = numbers.as_int(arguments[0] if arguments else keywords["days"])
    if "weeks" in keywords:
        count = count + number(7) * numbers.as_int(keywords["weeks"])
    if count.low is None or count.high is None or max(abs(count.low), abs(count.high)) > MOST_DAYS:
        raise NotRead("a timedelta that may be too large", line)
    return Days(count)


def _isleap(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1,), line)
    return Bool(leap(numbers.as_int(arguments[0])))


def _monthrange(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (2,), line)
    year, month = (numbers.as_int(a) for a in arguments)
    bad = negated(both(at_most(number(1), month), at_most(month, number(12))))
    state.raise_if(bad, ILLEGAL_MONTH, line)
    if year.low is None or year.low < 1 or year.high is None or year.high > 9999:
        raise NotRead("monthrange of a year that may lie outside the calendar", line)
    first = Day(ordinal(year, month, number(1)), year, month, number(1))
    return Sequence((Int(weekday(first)), Int(month_length(year, month))), False)


def _floor_or_ceil(mode: str) -> Call:
    def make(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
        _plain(arguments, keywords, (1,), line)
        value = arguments[0]
        if isinstance(value, Float):
            return floats.to_int(value, mode, state, line)
        if isinstance(value, Quotient):
            numbers.settled(value, 1)
            num, den = value.num, value.den
        else:
            num, den = numbers.as_ratio(value)
        whole = rounded(num, den, mode)
        assert whole is not None
        return Int(whole)

    return make


def _range(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1, 2, 3), line)
    parts = [Int(numbers.as_int(a)) for a in arguments]
    first = parts[0] if len(parts) > 1 else Int(number(0))
    stop = parts[1] if len(parts) > 1 else parts[0]
    step = parts[2] if len(parts) > 2 else Int(number(1))
    return Thing("range", (first, stop, step))


def _list(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (0, 1), line)
    return new_list(items_of(state.top(arguments[0]), line) if arguments else (), state)


def _tuple(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (0, 1), line)
    return listed(items_of(state.top(arguments[0]), line) if arguments else (), False)


def _set(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (0, 1), line)
    items = items_of(state.top(arguments[0]), line, any_order=True) if arguments else ()
    return new_set(items, state, line)


def _frozenset(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    return state.top(_set(arguments, keywords, state, line))


def _dict(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, {}, (0,), line)
    return new_dict([(Text(name), value) for name, value in keywords.items()], state, line)


def lies_over(value: Value) -> frozenset[int] | None:
    """Where the lists lie that going through a value would go through."""
    if isinstance(value, Ref):
        return frozenset({value.address})
    return value.over if isinstance(value, Stream) else frozenset()


def _over(arguments: Many[Value]) -> frozenset[int] | None:
    all_ = [lies_over(argument) for argument in arguments]
    known = [one for one in all_ if one is not None]
    return frozenset().union(*known) if len(known) == len(all_) else None


def _enumerate(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    start = keywords.get("start", arguments[1] if len(arguments) > 1 else Int(number(0)))
    if not isinstance(start, Int) or set(keywords) - {"start"} or not 1 <= len(arguments) <= 2:
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
    columns = [items_of(state.top(a), line) for a in arguments]
    if any(there != TRUE for column in columns for there, _ in column):
        raise NotRead("zip of lists whose length varies", line)
    sizes = {len(column) for column in columns}
    if len(sizes) > 1 and "strict" in keywords:
        raise NotRead("zip of different lengths with strict", line)
    rows = zip(*([item for _, item in column] for column in columns), strict=False)
    return Stream(plain(Sequence(row, False) for row in rows), True, _over(arguments))


def _reversed(arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int) -> Value:
    _plain(arguments, keywords, (1,), line)
    if isinstance(arguments[0], Stream):
        raise NotRead("reversed of this", line)
    return Stream(items_of(state.top(arguments[0]), line)[::-1], True, _over(arguments))


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
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
    "decimal.Decimal": _decimal,
    "fractions.Fraction": _fraction,
    "datetime.date": _date,
    "datetime.timedelta": _timedelta,
    "calendar.isleap": _isleap,
    "calendar.monthrange": _monthrange,
    "math.floor": _floor_or_ceil("floor"),
    "math.ceil": _floor_or_ceil("ceiling"),
    "math.trunc": _floor_or_ceil("down"),
    **FLOAT_FUNCTIONS,
}


def attribute(value: Value, name: str, line: int) -> Value:
    """``value.name`` of data."""
    match value, name:
        case Day(), "year" | "month" | "day":
            return Int(getattr(value, name))
        case Days(), "days":
            return Int(value.count)
        case Ratio(num=num, den=den), "numerator" | "denominator":
            return lowest_terms(num, den, line)[name == "denominator"]
        case ((Day() | Dec() | Quotient() | Text() | Sequence()), _):
            return Thing(f"method {name}", value)
        case _:
            raise NotRead(f"the attribute {name} of a {type(value).__name__}", line)


def method(
    value: Any, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """``value.name(...)`` of data."""
    match value, name:
        case Day(), "weekday" | "isoweekday":
            _plain(arguments, keywords, (0,), line)
            return Int(weekday(value) + number(int(name == "isoweekday")))
        case Day(), "toordinal":
            _plain(arguments, keywords, (0,), line)
            return Int(value.ordinal)
        case Day(), "replace":
            if arguments:
                raise NotRead("date.replace by position", line)
            parts = {"year": Int(value.year), "month": Int(value.month), "day": Int(value.day)}
            return _date([], {**parts, **keywords}, state, line)
        case Dec(), "scaleb":
            _plain(arguments, keywords, (1,), line)
            by = arguments[0].term.constant if isinstance(arguments[0], Int) else None
            if by is None or abs(by) > _MOST_SCALED:
                raise NotRead("scaleb by this", line)
            places = max(value.places - by, 0)
            return numbers.exact_decimal(value.num * number(10 ** (places - value.places + by)), places, "a scaleb")
        case Dec(), "as_integer_ratio":
            _plain(arguments, keywords, (0,), line)
            return Sequence(lowest_terms(*numbers.as_ratio(value), line), False)
        case ((Dec() | Quotient()), "quantize"):
            return _quantize(value, arguments, keywords, line)
        case ((Dec() | Quotient()), "to_integral_value"):
            mode = _mode(keywords.get("rounding", arguments[0] if arguments else None), line)
            return round_decimal(value, 0, mode, line)
        case Dec(), "copy_abs":
            _plain(arguments, keywords, (0,), line)
            return _abs([value], {}, state, line)
        case Dec(), "is_nan" | "is_infinite":
            _plain(arguments, keywords, (0,), line)
            return Bool(FALSE)
        case Dec(), "is_finite":
            _plain(arguments, keywords, (0,), line)
            return Bool(TRUE)
        case _:
            raise NotRead(f"the method {name} of a {type(value).__name__}", line)


def _quantize(value: Value, arguments: Many[Value], keywords: Mapping[str, Value], line: int) -> Value:
    if not arguments or set(keywords) - {"rounding"} or len(arguments) > 2:
        raise NotRead("quantize with these arguments", line)
    unit = arguments[0]
    if not isinstance(unit, Dec) or not unit.written:
        raise NotRead("quantize to a unit whose number of decimals is not certain", line)
    return round_decimal(value, unit.places, _mode(keywords.get("rounding", (*arguments, None)[1]), line), line)


def _mode(value: Value | None, line: int) -> str:
    if value is None or isinstance(value, NoneValue):
        return "half_even"
    if isinstance(value, Text) and value.value in MODES:
        return MODES[value.value]
    raise NotRead("this rounding mode", line)


def member_of(kind: str, names: tuple[str, ...], values: Many[Any], wanted: Value, state: State, line: int) -> Value:
    """``Band(value)``: the member with a value; none raises ``ValueError``."""
    if isinstance(wanted, Member) and wanted.kind == kind:
        return wanted
    if not isinstance(wanted, Int) or not all(type(v) is int for v in values):
        raise NotRead(f"{kind}() of this", line)
    index = number(0)
    hits: list[Condition] = []
    for i, value in enumerate(values):
        hits.append(equal(wanted.term, number(value)))
        index = choose(hits[-1], number(i), index)
    state.raise_if(negated(either(*hits)), VALUE_ERROR, line)
    return Member(kind, names, index)
