"""What a stored result has to say of places in files, for those who show it there: one list, from which each format."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from neurosym.reports.document import Candidate, Diagnostic, Failed, Judged, Refuted, Result, Tested, Vacuous
from neurosym.reports.saying import reached, waiver_of, was_stopped, what_happened, why
from neurosym.trees import tree_of

UNDECIDED = "NS520"
UNREAD = "NS734"
ASSUMED = "NS735"
NO_CONTRACTS = "NS736"
CONTRACT = "contract"
"""The kind of a promise that a contract in the code makes and that is not read."""

FAULT = "NS901"


class Level(StrEnum):
    """How bad it is: what must not be used, what is not known, what is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class AcceptedBy(StrEnum):
    """Where it stands that a finding is accepted: the policy of the spec, a comment in the code, the baseline."""

    POLICY = "policy"
    COMMENT = "comment"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is said of a file.

    ``line`` and ``column`` count from 1, ``content`` is that line without its indentation. ``clause``: the one that it
    is about. ``accepted``: why it does not count; ``accepted_by``: where that stands. ``waiver``: who answers for it,
    until when and why. ``replay``: the command that runs it again.
    """

    level: Level
    code: str
    message: str
    file: str
    line: int | None = None
    column: int | None = None
    content: str = ""
    clause: str = ""
    accepted: str = ""
    accepted_by: AcceptedBy = AcceptedBy.POLICY
    waiver: str = ""
    replay: str = ""


def findings(result: Result) -> Iterator[Finding]:
    """Everything that is wrong, not decided, or noted, in the order of the document."""
    fault = result.spec_fault
    if fault is not None:
        where = f"{fault.clause}: " if fault.clause else ""
        yield Finding(level=Level.ERROR, code=fault.code, message=where + fault.message,
                      file=result.spec.path or result.spec.name, clause=fault.clause)  # fmt: skip
    for candidate in result.candidates:
        yield from findings_of(candidate, result)


def findings_of(candidate: Candidate, result: Result) -> Iterator[Finding]:
    """Those about one candidate."""
    if candidate.error is not None:
        message = f"this tool failed, and nothing is known of the candidate: {candidate.error}"
        yield Finding(level=Level.ERROR, code=FAULT, message=message, file=candidate.name)
    for each in (*candidate.diagnostics, *candidate.objections):
        yield _diagnosed(candidate, each)
    for obligation in candidate.obligations:
        if not was_stopped(obligation):
            yield from _of_obligation(candidate, obligation, result)
    if candidate.stopped_after:
        message = f"nothing was run: the work was to end after the {candidate.stopped_after}"
        yield Finding(level=Level.WARNING, code=UNDECIDED, message=message, file=candidate.name)
    for note in candidate.notes:
        yield Finding(level=Level.NOTE, code=note.code, message=note.message, file=candidate.name, line=note.line,
                      content=_content(candidate, note.line))  # fmt: skip


def untried(result: Result) -> Iterator[Finding]:
    """The promises that were not tried, since another one was refuted: they count where that refutation does not."""
    for candidate in result.candidates:
        for obligation in candidate.obligations:
            if was_stopped(obligation):
                yield from _of_obligation(candidate, obligation, result)


def _diagnosed(candidate: Candidate, found: Diagnostic) -> Finding:
    hint = f" ({found.hint})" if found.hint else ""
    return Finding(level=Level.ERROR, code=found.code, message=found.message + hint, file=candidate.name,
                   line=found.line, column=found.column, content=found.source_line.strip())  # fmt: skip


def _of_obligation(candidate: Candidate, obligation: Judged, result: Result) -> Iterator[Finding]:
    line = departing_line(candidate, obligation, result.spec.name.rpartition(".")[2])

    replay = obligation.replay if isinstance(obligation, Refuted) else ""
    waiver = waiver_of(obligation, candidate)

    def finding(level: Level, code: str, message: str, accepted: str = "") -> Finding:
        return Finding(level=level, code=code, message=message, file=candidate.name, line=line,
                       content=_content(candidate, line), clause=obligation.id, accepted=accepted,
                       waiver=waiver, replay=replay)  # fmt: skip

    match obligation:
        case Refuted():
            text = f" ({obligation.text})" if obligation.text else ""
            yield finding(Level.ERROR, obligation.code, f"{obligation.id}{text}: {what_happened(obligation)}")
        case Failed(error=error):
            yield finding(Level.ERROR, FAULT, f"{obligation.id}: this tool failed: {error}")
        case Vacuous() if result.spec.waive_vacuous:
            accepted = "the policy of the spec: an obligation with nothing to check is fine"
            yield finding(Level.WARNING, UNDECIDED, f"{obligation.id}: {why(obligation)}", accepted)
        case Tested() if not reached(obligation, result):
            yield finding(Level.WARNING, UNDECIDED, f"{obligation.id}: a proof is required; {why(obligation)}")
        case _ if not reached(obligation, result):
            code = undecided_code(obligation)
            yield finding(Level.WARNING, code, f"{obligation.id}: not decided: {why(obligation)}")
        case _:
            pass


def departing_line(candidate: Candidate, obligation: Judged, function: str) -> int | None:
    """The line of the first value that is not as it should be; else the best that is known, the function's own."""
    if isinstance(obligation, Refuted):
        first = next(each for each in candidate.obligations if isinstance(each, Refuted))
        explained = candidate.explanation if obligation is first else None
        if explained is not None and explained.departure is not None:
            return explained.departure.line
        if explained is not None and explained.endless_line is not None:
            return explained.endless_line
        if obligation.counterexample.line is not None:
            return obligation.counterexample.line
    return definition_line(candidate.text, function)


def undecided_code(obligation: Judged) -> str:
    """The code of a promise that is not decided."""
    return UNREAD if obligation.kind == CONTRACT else UNDECIDED


@lru_cache(maxsize=4)
def definition_line(text: str, function: str) -> int | None:
    """The line on which a program defines a function at its top level, else anywhere; of a text that is no Python,
    the first that looks like it."""
    tree = tree_of(text) or ast.Module(body=[], type_ignores=[])
    for nodes in (reversed(tree.body), ast.walk(tree)):
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
                return node.lineno
    found = re.search(rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(function)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else None


def _content(candidate: Candidate, line: int | None) -> str:
    lines = lines_of(candidate)
    return lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else ""


def lines_of(candidate: Candidate) -> list[str]:
    """The text of the candidate, line by line as Python counts them."""
    return candidate.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
