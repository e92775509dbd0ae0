"""Tables as CSV that a spreadsheet reads as text: no cell is a formula of its own."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from neurosym.safe_text import safe_text

_FORMULA = tuple("=+@-\uff1d\uff0b\uff20\uff0d")
"""What begins a formula, and the full-width forms that some spreadsheets take for it."""
_NUMBER = r"-?\d[\d,_.]*(?: [A-Za-z%]{1,12})?"
_PLAIN = re.compile(rf"{_NUMBER}(?: to {_NUMBER})?")


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """The rows as CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([*map(cell, row)] for row in rows)
    return stream.getvalue()


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula of its own; a negative number or range stays one."""
    shown = safe_text(text, limit=8_000)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) and not _PLAIN.fullmatch(shown) else shown
