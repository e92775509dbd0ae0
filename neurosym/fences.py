"""Blocks of code between markdown fences (CommonMark 0.31, sections 4.5, 5.1 and 5.2), as models write them.

Two things go beyond CommonMark, because replies do: a block may be wrapped in another one with the same marks, and code
may hold fences in its docstrings. Both are told apart by whether Python reads what stands between two fences, where the
caller can say that.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"(?P<indent>[ \t]{0,3})(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\r\n]*?)[ \t]*\Z")
_QUOTE = re.compile(r" {0,3}>[ ]?")
_ITEM = re.compile(r"[ ]{0,3}(?:[-+*]|\d{1,9}[.)])(?P<gap>[ \t]+)(?=\S)")
_PYTHON = frozenset({"", "py", "python", "python3", "py3"})
_MARKDOWN = frozenset({"markdown", "md"})
_MOST_CLOSINGS = 10
_MOST_TRIALS = 50
"""How often it is tried whether Python reads something, over all blocks of a text."""

Reads = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences: ``pieces`` of the text as ``(start, stop)``, without quote marks and indents.

    It is not empty, and begins on the line ``line``, counted from 1. A block whose fence is never closed goes to the
    end of the text, or of the quote that it stands in.
    """

    line: int
    pieces: tuple[tuple[int, int], ...]
    is_closed: bool

    def of(self, text: str) -> str:
        """The block's own text."""
        return "".join(text[start:stop] for start, stop in self.pieces)


def code_blocks(text: str, reads: Reads | None = None) -> tuple[Block, ...]:
    """The blocks that hold Python by their fences: those of another language are left out.

    ``reads`` says whether Python reads a text. With it a block ends at the first fence that closes it so that Python
    reads it (else at the first that closes it), and a block without a language that Python does not read, with fences
    inside, is taken for a wrapping.
    """
    return tuple(_Blocks(text, reads).found())


@dataclass(frozen=True, slots=True)
class _Fence:
    """A line that opens or closes a block, whose lines lose ``indent`` and so many quote marks as ``quotes`` says."""

    quotes: int
    indent: str
    marks: str
    info: str

    @property
    def language(self) -> str:
        return self.info.split()[0].casefold() if self.info else ""


class _Blocks:
    """One pass over the lines, with a look ahead from each opening fence to those that may close it."""

    def __init__(self, text: str, reads: Reads | None) -> None:
        self.text, self.reads, self.trials = text, reads, 0
        self.lines = _lines(text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.fences = dict(_fences(self.lines))
        self.numbers = list(self.fences)

    def found(self) -> Iterator[Block]:
        wrapping: list[_Fence] = []
        at = 0
        for number, fence in self.fences.items():
            if number < at:
                continue
            if wrapping and self._closes(wrapping[-1], number):
                wrapping.pop()
            elif self._wraps(number):
                wrapping.append(fence)
            else:
                block, at = self._block(number)
                if fence.language in _PYTHON and block.of(self.text).strip():
                    yield block

    def _block(self, opening: int) -> tuple[Block, int]:
        """The block that a fence opens, and the line behind it."""
        closings = self._closings(opening)
        if not closings:
            stop = self._quote_end(opening)
            return self._between(opening, stop, is_closed=False), stop
        if self.fences[opening].language in _PYTHON:
            for closing in closings:
                block = self._between(opening, closing, is_closed=True)
                if self._is_read(block):
                    return block, closing + 1
        return self._between(opening, closings[0], is_closed=True), closings[0] + 1

    def _wraps(self, opening: int) -> bool:
        """Whether the fence only stands around other fences."""
        fence = self.fences[opening]
        if fence.language not in _PYTHON:
            return fence.language in _MARKDOWN
        first = next((at for at in range(opening + 1, len(self.lines)) if self.lines[at].strip()), None)
        if first in self.fences and not self._closes(fence, first):
            return True  # no Python begins with a fence
        if fence.info or self.reads is None:
            return False
        closings = self._closings(opening)
        if not closings or not any(at in self.fences for at in range(opening + 1, closings[0])):
            return False
        is_read = any(self._is_read(self._between(opening, each, is_closed=True)) for each in closings)
        return not is_read and self.trials < _MOST_TRIALS

    def _is_read(self, block: Block) -> bool:
        if self.reads is None:
            return True
        if self.trials >= _MOST_TRIALS:
            return False
        self.trials += 1
        return self.reads(block.of(self.text))

    def _closings(self, opening: int) -> list[int]:
        """The first lines that may close the fence of a line."""
        fence, end = self.fences[opening], self._quote_end(opening)
        behind = itertools.islice(self.numbers, bisect.bisect_right(self.numbers, opening), None)
        inside = itertools.takewhile(lambda at: at < end, behind)
        return list(itertools.islice((at for at in inside if self._closes(fence, at)), _MOST_CLOSINGS))

    def _closes(self, opening: _Fence, at: int) -> bool:
        fence = self.fences[at]
        return not fence.info and fence.marks.startswith(opening.marks) and fence.quotes == opening.quotes

    def _quote_end(self, opening: int) -> int:
        """The first line behind a fence that lacks its quote marks."""
        quotes = self.fences[opening].quotes
        if not quotes:
            return len(self.lines)
        return next(
            (at for at in range(opening + 1, len(self.lines)) if _unquoted(self.lines[at], quotes) is None),
            len(self.lines),
        )

    def _between(self, opening: int, stop: int, *, is_closed: bool) -> Block:
        fence = self.fences[opening]
        begins = [self.starts[at] + (_unquoted(self.lines[at], fence.quotes) or 0) for at in range(opening + 1, stop)]
        ends = self.starts[opening + 2 : stop + 1]
        rows = [self.text[begin:end] for begin, end in zip(begins, ends, strict=True)]
        first = next((row for row in rows if row.strip()), "")
        indent = fence.indent[: _alike(fence.indent, first)]  # the code may be indented less than its fence
        pieces: list[tuple[int, int]] = []
        for begin, row, end in zip(begins, rows, ends, strict=True):
            start = begin + _alike(indent, row)
            if pieces and pieces[-1][1] == start:
                pieces[-1] = (pieces[-1][0], end)
            else:
                pieces.append((start, end))
        return Block(opening + 2, tuple(pieces), is_closed)


def _fences(lines: Sequence[str]) -> Iterator[tuple[int, _Fence]]:
    """The lines that may be fences: in quotes, behind the mark of a list's item, and indented as far as the item is."""
    widths = [0]  # how far the text of the items of lists is indented, from the outermost in
    for at, line in enumerate(lines):
        rest = line.rstrip("\r\n")
        if not rest.strip():
            continue
        quotes = 0
        while quote := _QUOTE.match(rest):
            rest, quotes = rest[quote.end() :], quotes + 1
        while len(rest) - len(rest.lstrip(" ")) < widths[-1]:
            widths.pop()
        margin, rest = rest[: widths[-1]], rest[widths[-1] :]
        while item := _ITEM.match(rest):
            margin, rest = margin + " " * item.end(), rest[item.end() :]
            widths.append(len(margin))
        if fence := _FENCE.match(rest):
            yield at, _Fence(quotes, margin + fence["indent"], fence["marks"], fence["info"])


def _unquoted(line: str, quotes: int) -> int | None:
    """How many characters the quote marks of a line take; None if it has fewer."""
    at = 0
    for _ in range(quotes):
        quote = _QUOTE.match(line, at)
        if quote is None:
            return None
        at = quote.end()
    return at


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _lines(text: str) -> list[str]:
    """The lines as Python counts them: a form feed, for example, ends none."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)
