"""What the map consists of: rows of Python, or of the spec's language, and what was measured of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["python", "spec", "clause"]


@dataclass(frozen=True, slots=True)
class Row:
    """One construct, type or operation.

    ``result`` is the spec's type of what ``code`` comes to: an expression, or statements of which one returns. With
    ``where`` it stands under a condition, which ``code`` meets and ``elsewhere`` does not. ``module`` is text of the
    program outside of the function, ``note`` what the reader of the map should know. Of a clause, ``code`` is the
    spec's text, ``result`` that of its output, and ``module`` the body of a program that keeps it on some inputs only.
    """

    code: str
    result: str = ""
    note: str = ""
    where: str = ""
    elsewhere: str = ""
    module: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that belong together, under a heading, with a sentence about them."""

    title: str
    rows: tuple[Row, ...]
    about: str = ""
    language: Language = "python"


EXACTLY, UNDER_A_CONDITION, NOT_READ = "exactly", "under a condition", "not read"


@dataclass(frozen=True, slots=True)
class Cell:
    """What was measured of a row. ``words``: the reader's own about what it does not read (of ``elsewhere``, too).

    ``difference``: where the reading came to something else than reality, which is a fault.
    """

    row: Row
    read: str
    words: str = ""
    difference: str = ""


def rows(result: str, *codes: str | tuple[str, str]) -> tuple[Row, ...]:
    """Rows of one result; a pair is code and its note."""
    return tuple(Row(code, result) if isinstance(code, str) else Row(code[0], result, code[1]) for code in codes)
