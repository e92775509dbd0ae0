"""Bounded descriptions of what a program made: its exceptions and its function."""

from __future__ import annotations

import builtins
import calendar
import dataclasses
import decimal
import graphlib
import inspect
import json
import statistics
from types import FunctionType, TracebackType
from typing import Any

__builtins__ = {**vars(builtins)}  # type: ignore[assignment]  # ours alone, as in _wire

CANDIDATE = "<candidate>"
"""The file name that a program is compiled with."""

MODULE = "candidate"
MAX_MESSAGE, MAX_NAME = 2000, 200

_GENUINE: dict[str, type[BaseException]] = {
    name: item
    for module in (builtins, decimal, statistics, graphlib, json, calendar, dataclasses)
    for name, item in vars(module).items()
    if isinstance(item, type) and issubclass(item, BaseException)
}


def exact(text: str, limit: int) -> str:
    """Returns at most `limit` characters as an exact str, whatever subclass was given."""
    return str.__getitem__(text, slice(0, limit)) if isinstance(text, str) else "?"


_NAME_OF = vars(type)["__name__"].__get__
MRO_OF = vars(type)["__mro__"].__get__
_TRACEBACK_OF = vars(BaseException)["__traceback__"].__get__
"""Past what a class or its metaclass may have put in place of them."""


def class_name(cls: type) -> str:
    name = exact(_NAME_OF(cls), MAX_NAME)
    return f"{MODULE}.{name}" if _GENUINE.get(name, cls) is not cls else name


def message(error: BaseException) -> str:
    try:
        return exact(str(error), MAX_MESSAGE)
    except BaseException as second:
        return f"<its __str__ raised {class_name(type(second))}>"


def line_of(error: BaseException) -> int | None:
    line: int | None = None
    traceback: TracebackType | None = _TRACEBACK_OF(error)
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == CANDIDATE:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    if line is None and isinstance(error, SyntaxError) and error.filename == CANDIDATE:
        line = error.lineno
    return line if type(line) is int and 0 < line < 2**31 else None


def signature(function: Any) -> tuple[list[str], int, int | None]:
    """Returns names of positional parameters, how many have no default, and how many are taken at most."""
    if type(function) is FunctionType and not hasattr(function, "__wrapped__"):
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount])
        return names, len(names) - len(function.__defaults__ or ()), None if code.co_flags & 4 else len(names)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [], 0, None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = sum(p.default is p.empty for p in positional)
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return [exact(p.name, MAX_NAME) for p in positional], required, None if variadic else len(positional)
