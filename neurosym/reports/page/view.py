"""What the page says beside the document's own texts: assumptions, what was not shown, the lines that are marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup, escape

from neurosym.codes import all_codes
from neurosym.reports.document import Candidate, Failed, Proved, Refuted, Result, Tested, Unknown, Vacuous
from neurosym.reports.findings import Finding, Level, findings_of, lines_of
from neurosym.reports.formulas import formula_sentences
from neurosym.reports.frequencies import frequency_sentences
from neurosym.reports.page.plot import is_off, wrong
from neurosym.reports.regions_document import Region
from neurosym.reports.saying import was_stopped, why
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_text

__all__ = [
    "assumptions",
    "command",
    "formula_sentences",
    "frequency_sentences",
    "is_off",
    "known",
    "mark",
    "newline",
    "not_shown",
    "number",
    "refuted",
    "source",
    "where",
    "wrong",
]

newline = Markup("\n")
"""A line's end that is the page's own: those of a stranger's text come out escaped."""

_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source, and what is said of it."""

    number: int
    text: str
    remarks: tuple[Finding, ...]


def source(candidate: Candidate, result: Result) -> list[Line]:
    """The text with its marked lines: what is wrong and what was noted, not what is undecided of the whole."""
    remarks: dict[int, list[Finding]] = defaultdict(list)
    for each in findings_of(candidate, result):
        if each.line is not None and each.level is not Level.WARNING:
            remarks[each.line].append(each)
    lines = lines_of(candidate)
    while lines and not lines[-1].strip():
        lines.pop()
    return [Line(n, text.expandtabs(4), tuple(remarks.get(n, ()))) for n, text in enumerate(lines, 1)]


def mark(line: Line) -> str:
    """The class of a line that something is said of."""
    if not line.remarks:
        return ""
    return " marked" if any(each.level is Level.ERROR for each in line.remarks) else " noted"


def refuted(candidate: Candidate) -> list[Refuted]:
    """The clauses that are broken, in the order of the spec."""
    return [each for each in candidate.obligations if isinstance(each, Refuted)]


def known(code: str) -> bool:
    """Whether the code has a page: one of another version may have none."""
    return code in all_codes()


def number(value: float) -> str:
    """With thousands apart."""
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}"


def where(region: Region) -> list[str]:
    """The conditions under which a region is met, one by one."""
    return [*(span.text for span in region.where), *region.ties] or ["every input"]


def command(text: str) -> Markup:
    """A command, which is of no use if it is cut."""
    return escape(safe_text(text, limit=MAX_COMMAND_CHARS))


def assumptions(candidate: Candidate, result: Result) -> Iterator[str]:
    """Under what the verdict holds."""
    for each in result.spec.given:
        yield f"Callers guarantee: {each.text} ({'; '.join(each.formal)})" if each.formal else each.text
    proved = [each for each in candidate.obligations if isinstance(each, Proved)]
    for assumed in dict.fromkeys(text for each in proved for text in each.assumptions):
        yield assumed[:1].upper() + assumed[1:]
    yield f"What is used is the text with the SHA-256 {candidate.sha256 or '(none)'}, on Python {result.tool.python}"


def not_shown(candidate: Candidate, result: Result) -> Iterator[str]:
    """What nobody found out, so that nobody relies on it."""
    if not candidate.obligations:
        yield f"Any of the {len(result.spec.clauses)} promises: nothing was run"
    tested = [each for each in candidate.obligations if isinstance(each, Tested) and not each.exhaustive]
    if tested:
        yield f"Tried on many inputs, which is no proof: {_named([each.id for each in tested])}"
    for each in candidate.obligations:
        if isinstance(each, (Unknown, Vacuous, Failed)) and not was_stopped(each):
            yield f"{each.id}: {why(each)}"
    stopped = [each.id for each in candidate.obligations if was_stopped(each)]
    if stopped:
        yield f"Not reached, because the work ends with what is broken: {_named(stopped)}"
    yield "Inputs outside of the ranges of the spec"
    yield "Whether the spec says what its owner means"


def _named(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return "; ".join(names[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
