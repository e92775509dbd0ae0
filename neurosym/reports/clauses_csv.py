"""CSV for a spreadsheet: a row for each clause of each candidate."""

from __future__ import annotations

from neurosym.reports.document import Judged, Refuted, Result
from neurosym.reports.findings import departing_line
from neurosym.reports.saying import verdict_of, waiver_of, why
from neurosym.reports.spreadsheet import table_text

_HEADS = (
    "spec", "candidate", "verdict of the candidate", "admission", "clause", "kind", "text", "formal", "source",
    "verdict", "method", "why", "code", "call", "expected", "actual", "difference", "line", "candidate sha256",
    "spec sha256", "waiver",
)  # fmt: skip


def clauses_csv(result: Result) -> str:
    """The table. A candidate that was not judged has one row, with why."""
    rows: list[tuple[str, ...]] = [_HEADS]
    for candidate in result.candidates:
        first = (result.spec.name, candidate.name, candidate.verdict, candidate.admission)
        last = (candidate.sha256, result.spec.sha256)
        for each in candidate.obligations:
            line = departing_line(candidate, each, result.spec.name) if isinstance(each, Refuted) else None
            rows.append((*first, *_clause(each), str(line or ""), *last, waiver_of(each, candidate)))
        if not candidate.obligations:
            said = "; ".join(each.message for each in candidate.diagnostics) or candidate.error or "nothing was run"
            code = candidate.diagnostics[0].code if candidate.diagnostics else ""
            rows.append((*first, *[""] * 7, said, code, *[""] * 5, *last, ""))
    if result.spec_fault is not None:
        fault = result.spec_fault
        row = (result.spec.name, "", "", "", fault.clause, *[""] * 4, "SPEC FAULT", "", fault.message, fault.code)
        rows.append((*row, *[""] * 6, result.spec.sha256, ""))
    return table_text(rows)


def _clause(each: Judged) -> tuple[str, ...]:
    promise = (each.id, each.kind, each.text, "; ".join(each.formal), "; ".join(each.source))
    verdict = (verdict_of(each), each.method, why(each))
    if not isinstance(each, Refuted):
        return (*promise, *verdict, *[""] * 5)
    case = each.counterexample
    return (*promise, *verdict, each.code, "; ".join(case.calls), case.expected, case.actual, case.difference)
