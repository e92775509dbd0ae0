"""Takes out sentences that stand beside code and keep Python from reading it, one line after the other."""

from __future__ import annotations

import ast
import itertools
import re
import warnings
from collections.abc import Sequence

from neurosym.fences import code_blocks
from neurosym.rewrite.draft import Draft
from neurosym.rewrite.edits import Edit, line_starts

_MOST = 100
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w-]*\s*\Z")
_BEGINS_CODE = re.compile(
    r"\s*(?:def|class|return|if|elif|else|for|while|try|except|finally|with|import|from \S+ import|raise|assert|pass)\b"
    r"|\s*@"
    r"|\s*[#)\]}\"']|.*[^=!<>]=[^=]"
)
_SENTENCE = re.compile(r"\s*(?:[-*>#]+\s+|\d+[.)]\s+|\*\*)?[A-Z\"'`(]?[\w'`’,*-]+(?:\s+\S+){2,}")


def find(draft: Draft) -> Sequence[Edit]:
    """Deletes each line that Python stops at and that is a sentence, until Python reads the rest.

    Where several blocks are still fenced, nobody could say which is meant: without their fences the last would be.
    """
    if draft.is_code or len(code_blocks(draft.text)) > 1:
        return ()
    starts = [*line_starts(draft.text), len(draft.text)]
    lines = [draft.text[a:b] for a, b in itertools.pairwise(starts)]
    gone: set[int] = set()
    for _ in range(_MOST):
        stopped = _stops_at("".join("\n" if at in gone else line for at, line in enumerate(lines)))
        if stopped is None:
            break
        at = _sentence_near(lines, stopped - 1, gone)
        if at is None:
            return ()
        gone.add(at)
    else:
        return ()
    return [Edit(starts[at], starts[at + 1], "") for at in sorted(gone)]


def _stops_at(text: str) -> int | None:
    """The line of the syntax error, None if there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return 0
    return None


def _sentence_near(lines: list[str], at: int, gone: set[int]) -> int | None:
    """The sentence at the error, or the one right before it (as an indentation error is found one line late)."""
    for each in (at, at - 1):
        if 0 <= each < len(lines) and each not in gone and _is_sentence(lines[each]):
            return each
    return None


def _is_sentence(line: str) -> bool:
    text = line.rstrip()
    if _FENCE.match(line):
        return True
    if not text or _BEGINS_CODE.match(text):
        return False
    ends = text.endswith((".", ":", "!", "?")) and len(text.split()) >= 2
    return ends or _SENTENCE.match(text) is not None
