"""How much memory a process and all that it started hold, as Linux counts it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


def memory_of_tree(pid: int | None = None, running: str = "") -> int:
    """The resident bytes of a process (this one, unless it is named) and of its children, and theirs; what they share
    counts for each. Those that end meanwhile do not count. ``running``: only those with this word in their command."""
    total = 0
    todo = [os.getpid() if pid is None else pid]
    while todo:
        place = Path(f"/proc/{todo.pop()}")
        with suppress(OSError, ValueError, IndexError):
            for thread in (place / "task").iterdir():
                todo += map(int, (thread / "children").read_text().split())
            if not running or running.encode() in (place / "cmdline").read_bytes():
                total += int((place / "statm").read_text().split()[1]) * _PAGE
    return total
