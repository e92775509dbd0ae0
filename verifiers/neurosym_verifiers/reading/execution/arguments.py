"""How Python's own functions are called by the reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from typing import TypeAlias

from neurosym_verifiers.reading.data.values import NotRead, Value
from neurosym_verifiers.reading.execution.state import State

Call: TypeAlias = Callable[[Many[Value], Mapping[str, Value], State, int], Value]
"""A function by its positional and keyword arguments, where it is called, and in which line."""


def given(names: Many[str], arguments: Many[Value], keywords: Mapping[str, Value], line: int) -> dict[str, Value]:
    """The arguments by the names of their parameters. Raises ``NotRead`` for too many, unknown ones, or one twice."""
    by_place = dict(zip(names, arguments, strict=False))
    if len(arguments) > len(names) or set(keywords) - set(names) or set(keywords) & set(by_place):
        raise NotRead("these arguments", line)
    return by_place | dict(keywords)


def check_plain(arguments: Many[Value], keywords: Mapping[str, Value], count: tuple[int, ...], line: int) -> None:
    """Raises ``NotRead`` unless there are so many arguments, all by position."""
    if keywords or len(arguments) not in count:
        raise NotRead("these arguments", line)
