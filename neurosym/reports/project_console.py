"""A project at a terminal: a line for each function, and of those that are not as they should be what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import TextIO

from neurosym.admission import Admission
from neurosym.checking.accepting import Accounted
from neurosym.reports.columns import WIDTH, wrapped
from neurosym.reports.document import Candidate, Counterexample, Refuted
from neurosym.reports.findings import ASSUMED, AcceptedBy, Finding, Level
from neurosym.reports.saying import was_stopped
from neurosym.safe_text import MAX_COMMAND_CHARS, safe_text

_MOST_FINDINGS = 6
_WHERE = {
    AcceptedBy.POLICY: "the spec's policy",
    AcceptedBy.COMMENT: "a comment in the code",
    AcceptedBy.BASELINE: "the baseline",
}
_WORDS = ("PROVED", "TESTED", "UNKNOWN", "ERROR", "REFUTED", "REJECTED", "SPEC FAULT")


class ProjectConsole:
    """Prints each function as soon as it is known. ``quiet``: only those that are not fine, and the summary."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self._stream = stream
        self._quiet = quiet
        self._begun = False

    def function(self, accounted: Accounted) -> None:
        """One function."""
        if self._quiet and accounted.admission is Admission.ADMITTED:
            return
        result = accounted.section.result
        candidate = result.candidates[0] if result.candidates else None
        word = candidate.verdict if candidate else "SPEC FAULT"
        remark = _when(accounted.section.reached) or (f"{candidate.seconds:.2f} s" if candidate else "")
        name = safe_text(accounted.subject.name, limit=200)
        room = WIDTH - 11 - len(remark)
        self._line(f"{word:<10} {name:<{room}}{remark}" if len(name) < room else f"{word:<10} {name}  {remark}")
        shown = _grouped(each for each in accounted.section.findings if each.level is not Level.NOTE)
        for findings in shown[:_MOST_FINDINGS]:
            self._finding(findings, candidate)
        if more := sum(map(len, shown[_MOST_FINDINGS:])):
            self._line(f"    and {more} more; --json or neurosym verify has all")
        for note in [] if candidate is None else [note for note in candidate.notes if note.code == ASSUMED]:
            self._paragraph(f"{result.candidates[0].name}:{note.line}: {note.message} ({note.code})", 2, 4)
        if accounted.as_known and candidate is not None:
            stopped = sum(was_stopped(each) for each in candidate.obligations)
            if stopped:
                promises = "promise was" if stopped == 1 else "promises were"
                self._paragraph(f"{stopped} more {promises} not checked, since the work ended with what is accepted", 4)

    def remark(self, finding: Finding) -> None:
        """What is said of a comment or of an entry of the baseline."""
        where = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
        self._paragraph(f"{where}: {finding.message} ({finding.code})", 0, 4)

    def summary(self, accounted: Sequence[Accounted], exit_code: int) -> None:
        """The end."""
        counted = Counter(_word(each) for each in accounted)
        counts = ", ".join(f"{counted[word]} {word.lower()}" for word in _WORDS if counted[word])
        fine = sum(each.admission is Admission.ADMITTED for each in accounted)
        known = sum(each.as_known for each in accounted)
        as_known = f", {known} of them as known" if known else ""
        waived = sum(each.by_waiver for each in accounted)
        as_known += f", {waived} by waiver" if waived else ""
        functions = "1 function" if len(accounted) == 1 else f"{len(accounted)} functions"
        if self._begun:
            self._line()
        self._paragraph(f"{functions}: {counts}; {fine} accepted{as_known} (exit {exit_code})", 0, 2)
        kept = sum(each.section.reached is not None for each in accounted)
        if kept:
            are = "verdict is" if kept == 1 else "verdicts are"
            self._paragraph(f"{kept} {are} from the cache; --no-cache finds out anew", 0, 2)

    def _finding(self, findings: Sequence[Finding], candidate: Candidate | None) -> None:
        """Those of a group: one, or several of which the same is said."""
        finding = findings[0]
        where = finding.file if finding.line is None else f"{finding.file}:{finding.line}"
        refuted = _refuted(finding, candidate)
        said = finding.message if refuted is None else f"{finding.clause} is broken"
        if len(findings) > 1:
            said = f"{'; '.join(each.clause for each in findings)}: {_said_of(finding)}"
        self._paragraph(f"{where}: {said} ({finding.code})", 2, 4)
        if finding.accepted:
            self._paragraph(f"accepted by {_WHERE[finding.accepted_by]}: {finding.accepted}", 4, 6)
        elif finding.waiver:
            self._paragraph(finding.waiver, 4, 6)
        elif refuted is not None:
            self._case(refuted.counterexample)
            if refuted.replay:
                self._line("      " + safe_text(refuted.replay, limit=MAX_COMMAND_CHARS))  # never broken, like a call
            else:
                self._paragraph(
                    "no command runs it again: its spec stands in no file (--print-specs writes one), or its inputs "
                    "are too large; --json has them",
                    6,
                )

    def _case(self, case: Counterexample) -> None:
        for call in case.calls:
            self._line("      " + safe_text(call, limit=8_000))  # never broken: it can be pasted
        for label, text in (("expected", case.expected), ("actual", case.actual), ("difference", case.difference)):
            if text:
                self._paragraph(f"{label:<12}{text}", 6, 18)

    def _paragraph(self, text: str, indent: int, hanging: int | None = None) -> None:
        below = indent if hanging is None else hanging
        for place, part in enumerate(wrapped(text, below)):
            self._line(" " * (below if place else indent) + part)

    def _line(self, text: str = "") -> None:
        self._begun = True
        self._stream.write(text.rstrip() + "\n")


def _grouped(findings: Iterable[Finding]) -> list[list[Finding]]:
    """In their order; those that follow each other and differ by the clause alone are one group."""
    return [[*group] for _, group in groupby(findings, key=_apart)]


def _apart(finding: Finding) -> tuple[object, ...]:
    what = (
        finding.level,
        finding.code,
        finding.file,
        finding.line,
        finding.accepted,
        finding.accepted_by,
        finding.waiver,
    )
    return (*what, _said_of(finding))


def _said_of(finding: Finding) -> str:
    """The message without the clause that it is about."""
    return finding.message.removeprefix(f"{finding.clause}: ")


def _word(accounted: Accounted) -> str:
    candidates = accounted.section.result.candidates
    return candidates[0].verdict if candidates else "SPEC FAULT"


def _when(reached: datetime | None) -> str:
    """Local time: whoever reads it ran it here."""
    return f"cached {reached.astimezone():%Y-%m-%d %H:%M}" if reached else ""


def _refuted(finding: Finding, candidate: Candidate | None) -> Refuted | None:
    for each in candidate.obligations if candidate else ():
        if isinstance(each, Refuted) and (each.id, each.code) == (finding.clause, finding.code):
            return each
    return None
