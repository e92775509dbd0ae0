"""What rewriting changed, and what a refuted call did, as lines for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neurosym.explaining import ROUNDS, Explanation
from neurosym.rewrite import Rewrite

_MOST_LINES = 40


def sentence_of(explanation: Explanation) -> str:
    """What happened in the refuted call, in a sentence; empty where there is nothing to add to its line."""
    if explanation.endless_line is not None:
        return f"line {explanation.endless_line} goes on for more than {ROUNDS:,} rounds"
    departure = explanation.departure
    if departure is None:
        return ""
    name = "what is returned" if departure.name == "return" else departure.name
    return f"{name} is {departure.actual} at line {departure.line}; {departure.where} is {departure.expected}"


def lines_of(rewrites: Iterable[Rewrite]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is one of a diff: a stranger's text, to be shown unbroken."""
    for each in rewrites:
        yield f"{each.name}: {each.says}", False
        changed = [line for line in each.diff.split("\n")[2:] if line.startswith(("-", "+"))]
        yield from ((line, True) for line in changed[:_MOST_LINES])
        if len(changed) > _MOST_LINES:
            yield f"and {len(changed) - _MOST_LINES:,} more lines (--json has them all)", False
