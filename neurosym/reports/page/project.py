"""The page of a whole project: the verdicts on all its functions as a table, then what each rests on."""

from __future__ import annotations

from dataclasses import dataclass

from neurosym.reports.page.rendering import rendered
from neurosym.reports.saying import counts
from neurosym.reports.sections import Report, Section


@dataclass(frozen=True, slots=True)
class Row:
    """A function in a line."""

    function: str
    file: str
    verdict: str
    fine: str
    promises: str


def project_html(report: Report) -> str:
    """The page."""
    sections = report.sections
    return rendered(
        "project.html",
        report=report,
        rows=[_row(each) for each in sections],
        open=sum(not each.is_fine for each in sections),
        kept=sum(each.reached is not None for each in sections),
        tool=sections[0].result.tool if sections else None,
    )


def _row(section: Section) -> Row:
    result = section.result
    if not result.candidates:
        return Row(result.spec.name, result.spec.path, "SPEC FAULT", "no: spec fault", "not run")
    candidate = result.candidates[0]
    promises = ", ".join(f"{count} {word.lower()}" for word, count in counts(candidate)) or "not run"
    fine = "as known" if section.as_known else "yes" if section.is_fine else f"no: {section.admission}"
    return Row(result.spec.name, candidate.name, candidate.verdict, fine, promises)
