"""Comments that accept a finding: ``# neurosym: ignore[NS510] rounds as the old ledger did until 2027``.

One stands on the line of the finding or on that of the function's ``def``, where it is about all of the function, or
on lines of its own above either. It counts where a project's code is checked, which people review; where a candidate is
judged (``verify``, ``solve``), it is a comment, or whoever wrote the candidate could accept it.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from neurosym.codes import all_codes
from neurosym.safe_text import says_something

_SAYS = re.compile(r"#\s*neurosym\s*:\s*ignore\b\s*(?:\[([^\]]*)\])?\s*(.*)", re.IGNORECASE)
_BETWEEN = frozenset({tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE})


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment on ``line`` about the line ``about``. With ``wrong`` it accepts nothing: that says why."""

    line: int
    about: int
    codes: tuple[str, ...]
    reason: str
    wrong: str = ""


def ignores(text: str) -> tuple[Ignore, ...]:
    """The comments of a program, in their order. A text that is no Python has none."""
    if _SAYS.search(text) is None:
        return ()
    try:
        return tuple(_found(text))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ()


def _found(text: str) -> Iterator[Ignore]:
    waiting: list[tuple[int, re.Match[str]]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        said = _SAYS.match(token.string) if token.type == tokenize.COMMENT else None
        line = token.start[0]
        if said is not None:
            if token.line[: token.start[1]].strip():
                yield _read(line, line, said)
            else:
                waiting.append((line, said))
        elif token.type not in _BETWEEN and waiting:
            yield from (_read(place, line, each) for place, each in waiting)
            waiting = []


def _read(line: int, about: int, said: re.Match[str]) -> Ignore:
    codes = tuple(part.strip().upper() for part in (said[1] or "").split(",") if part.strip())
    reason = said[2].strip()
    unknown = [each for each in codes if each not in all_codes()]
    if not codes:
        wrong = "it names no code, as in ignore[NS510]"
    elif unknown:
        wrong = f"there is no code {unknown[0]}"
    elif not says_something(reason):
        wrong = "it gives no reason, which stands behind the bracket"
    else:
        wrong = ""
    return Ignore(line, about, codes, reason, wrong)
