"""Puts white space in order for delivery: line ends, ends of lines, empty lines. The tree stays the same."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Sequence

from neurosym.rewrite.draft import Draft, parsed
from neurosym.rewrite.edits import Edit, Edited, line_starts


def find(draft: Draft) -> Sequence[Edit]:
    """The edits, if Python reads the same tree afterwards."""
    if not draft.is_code:
        return ()
    edits = _edits(draft.text, _protected(draft.module), _heads(draft.module))
    after = parsed(Edited(draft.text, edits).text)
    return edits if after is not None and ast.dump(after) == ast.dump(draft.module) else ()


def _protected(tree: ast.Module) -> set[int]:
    """The lines of texts in quotes that go over several lines; their last one ends like any other."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno is not None
        for line in range(node.lineno, node.end_lineno)
    }


def _heads(tree: ast.Module) -> set[int]:
    """The lines on which functions and classes of the top level begin, with their decorators."""
    return {
        min([each.lineno, *(decorator.lineno for decorator in each.decorator_list)])
        for each in tree.body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


def _edits(text: str, protected: set[int], heads: set[int]) -> list[Edit]:
    starts = [*line_starts(text), len(text)]
    edits: list[Edit] = []
    empty: list[tuple[int, int]] = []  # the empty lines right before this one
    seen_code = False
    for number, (start, stop) in enumerate(itertools.pairwise(starts), start=1):
        line = text[start:stop]
        inside = number - 1 in protected  # the line begins in a text
        if not line.strip() and not inside:
            empty.append((start, stop))
            continue
        wanted = len(empty) if seen_code else 0
        wanted = min(wanted, 2)
        if number in heads and seen_code:
            wanted = 2 if not text[: starts[number - 1]].rstrip().rpartition("\n")[2].startswith("#") or empty else 0
        if empty or wanted:
            begin = empty[0][0] if empty else start
            if text[begin:start] != "\n" * wanted:
                edits.append(Edit(begin, start, "\n" * wanted))
        empty = []
        seen_code = True
        if number not in protected:
            body = re.sub(r"[ \t\f]*(?:\r\n|\r|\n)?\Z", "", line) + "\n"
            if body != line:
                keep = len(body) - 1
                edits.append(Edit(start + keep, stop, "\n"))
        elif line.endswith(("\r\n", "\r")):
            keep = len(line.rstrip("\r\n"))
            edits.append(Edit(start + keep, stop, "\n"))
    if empty and empty[0][0] != empty[-1][1]:
        edits.append(Edit(empty[0][0], empty[-1][1], ""))
    return edits
