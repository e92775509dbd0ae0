"""mypy's lines at the candidate's own places, and whether mypy knows of every value what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from neurosym.gate._types.copy import Copy
from neurosym.gate._types.worker import Said


@dataclass(frozen=True, slots=True)
class Line:
    """One line of mypy's about the candidate, at the candidate's own place; ``column`` counts from 1."""

    line: int
    column: int
    severity: str
    text: str
    code: str
    inside: bool
    """Whether it is about the candidate, and not about the promise of the spec behind it."""


_LINE = re.compile(r"candidate\.py:(\d+):(?:(\d+):)? (error|note): (.*?)(?:  \[([a-z0-9-]+)\])?", re.DOTALL)
_ON_LINE = re.compile(r"\bline (\d+)\b")


def read_lines(said: Said, copy: Copy) -> list[Line]:
    """mypy's lines with the places of the candidate; lines about the declarations in front are left out."""
    lines = []
    rows = copy.text.split("\n")
    for message in said.messages:
        found = _LINE.fullmatch(message)
        if found is None:
            continue
        number, column = int(found[1]), int(found[2] or 1)
        if said.is_short:
            column = _lengthened(rows[number - 1], column)
        own = copy.place(number, column)
        if own is None and number <= copy.before:
            continue
        text = _ON_LINE.sub(lambda at: f"line {max(1, int(at[1]) - copy.before)}", found[4])
        place = own or (0, 0)
        lines.append(Line(*place, found[3], text, found[5] or "", own is not None))
    return lines


def is_closed(said: Said, lines: list[Line], copy: Copy) -> bool:
    """Whether no value of the candidate may be anything. What stands around an error may: mypy goes on so behind it."""
    if said.anything is None:
        return False
    plain = ("attr-defined", "name-defined", "call-arg", "index", "operator")
    errors: dict[int, list[int]] = {}
    for each in lines:
        if each.severity == "error" and each.code in plain:
            errors.setdefault(each.line, []).append(each.column)
    rows = copy.text.split("\n")
    for line, column, end_line, end_column in said.anything:
        if not 1 <= line <= end_line <= len(rows):
            return False
        if said.is_short:
            column = _lengthened(rows[line - 1], column)
            end_column = _lengthened(rows[end_line - 1], end_column)
        first, last = copy.place(line, column), copy.place(end_line, end_column)
        if first is None or last is None:
            continue
        is_around = any(
            first <= (number, at) < last
            for number in range(first[0], min(last[0], first[0] + 20) + 1)
            for at in errors.get(number, ())
        )
        if not is_around:
            return False
    return True


def _lengthened(row: str, column: int) -> int:
    """The column that mypy means, where it has counted a character of n bytes as 2 - n columns."""
    if row.isascii():
        return column
    at = 1
    for place, character in enumerate(row, 1):
        if at >= column and place >= column:
            return place
        at += 2 - len(character.encode("utf-8", "replace"))
    return len(row) + 1
