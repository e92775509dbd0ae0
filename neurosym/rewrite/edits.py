"""What a codemod does to a text: edits, and the way back from every later place to where it came from."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """``text`` takes the place of the characters from ``start`` to ``stop``."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the new text, from ``start``. It is the old text from ``old`` on if ``kept``, else stands for it."""

    start: int
    old: int
    kept: bool


class Edited:
    """A text after some edits. Characters that no edit touches keep their place of origin, exactly."""

    def __init__(self, before: str, edits: Iterable[Edit]) -> None:
        """Edits that begin at one place are made in their order. Raises ``ValueError`` if two overlap."""
        self._pieces: list[_Piece] = []
        parts: list[str] = []
        size = at = 0
        for edit in sorted(edits, key=lambda each: (each.start, each.stop)):
            if not at <= edit.start <= edit.stop <= len(before):
                raise ValueError(f"an edit of {edit.start} to {edit.stop} does not fit behind {at}")
            for text, old, kept in ((before[at : edit.start], at, True), (edit.text, edit.start, False)):
                if text:
                    self._pieces.append(_Piece(size, old, kept))
                    parts.append(text)
                    size += len(text)
            at = edit.stop
        self._pieces.append(_Piece(size, at, True))
        self.text = "".join(parts) + before[at:]
        self._starts = [piece.start for piece in self._pieces]

    def origin(self, offset: int) -> int:
        """Where the character came from; of an inserted one, where it was inserted."""
        piece = self._at(offset)
        return piece.old + (offset - piece.start if piece.kept else 0)

    def is_kept(self, offset: int) -> bool:
        """Whether the character was there before."""
        return self._at(offset).kept

    def _at(self, offset: int) -> _Piece:
        return self._pieces[max(0, bisect.bisect_right(self._starts, offset) - 1)]


class SourceMap:
    """The way back from a text that was edited several times to the first one, in lines and columns from 1."""

    def __init__(self, original: str, edited: Sequence[Edited]) -> None:
        self.edited = tuple(edited)
        self._old = line_starts(original)
        self._text = edited[-1].text if edited else original
        self._new = line_starts(self._text)

    def place(self, line: int, column: int | None = None) -> tuple[int, int | None]:
        """The original line and column. Without a column: the line that the first kept character came from."""
        if not 1 <= line <= len(self._new):
            return line, column
        begin = self._new[line - 1]
        if column is not None:
            return self._counted(begin + column - 1)
        end = self._new[line] if line < len(self._new) else len(self._text)
        solid = [offset for offset in range(begin, end) if not self._text[offset].isspace()]
        kept = next((offset for offset in solid if self._is_kept(offset)), begin)
        return self._counted(kept)[0], None

    def _counted(self, offset: int) -> tuple[int, int]:
        for each in reversed(self.edited):
            offset = each.origin(offset)
        line = bisect.bisect_right(self._old, offset)
        return line, offset - self._old[line - 1] + 1

    def _is_kept(self, offset: int) -> bool:
        for each in reversed(self.edited):
            if not each.is_kept(offset):
                return False
            offset = each.origin(offset)
        return True


def line_starts(text: str) -> list[int]:
    """Where the lines begin, as Python counts them: a form feed, for example, ends none."""
    return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
