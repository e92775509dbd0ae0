"""The warm mypy, in a process of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from neurosym.gate._types.service import NAME
from neurosym.workers import Broken, Limits, Worker

__all__ = ["CONFIG", "Broken", "Limits", "Said", "TypeWorker", "shared_worker"]

CONFIG = Path(__file__).with_name("mypy.ini")
_SERVICE = Path(__file__).with_name("service.py")


@dataclass(frozen=True, slots=True)
class Said:
    """mypy's own lines about the module, complete, and the processor time that they took."""

    messages: tuple[str, ...]
    anything: tuple[tuple[int, int, int, int], ...] | None = ()
    """Where a value may be anything (line, column from 1, last line, column behind it); None if that is not known."""
    cpu_s: float = 0.0
    is_short: bool = False
    """Whether columns behind a character of n bytes are n - 1 too small: a fault of mypy 2.4."""


class TypeWorker(Worker):
    """One warm mypy."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(_SERVICE, str(CONFIG), called="the type checker", limits=limits)

    def check(self, text: str, name: str = NAME) -> Said | Broken:
        """What mypy says of a module ``name`` that consists of ``text``."""
        answer = self.ask({"name": name, "text": text})
        if isinstance(answer, Broken):
            return answer
        places = answer["anything"]
        return Said(
            messages=tuple(map(str, answer["messages"])),
            anything=None if places is None else tuple((a, b, c, d) for a, b, c, d in places),
            cpu_s=float(answer["cpu_s"]),
            is_short=self._greeting.get("is_short") is True,
        )


@cache
def shared_worker() -> TypeWorker:
    """The one worker of this process: reading the stubs takes most of a second, and is done once."""
    return TypeWorker()
