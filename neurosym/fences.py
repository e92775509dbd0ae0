"""Blocks of code between markdown fences, found in one pass over the lines (CommonMark 0.31, section 4.5)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"[ \t]{0,3}(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\r\n]*?)[ \t]*\r?\n?\Z")
_PYTHON = frozenset({"", "py", "python", "python3", "py3"})


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences: ``text[start:stop]``, its first line being ``line``, counted from 1.

    A block whose fence is never closed goes to the end of the text.
    """

    line: int
    start: int
    stop: int
    is_closed: bool


def code_blocks(text: str) -> tuple[Block, ...]:
    """The blocks that hold Python by their fences: those of another language are left out."""
    found: list[Block] = []
    opened: tuple[str, int, int, bool] | None = None  # its marks, where it begins, on which line, whether it is Python
    at = 0
    for number, line in enumerate(_lines(text), start=1):
        fence = _FENCE.match(line)
        if fence and opened is None:
            language = fence["info"].split()[0].casefold() if fence["info"] else ""
            opened = (fence["marks"], at + len(line), number + 1, language in _PYTHON)
        elif fence and opened and not fence["info"] and fence["marks"].startswith(opened[0]):
            if opened[3]:
                found.append(Block(opened[2], opened[1], at, is_closed=True))
            opened = None
        at += len(line)
    if opened and opened[3] and text[opened[1] :].strip():
        found.append(Block(opened[2], opened[1], len(text), is_closed=False))
    return tuple(found)


def _lines(text: str) -> list[str]:
    """The lines as Python counts them: a form feed, for example, ends none."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)
