"""Where something stands: from a node of the tree to the line and column that a person counts."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable

from neurosym_specs.verdicts import FailureClass

from neurosym.diagnostics import Diagnostic, Note
from neurosym.source import Delivered

MOST_SHOWN = 10
"""So many findings of one step are shown; who mends those sees the rest in the next run."""


def words(text: str) -> frozenset[str]:
    """The words of a text, for tables of names that fill lines."""
    return frozenset(text.split())


def diagnose(
    node: ast.AST, source: Delivered, code: str, failure: FailureClass, message: str, hint: str = ""
) -> Diagnostic:
    """A diagnostic at the place where ``node`` begins."""
    line: int | None = getattr(node, "lineno", None)
    text = line_of(source, line)
    return Diagnostic(code, failure, message, line, column_of(text, getattr(node, "col_offset", 0)), text, hint)


def line_of(source: Delivered, number: int | None) -> str:
    """``source.line``, for steps that ask for thousands of lines."""
    rows = _rows(source.text)
    return rows[number - 1] if number is not None and 1 <= number <= len(rows) else ""


@functools.lru_cache(maxsize=2)
def _rows(text: str) -> tuple[str, ...]:
    return tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def at_most(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The first ten notes of each code, and how many more there are."""
    kept: list[Note] = []
    counts: Counter[str] = Counter()
    for each in notes:
        counts[each.code] += 1
        if counts[each.code] <= MOST_SHOWN:
            kept.append(each)
    more = {code: count - MOST_SHOWN for code, count in counts.items() if count > MOST_SHOWN}
    return (*kept, *(Note(code, f"and {count:,} more like these") for code, count in more.items()))


def note(node: ast.AST, code: str, message: str) -> Note:
    """A note at the line of ``node``."""
    return Note(code, message, getattr(node, "lineno", None))


def column_of(line: str, offset: int) -> int:
    """The column in characters from 1, for an offset in bytes as the tree counts them."""
    return len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) + 1


def text_of(node: ast.AST, limit: int = 60) -> str:
    """The code of a node, shortened."""
    try:
        return ast.unparse(node)[:limit]
    except RecursionError:
        return "this expression"


def place_of(node: ast.AST) -> tuple[int, int]:
    """To order findings as they stand in the text."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
