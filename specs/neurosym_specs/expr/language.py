"""The names of the expression language: its functions, methods, rounding modes and attributes of dates.

One table serves the checks, the evaluation and every other reading of an expression.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    """How a function or method is called: ``shape`` for the reader, the number of positional arguments, keywords."""

    shape: str
    least: int
    most: int | None
    keywords: frozenset[str] = frozenset()


def _signature(shape: str, least: int, most: int | None, *keywords: str) -> Signature:
    return Signature(shape, least, most, frozenset(keywords))


FUNCTIONS: dict[str, Signature] = {
    "round": _signature("round(x, places, mode)", 2, 3),
    "round_to": _signature("round_to(x, step, mode)", 3, 3),
    "floor": _signature("floor(x)", 1, 1),
    "ceil": _signature("ceil(x)", 1, 1),
    "trunc": _signature("trunc(x)", 1, 1),
    "abs": _signature("abs(x)", 1, 1),
    "sign": _signature("sign(x)", 1, 1),
    "min": _signature("min(x, y, ...) or min(xs, key=f, default=x)", 1, None, "key", "default"),
    "max": _signature("max(x, y, ...) or max(xs, key=f, default=x)", 1, None, "key", "default"),
    "clamp": _signature("clamp(x, low, high)", 3, 3),
    "sum": _signature("sum(xs)", 1, 2, "start"),
    "len": _signature("len(xs)", 1, 1),
    "all": _signature("all(xs)", 1, 1),
    "any": _signature("any(xs)", 1, 1),
    "sorted": _signature("sorted(xs, key=f)", 1, 1, "key", "reverse"),
    "range": _signature("range(start, stop, step)", 1, 3),
    "enumerate": _signature("enumerate(xs, start)", 1, 2, "start"),
    "zip": _signature("zip(xs, ys, ...)", 1, None),
    "reversed": _signature("reversed(xs)", 1, 1),
    "gcd": _signature("gcd(a, b)", 1, None),
    "places": _signature("places(x)", 1, 1),
    "approx": _signature("approx(x, y)", 2, 2),
    "is_nan": _signature("is_nan(x)", 1, 1),
    "is_finite": _signature("is_finite(x)", 1, 1),
    "sqrt": _signature("sqrt(x)", 1, 1),
    "exp": _signature("exp(x)", 1, 1),
    "log": _signature("log(x)", 1, 1),
    "fold": _signature("fold(f, items, start)", 3, 3),
    "scan": _signature("scan(f, items, start)", 3, 3),
    "same_items": _signature("same_items(xs, ys)", 2, 2),
    "date": _signature("date(year, month, day)", 3, 3),
    "days": _signature("days(b - a)", 1, 1),
    "add_months": _signature("add_months(d, n)", 2, 2),
    "month_end": _signature("month_end(d)", 1, 1),
    "leap": _signature("leap(year)", 1, 1),
    "matches": _signature("matches(s, pattern)", 2, 2),
    "int": _signature("int(s)", 1, 1),
    "str": _signature("str(n)", 1, 1),
    "ord": _signature("ord(c)", 1, 1),
    "chr": _signature("chr(n)", 1, 1),
}

METHODS: dict[str, Signature] = {
    "upper": _signature(".upper()", 0, 0),
    "lower": _signature(".lower()", 0, 0),
    "strip": _signature(".strip(chars)", 0, 1),
    "split": _signature(".split(sep, maxsplit)", 0, 2, "sep", "maxsplit"),
    "join": _signature(".join(xs)", 1, 1),
    "count": _signature(".count(x)", 1, 3),
    "find": _signature(".find(part, start, end)", 1, 3),
    "isdigit": _signature(".isdigit()", 0, 0),
    "startswith": _signature(".startswith(prefix)", 1, 3),
    "endswith": _signature(".endswith(suffix)", 1, 3),
    "replace": _signature(".replace(old, new)", 2, 3),
    "items": _signature(".items()", 0, 0),
    "keys": _signature(".keys()", 0, 0),
    "values": _signature(".values()", 0, 0),
    "get": _signature(".get(key, default)", 1, 2),
}

DICT_METHODS = frozenset({"items", "keys", "values", "get"})

DATE_ATTRIBUTES = frozenset({"year", "month", "day", "weekday"})

MODES: dict[str, str] = {
    "half_up": "ties away from zero",
    "half_down": "ties towards zero",
    "half_even": "ties to the even neighbour",
    "up": "away from zero",
    "down": "towards zero",
    "ceiling": "towards plus infinity",
    "floor": "towards minus infinity",
    "05up": "away from zero if the last digit would be 0 or 5, else towards zero",
}

FUNCTIONS_OF_A_DEFINITION = frozenset({"fold", "scan"})
"""Functions whose first argument is the name of a definition, called with (state, item)."""

FUNCTIONS_WITH_KEY = frozenset({"sorted", "min", "max"})
"""Functions whose argument ``key`` is the name of a definition, called with (item)."""

RESULT = "result"
RAISED = "raised"

RESERVED = frozenset(FUNCTIONS) | frozenset(MODES) | {RESULT, RAISED}
"""Names that no input, let, definition or data may bear."""
