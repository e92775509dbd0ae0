"""Which values are the same, and in which order they are sorted."""

from __future__ import annotations

import math
from typing import Any

from neurosym_specs.types import EnumType, Type
from neurosym_specs.values import NegativeZero, Record


def same(first: object, second: object) -> bool:
    """Equality of two values of one type in which NaN is NaN and a negative zero is not zero."""
    if isinstance(first, float) and isinstance(second, float) and math.isnan(first):
        return math.isnan(second)
    if isinstance(first, bool) != isinstance(second, bool):
        return False
    return first == second and isinstance(first, NegativeZero) == isinstance(second, NegativeZero)


def hashable(value: Any) -> Any:
    """A key that is equal exactly for equal values of one type (NaN is equal to NaN here), and hashable."""
    match value:
        case float() if math.isnan(value):
            return "nan"
        case list() | tuple():
            return tuple(hashable(item) for item in value)
        case dict():
            return frozenset((hashable(key), hashable(item)) for key, item in value.items())
        case frozenset():
            return frozenset(hashable(item) for item in value)
        case Record():
            return tuple(hashable(value.fields[name]) for name in sorted(value.fields))
        case _:
            return value


def sort_key(type: Type, value: Any) -> Any:
    """What a list of values of the type is sorted by; an ordered enum by the order of its choices."""
    if isinstance(type, EnumType) and type.ordered and type.choices is not None:
        return type.choices.index(value)
    if isinstance(value, Record):
        return tuple(value.fields.values())
    return value
