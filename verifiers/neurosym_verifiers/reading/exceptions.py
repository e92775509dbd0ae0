"""Exceptions by their names and those of their bases, nearest first, as this Python has them."""

from __future__ import annotations

import builtins
import calendar
import decimal
from collections.abc import Mapping
from typing import TypeAlias

Names: TypeAlias = tuple[str, ...]


def names_of(kind: type[BaseException]) -> Names:
    """The name of an exception class and those of its bases."""
    return tuple(base.__name__ for base in kind.__mro__[:-1])


ASSERTION_ERROR = names_of(AssertionError)
ATTRIBUTE_ERROR = names_of(AttributeError)
INDEX_ERROR = names_of(IndexError)
KEY_ERROR = names_of(KeyError)
OVERFLOW = names_of(OverflowError)
STOP_ITERATION = names_of(StopIteration)
TYPE_ERROR = names_of(TypeError)
VALUE_ERROR = names_of(ValueError)
ZERO_DIVISION = names_of(ZeroDivisionError)
DECIMAL_ZERO_DIVISION = names_of(decimal.DivisionByZero)
DECIMAL_OVERFLOW = names_of(decimal.Overflow)
INVALID_OPERATION = names_of(decimal.InvalidOperation)
ILLEGAL_MONTH = names_of(calendar.IllegalMonthError)

IMPORTED: Mapping[str, Names] = {
    "decimal.InvalidOperation": INVALID_OPERATION,
    "decimal.DivisionByZero": DECIMAL_ZERO_DIVISION,
}
"""Exceptions that a program may import, by their full names."""

_PYTHONS_OWN = frozenset((*DECIMAL_ZERO_DIVISION, *DECIMAL_OVERFLOW, *INVALID_OPERATION, *ILLEGAL_MONTH))


def builtin_names(name: str) -> Names | None:
    """Those of a builtin exception; None if there is none of the name."""
    kind = getattr(builtins, name, None)
    return names_of(kind) if isinstance(kind, type) and issubclass(kind, BaseException) else None


def is_pythons(name: str) -> bool:
    """Whether Python raises an exception of the name: a program's own must not be taken for it."""
    return name in _PYTHONS_OWN or builtin_names(name) is not None
