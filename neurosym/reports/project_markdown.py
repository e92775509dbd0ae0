"""Markdown for a project: a table of all its functions, and of those that are not as they should be what is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from neurosym.reports.findings import Finding, Level
from neurosym.reports.markdown import code, escaped, spec_fault, table, what_was_found
from neurosym.reports.saying import counts
from neurosym.reports.sections import Report, Section


def markdown_of(report: Report) -> str:
    """The document."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"## neurosym: {escaped(report.name)}"
    yield ""
    yield from table(("function", "file", "verdict", "accepted", "promises"), [_row(each) for each in report.sections])
    for section in report.sections:
        result = section.result
        if result.spec_fault is not None:
            yield f"### {code(result.spec.name)}: SPEC FAULT"
            yield ""
            yield from spec_fault(result.spec_fault)
        for candidate in result.candidates:
            if candidate.admission != "admitted" or any(each.waiver for each in section.findings):
                yield from what_was_found(candidate, result, f"{result.spec.name} in {candidate.name}")
                yield from _accepted(section.findings)
    assumed = [(section.result.spec.name, said) for section in report.sections for said in section.assumed]
    if assumed:
        yield "### Assumed"
        yield ""
        yield from (f"- {code(name)}: {escaped(said)}" for name, said in assumed)
        yield ""
    if report.remarks:
        yield "### Remarks"
        yield ""
        yield from (f"- {_place(each)}: {escaped(each.message)} ({each.code})" for each in report.remarks)
        yield ""
    tool = report.sections[0].result.tool
    kept = sum(each.reached is not None for each in report.sections)
    said = f"{kept} of {len(report.sections)} verdicts are of earlier runs of the same; " if kept else ""
    yield f"<sub>{said}{escaped(tool.name)} {escaped(tool.version)} on Python {escaped(tool.python)}.</sub>"


def _row(section: Section) -> tuple[str, ...]:
    result = section.result
    if not result.candidates:
        return code(result.spec.name), "", "**SPEC FAULT**", "no", "not run"
    candidate = result.candidates[0]
    open_ = any(not (each.accepted or each.waiver) for each in section.findings if each.level is not Level.NOTE)
    accepted = any(each.accepted for each in section.findings)
    admission: str = candidate.admission
    if candidate.admission != "admitted" and accepted and not open_:
        admission = "as known"
    elif candidate.admission == "admitted" and any(each.waiver for each in section.findings):
        admission = "by waiver"
    said = ", ".join(f"{count} {word.lower()}" for word, count in counts(candidate)) or "not run"
    return code(result.spec.name), code(candidate.name), f"**{candidate.verdict}**", admission, said


def _accepted(findings: tuple[Finding, ...]) -> Iterator[str]:
    for each in findings:
        if each.accepted:
            yield f"Accepted: {escaped(each.clause or each.code)}, since {escaped(each.accepted)}"
            yield ""


def _place(finding: Finding) -> str:
    return code(finding.file if finding.line is None else f"{finding.file}:{finding.line}")
