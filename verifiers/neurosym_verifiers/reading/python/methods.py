"""Attributes and methods of Python's data."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many
from typing import Any

from neurosym_verifiers.reading.data.dates import weekday
from neurosym_verifiers.reading.data.decimal_contexts import DecimalContext
from neurosym_verifiers.reading.data.fractions import lowest_terms
from neurosym_verifiers.reading.data.values import (
    Bool,
    Day,
    Days,
    Dec,
    Extended,
    Int,
    ItemSet,
    KeySet,
    NotRead,
    Quotient,
    Ratio,
    Real,
    Sequence,
    Thing,
    Value,
)
from neurosym_verifiers.reading.execution.arguments import check_plain
from neurosym_verifiers.reading.execution.state import State
from neurosym_verifiers.reading.floats.real_functions import method as real_method
from neurosym_verifiers.reading.formulas.normal_forms import either, negated
from neurosym_verifiers.reading.formulas.terms import number
from neurosym_verifiers.reading.python.date_functions import date_of
from neurosym_verifiers.reading.python.decimal_methods import context_method, decimal_method
from neurosym_verifiers.reading.texts.functions import has_text_methods, method_of_text


def attribute(value: Value, name: str, line: int) -> Value:
    """``value.name`` of data."""
    match value, name:
        case Day(), "year" | "month" | "day":
            return Int(getattr(value, name))
        case Days(), "days":
            return Int(value.count)
        case Ratio(num=num, den=den), "numerator" | "denominator":
            return lowest_terms(num, den, line)[name == "denominator"]
        case ((Day() | Dec() | Extended() | Quotient() | Real() | Sequence() | KeySet() | ItemSet()), _):
            return Thing(f"method {name}", value)
        case _ if has_text_methods(value):
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
        case _ if has_text_methods(value):
            return method_of_text(value, name, arguments, keywords, state, line)
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
        case Extended(), "is_finite" | "is_infinite":
            check_plain(arguments, keywords, (0,), line)
            infinite = either(value.low, value.high)
            return Bool(infinite if name == "is_infinite" else negated(infinite))
        case ((Dec() | Quotient() | Real(kind="Decimal")), _):
            return decimal_method(value, name, arguments, keywords, state, line)
        case DecimalContext(), _:
            return context_method(value, name, arguments, keywords, state, line)
        case _:
            raise NotRead(f"the method {name} of a {type(value).__name__}", line)
