"""What counts of what was found: findings that a comment or the baseline accepts are shown, and do not count.

The verdict stays what it is. What was not tried since a refutation came first is not decided, and has to be accepted
beside that refutation. What keeps a function from being judged at all cannot be accepted, nor can a fault of this
tool or of the spec, nor tampering: nothing is known then that anybody could accept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from neurosym.admission import EXIT_CODES, SPEC_FAULT_EXIT_CODE, Admission, worst
from neurosym.checking.baseline import Known, known_as
from neurosym.checking.ignores import Ignore, ignores
from neurosym.checking.plan import Subject
from neurosym.checking.run import Checked
from neurosym.reports.document import Result
from neurosym.reports.findings import CONTRACT, FAULT, AcceptedBy, Finding, Level, definition_line, findings, untried
from neurosym.reports.sections import Section
from neurosym.waivers import IDLE, Uses, Waivers, idle_in_words

IGNORE = "NS732"
STALE = "NS733"
_NEVER = frozenset({FAULT, "NS519", "NS701"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounted:
    """A subject with what is said of it. ``admission``: whether it counts as fine; None for a fault of the spec."""

    subject: Subject
    section: Section
    admission: Admission | None

    @property
    def by_waiver(self) -> bool:
        """Whether it is fine only because somebody answers for what is not decided."""
        return self.admission is Admission.ADMITTED and any(each.waiver for each in self.section.findings)

    @property
    def as_known(self) -> bool:
        """Whether it is fine only because what was found is accepted."""
        return self.section.as_known


@dataclass(slots=True)
class Accepting:
    """Goes through what was checked, and remembers which comments, entries and waivers were of use."""

    baseline: Sequence[Known] = ()
    baseline_file: str = ""
    waivers: Waivers = field(default_factory=Waivers)
    waivers_file: str = ""
    _used: set[tuple[Path, int, str]] = field(default_factory=set)
    _ignores: dict[Path, tuple[str, tuple[Ignore, ...]]] = field(default_factory=dict)
    _met: set[str] = field(default_factory=set)
    _refused: dict[tuple[Path, int], str] = field(default_factory=dict)
    found: list[Known] = field(default_factory=list)
    _uses: Uses = field(init=False)

    def __post_init__(self) -> None:
        self._uses = Uses(self.waivers)

    def account(self, checked: Checked) -> Accounted:
        """What counts of one subject."""
        subject, result = checked.subject, checked.result
        for candidate in result.candidates:
            self._ignores.setdefault(subject.file, (candidate.name, ignores(candidate.text)))
            for waiver in candidate.waivers:
                self._uses.meet(result.spec.name, asdict(waiver))
        found = tuple(findings(result))
        said = tuple(each if each.accepted else self._weighed(each, subject, result) for each in found)
        counted = [(new, old) for new, old in zip(said, found, strict=True) if old.level is not Level.NOTE]
        newly = any(new.accepted and not old.accepted for new, old in counted)
        known = newly and all(new.accepted or new.waiver for new, _ in counted)
        beyond: tuple[Finding, ...] = ()
        if all(_can_be_accepted(old, result) for _, old in counted):
            beyond = tuple(self._weighed(each, subject, result) for each in untried(result))
        admission = _admission(result, known=known, decided=all(each.accepted or each.waiver for each in beyond))
        section = Section(
            result=result,
            findings=(*said, *beyond) if known else said,
            reached=checked.reached,
            admission=admission.value if admission else "",
        )
        return Accounted(subject=subject, section=section, admission=admission)

    def remarks(self, *, all_checked: bool) -> list[Finding]:
        """Comments that accept nothing, where all functions of their files were checked, entries nothing has, and
        waivers that do nothing."""
        said = []
        for file, (name, comments) in self._ignores.items():
            for each in comments:
                why = each.wrong or self._refused.get((file, each.line), "")
                text = f"this comment accepts nothing: {why}" if why else ""
                unused = [code for code in each.codes if (file, each.line, code) not in self._used]
                if not why and unused and all_checked:
                    text = f"this comment accepts {', '.join(unused)}, which is not found here: take it out"
                if text:
                    said.append(Finding(level=Level.WARNING, code=IGNORE, message=text, file=name, line=each.line))
        if all_checked:
            for entry in self.baseline:
                if entry.fingerprint not in self._met:
                    text = f"not found any more: {entry.code} in {entry.function}, {entry.clause or 'no clause'}"
                    hint = "neurosym check --write-baseline takes it out"
                    said.append(
                        Finding(level=Level.WARNING, code=STALE, message=f"{text}; {hint}", file=self.baseline_file)
                    )
        for waiver, why in self._uses.idle(all_judged=all_checked):
            text = idle_in_words(waiver, why)
            said.append(Finding(level=Level.WARNING, code=IDLE, message=text, file=self.waivers_file))
        return said

    def _weighed(self, finding: Finding, subject: Subject, result: Result) -> Finding:
        """The finding, marked where it is accepted."""
        _, comments = self._ignores.get(subject.file, ("", ()))
        definition = definition_line(result.candidates[0].text, subject.function) if result.candidates else None
        can_be = _can_be_accepted(finding, result)
        for comment in comments:
            about = comment.about in (finding.line, definition)
            if comment.wrong or not about or finding.code not in comment.codes:
                continue
            if not can_be:
                why = f"{finding.code} cannot be accepted, since nothing is known of what the function computes"
                self._refused[subject.file, comment.line] = why
                continue
            self._used.add((subject.file, comment.line, finding.code))
            return replace(finding, accepted=comment.reason, accepted_by=AcceptedBy.COMMENT)
        if not can_be or finding.level is Level.NOTE:
            return finding
        known = known_as(finding, subject.name)
        self.found.append(known)
        if any(each.fingerprint == known.fingerprint for each in self.baseline):
            self._met.add(known.fingerprint)
            return replace(finding, accepted=f"it is known in {self.baseline_file}", accepted_by=AcceptedBy.BASELINE)
        return finding


def _can_be_accepted(finding: Finding, result: Result) -> bool:
    if finding.code in _NEVER or not result.candidates:
        return False
    candidate = result.candidates[0]
    turned_away = any((each.code, each.line) == (finding.code, finding.line) for each in candidate.diagnostics)
    unread = candidate.obligations and all(each.kind == CONTRACT for each in candidate.obligations)
    return not (turned_away or unread) and candidate.verdict not in ("REJECTED", "ERROR")


def _admission(result: Result, *, known: bool, decided: bool) -> Admission | None:
    """``known``: all that counts against the function is accepted; ``decided``: so is what was not tried for it."""
    if result.spec_fault is not None:
        return None
    if known:
        return Admission.ADMITTED if decided else Admission.UNDECIDED
    return Admission(result.candidates[0].admission)


def exit_code(accounted: Collection[Accounted], *, lacks: bool = False) -> int:
    """The exit code of the whole: that of the worst, where a fault of a spec comes behind what is refused or failed.

    ``lacks``: something was asked for beside these in which there is nothing to check.
    """
    admissions = [each.admission for each in accounted if each.admission is not None]
    at_fault = len(admissions) < len(accounted)
    bad = worst([*admissions, *([Admission.NOTHING_TO_CHECK] if lacks else [])])
    if at_fault and bad not in (Admission.REFUSED, Admission.FAILED):
        return SPEC_FAULT_EXIT_CODE
    return EXIT_CODES[bad]
