"""Equality within a tolerance, of numbers and of whatever holds numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from neurosym_specs.expr.rational import is_exact
from neurosym_specs.values import Record


def _is_number(value: Any) -> bool:
    return is_exact(value) or getattr(value, "is_real", False) is True


def within(expected: Any, actual: Any, abs_tol: Fraction, rel_tol: Fraction) -> bool:
    """Same value, or numbers with ``|actual - expected| <= abs_tol + rel_tol * |expected|``; in containers alike."""
    if _is_number(expected) and _is_number(actual):
        return bool(abs(actual - expected) <= abs_tol + rel_tol * abs(expected))
    if isinstance(expected, list | tuple):
        return (
            isinstance(actual, list if isinstance(expected, list) else tuple)
            and len(actual) == len(expected)
            and all(within(e, a, abs_tol, rel_tol) for e, a in zip(expected, actual, strict=True))
        )
    if isinstance(expected, Record):
        return (
            isinstance(actual, Record)
            and actual.type_name == expected.type_name
            and actual.fields.keys() == expected.fields.keys()
            and all(within(e, actual.fields[name], abs_tol, rel_tol) for name, e in expected.fields.items())
        )
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and actual.keys() == expected.keys()
            and all(within(e, actual[key], abs_tol, rel_tol) for key, e in expected.items())
        )
    return same_value(expected, actual)


def same_value(a: Any, b: Any) -> bool:
    """Equality of spec values: numbers by their value, NaN is NaN, a boolean is no number, a list no tuple."""
    if isinstance(a, bool) or isinstance(b, bool):
        return isinstance(a, bool) and isinstance(b, bool) and a == b
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b)
    if isinstance(a, list | tuple):
        return (
            isinstance(b, list if isinstance(a, list) else tuple)
            and len(a) == len(b)
            and all(same_value(x, y) for x, y in zip(a, b, strict=True))
        )
    if isinstance(a, Record):
        return (
            isinstance(b, Record)
            and a.type_name == b.type_name
            and a.fields.keys() == b.fields.keys()
            and all(same_value(x, b.fields[name]) for name, x in a.fields.items())
        )
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same_value(x, b[key]) for key, x in a.items())
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and str.__eq__(a, b)
    return bool(a == b)


def approximately(x: Any, y: Any, abs_tol: Fraction, rel_tol: Fraction) -> bool:
    """Within the tolerance, whichever of the two is taken as the right value; NaN is near nothing."""
    if isinstance(x, float) and x != x:
        return False
    return within(x, y, abs_tol, rel_tol) or (rel_tol != 0 and within(y, x, abs_tol, rel_tol))
