"""What values of a type that mypy names can do: some of them are asked."""

from __future__ import annotations

import datetime
import decimal
import fractions
import operator
from collections.abc import Callable
from typing import Any

SAMPLES: dict[str, tuple[object, ...]] = {
    # What may stand behind a name of a type: mypy takes an int for a float, a bool for an int, a datetime for a date.
    "bool": (True,),
    "int": (2, True),
    "float": (2.5, 2, True),
    "str": ("a",),
    "Decimal": (decimal.Decimal("1.5"),),
    "Fraction": (fractions.Fraction(1, 2),),
    "date": (datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2)),
    "datetime": (datetime.datetime(2024, 1, 2),),
    "timedelta": (datetime.timedelta(1),),
    "list": ([1],),
    "tuple": ((1,),),
    "dict": ({1: 1},),
    "set": ({1},),
}
_OPERATORS: dict[str, Callable[[Any, Any], object]] = {  # they take any values, and may refuse them
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WIDER = {"int": {"bool"}, "float": {"int", "bool"}, "date": {"datetime"}}
"""Values of these types may be what mypy calls by the key."""


def bare(name: str) -> str:
    """``list[int]`` is a list. A union stays what it is, and is no class."""
    return name.split("[")[0] if "|" not in name and name.endswith("]") else name


def are_apart(got: str, promised: str) -> bool:
    """Whether no value of the one type is one of the other."""
    if got not in SAMPLES or promised not in SAMPLES:
        return False
    return got != promised and got not in _WIDER.get(promised, ()) and promised not in _WIDER.get(got, ())


def always_raises(sign: str, left: str, right: str) -> bool:
    """Whether the operator refuses every pair of values of the two types: it is asked."""
    work = _OPERATORS.get(sign)
    if work is None or left not in SAMPLES or right not in SAMPLES:
        return False
    for first in SAMPLES[left]:
        for second in SAMPLES[right]:
            try:
                work(first, second)
            except TypeError:
                continue
            except Exception:
                return False
            else:
                return False
    return True
