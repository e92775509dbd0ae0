"""Markdown (GitHub's): the verdicts in a table, each refutation with its call, all clauses in a part that unfolds."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from neurosym.reports.document import Candidate, Counterexample, Diagnostic, Judged, Refuted, Result, SpecFault
from neurosym.reports.findings import departing_line
from neurosym.reports.saying import counts, in_plain_words, may_it_be_used, verdict_of, waiver_of, waivers_in_words, why
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_text

_SPECIAL = re.compile(r"([\\`*_\[\]|~#$!])")


def markdown(result: Result) -> str:
    """The document."""
    return "\n".join(_lines(result)) + "\n"


def escaped(text: str) -> str:
    """A stranger's text on one line: shown as it is, and neither Markdown nor HTML."""
    return _SPECIAL.sub(r"\\\1", html.escape(safe_text(text), quote=False))


def code(text: str) -> str:
    """A text as a code span, also inside of a table."""
    shown = safe_text(text).replace("|", "\\|")
    fence = _fence(shown, 1)
    return f"{fence} {shown} {fence}" if shown.startswith("`") or shown.endswith("`") else f"{fence}{shown}{fence}"


def _lines(result: Result) -> Iterator[str]:
    yield f"## neurosym: {escaped(result.spec.title or result.spec.name)}"
    yield ""
    if result.spec_fault is not None:
        yield from spec_fault(result.spec_fault)
    if result.candidates:
        yield from table(("candidate", "verdict", "accepted", "promises"), [_row(each) for each in result.candidates])
    for candidate in result.candidates:
        yield from what_was_found(candidate, result, candidate.name)
    yield from _footer(result)


def _row(candidate: Candidate) -> tuple[str, ...]:
    said = ", ".join(f"{count} {word.lower()}" for word, count in counts(candidate)) or "not run"
    return code(candidate.name), f"**{candidate.verdict}**", candidate.admission, said


def spec_fault(fault: SpecFault) -> Iterator[str]:
    """Why no candidate could be judged."""
    yield f"**SPEC FAULT** ({fault.code}): {escaped(fault.clause)}: {escaped(fault.message)}"
    yield ""
    if fault.counterexample is not None:
        yield from _case(fault.counterexample)
    yield "No candidate was judged. Mend the spec first."
    yield ""


def what_was_found(candidate: Candidate, result: Result, name: str) -> Iterator[str]:
    """A candidate under its name: the verdict in words, what is wrong with it, and all clauses."""
    yield f"### {code(name)}: {candidate.verdict}"
    yield ""
    yield f"{in_plain_words(candidate)} {may_it_be_used(candidate, result)}"
    yield ""
    for waiver in waivers_in_words(candidate):
        yield from (f"> {escaped(waiver)}", "")
    for diagnostic in (*candidate.diagnostics, *candidate.objections):
        yield from _diagnostic(diagnostic)
    if candidate.error is not None:
        yield f"NS901: {escaped(candidate.error)}"
        yield ""
    for obligation in candidate.obligations:
        if isinstance(obligation, Refuted):
            yield from _refuted(candidate, obligation, result)
    if candidate.obligations:
        yield "<details><summary>All clauses</summary>"
        yield ""
        rows = [
            (escaped(each.id), verdict_of(each), escaped(_why(each, candidate)), escaped("; ".join(each.source)))
            for each in candidate.obligations
        ]
        yield from table(("clause", "verdict", "why", "source"), rows)
        yield "</details>"
        yield ""


def _why(obligation: Judged, candidate: Candidate) -> str:
    waiver = waiver_of(obligation, candidate)
    return f"{why(obligation)}; {waiver}" if waiver else why(obligation)


def _diagnostic(found: Diagnostic) -> Iterator[str]:
    where = f" Line {found.line}: {code(found.source_line.strip())}" if found.line is not None else ""
    yield f"**{found.code}** {escaped(found.message)}{where}"
    yield ""


def _refuted(candidate: Candidate, refuted: Refuted, result: Result) -> Iterator[str]:
    said = f": {escaped(refuted.text)}" if refuted.text else ""
    line = departing_line(candidate, refuted, result.spec.name)
    where = f", line {line}" if line is not None else ""
    yield f"**{escaped(refuted.id)}**{said} ({refuted.code}{where})"
    yield ""
    yield from _case(refuted.counterexample)
    if refuted.replay:
        command = safe_text(refuted.replay, limit=MAX_COMMAND_CHARS)
        fence = _fence(command, 3)
        yield from ("Run it again:", "", f"{fence}sh", command, fence, "")


def _case(case: Counterexample) -> Iterator[str]:
    calls = [safe_text(call, limit=8_000) for call in case.calls]
    fence = _fence("\n".join(calls), 3)
    yield from (f"{fence}python", *calls, fence, "")
    parts = (("expected", case.expected), ("actual", case.actual), ("difference", case.difference))
    said = [(name, text) for name, text in parts if text]
    if said:
        yield from table([name for name, _ in said], [[code(text) for _, text in said]])


def _footer(result: Result) -> Iterator[str]:
    owner = f", owned by {escaped(result.spec.owner)}" if result.spec.owner else ""
    tool = result.tool
    yield (
        f"<sub>Spec {escaped(result.spec.name)}{owner}, sha256 {result.spec.sha256[:16]}…; required: {result.require}; "
        f"{escaped(tool.name)} {escaped(tool.version)} on Python {escaped(tool.python)}.</sub>"
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table; the cells are Markdown already."""
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---' for _ in heads)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _fence(text: str, least: int) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(least, longest + 1)
