"""Text in eighty columns, made safe for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from neurosym.safe_text import safe_text

WIDTH = 80


def wrapped(text: str, indent: int) -> Sequence[str]:
    """``text``, made safe, in lines that fit into the width beside an indent; a long word is not broken."""
    return textwrap.wrap(safe_text(text), WIDTH - indent, break_long_words=False, break_on_hyphens=False) or [""]


def labelled(label: str, text: str, indent: int, width: int) -> Iterator[str]:
    """A label, and beside it the text in as many lines as it takes."""
    for place, part in enumerate(wrapped(text, indent + width)):
        yield f"{' ' * indent}{label if place == 0 else '':<{width}}{part}".rstrip()
