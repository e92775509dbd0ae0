"""Attributes and methods of Python's data, and the members of enums."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many
from typing import Any

from neurosym_verifiers.reading import numbers
from neurosym_verifiers.reading.arguments import check_plain
from neurosym_verifiers.reading.date_functions import date_of
from neurosym_verifiers.reading.dates import weekday
from neurosym_verifiers.reading.exceptions import VALUE_ERROR
from neurosym_verifiers.reading.library import FUNCTIONS
from neurosym_verifiers.reading.normal_forms import choose, either, equal, floor_div, modulo, negated
from neurosym_verifiers.reading.operations import round_decimal
from neurosym_verifiers.reading.real_functions import method as real_method
from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.terms import FALSE, TRUE, Condition, Term, number
from neurosym_verifiers.reading.values import (
    Bool,
    Day,
    Days,
    Dec,
    Int,
    Member,
    NoneValue,
    NotRead,
    Quotient,
    Ratio,
    Real,
    Sequence,
    Text,
    Thing,
    Value,
)

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


def attribute(value: Value, name: str, line: int) -> Value:
    """``value.name`` of data."""
    match value, name:
        case Day(), "year" | "month" | "day":
            return Int(getattr(value, name))
        case Days(), "days":
            return Int(value.count)
        case Ratio(num=num, den=den), "numerator" | "denominator":
            return lowest_terms(num, den, line)[name == "denominator"]
        case ((Day() | Dec() | Quotient() | Real() | Text() | Sequence()), _):
            return Thing(f"method {name}", value)
        case _:
            raise NotRead(f"the attribute {name} of a {type(value).__name__}", line)


def method(
    value: Any, name: str, arguments: Many[Value], keywords: Mapping[str, Value], state: State, line: int
) -> Value:
    """``value.name(...)`` of data."""
    if isinstance(value, (Dec, Quotient, Real)):
        number_ = real_method(value, name, arguments, keywords, state, line)
        if number_ is not None:
            return number_
    match value, name:
        case Day(), "weekday" | "isoweekday":
            check_plain(arguments, keywords, (0,), line)
            return Int(weekday(value) + number(int(name == "isoweekday")))
        case Day(), "toordinal":
            check_plain(arguments, keywords, (0,), line)
            return Int(value.ordinal)
        case Day(), "replace":
            if arguments:
                raise NotRead("date.replace by position", line)
            parts = {"year": Int(value.year), "month": Int(value.month), "day": Int(value.day)}
            return date_of([], {**parts, **keywords}, state, line)
        case Dec(), "scaleb":
            check_plain(arguments, keywords, (1,), line)
            by = arguments[0].term.constant if isinstance(arguments[0], Int) else None
            if by is None or abs(by) > _MOST_SCALED:
                raise NotRead("scaleb by this", line)
            places = max(value.places - by, 0)
            return numbers.exact_decimal(value.num * number(10 ** (places - value.places + by)), places, "a scaleb")
        case Dec(), "as_integer_ratio":
            check_plain(arguments, keywords, (0,), line)
            return Sequence(lowest_terms(*numbers.as_ratio(value), line), False)
        case ((Dec() | Quotient()), "quantize"):
            return _quantize(value, arguments, keywords, line)
        case ((Dec() | Quotient()), "to_integral_value"):
            mode = _mode(keywords.get("rounding", arguments[0] if arguments else None), line)
            return round_decimal(value, 0, mode, line)
        case Dec(), "copy_abs":
            check_plain(arguments, keywords, (0,), line)
            return FUNCTIONS["abs"]([value], {}, state, line)
        case Dec(), "is_nan" | "is_infinite":
            check_plain(arguments, keywords, (0,), line)
            return Bool(FALSE)
        case Dec(), "is_finite":
            check_plain(arguments, keywords, (0,), line)
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
