"""What ``verify`` returns: for each candidate what is known of it, and of the spec whether it can judge at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from neurosym_specs.model import Spec
from neurosym_specs.verdicts import Standing, Vacuous, combine
from neurosym_verifiers.judgement import Judgement, RunRecord

from neurosym.admission import EXIT_CODES, SPEC_FAULT_EXIT_CODE, Admission, Required, admit, worst
from neurosym.diagnostics import Diagnostic, Note, Step
from neurosym.rewrite import Rewriting
from neurosym.source import Delivered
from neurosym.waivers import Applied, Effect, Waivers

if TYPE_CHECKING:
    import neurosym_sandbox as sandbox
    from neurosym_verifiers.bench import Effort, SpecFault
    from neurosym_verifiers.environment import Confinement
    from neurosym_verifiers.regions.apart import NoRegions
    from neurosym_verifiers.regions.table import RegionTable

    from neurosym.explaining import Explanation
    from neurosym.options import Options
    from neurosym.series import Series
    from neurosym.slices import Slice


@dataclass(frozen=True, slots=True)
class Rejected:
    """The candidate never became a function that could be judged. The first of the ``diagnostics`` leads.

    ``run`` and ``ended``: in what it was loaded and how that ended, where it got so far.
    """

    diagnostics: tuple[Diagnostic, ...]
    run: RunRecord | None = None
    ended: sandbox.Outcome | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidate ran; every obligation of the spec has a verdict."""

    judgement: Judgement


@dataclass(frozen=True, slots=True)
class ToolFault:
    """The tool failed on this candidate: nothing is known of it. ``trace`` is for whoever mends the tool."""

    message: str
    trace: str


@dataclass(frozen=True, slots=True)
class NotRun:
    """The candidate passed the gate, and no more was asked for: nothing is known of what it computes."""


Outcome: TypeAlias = Rejected | Judged | ToolFault | NotRun


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateResult:
    """What is known of one candidate, ``standing`` in one word.

    ``source`` is what was judged, None where no text could be read; with a ``rewriting`` it is what that made of the
    original, and every line and column is still the original's. ``objections`` offend a policy that is
    not about security: the verdict is the truth, and they keep the candidate from being admitted. ``gate`` are the
    steps that were taken before anything ran. ``seconds`` is the wall time from reading the candidate to its verdict,
    without what was prepared once for the spec. ``explanation``: what happened on the way to the first refutation,
    ``slice``: the results around it, ``series``: the entries of a list that came there; ``regions``: what it does
    where, if that was asked for.
    ``path``: how a command line names the file, and ``options``: what was asked for; empty and None where the text came
    from nowhere that could be asked again. ``waivers``: those for this candidate, and what they do for it;
    ``with_waivers``: the standing that counts for admission where any of them is in force.
    ``fix``: an exact version of a candidate that was objected to for its floats, and what is known of that; it is an
    offer, and changes nothing.
    """

    name: str
    source: Delivered | None
    outcome: Outcome
    standing: Standing
    notes: tuple[Note, ...] = ()
    objections: tuple[Diagnostic, ...] = ()
    rewriting: Rewriting | None = None
    explanation: Explanation | None = None
    slice: Slice | None = None
    series: tuple[Series, ...] = ()
    regions: RegionTable | NoRegions | None = None
    fix: CandidateResult | None = None
    waivers: tuple[Applied, ...] = ()
    with_waivers: Standing | None = None
    path: str = ""
    options: Options | None = None
    gate: tuple[Step, ...] = ()
    seconds: float = 0.0

    @property
    def sha256(self) -> str:
        """Of the bytes that were judged; empty where no text could be read."""
        return self.source.sha256 if self.source else ""

    @property
    def original(self) -> Delivered | None:
        """The text as it came in: what lines and columns are those of."""
        return self.rewriting.original if self.rewriting else self.source

    def admission(self, require: Required) -> Admission:
        """Whether this candidate may be used where ``require`` is asked for."""
        return self._admitted(self.with_waivers or self.standing, require)

    def rests_on_waivers(self, require: Required) -> bool:
        """Whether it may be used, and could not be without its waivers."""
        admitted = self.admission(require) is Admission.ADMITTED
        return admitted and self._admitted(self.standing, require) is not Admission.ADMITTED

    def _admitted(self, standing: Standing, require: Required) -> Admission:
        return admit(standing, require, objections=bool(self.objections), checked=_anything_checked(self.outcome))


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyResult:
    """The spec, how hard was tried, and a result for each candidate in the order in which they were given.

    With a ``spec_fault`` no candidate was judged and ``candidates`` is empty. ``preparation_s`` is the wall time for
    what was done once: opening the sandbox, drawing inputs, checking the spec against itself.
    """

    spec: Spec
    effort: Effort
    require: Required
    confinement: Confinement
    spec_fault: SpecFault | None
    candidates: tuple[CandidateResult, ...]
    preparation_s: float

    @property
    def exit_code(self) -> int:
        """The exit code that this result means; 0 only if every candidate is admitted."""
        if self.spec_fault is not None:
            return SPEC_FAULT_EXIT_CODE
        return EXIT_CODES[worst(candidate.admission(self.require) for candidate in self.candidates)]


def standing_of(outcome: Outcome, spec: Spec) -> Standing:
    """The verdict on the whole candidate."""
    match outcome:
        case Rejected():
            return Standing.REJECTED
        case Judged(judgement):
            return combine(judgement.verdicts.values(), waive_vacuous=spec.policy.waive_vacuous)
        case ToolFault():
            return Standing.ERROR
        case NotRun():
            return Standing.UNKNOWN


def waived(result: CandidateResult, spec: Spec, waivers: Waivers) -> CandidateResult:
    """The result with the waivers that are for it. Its verdicts stay; where all are waived, nothing is known."""
    if not isinstance(result.outcome, Judged):
        return result
    verdicts = result.outcome.judgement.verdicts
    applied = waivers.of(spec).applied(verdicts, result.original.sha256 if result.original else "")
    out = {each.waiver.clause for each in applied if each.effect is Effect.WAIVED}
    if not out:
        return replace(result, waivers=applied)
    left = (verdict for obligation, verdict in verdicts.items() if obligation.id not in out)
    return replace(result, waivers=applied, with_waivers=combine(left, waive_vacuous=spec.policy.waive_vacuous))


def _anything_checked(outcome: Outcome) -> bool:
    match outcome:
        case Judged(judgement):
            return not all(isinstance(verdict, Vacuous) for verdict in judgement.verdicts.values())
        case Rejected() | ToolFault() | NotRun():
            return True
