"""How Python's own functions are called by the reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from typing import TypeAlias

from neurosym_verifiers.reading.state import State
from neurosym_verifiers.reading.values import NotRead, Value

Call: TypeAlias = Callable[[Many[Value], Mapping[str, Value], State, int], Value]
"""A function by its positional and keyword arguments, where it is called, and in which line."""


def check_plain(arguments: Many[Value], keywords: Mapping[str, Value], count: tuple[int, ...], line: int) -> None:
    """Raises ``NotRead`` unless there are so many arguments, all by position."""
    if keywords or len(arguments) not in count:
        raise NotRead("these arguments", line)
