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


_OF_PARTS = frozenset({"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError", "BaseExceptionGroup"})
_OF_SEVERAL = frozenset({"OSError", "SyntaxError"})


def builtin_names(name: str) -> Names | None:
    """Those of a builtin exception; None if there is none of the name."""
    kind = getattr(builtins, name, None)
    return names_of(kind) if isinstance(kind, type) and issubclass(kind, BaseException) else None


def refuses(names: Names, arguments: int) -> bool:
    """Whether an exception, or one of a class that is derived from it, may not be what is made of so many texts.

    Some take other arguments, and raise another exception for these; of two ``OSError`` makes one of its subclasses.
    """
    return bool(_OF_PARTS.intersection(names)) or (arguments > 1 and bool(_OF_SEVERAL.intersection(names)))


def is_pythons(name: str) -> bool:
    """Whether Python raises an exception of the name: a program's own must not be taken for it."""
    return name in _PYTHONS_OWN or builtin_names(name) is not None
