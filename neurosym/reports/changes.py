"""What rewriting changed, and what a refuted call did, as lines for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neurosym.departures import RETURNED
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
    name = "what is returned" if departure.name == RETURNED else departure.name
    when = "" if departure.nth is None else f", the {_ordinal(departure.nth)} time that it is set"
    then = "" if departure.nth is None else " then"
    where = f"{departure.where} is {departure.expected}{then}"
    return f"{name} is {departure.actual} at line {departure.line}{when}; {where}"


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def lines_of(rewrites: Iterable[Rewrite]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is one of a diff: a stranger's text, to be shown unbroken."""
    for each in rewrites:
        yield f"{each.name}: {each.says}", False
        changed = [line for line in each.diff.split("\n")[2:] if line.startswith(("-", "+"))]
        yield from ((line, True) for line in changed[:_MOST_LINES])
        if len(changed) > _MOST_LINES:
            yield f"and {len(changed) - _MOST_LINES:,} more lines (--json has them all)", False
