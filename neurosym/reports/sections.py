"""Several results in one report: each with what is said of it, so that a form for one is a form for many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from neurosym.admission import Admission
from neurosym.reports.document import Result
from neurosym.reports.findings import ASSUMED, Finding, findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A result and the findings about it, those that are accepted among them marked as such.

    ``reached``: when, where that was in an earlier run than the one that is reported. ``admission``: whether it counts
    as fine in a project, with what is accepted set aside; empty for a fault of the spec.
    """

    result: Result
    findings: tuple[Finding, ...]
    reached: datetime | None = None
    admission: str = ""

    @property
    def is_fine(self) -> bool:
        """Whether nothing counts against it."""
        return self.admission == Admission.ADMITTED.value

    @property
    def as_known(self) -> bool:
        """Whether it is fine only because what was found is accepted."""
        return self.is_fine and any(each.admission != self.admission for each in self.result.candidates)

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is taken for granted beside what the spec says: a verdict is one of these inputs only."""
        return tuple(each.message for each in self.findings if each.code == ASSUMED)

    def why_accepted(self, code: str, clause: str = "") -> str:
        """Why what is found is accepted; empty where it is not."""
        of_it = (each for each in self.findings if (each.code, each.clause) == (code, clause))
        return next((each.accepted for each in of_it), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is reported together. ``remarks`` are about no result: on comments and files that say what is accepted."""

    name: str
    sections: Sequence[Section]
    exit_code: int
    remarks: Sequence[Finding] = ()


def report_of(result: Result) -> Report:
    """The report on one result."""
    section = Section(result=result, findings=tuple(findings(result)))
    return Report(name=result.spec.name, sections=(section,), exit_code=result.exit_code)
