"""What is handed back to a model about its last candidate: one thing that is wrong, by the class of the failure.

Every text that a candidate or its run brought stands between double quotes on one line, as data; the prompt's first
message says so. No expression of the spec goes back, only values of single cases and clauses in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from neurosym_specs.model import Spec
from neurosym_specs.obligations import Obligation
from neurosym_specs.verdicts import Refuted, Verdict

from neurosym.admission import Admission, Required
from neurosym.feedback.packet import Feedback, quoted
from neurosym.feedback.refuted import refuted
from neurosym.feedback.rejected import objected, rejected
from neurosym.feedback.undecided import undecided
from neurosym.fences import code_blocks
from neurosym.generators.request import Reply, Request
from neurosym.result import CandidateResult, Judged, NotRun, Rejected, ToolFault

__all__ = ["Feedback", "feedback_on", "quoted"]

_BARE = re.compile(r"^(?:async )?(?:def|class) \w", re.MULTILINE)
"""How code begins that stands in no block."""

_OFFENDS = "It computes as it should as far as was seen, and it cannot be used as it is."


def feedback_on(
    spec: Spec, result: CandidateResult, require: Required, request: Request, reply: Reply
) -> Feedback | None:
    """What to say of a candidate; None where it is admitted, or where the tool failed and not the candidate."""
    if result.admission(require) is Admission.ADMITTED:
        return None
    match result.outcome:
        case Rejected(diagnostics):
            cut_at = request.max_tokens if reply.cut else None
            has_code = bool(code_blocks(reply.text)) or _BARE.search(reply.text) is not None
            return rejected(spec, diagnostics, has_code=has_code, cut_at=cut_at)
        case Judged(judgement):
            found = _judged(spec, result, judgement.verdicts)
            refusals = (note.message for note in result.notes if note.code == "NS551")
            return replace(found, facts=(*found.facts, *map(quoted, refusals)))
        case ToolFault() | NotRun():
            return None


def _judged(spec: Spec, result: CandidateResult, verdicts: Mapping[Obligation, Verdict]) -> Feedback:
    offends = objected(result.objections)
    if any(isinstance(verdict, Refuted) for verdict in verdicts.values()):
        found = refuted(spec, verdicts, result.explanation, result.original)
        return replace(found, facts=(*found.facts, *offends))
    if offends:
        first = result.objections[0]
        return Feedback(
            failure=first.failure,
            code=first.code,
            headline=_OFFENDS,
            facts=offends,
            keep="Keep what it computes.",
            about=tuple(sorted({each.message for each in result.objections})),
        )
    return undecided(verdicts)
